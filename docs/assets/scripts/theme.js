// Light, dark, or as the system has it. The form is Material's, and so are the names under which
// the choice is kept, since Material's script in the page's head puts it on before anything is
// drawn. Its keeper of the form, which main.html leaves out, has the whole page styled four
// times anew while it loads; here nothing is touched that is already right.

const form = document.querySelector("[data-book-palette]");
const options = [...form.querySelectorAll("input")];
const media = (option) => option.dataset.mdColorMedia;
const SYSTEM = "(prefers-color-scheme)";

/** Return the option whose colours an option shows: its own, or those that the system asks for. */
function shown(option) {
  if (media(option) !== SYSTEM) return option;
  return options.find((other) => media(other) !== SYSTEM && matchMedia(media(other)).matches) ?? option;
}

/** Return the option that this page shows; another window may have chosen another one since. */
function chosen() {
  return options.find((option) => option.checked);
}

/** Put on the colours of an option, and offer the next one. */
function wear(option) {
  option.checked = true;
  const { mdColorScheme } = shown(option).dataset;
  if (document.body.dataset.mdColorScheme !== mdColorScheme) document.body.dataset.mdColorScheme = mdColorScheme;
  for (const other of options) other.nextElementSibling.hidden = other !== option;
  requestAnimationFrame(colourBrowser); // when styles are known anyway
}

/** Give the browser's own bars the colour of the page's head. */
function colourBrowser() {
  const meta = document.querySelector("meta[name=theme-color]") ?? document.createElement("meta");
  meta.name = "theme-color";
  meta.content = getComputedStyle(document.querySelector(".md-header")).backgroundColor;
  document.head.append(meta);
}

/** Change colours at once, all together, and not each in a time of its own. */
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
