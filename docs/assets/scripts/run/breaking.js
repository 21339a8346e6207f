// A mistake with a name, put into the package in the reader's browser: every card of the page says
// whether it notices.

import { button, html } from "../explorers/parts/elements.js";
import { named } from "./named_mistakes.js";
import { ask, loading, stop } from "./python.js";

const { page } = document.querySelector("meta[name=runtime]").dataset;
const cards = [...document.querySelectorAll(".statement[id]")].map((statement) => statement.id);

/** The line where a card is folded, which shows what came of it. */
function summary(id) {
  let below = document.getElementById(id).nextElementSibling;
  while (below && !below.matches("details.verification, .statement")) below = below.nextElementSibling;
  return below?.querySelector("summary");
}

function mark(id, fallen) {
  summary(id)?.querySelector(".run-mark")?.remove();
  if (fallen !== undefined) summary(id)?.append(word(fallen));
}

const word = (fallen) =>
  html("span", { class: "run-mark", "data-came": fallen ? "failed" : "held" }, fallen ? "falls" : "holds");

const brief = (text) => (text.length > 48 ? `${text.slice(0, 46)} …` : text);

/** The lines as they stand, and as the mistake has them. */
function shown({ file, line, function: name, was, now }) {
  const code = (text) => text.split("\n").map((one) => one.replace(/\s+#.*$/, ""));
  const lines = (text, sign, tag) => html(tag, {}, ...code(text).map((one) => `${sign} ${one}\n`));
  return [
    html("p", {}, "In ", html("code", {}, name), `, ${file}, line ${line}:`),
    html("pre", { tabindex: 0 }, lines(was, "−", "del"), lines(now, "+", "ins")),
  ];
}

/** What was expected and found, or of a traceback its last line. */
function reason(message) {
  const [, expected, got] = /Expected:\n(.*?)\nGot:\n(.*)/s.exec(message) ?? [];
  const short = (text) => brief(text.trim().replace(/\s+/g, " "));
  if (expected === undefined || got.includes("Traceback")) return short(message.trim().split("\n").at(-1));
  return `expected ${short(expected)}, found ${short(got)}`;
}

/** What a card says of the mistake, with the first prompt that fell. */
function entry(id, failed) {
  const item = html("li", { "data-came": failed ? "failed" : "held" }, word(Boolean(failed)), " ", named(id));
  if (failed) {
    const prompt = html("code", {}, brief(failed.source.replace(/\s+/g, " ").trim()));
    item.append(html("p", { class: "breakages-first" }, `Line ${failed.line}, `, prompt, `: ${reason(failed.message)}`));
  }
  return item;
}

const [halt, back] = [button("Stop", { hidden: true }), button("Put it back", { hidden: true })];
const status = html("p", { class: "run-status", role: "status" });
const change = html("div", { class: "breakages-change" });
const list = html("ol", { class: "breakages-cards" });
const parts = [html("p", { class: "run-bar" }, halt, back), change, status, list];

/** Run the page with a mistake in place, and say what came of it in the panel. */
export async function put({ card, number, title }, panel) {
  const buttons = panel.querySelectorAll(".breakages-choices button");
  if (!status.isConnected) panel.append(...parts);
  const say = (text, state = "") => {
    status.textContent = text;
    status.dataset.state = state;
  };
  const clear = () => {
    for (const id of cards) mark(id);
    for (const one of buttons) one.ariaCurrent = null;
    for (const part of [change, list]) part.replaceChildren();
    say("");
    back.hidden = true;
  };
  halt.onclick = () => stop("stopped");
  back.onclick = clear;
  clear();
  for (const one of buttons) {
    one.disabled = true;
    if (one.textContent === title) one.ariaCurrent = "true";
  }
  halt.hidden = false;
  say("Loading Python");
  try {
    const found = await ask({ page, named: card }, (data) => data.loaded && say(loading(data)));
    change.replaceChildren(...shown(found[number]));
    const failed = new Map();
    let [count, done] = [0, 0];
    const begun = performance.now();
    await ask({ page, fault: number, of: card }, (data) => {
      count = data.count ?? count;
      if (!data.outcome) return;
      done += 1;
      say(`${done} of ${count} prompts`);
      const { came, card: of } = data.outcome;
      if (came === "failed" && of && !failed.has(of)) failed.set(of, data.outcome);
    });
    for (const id of cards) mark(id, failed.has(id));
    list.append(...cards.map((id) => entry(id, failed.get(id))));
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const verb = failed.size === 1 ? "falls" : "fall";
    say(`${failed.size} of ${cards.length} cards ${verb}, in ${seconds} s.`, failed.size ? "failed" : "held");
    back.hidden = false;
  } catch (error) {
    say(error.message, "failed");
  }
  halt.hidden = true;
  for (const one of buttons) one.disabled = false;
}
