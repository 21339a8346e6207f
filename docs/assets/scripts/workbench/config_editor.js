// An editor for a config, in which keys and lines can be marked.

import { StateEffect, StateField } from "../../runtime/editor/codemirror-state.js";
import { Decoration, EditorView, placeholder } from "../../runtime/editor/codemirror-view.js";
import { keys, writing } from "../run/edit.js";

const mark = Decoration.mark({ class: "workbench-culprit" });
const setMarks = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(value, { changes, effects }) {
    const set = effects.find((effect) => effect.is(setMarks));
    return set ? Decoration.set(set.value.map(([from, to]) => mark.range(from, to)), true) : value.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const look = EditorView.theme({
  "&": { border: "1px solid var(--book-quiet)", borderRadius: "0.1rem", fontSize: "0.92em", maxHeight: "min(45vh, 30rem)" },
  ".cm-scroller": { minHeight: "14em" },
});

/** Put an editor in the place of a text area. */
export function grow(area, { run, changed }) {
  const help = keys("config-help");
  const label = area.getAttribute("aria-label");
  const more = [marks, look, EditorView.lineWrapping, placeholder(area.placeholder)];
  const view = writing({ text: area.value, label, help, run, changed, more });
  const focused = document.activeElement === area;
  area.replaceWith(view.dom, help);
  if (focused) view.focus();
  const put = (ranges) => {
    const scroll = ranges.length ? [EditorView.scrollIntoView(ranges[0][0], { y: "center" })] : [];
    view.dispatch({ effects: [setMarks.of(ranges), ...scroll] });
  };
  return {
    text: () => view.state.doc.toString(),
    set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    /** Mark ranges, which count characters as Python does, and a line, and show the first mark. */
    blame({ marks: places = [], line } = {}) {
      const characters = [...view.state.doc.toString()];
      const at = (count) => characters.slice(0, count).join("").length;
      const ranges = places.map((place) => place.map(at));
      if (line && line <= view.state.doc.lines) {
        const { from, to } = view.state.doc.line(line);
        if (to > from) ranges.push([from, to]);
      }
      put(ranges);
    },
  };
}
