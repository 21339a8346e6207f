// What every page runs. The page is whole without it; what a page does not use is not loaded.

import "./access.js";
import "./theme.js";

if (document.querySelector("[data-explorer]")) {
  import("./explorers/mount.js");
}

if (document.querySelector("a.eq, a.term, article abbr")) {
  import("./preview.js");
}

if (document.querySelector(".live")) {
  import("./live.js");
}
