// Run a card in the page: as it is, with a fault, or with the reader's edits.

import { button, html } from "../explorers/parts/elements.js";
import { addressed } from "./address.js";
import { ask, loading, stop } from "./python.js";

const { page } = document.querySelector("meta[name=runtime]").dataset;
const REGISTER = new URL("../../../reference/equations/", import.meta.url);
const SAID = { passed: "holds", failed: "does not hold", unavailable: "needs more than a browser has" };
const MOST = 300; // outcomes that a card lists; nobody reads more

const opened = new Map(); // the editors of a card, by its id
let busy = false;

/** All that was changed on this page. */
const changes = () =>
  [...opened].flatMap(([card, editors]) =>
    editors.flatMap(({ edit }) => (edit ? [{ page, card, ...edit }] : [])),
  );

/** The verifications of the page, by the id of their statement. */
const verifications = () =>
  new Map([...document.querySelectorAll("details[data-card]")].map((one) => [one.dataset.card, one]));

/** Write the result of a card on its summary line, or remove it. */
function mark(verification, holds) {
  verification.querySelector("summary .run-mark")?.remove();
  if (holds === undefined) return;
  const text = holds ? "holds here" : "does not hold here";
  const said = html("span", { class: "run-mark", "data-status": holds ? "passed" : "failed" }, text);
  verification.querySelector("summary .checked").after(" ", said);
}

const count = (number, name) => `${number} ${name}${number === 1 ? "" : "s"}`;
const brief = (text) => (text.length > 48 ? `${text.slice(0, 46)} …` : text);

export class Card {
  constructor(parts) {
    const [reset, halt] = [button("Reset", { hidden: true }), button("Stop", { hidden: true })];
    parts.edit.after(reset);
    parts.edit.parentElement.append(halt);
    reset.addEventListener("click", () => this.reset());
    halt.addEventListener("click", () => stop("stopped"));
    this.parts = { ...parts, reset, halt };
  }

  say(text, state = "", ...more) {
    const { status } = this.parts;
    status.replaceChildren(text, ...more);
    status.dataset.state = state;
  }

  /** Do something with Python, one thing at a time. */
  async work(doing) {
    if (busy) return;
    busy = true;
    this.parts.halt.hidden = false;
    try {
      await doing();
    } catch (error) {
      this.say(error.message, "failed");
    }
    this.parts.halt.hidden = true;
    busy = false;
  }

  loading(data) {
    if (data.loaded) this.say(loading(data));
  }

  /** Run the page up to this card, or all of it; all, where the package was changed. */
  go({ whole = false } = {}) {
    return this.work(async () => {
      const { id, mutants, list } = this.parts;
      const mutant = mutants.value === "" ? null : Number(mutants.value);
      const edits = changes();
      const all = whole || edits.some(({ part }) => part === "lines");
      const outcomes = [];
      let prompts = 0;
      for (const [, verification] of verifications()) {
        mark(verification);
        verification.querySelector(".run-outcomes").replaceChildren();
        const status = verification.querySelector(".run-status");
        if (status !== this.parts.status) status.textContent = "";
      }
      this.say("Loading Python");
      const begun = performance.now();
      await ask({ page, card: all ? "" : id, mutant, mutantCard: id, edits }, (data) => {
        this.loading(data);
        prompts = data.count ?? prompts;
        if (!data.outcome) return;
        outcomes.push(data.outcome);
        this.say(`${outcomes.length} of ${prompts} prompts`);
        const here = whole || data.outcome.card === id;
        if (here && tells(data.outcome) && list.childElementCount < MOST) list.append(line(data.outcome, whole));
      });
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      this.tell(all ? outcomes : outcomes.filter(({ card }) => card === id), { all, whole, mutant, edits, seconds });
    });
  }

  /** Write the result here and, if the whole page was run, on each card. */
  tell(outcomes, { all, whole, mutant, edits, seconds }) {
    const failed = outcomes.filter(({ status }) => status === "failed");
    const left = outcomes.filter(({ status }) => status === "unavailable").length;
    const ran = new Set(outcomes.map(({ card }) => card).filter(Boolean));
    const failedCards = new Set(failed.map(({ card }) => card));
    if (all) this.mark(ran, failed, whole);
    const held = `In your browser, ${outcomes.length - failed.length - left} of ${count(outcomes.length, "prompt")} hold`;
    const rest = `${left ? `; ${left} need what a browser lacks` : ""}, in ${seconds} s.`;
    const noticed = mutant === null ? "" : failed.length ? "The fault is noticed. " : "Nothing notices the fault. ";
    const verdict = `The ${all ? "page" : "card"} ${failed.length ? "does not hold" : "holds"}`;
    const details = all && failed.length ? [": ", ...linkCards(failedCards), failedCards.size < ran.size ? " failed, the others hold" : " failed"] : [];
    const more = edits.some(({ part }) => part === "lines") ? [" ", onward(edits)] : [];
    this.say(`${noticed}${verdict}`, failed.length ? "failed" : "passed", ...details, `. ${held}${rest}`, ...more);
  }

