// Put a named mistake into the package in the reader's browser, and mark every card of the page as
// holding or failing.

import { button, html } from "../explorers/parts/elements.js";
import { clearChange, explain, formatChange, linkRegister, markChange, shorten } from "./mistake_words.js";
import { linkCard } from "./named_mistakes.js";
import { ask, loading, stop } from "./python.js";

const { page } = document.querySelector("meta[name=runtime]").dataset;
const cards = [...document.querySelectorAll(".statement[id]")].map((statement) => statement.id);

/** The folded verification of a card. */
function findVerification(id) {
  let below = document.getElementById(id).nextElementSibling;
  while (below && !below.matches("details.verification, .statement")) below = below.nextElementSibling;
  return below?.matches("details") ? below : null;
}

/** Show the result of a card on the summary line of its verification. */
function mark(id, failed) {
  const summary = findVerification(id)?.querySelector("summary");
  summary?.querySelector(".run-mark")?.remove();
  if (failed !== undefined) summary?.append(makeMark(failed));
}

const makeMark = (failed) =>
  html("span", { class: "run-mark", "data-status": failed ? "failed" : "passed" }, failed ? "fails" : "holds");

/** The result of a card, with its first failure. */
function makeEntry(id, failed) {
  const item = html("li", { "data-status": failed ? "failed" : "passed" }, makeMark(Boolean(failed)), " ", linkCard(id));
  if (failed) {
    const prompt = html("code", {}, shorten(failed.source.replace(/\s+/g, " ").trim()));
    item.append(html("p", { class: "mistakes-first" }, prompt, `: ${explain(failed.message)}`));
  }
  return item;
}

const [halt, back] = [button("Stop", { hidden: true }), button("Put it back", { hidden: true, class: "md-button mistakes-back" })];
const status = html("p", { class: "run-status", role: "status" });
const change = html("div", { class: "mistakes-change" });
const list = html("ol", { class: "mistakes-cards" });
const parts = [html("p", { class: "run-bar" }, halt, back), change, status, list];

/** Run the page with a mistake, and write the results into the panel. */
export async function runMistake({ card, number, title }, panel) {
  const buttons = panel.querySelectorAll(".mistakes-choices button");
  if (!status.isConnected) panel.append(...parts);
  const say = (text, state = "") => {
    status.textContent = text;
    status.dataset.state = state;
  };
  const clear = () => {
    clearChange();
    for (const id of cards) mark(id);
    for (const one of document.querySelectorAll(".verification .run :is(.run-outcomes, .run-status, .run-diff)")) one.replaceChildren();
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
    const mistakes = await ask({ page, listMistakes: card }, (data) => data.loaded && say(loading(data)));
    const mistake = mistakes[number];
    change.replaceChildren(...formatChange(mistake));
    markChange(findVerification(card), mistake);
    const failed = new Map();
    let [count, done] = [0, 0];
    const begun = performance.now();
    await ask({ page, mutant: number, mutantCard: card }, (data) => {
      count = data.count ?? count;
      if (!data.outcome) return;
      done += 1;
      const { outcome } = data;
      if (outcome.status === "failed" && outcome.card && !failed.has(outcome.card)) {
        failed.set(outcome.card, outcome);
        mark(outcome.card, true);
      }
      const progress = `${done} of ${count} prompts`;
      if (failed.size) say(`Caught. Running the rest: ${progress}`, "caught");
      else say(`Running: ${progress}`);
    });
    for (const id of cards) mark(id, failed.has(id));
    list.append(...cards.map((id) => makeEntry(id, failed.get(id))));
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const verb = failed.size === 1 ? "fails" : "fail";
    say(`Caught: ${failed.size} of ${cards.length} cards of this chapter ${verb}, in ${seconds} s. `, "caught");
    status.append(linkRegister([mistake.edit]), ".");
    back.hidden = false;
  } catch (error) {
    say(error.message, "failed");
  }
  halt.hidden = true;
  for (const one of buttons) one.disabled = false;
}
