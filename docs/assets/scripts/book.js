// What every page runs. The page is whole without it; what a page does not use is not loaded.

import "./access.js";
import "./theme.js";

if (document.querySelector("[data-explorer]")) {
  import("./explorers/mount.js");
}

// Here and not in the module: Material would show the titles as tooltips of its own.
const references = document.querySelectorAll("a.eq, a.term");
for (const reference of references) {
  if (!reference.title) continue;
  reference.setAttribute("aria-description", reference.title);
  reference.removeAttribute("title");
}
if (references.length) {
  import("./preview.js");
}

if (document.querySelector(".live")) {
  import("./live.js");
}

// The first of each abbreviation is reached by Tab, and then told as under the pointer.
const told = new Set();
for (const short of document.querySelectorAll("article abbr[title]")) {
  if (!told.has(short.textContent)) short.tabIndex = 0;
  told.add(short.textContent);
}
