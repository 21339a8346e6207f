// The button that clears what this browser remembers, where the page says what that is.

import { button, html } from "./explorers/parts/elements.js";
import { remember, remembered } from "./memory.js";

const COUNTS = { "answer-": "answer", "solved-": "solved exercise", "read-": "read chapter", "question-": "marked question" };

/** What is remembered, in words: "2 answers, 1 solved exercise". */
function count() {
  const found = Object.entries(COUNTS).map(([kind, word]) => [remembered(kind).length, word]);
  const words = found.filter(([n]) => n).map(([n, word]) => `${n} ${word}${n > 1 ? "s" : ""}`);
  return words.length ? `Remembered now: ${words.join(", ")}.` : "Nothing is remembered.";
}

const place = document.querySelector(".forget");
const said = html("span", { role: "status" }, count());
const forget = button("Forget all of it");
forget.addEventListener("click", () => {
  for (const key of remembered()) remember(key, null);
  for (const mark of document.querySelectorAll(".done")) mark.remove();
  said.textContent = count();
});
place.replaceChildren(forget, " ", said);
