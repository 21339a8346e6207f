// Present a page on a projector: larger text, one section at a time, arrow keys to move.

import { html } from "./explorers/parts/elements.js";

const SCROLL = 0.85; // of the window, by one key
const article = document.querySelector("article");
const count = html("span", { role: "status" });
const step = (label, text, by) => {
  const button = html("button", { type: "button", "aria-label": label }, text);
  button.addEventListener("click", () => show(current + by));
  return button;
};
const leaving = html("button", { type: "button" }, "Leave");
leaving.addEventListener("click", leave);
const bar = html(
  "div",
  { class: "present-bar", role: "region", "aria-label": "Presentation" },
  step("Previous section", "←", -1),
  count,
  step("Next section", "→", 1),
  leaving,
);

let sections = [];
let current = 0;

/** The elements of the page in groups: its head, and each section of the second level. */
function split() {
  const groups = [[]];
  for (const element of article.children) {
    if (element.matches("h2")) groups.push([]);
    groups.at(-1).push(element);
  }
  return groups;
}

/** Show one section, and scroll to its start or its end. */
function show(index, { end = false } = {}) {
  current = Math.max(0, Math.min(index, sections.length - 1));
  sections.forEach((group, n) => {
    for (const element of group) element.classList.toggle("present-hidden", n !== current);
  });
  count.textContent = `${current + 1} of ${sections.length}`;
  scrollTo({ top: end ? document.body.scrollHeight : 0, behavior: "instant" });
}

/** Go on by a part of the window, and at the end of a section to the next one. */
function go(direction) {
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
  const room = direction > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  if (room > 4) scrollBy({ top: direction * SCROLL * clientHeight, behavior: "instant" });
  else if (sections[current + direction]) show(current + direction, { end: direction < 0 });
}

const KEYS = {
  ArrowRight: () => go(1),
  PageDown: () => go(1),
  ArrowLeft: () => go(-1),
  PageUp: () => go(-1),
  Home: () => show(0),
  End: () => show(sections.length - 1),
  Escape: leave,
};

function press(event) {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || !KEYS[key]) return;
  if (target.closest("input, select, textarea, [contenteditable], .movable")) return;
  event.preventDefault();
  event.stopPropagation();
  KEYS[key]();
}

/** Show the section that the address names. */
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const index = sections.findIndex((group) => group.some((element) => element.contains(target)));
  if (!target || index < 0) return;
  show(index);
  target.scrollIntoView();
}

/** The section that the reader sees. */
function find() {
  const starts = sections.map(([first]) => first?.getBoundingClientRect().top ?? 0);
  return Math.max(0, starts.findLastIndex((top) => top < innerHeight / 2));
}

export function present() {
  if (bar.isConnected) return leave();
  sections = split();
  const seen = find();
  document.documentElement.classList.add("presenting");
  document.body.append(bar);
  addEventListener("keydown", press, { capture: true });
  addEventListener("hashchange", follow);
  show(seen);
}

function leave() {
  const [first] = sections[current];
  for (const element of article.children) element.classList.remove("present-hidden");
  document.documentElement.classList.remove("presenting");
  bar.remove();
  removeEventListener("keydown", press, { capture: true });
  removeEventListener("hashchange", follow);
  first?.scrollIntoView();
}
