// The register of equations: filter by chapter, word or symbol; open the chapter of a link.

import { html } from "./explorers/parts/elements.js";

const WAIT = 120; // milliseconds after the last key

const chapters = [...document.querySelectorAll("details.register")].map((fold) => ({
  fold,
  heading: fold.previousElementSibling,
  entries: split(fold),
}));
const total = chapters.reduce((sum, { entries }) => sum + entries.length, 0);

/** The entries of a chapter: the elements of each, and its words and formulas as text. */
function split(fold) {
  const entries = [];
  for (const element of fold.children) {
    if (element.matches("h3")) entries.push({ elements: [], text: "" });
    const entry = entries.at(-1);
    if (!entry) continue; // the summary
    entry.elements.push(element);
    const spoken = [...element.querySelectorAll("math[alttext]")].map((math) => math.getAttribute("alttext"));
    entry.text += ` ${element.textContent} ${spoken.join(" ")}`.toLowerCase();
  }
  return entries;
}

const input = html("input", { type: "search", id: "filter", placeholder: "rotary, cosine, ω, 11.3" });
const select = html(
  "select",
  { "aria-label": "Chapter" },
  html("option", { value: "" }, "All chapters"),
  ...chapters.map(({ heading }, n) => html("option", { value: n }, heading.textContent.replace("¶", "").trim())),
);
const count = html("p", { role: "status" });
const label = html("label", { for: "filter" }, "Filter by word, symbol or number");
chapters[0].heading.before(html("div", { class: "filter" }, label, input, select, count));

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const filtering = words.length > 0 || select.value !== "";
  let found = 0;
  chapters.forEach(({ fold, heading, entries }, n) => {
    const chosen = select.value === "" || Number(select.value) === n;
    let matches = 0;
    for (const { elements, text } of entries) {
      const match = chosen && words.every((word) => text.includes(word));
      matches += match;
      for (const element of elements) element.hidden = !match;
    }
    heading.hidden = fold.hidden = matches === 0;
    fold.open = filtering && matches > 0;
    found += matches;
  });
  count.textContent = filtering ? `${found} of ${total} equations` : "";
}

let timer;
input.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(filter, WAIT);
});
select.addEventListener("change", filter);

/** Open the chapter that has the entry in the address. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target?.closest("details.register");
  if (!fold || target.checkVisibility()) return;
  [input.value, select.value] = ["", ""];
  filter();
  fold.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", reveal);
reveal();
