// Below each exercise a box for an answer, which `posenc.exercises.check` judges here, in the
// reader's browser. What was written stays until it is reset, where the browser keeps anything,
// and a solved exercise has a tick beside its title. What judges it is loaded by the first press.

import { button, html } from "../explorers/parts/elements.js";
import { recall, remember, tick } from "../memory.js";

const FREE = 3; // lines below what it begins with
const CALL = /^exercises\.check\("([\w-]+)", (\w+)\)$/;

/** The elements of an exercise from its task up to its title. */
function* upwards(task) {
  let above = task;
  while (above) {
    yield above;
    if (above.matches("h3")) return;
    above = above.previousElementSibling;
  }
}

/** The text that a box begins with: the function as the task and its solution have it. */
function beginning(task, name) {
  const codes = [...upwards(task)].reverse().flatMap((element) => [...element.querySelectorAll("code")]);
  const signature = codes.find((code) => code.textContent.startsWith(`${name}(`))?.textContent ?? `${name}()`;
  const blocks = [...task.nextElementSibling.querySelectorAll(".highlight code")].map((code) => code.textContent);
  const solution = blocks.find((text) => text.includes(`def ${name}(`)) ?? "";
  const [, returns] = /"""(.+?)"""/.exec(solution.slice(solution.indexOf(`def ${name}(`))) ?? [];
  return `def ${signature}:\n${returns ? `    """${returns}"""\n` : ""}    `;
}

/** The next title of the page below an element: another exercise, or the section after them. */
function titleBelow(element) {
  const titles = [...document.querySelectorAll("article :is(h2, h3)[id]")];
  return titles.find((title) => element.compareDocumentPosition(title) & Node.DOCUMENT_POSITION_FOLLOWING);
}

/** A box below a task: a plain field, which becomes an editor once it is used. */
function exercise(task, name, call) {
  const [key, solved] = [`answer-${name}`, `solved-${name}`];
  const title = [...upwards(task)].at(-1);
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
  set(recall(key) ?? begins);
  const [check, reset] = [button("Check"), button("Reset")];
  const said = html("div", { class: "exercise-said", role: "status" });
  const bar = html("p", { class: "run-bar" }, check, reset);
  const box = html("div", { class: "run exercise" }, area, bar, said);
  task.after(box);
  if (recall(solved)) tick(title, "solved");

  const keep = () => remember(key, answer.text());
  const solve = () => {
    remember(solved, "yes");
    tick(title, "solved");
  };
  const grow = ({ editor }) => Object.assign(answer, editor(area, keep, check));
  const stay = () => {}; // a field without the editor is a field
  area.addEventListener("input", keep);
  area.addEventListener("focus", () => import("./box.js").then(grow).catch(stay), { once: true });
  reset.addEventListener("click", () => {
    answer.set(begins);
    remember(key, null);
    said.replaceChildren();
    answer.focus();
  });
  check.addEventListener("click", async () => {
    (await import("./judging.js")).judge({ name, answer, check, said, solve, next: titleBelow(box) });
  });
}

for (const code of document.querySelectorAll("article p > code")) {
  const [, name, call] = CALL.exec(code.textContent) ?? [];
  const task = code.parentElement;
  if (name && task.nextElementSibling?.matches("details.answer")) exercise(task, name, call);
}
