// What this browser remembers of a reader: answers, solved exercises, read chapters, and marks of
// questions. It never leaves the browser, and *Using this site* has a button that clears it.

import { kept } from "./run/keeping.js";
import { html } from "./explorers/parts/elements.js";

const PREFIX = "posenc-";
const KINDS = ["answer-", "solved-", "read-", "question-"];

export const recall = (key) => kept(({ localStorage }) => localStorage.getItem(PREFIX + key));

/** Remember a text; null forgets it. */
export const remember = (key, text) =>
  kept(({ localStorage }) =>
    text === null ? localStorage.removeItem(PREFIX + key) : localStorage.setItem(PREFIX + key, text),
  );

/** The keys of one kind, "solved-", or of all kinds. */
export const remembered = (kinds = KINDS) =>
  (kept(({ localStorage }) => Object.keys(localStorage)) ?? [])
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length))
    .filter((key) => [kinds].flat().some((kind) => key.startsWith(kind)));

/** Put a tick behind a title or a link, once, with a word for it: "solved", "read". */
export function tick(element, word) {
  if (element.querySelector(".done")) return;
  const title = `${word}, as this browser remembers`;
  const mark = html("span", { class: "done no-print", role: "img", "aria-label": word, title }, "✓");
  const link = element.querySelector(".headerlink");
  if (link) link.before(" ", mark, " ");
  else element.append(" ", mark);
}
