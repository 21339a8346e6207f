// How a mistake, what notices it, and what else fails are put into words, on a card and in the
// panel of a chapter.

import { html } from "../explorers/parts/elements.js";
import { addressed } from "./address.js";

const REGISTER = new URL("../../../reference/equations/", import.meta.url);

export const shorten = (text) => (text.length > 48 ? `${text.slice(0, 46)} …` : text);

/** What was expected and found, or the last line of a traceback. */
export function explain(message) {
  const [, expected, got] = /Expected:\n(.*?)\nGot:\n(.*)/s.exec(message) ?? [];
  const oneLine = (text) => shorten(text.trim().replace(/\s+/g, " "));
  if (expected === undefined || got.includes("Traceback")) return oneLine(message.trim().split("\n").at(-1));
  return `expected ${oneLine(expected)}, found ${oneLine(got)}`;
}

/** Links as a list in words. */
export const joinLinks = (links) => links.flatMap((link, n) => (n ? [n === links.length - 1 ? " and " : ", ", link] : [link]));

/** A card by its number. */
export function linkNumber(id) {
  const number = document.getElementById(id)?.querySelector(".number")?.textContent.trim();
  return number ? html("a", { href: `#${id}` }, `(${number})`) : "code between the cards";
}

/** The register of the book, where the same change is tried on all equations. */
export function linkRegister(edits) {
  const address = addressed(REGISTER, edits);
  if (!address.searchParams.has("edit")) return "";
  return html("a", { href: address.href }, "Try it on all equations of the book");
}

/** The blocks of lines of the package that a card shows. */
export function findLines(verification) {
  const blocks = [];
  for (let one = verification.previousElementSibling; one && !one.matches(".statement"); one = one.previousElementSibling) {
    blocks.unshift(...one.querySelectorAll(".highlight:has(> .filename)"));
  }
  return blocks.filter((block) => block.querySelector(".filename").textContent.startsWith("posenc/"));
}

const marked = new Map(); // the HTML of each code that has a mistake marked in it

/** Take all marks out of the code of the page. */
export function clearChange() {
  for (const [code, before] of marked) code.innerHTML = before;
  marked.clear();
}

/** Mark in the code of a card the lines that a mistake changes, as they were and as they are. */
export function markChange(verification, { edit, line }) {
  clearChange();
  const code = verification && findLines(verification)[edit.number]?.querySelector("code");
  if (!code) return;
  code.closest("details")?.setAttribute("open", "");
  marked.set(code, code.innerHTML);
  const lines = code.innerHTML.split("\n"); // no element goes over the end of a line
  const was = lines.slice(edit.first, edit.first + edit.count);
  const now = edit.text.split("\n").slice(0, -1).map((text) => html("span", {}, text).innerHTML);
  const row = (tag) => (text, n) => `<${tag} class="run-row" data-line="${line + n}">${text}\n</${tag}>`;
  const changed = was.map(row("del")).join("") + now.map(row("ins")).join("");
  const [before, after] = [lines.slice(0, edit.first), lines.slice(edit.first + edit.count)];
  code.innerHTML = `${before.map((one) => `${one}\n`).join("")}${changed}${after.join("\n")}`;
}

/** The changed lines, before and after, with their numbers in the file. */
export function formatChange({ file, line, function: name, edit, before }) {
  const rows = (text, sign, tag) =>
    text.split("\n").slice(0, -1).map((one, n) => html(tag, { class: "run-row", "data-line": line + n }, `${sign} ${one.replace(/\s+#.*$/, "")}\n`));
  return [
    html("p", {}, "In ", html("code", {}, name), `, ${file}, line ${line}:`),
    html("pre", { class: "run-change", tabindex: 0 }, ...rows(before, "−", "del"), ...rows(edit.text, "+", "ins")),
  ];
}
