// What the tools of the workbench have in common: a field for code, and files to open or drop.

import { button, html } from "../explorers/parts/elements.js";
import { kept } from "../run/keeping.js";

/** A text area with a name and an example of what belongs into it. */
export const codeArea = (label, placeholder) =>
  html("textarea", {
    class: "box",
    "aria-label": label,
    autocapitalize: "off",
    autocomplete: "off",
    spellcheck: "false",
    placeholder,
    rows: 14,
  });

/** Keep what the reader has put in until the tab is closed, so that a reload doesn't lose it. */
export const draft = (name) => ({
  keep: (value) => kept(({ sessionStorage }) => sessionStorage.setItem(`posenc-${name}`, JSON.stringify(value))),
  find: () => kept(({ sessionStorage }) => JSON.parse(sessionStorage.getItem(`posenc-${name}`))),
});

/** A text area as an editor without marks, until the editor is there. */
export const plain = (area) => ({ text: () => area.value, set: (text) => (area.value = text), blame() {} });

/** A button that opens a file, and its picker; `take` gets the file. */
export function fileButton(name, accept, take) {
  const picker = html("input", { type: "file", accept, hidden: true });
  const open = button(name);
  open.addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    if (picker.files[0]) take(picker.files[0]);
    picker.value = "";
  });
  return [open, picker];
}

/** Let readers drop a file on an element. */
export function dropZone(element, take) {
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener(
    "drop",
    (event) => {
      const [file] = event.dataTransfer.files;
      if (!file) return; // text, which the editor takes itself
      event.preventDefault();
      event.stopPropagation();
      take(file);
    },
    true,
  );
}

/** Say how a run goes: `state` is "", "passed" or "failed". */
export const statusLine = () => {
  const line = html("p", { class: "run-status", role: "status" });
  const say = (text, state = "") => {
    line.textContent = text;
    line.dataset.state = state;
  };
  return [line, say];
};
