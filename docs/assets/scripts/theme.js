// The switch between light, dark and system colours. The form and the names in local storage are
// Material's, because Material's script in the head applies the stored choice before the first
// paint. This module replaces Material's code for the form, which restyles the whole page four
// times while it loads.

const form = document.querySelector("[data-book-palette]");
const options = [...form.querySelectorAll("input")];
const media = (option) => option.dataset.mdColorMedia;
const SYSTEM = "(prefers-color-scheme)";

/** Return the option whose colours apply: for the system option, the one that matches the system. */
function shown(option) {
  if (media(option) !== SYSTEM) return option;
  return options.find((other) => media(other) !== SYSTEM && matchMedia(media(other)).matches) ?? option;
}

/** Return the current option of this page, which may differ from that of other windows. */
function chosen() {
  return options.find((option) => option.checked);
}

/** Apply the colours of an option, and show the button for the next one. */
function wear(option) {
  option.checked = true;
  const { mdColorScheme } = shown(option).dataset;
  if (document.body.dataset.mdColorScheme !== mdColorScheme) document.body.dataset.mdColorScheme = mdColorScheme;
  for (const other of options) other.nextElementSibling.hidden = other !== option;
  requestAnimationFrame(colourBrowser); // when styles are computed anyway
}

/** Set the colour of the browser's own bars to that of the header. */
function colourBrowser() {
  const meta = document.querySelector("meta[name=theme-color]") ?? document.createElement("meta");
  meta.name = "theme-color";
  meta.content = getComputedStyle(document.querySelector(".md-header")).backgroundColor;
  document.head.append(meta);
}

/** Change all colours at once, without transitions. */
function change(option) {
  document.body.dataset.mdColorSwitching = "";
  wear(option);
  setTimeout(() => delete document.body.dataset.mdColorSwitching);
}

form.addEventListener("change", ({ target }) => {
  const colour = (name) => [name, target.getAttribute(`data-md-color-${name}`)];
  const color = Object.fromEntries(["media", "scheme", "primary", "accent"].map(colour));
  __md_set("__palette", { index: options.indexOf(target), color });
  change(target);
});
form.addEventListener("keydown", ({ key }) => {
  if (key !== "Enter") return;
  const next = options[(options.indexOf(chosen()) + 1) % options.length];
  next.click();
  next.focus();
});
matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => change(chosen()));
wear(options[__md_get("__palette")?.index] ?? options[0]);
