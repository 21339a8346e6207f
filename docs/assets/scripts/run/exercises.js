// Below each exercise a box for an answer, which `posenc.exercises.check` judges here, in the
// reader's browser. What was written stays until it is reset, where the browser keeps anything.
// What judges it is loaded by the first press.

import { button, html } from "../explorers/parts/elements.js";
import { kept } from "./keeping.js";

const FREE = 3; // lines below what it begins with
const CALL = /^exercises\.check\("([\w-]+)", (\w+)\)$/;

/** The text that a box begins with: the function as the task and its solution have it. */
function beginning(task, name) {
  let above = task;
  let signature = `${name}()`;
  while (above && !above.matches("h3")) {
    const found = [...above.querySelectorAll("code")].find((code) => code.textContent.startsWith(`${name}(`));
    if (found) signature = found.textContent;
    above = above.previousElementSibling;
  }
  const solution = task.nextElementSibling.querySelector(".highlight code")?.textContent ?? "";
  const [, returns = ""] = /"""(.+?)"""/.exec(solution.slice(solution.indexOf(`def ${name}(`))) ?? [];
  return `def ${signature}:\n    """${returns}"""\n    `;
}

/** A box below a task: a plain field, which becomes an editor once it is used. */
function exercise(task, name, call) {
  const key = `posenc-answer-${name}`;
  const begins = beginning(task, call);
  const area = html("textarea", {
    class: "box",
    "aria-label": `Your answer: ${call}`,
    autocapitalize: "off",
    autocomplete: "off",
    spellcheck: "false",
    rows: begins.split("\n").length + FREE,
  });
  const set = (text) => (area.value = text);
  const answer = { text: () => area.value, set, focus: () => area.focus() };
  set(kept(({ localStorage }) => localStorage.getItem(key)) ?? begins);
  const [check, reset] = [button("Check"), button("Reset")];
  const said = html("div", { class: "exercise-said", role: "status" });
  const bar = html("p", { class: "run-bar" }, check, reset);
  task.after(html("div", { class: "run exercise" }, area, bar, said));

  const keep = () => kept(({ localStorage }) => localStorage.setItem(key, answer.text()));
  const grow = ({ editor }) => Object.assign(answer, editor(area, keep, check));
  const stay = () => {}; // a field without the editor is a field
  area.addEventListener("input", keep);
  area.addEventListener("focus", () => import("./box.js").then(grow).catch(stay), { once: true });
  reset.addEventListener("click", () => {
    answer.set(begins);
    kept(({ localStorage }) => localStorage.removeItem(key));
    said.replaceChildren();
    answer.focus();
  });
  check.addEventListener("click", async () => (await import("./judging.js")).judge({ name, answer, check, said }));
}

for (const code of document.querySelectorAll("article p > code")) {
  const [, name, call] = CALL.exec(code.textContent) ?? [];
  const task = code.parentElement;
  if (name && task.nextElementSibling?.matches("details.answer")) exercise(task, name, call);
}
