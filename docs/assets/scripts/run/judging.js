// Check the answer to an exercise with `posenc.exercises.check` in the reader's browser.

import { button, html } from "../explorers/parts/elements.js";
import { ask, loading, stop } from "./python.js";

const PATIENCE = 30_000; // milliseconds that an answer may take

const { page } = document.querySelector("meta[name=runtime]").dataset;

/** Check the answer in a box, and write the report below it. */
export async function judge({ name, answer, check, said }) {
  const halt = button("Stop");
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
    const tell = (data) => say(data.ready ? "Checking" : loading(data));
    const { holds, report, printed } = await ask(wish, tell, PATIENCE);
    say(report, holds ? "passed" : "failed", printed);
  } catch (error) {
    stop(); // an error outside of Python has crashed it
    say(error.message, "failed");
  }
  check.hidden = false;
  if (document.activeElement === halt) check.focus();
  halt.remove();
}

/** The lines of a report after the first, dedented. */
const dedented = (lines) => lines.map((line) => line.replace(/^ {2}/, "")).join("\n");
