// Code under the reader's hands, where it stands: sessions of a card and the lines of the package
// that it shows, and answers to exercises. CodeMirror edits it; what is said of a change of a card
// is in the terms of lines.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "../../runtime/editor/codemirror-commands.js";
import { pythonLanguage } from "../../runtime/editor/codemirror-lang-python.js";
import {
  HighlightStyle,
  Language,
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "../../runtime/editor/codemirror-language.js";
import { EditorState } from "../../runtime/editor/codemirror-state.js";
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  drawSelection,
  keymap,
} from "../../runtime/editor/codemirror-view.js";
import { NodeType, Parser, Tree } from "../../runtime/editor/lezer-common.js";
import { tags } from "../../runtime/editor/lezer-highlight.js";
import { html } from "../explorers/parts/elements.js";

const PROMPT = /^(>>>|\.\.\.)( |$)/;
const HELP = "Tab indents; Escape, then Tab, leaves the lines. Ctrl+Enter runs them.";
const OPENS = /[:([{,\\]\s*$/; // what ends so goes on in the next line

/** Python behind the prompts of a session, as one text: answers and prompts are not looked at. */
class SessionParser extends Parser {
  createParse(input) {
    const text = input.read(0, input.length);
    const ranges = [...text.matchAll(/^(?:>>> |\.\.\. )(.*\n?)/gm)].map(({ index, 0: all }) => ({
      from: index + 4,
      to: index + all.length,
    }));
    const code = ranges.length ? pythonLanguage.parser.parse(input, [], ranges) : Tree.empty;
    // A tree counts from its first character, and that of a page from 0.
    const tree = new Tree(NodeType.none, [code], [ranges[0]?.from ?? 0], input.length);
    return { parsedPos: input.length, stoppedAt: null, stopAt() {}, advance: () => tree };
  }
}

const session = new Language(pythonLanguage.data, new SessionParser(), [], "session");

/** Prompts, and the answers below them, in the colours that the page gives them. */
const marked = (form, name) => {
  const matches = new MatchDecorator({ regexp: form, decoration: Decoration.mark({ class: name }) });
  return ViewPlugin.define(
    (view) => ({
      decorations: matches.createDeco(view),
      update(change) {
        this.decorations = matches.updateDeco(change, this.decorations);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
};
const prompts = [marked(/^(?:>>>|\.\.\.)(?: |$)/gm, "run-prompt"), marked(/^(?!>>>|\.\.\.).+$/gm, "run-answer")];

/** Enter behind a prompt makes the next one, as Python does: "... " where the code goes on. */
function nextPrompt({ state, dispatch }) {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const before = line.text.slice(0, main.head - line.from);
  const prompt = PROMPT.exec(before)?.[1];
  if (!prompt) return false;
  const code = before.slice(4);
  const done = prompt === "..." && !code.trim();
  const deeper = code.trimEnd().endsWith(":") ? "    " : "";
  const goes = OPENS.test(code) || prompt === "...";
  const text = goes ? `\n... ${/^ */.exec(code)[0]}${deeper}` : "\n>>> ";
  const change = done
    ? { from: line.from, to: main.head, insert: ">>> " }
    : { from: main.from, to: main.to, insert: text };
  dispatch(state.update({ changes: change, selection: { anchor: change.from + change.insert.length }, userEvent: "input" }));
  return true;
}

const colour = (name) => `var(--md-code-hl-${name}-color)`;
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.self], color: colour("keyword") },
  { tag: [tags.number, tags.bool, tags.null], color: colour("number") },
  { tag: [tags.string, tags.special(tags.string)], color: colour("string") },
  { tag: tags.comment, color: colour("comment") },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.meta], color: colour("function") },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--md-code-bg-color)", color: "var(--md-code-fg-color)", fontSize: "0.78em" },
  "&.cm-focused": { outline: "2px solid var(--md-accent-fg-color)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--md-code-font-family)", lineHeight: "1.4", overflow: "auto" },
  ".cm-content": { caretColor: "currentcolor", padding: "0.77em 0" },
  ".cm-line": { padding: "0 1.18em" },
  ".cm-lineWrapping .cm-line": { paddingLeft: "calc(1.18em + 6ch)", textIndent: "-6ch" }, // as on pages
  ".cm-placeholder": { color: "var(--book-quiet)", textIndent: 0 },
  ".cm-cursor": { borderLeftColor: "currentcolor" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--md-accent-fg-color--transparent)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--md-accent-fg-color--transparent)" },
  ".run-prompt": { color: colour("generic") },
  ".run-answer": { color: "var(--book-quiet)" },
  "@media (pointer: coarse)": { ".cm-scroller": { fontSize: "16px" } }, // smaller, and a phone zooms in
});

/** What differs between two texts: lines in the place of others. Nothing where they are the same. */
function difference(was, now) {
  if (was === now) return null;
  const [a, b] = [was.split("\n"), now.split("\n")];
  let first = 0;
  while (first < Math.min(a.length, b.length) && a[first] === b[first]) first += 1;
  let same = 0;
  while (same < Math.min(a.length, b.length) - first && a.at(-1 - same) === b.at(-1 - same)) same += 1;
  const text = b.slice(first, b.length - same).map((line) => `${line}\n`);
  return { first, count: a.length - same - first, text: text.join("") };
}

/** What the keys do, for those who see it and for those who hear it. */
export const keys = (id) => html("p", { class: "run-help", id }, HELP);

/** Where code is written: a session with its prompts, or plain Python. */
export function writing({ text, prompted = false, label, help, run, changed, more = [] }) {
  return new EditorView({
    doc: text,
    extensions: [
      more,
      history(),
      drawSelection(),
      bracketMatching(),
      indentOnInput(),
      indentUnit.of("    "),
      EditorState.tabSize.of(4),
      prompted ? [session, prompts] : pythonLanguage,
      syntaxHighlighting(colours),
      look,
      matchMedia("(max-width: 44.9375em)").matches ? EditorView.lineWrapping : [],
      keymap.of([
        { key: "Mod-Enter", run: () => (run(), true) },
        ...(prompted ? [{ key: "Enter", run: nextPrompt }] : []),
        indentWithTab,
        ...defaultKeymap,
        ...historyKeymap,
      ]),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": help.id, tabindex: "0" }),
      EditorView.updateListener.of((update) => update.docChanged && changed()),
    ],
  });
}

/** An editor in the place of a block of code. */
export class Editor {
  constructor(block, { part, number, edit, ...more }) {
    this.code = block.querySelector("pre");
    this.was = this.code.querySelector("code").textContent.replace(/\n+$/, "");
    [this.part, this.number] = [part, number];
    this.view = writing({ text: edit ? this.with(edit) : this.was, prompted: part === "session", ...more });
    this.host = html("div", { class: "run-editor" });
    this.host.append(this.view.dom);
    this.code.after(this.host);
    this.code.hidden = true;
  }

  with({ first, count, text }) {
    const lines = this.was.split("\n");
    lines.splice(first, count, ...text.split("\n").slice(0, -1));
    return lines.join("\n");
  }

  /** What was changed, as the worker and the address are told. */
  get edit() {
    const found = difference(this.was, this.view.state.doc.toString());
    return found && { part: this.part, number: this.number, ...found };
  }

  close() {
    this.view.destroy();
    this.host.remove();
    this.code.hidden = false;
  }
}
