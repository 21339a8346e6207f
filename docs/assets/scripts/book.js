// What every page runs. The page is whole without it; what a page does not use is not loaded.

import "./access.js";

if (document.querySelector("[data-explorer]")) {
  import("./explorers/mount.js");
}

// Here and not in the module: Material would show the titles as tooltips of its own.
const references = document.querySelectorAll("a.eq[title], a.term[title]");
for (const reference of references) {
  reference.setAttribute("aria-description", reference.title);
  reference.removeAttribute("title");
}
if (references.length) {
  import("./preview.js");
}

if (document.querySelector(".live")) {
  import("./live.js");
}
