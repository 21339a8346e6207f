// *Check yourself* takes an answer: the reader writes one, compares it with that of the book, and
// marks it. Without this module the answers are folds.

import { button, html } from "./explorers/parts/elements.js";
import { recall, remember, tick } from "./memory.js";

/** A field below a question, and the marks below the answer of the book. */
function take(fold, number) {
  const key = `question-${location.pathname}${number}`;
  const question = fold.previousElementSibling;
  const [mark, ...lines] = (recall(key) ?? "").split("\n");
  const field = html("textarea", { class: "box", rows: 2, "aria-label": `Your answer to question ${number}` });
  field.value = lines.join("\n");
  const compare = button("Compare with the book");
  const [right, wrong] = [button("I was right"), button("Not yet")];
  const said = html("span", { role: "status" });
  const marks = html("p", { class: "run-bar" }, "Were you right?", right, wrong, said);
  const ask = html("div", { class: "run question no-print" }, field, html("p", { class: "run-bar" }, compare));
  fold.before(ask);
  fold.append(html("div", { class: "run question no-print" }, marks));

  const show = (now) => {
    right.setAttribute("aria-pressed", now === "right");
    wrong.setAttribute("aria-pressed", now === "not");
    said.textContent = { right: "Marked as right.", not: "Marked as not right yet." }[now] ?? "";
    if (now === "right") tick(question, "right");
    else question.querySelector(".done")?.remove();
  };
  let current = mark;
  const keep = () => remember(key, current || field.value ? `${current}\n${field.value}` : null);
  const set = (now) => {
    current = now;
    keep();
    show(now);
  };
  field.addEventListener("input", keep);
  compare.addEventListener("click", () => {
    fold.open = true;
    fold.querySelector("summary").focus();
  });
  right.addEventListener("click", () => set("right"));
  wrong.addEventListener("click", () => set("not"));
  show(mark);
}

let number = 0;
let next = document.getElementById("check-yourself")?.nextElementSibling;
while (next && !next.matches("h2")) {
  const fold = next;
  next = next.nextElementSibling;
  if (fold.matches("details.answer")) take(fold, (number += 1));
}
