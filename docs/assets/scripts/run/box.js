// The box of an exercise once it is used: the editor of cards, in the place of the plain field.

import { EditorView } from "../../runtime/editor/codemirror-view.js";
import { html } from "../explorers/parts/elements.js";
import { keys, writing } from "./edit.js";

const look = EditorView.theme({
  "&": { border: "1px solid var(--book-quiet)", borderRadius: "0.1rem", fontSize: "0.92em", maxHeight: "80vh" },
});

let count = 0;

/** Go on in an editor with what a field has, and where the reader is in it. */
export function editor(area, keep, check) {
  count += 1;
  const help = keys(`box-${count}-help`);
  const [text, label] = [area.value, area.getAttribute("aria-label")];
  const run = () => check.hidden || check.click();
  const view = writing({ text, label, help, run, changed: keep, more: look });
  view.dom.style.minHeight = `${area.offsetHeight}px`; // the reader may have drawn it larger
  view.dispatch({ selection: { anchor: area.selectionStart, head: area.selectionEnd } });
  const host = html("div", { class: "run-editor" });
  host.append(view.dom);
  const focused = document.activeElement === area;
  area.replaceWith(host, help);
  if (focused) view.focus();
  return {
    text: () => view.state.doc.toString(),
    set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
  };
}
