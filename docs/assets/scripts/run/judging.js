// Check the answer to an exercise with `posenc.exercises.check` in the reader's browser.

import { button, html } from "../explorers/parts/elements.js";
import { ask, loading, stop } from "./python.js";

const PATIENCE = 30_000; // milliseconds that an answer may take
const ADVICE = 5_000; // milliseconds after which a reader is told how to stop it
const LONG = "Still checking. If the answer has a loop that never ends, press Stop; otherwise wait up to 30 seconds.";

const { page } = document.querySelector("meta[name=runtime]").dataset;

/** Check the answer in a box, and write the report below it. */
export async function judge({ name, answer, check, said, solve, next }) {
  const halt = button("Stop");
  let clock;
  const say = (text, state = "", printed = "") => {
    const [first, ...more] = text.trimEnd().split("\n");
    said.dataset.state = state;
    said.replaceChildren(html("p", { class: "run-status", "data-state": state }, first));
    if (more.length) said.append(html("pre", { tabindex: 0 }, dedented(more)));
    if (printed) said.append(html("p", {}, "Printed:"), html("pre", { tabindex: 0 }, printed));
  };

  check.after(halt);
  halt.onclick = () => stop("stopped");
  if (document.activeElement === check) halt.focus(); // a hidden button loses the focus
  check.hidden = true;
  say("Loading Python");
  try {
    const wish = { page, exercise: name, text: answer.text() };
    const tell = (data) => {
      say(data.ready ? "Checking" : loading(data));
      clearTimeout(clock);
      if (data.ready) clock = setTimeout(say, ADVICE, LONG);
    };
    const { holds, report, shown, printed } = await ask(wish, tell, PATIENCE);
    say(report, holds ? "passed" : "failed", printed);
    if (holds) {
      said.firstChild.after(html("ul", {}, ...shown.map(property)), onwards(next));
      solve();
    }
  } catch (error) {
    stop(); // an error outside of Python has crashed it
    say(error.message, "failed");
  }
  clearTimeout(clock);
  check.hidden = false;
  if (document.activeElement === halt) check.focus();
  halt.remove();
}

/** A property in words, its name before the colon emphasized. */
function property(text) {
  const [name, ...words] = text.split(": ");
  return html("li", {}, html("em", {}, name), `: ${words.join(": ")}`);
}

/** A link to the next exercise, or to the section after the last one. */
function onwards(title) {
  const words = title.cloneNode(true);
  for (const extra of words.querySelectorAll(".headerlink, .done")) extra.remove();
  return html("p", {}, "Next: ", html("a", { href: `#${title.id}` }, ...words.childNodes));
}

/** The lines of a report after the first, dedented. */
const dedented = (lines) => lines.map((line) => line.replace(/^ {2}/, "")).join("\n");