  /** Each card gets its mark, and what failed in it. */
  mark(ran, failed, whole) {
    for (const [id, verification] of verifications()) {
      const own = failed.filter(({ card }) => card === id);
      if (ran.has(id)) mark(verification, !own.length);
      if (id === this.parts.id || whole || !own.length) continue;
      const status = verification.querySelector(".run-status");
      status.textContent = "With the change, the card does not hold.";
      status.dataset.state = "failed";
      verification.querySelector(".run-outcomes").replaceChildren(...own.slice(0, MOST).map((one) => line(one, true)));
    }
  }

  /** List the faults of the lines shown, when the menu is first opened. */
  fill() {
    return this.work(async () => {
      const { id, mutants } = this.parts;
      this.say("Loading Python");
      const found = await ask({ page, listMutants: id }, (data) => this.loading(data));
      for (const [number, { function: name, was, now, file, line: at, title: said }] of found.entries()) {
        const title = `${file}:${at}`;
        const text = said ?? `${name}, line ${at}: ${brief(was)} → ${brief(now)}`;
        mutants.append(html("option", { value: number, title }, text));
      }
      if (!found.length) mutants.append(html("option", { disabled: true }, "this card shows no lines"));
      this.say(found.length ? "Choose a fault, then run it." : "This card shows no lines that can be broken.");
    });
  }

  /** Put the card's lines under the reader's hands, changed as an address says. */
  async edit(edits = []) {
    const { id, verification, edit, reset, run } = this.parts;
    if (opened.has(id)) return;
    opened.set(id, []);
    const { Editor, keys } = await import("./edit.js");
    verification.open = true;
    const help = keys(`${id}-help`);
    this.parts.status.before(help);
    const editors = blocks(verification).map(({ block, part, number, label }) => {
      block.closest("details:not([open])")?.setAttribute("open", "");
      const changed = edits.find((one) => one.part === part && one.number === number);
      return new Editor(block, {
        part,
        number,
        edit: changed,
        help,
        label,
        run: () => this.go(),
        changed: () => this.changed(),
      });
    });
    opened.set(id, editors);
    [edit.hidden, reset.hidden] = [true, false];
    if (edits.length) this.say("These lines come with the address, and are not run yet.");
    else editors.at(0)?.view.focus();
    run.textContent = "Run as changed";
  }

  /** What an address can say of the changes, it says. */
  changed() {
    const edits = changes();
    const address = addressed(location.href, edits);
    if (edits.length) address.hash = this.parts.id;
    history.replaceState(history.state, "", address);
    if (edits.length && !address.searchParams.has("edit")) this.say("So much is changed that no address can tell it.");
  }

  /** Put the lines back as they are. */
  reset() {
    const { id, verification, edit, reset, run, list } = this.parts;
    for (const editor of opened.get(id) ?? []) editor.close();
    opened.delete(id);
    verification.querySelector(".run-help")?.remove();
    for (const [, one] of verifications()) mark(one);
    list.replaceChildren();
    this.changed();
    this.say("As it stands.");
    [edit.hidden, reset.hidden] = [false, true];
    run.textContent = "Run it here";
    edit.focus();
  }
}

/** The code of a card that can be changed: lines of the package, and then its sessions. */
export function blocks(verification) {
  const above = [];
  for (let one = verification.previousElementSibling; one && !one.matches(".statement"); one = one.previousElementSibling) {
    above.unshift(...one.querySelectorAll(".highlight:has(> .filename)"));
  }
  const lines = above.filter((block) => block.querySelector(".filename").textContent.startsWith("posenc/"));
  const sessions = verification.querySelectorAll(".language-pycon.highlight:not(.not-run)");
  const some = (found, part, label) => [...found].map((block, number) => ({ block, part, number, label: label(block) }));
  return [
    ...some(lines, "lines", (block) => `Lines of ${block.querySelector(".filename").textContent}`),
    ...some(sessions, "session", () => "Session of the verification"),
  ];
}

/** Links to cards by their numbers, as a list in words. */
function linkCards(ids) {
  const links = [...ids].map((id) => {
    const number = document.getElementById(id)?.querySelector(".number").textContent;
    return number ? html("a", { href: `#${id}` }, number) : "the text between cards";
  });
  return links.flatMap((link, n) => (n ? [n === links.length - 1 ? " and " : ", ", link] : [link]));
}

/** Where the same change is tried on all equations. */
function onward(edits) {
  const lines = edits.filter(({ part }) => part === "lines");
  const address = addressed(REGISTER, lines);
  if (!address.searchParams.has("edit")) return "";
  return html("a", { href: address.href }, "Run all equations with this change");
}

/** Whether an outcome says something: an import or a definition that holds does not. */
const tells = ({ status, answer }) => status !== "passed" || answer !== "";

/** What failed; of a traceback its last line, which says why. */
function told(message) {
  const lines = message.trim().split("\n");
  return message.includes("Traceback (most recent call last)") ? lines.at(-1).trim() : lines.join("\n");
}

/** One prompt and its result. */
function line({ line: at, source, answer, status, message, seconds }, whole) {
  const [first, ...more] = source.split("\n");
  const item = html(
    "li",
    { "data-status": status },
    html("span", { class: "run-mark" }, `${SAID[status]}, line ${at}${whole ? "" : `, ${seconds.toFixed(2)} s`}: `),
    html("code", {}, first + (more.length ? " …" : "")),
    status === "passed" && answer ? html("span", {}, " gives ", html("code", {}, brief(answer.split("\n")[0]))) : "",
  );
  if (status === "failed") item.append(html("pre", {}, told(message)));
  return item;
}
