// What every page runs. The page is whole without it; what a page does not use is not loaded.

if (document.querySelector("[data-explorer]")) {
  import("./explorers/mount.js");
}
