// Run a card in the page: as it is, with a mistake, or with the reader's edits.

import { button, html } from "../explorers/parts/elements.js";
import { addressed } from "./address.js";
import { clearChange, findLines, formatChange, joinLinks, linkNumber, linkRegister, markChange, shorten } from "./mistake_words.js";
import { ask, loading, stop } from "./python.js";

const { page } = document.querySelector("meta[name=runtime]").dataset;
const SAID = { passed: "holds", failed: "does not hold", unavailable: "needs more than a browser has" };
const MOST = 300; // outcomes that a card lists; nobody reads more

const opened = new Map(); // the editors of a card, by its id
let busy = false;
let idle = Promise.resolve(); // when what runs has ended

/** All that was changed on this page. */
const changes = () =>
  [...opened].flatMap(([card, editors]) =>
    editors.flatMap(({ edit }) => (edit ? [{ page, card, ...edit }] : [])),
  );

/** The verifications of the page, by the id of their statement. */
const verifications = () =>
  new Map([...document.querySelectorAll("details[data-card]")].map((one) => [one.dataset.card, one]));

/** Write the result of a card on its summary line, in place of that of the build, or remove it. */
function mark(verification, status, text = status === "passed" ? "holds here" : "does not hold here") {
  verification?.querySelector("summary .run-mark")?.remove();
  if (!status) return;
  verification.querySelector("summary .checked").after(html("span", { class: "run-mark", "data-status": status }, text));
}

/** Remove all results and mistakes from the page, except the choice in a menu. */
function clearResults(chosen) {
  clearChange();
  document.querySelector(".mistakes .mistakes-back:not([hidden])")?.click();
  for (const [, verification] of verifications()) {
    mark(verification);
    for (const part of verification.querySelectorAll(".run :is(.run-outcomes, .run-status, .run-diff)")) part.replaceChildren();
    for (const back of verification.querySelectorAll(".run-back")) back.hidden = true;
    const menu = verification.querySelector(".run-mutant select");
    if (menu !== chosen) menu.value = "";
  }
}

const count = (number, name) => `${number} ${name}${number === 1 ? "" : "s"}`;

export class Card {
  constructor(parts) {
    const [reset, halt] = [button("Reset", { hidden: true }), button("Stop", { hidden: true })];
    const back = button("Put it back", { hidden: true, class: "md-button run-back" });
    parts.edit.after(reset);
    parts.edit.parentElement.append(back, halt);
    this.diff = html("div", { class: "run-diff" });
    parts.status.before(this.diff);
    this.mistakes = [];
    reset.addEventListener("click", () => this.reset());
    halt.addEventListener("click", () => stop("stopped"));
    back.addEventListener("click", () => this.putBack());
    this.parts = { ...parts, reset, halt, back };
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
    idle = doing().catch((error) => this.say(error.message, "failed"));
    await idle;
    this.parts.halt.hidden = true;
    busy = false;
  }

  loading(data) {
    if (data.loaded) this.say(loading(data));
  }

  /** Ask for a run; tell each outcome and how far it is, and return all outcomes and the seconds. */
  async ask(wish, tell) {
    this.say("Loading Python");
    const outcomes = [];
    let prompts = 0;
    const begun = performance.now();
    await ask({ page, edits: changes(), ...wish }, (data) => {
      this.loading(data);
      prompts = data.count ?? prompts;
      if (!data.outcome) return;
      outcomes.push(data.outcome);
      tell(data.outcome, `${outcomes.length} of ${prompts} prompts. Stop ends it.`);
    });
    return [outcomes, ((performance.now() - begun) / 1000).toFixed(1)];
  }

  /** Run the page up to this card, or all of it; all, where the package was changed. */
  go({ whole = false } = {}) {
    return this.work(async () => {
      const { id, mutants, list } = this.parts;
      const edits = changes();
      const all = whole || edits.some(({ part }) => part === "lines");
      mutants.value = "";
      clearResults();
      const [outcomes, seconds] = await this.ask({ card: all ? "" : id }, (outcome, progress) => {
        this.say(`Running: ${progress}`);
        const here = whole || outcome.card === id;
        if (here && tells(outcome) && list.childElementCount < MOST) list.append(line(outcome));
      });
      this.tell(all ? outcomes : outcomes.filter(({ card }) => card === id), { all, whole, edits, seconds });
    });
  }

  /** Write the result here and, if the whole page was run, on each card. */
  tell(outcomes, { all, whole, edits, seconds }) {
    const failed = outcomes.filter(({ status }) => status === "failed");
    const left = outcomes.filter(({ status }) => status === "unavailable").length;
    const ran = new Set(outcomes.map(({ card }) => card).filter(Boolean));
    const failedCards = new Set(failed.map(({ card }) => card));
    if (all) this.mark(ran, failed, whole);
    else mark(this.parts.verification, failed.length ? "failed" : "passed");
    if (outcomes.length && left === outcomes.length) {
      this.say("This card can't run in a browser, because it needs a library that isn't available here. Each build checks it.");
      return;
    }
    const held = `In your browser, ${outcomes.length - failed.length - left} of its ${count(outcomes.length, "prompt")} hold`;
    const rest = `${left ? `; ${left} need a library that isn't available here` : ""}, in ${seconds} s.`;
    const verdict = `The ${all ? "page" : "card"} ${failed.length ? "does not hold" : "holds"}`;
    const details = all && failed.length ? [": ", ...linkCards(failedCards), failedCards.size < ran.size ? " failed, the others hold" : " failed"] : [];
    const lines = edits.filter(({ part }) => part === "lines");
    const more = lines.length ? [" ", linkRegister(lines)] : [];
    this.say(verdict, failed.length ? "failed" : "passed", ...details, `. ${held}${rest}`, ...more);
  }

  /** Put the chosen mistake into the package, and run what could notice it on the page. */
  async breakIt() {
    const { id, mutants, verification, list } = this.parts;
    const chosen = mutants.value;
    while (busy) await idle;
    if (chosen !== mutants.value) return; // another one was chosen meanwhile
    await this.work(async () => {
      if (chosen === "") {
        clearResults();
        this.say("The lines are as they were.");
        return;
      }
      const mutant = Number(chosen);
      const mistake = this.mistakes[mutant];
      clearResults(mutants);
      markChange(verification, mistake);
      this.diff.replaceChildren(...formatChange(mistake));
      const fallen = new Map(); // how many answers fail, by the id of their card
      const [, seconds] = await this.ask({ mutant, mutantCard: id }, (outcome, progress) => {
        if (outcome.status === "failed") {
          const failures = fallen.get(outcome.card) ?? 0;
          fallen.set(outcome.card, failures + 1);
          if (!failures) mark(verifications().get(outcome.card), "failed", "fails with the mistake");
          if (outcome.card === id && failures < MOST) list.append(line(outcome));
        }
        this.say(...(fallen.has(id) ? ["Caught: this card fails. Running the rest: ", "caught"] : ["Running: ", ""]), progress);
      });
      if (!fallen.has(id)) mark(verification, "changed", "doesn't notice the mistake");
      this.parts.back.hidden = false;
      this.say(...judge(id, fallen), ` This took ${seconds} s. `, linkRegister([mistake.edit]), ".");
    });
  }

  /** Restore the lines as they were. */
  putBack() {
    this.parts.mutants.value = "";
    this.breakIt();
    this.parts.mutants.focus();
  }

  /** Each card gets its mark, and what failed in it. */
  mark(ran, failed, whole) {
    for (const [id, verification] of verifications()) {
      const own = failed.filter(({ card }) => card === id);
      if (ran.has(id)) mark(verification, own.length ? "failed" : "passed");
      if (id === this.parts.id || whole || !own.length) continue;
      const status = verification.querySelector(".run-status");
      status.textContent = "With the change, the card does not hold.";
      status.dataset.state = "failed";
      verification.querySelector(".run-outcomes").replaceChildren(...own.slice(0, MOST).map(line));
    }
  }

  /** List the mistakes that can be put into the lines shown, when the menu is first opened. */
  fill() {
    return this.work(async () => {
      const { id, mutants } = this.parts;
      this.say("Loading Python");
      this.mistakes = await ask({ page, listMutants: id }, (data) => this.loading(data));
      for (const [number, { function: name, was, now, title }] of this.mistakes.entries()) {
        mutants.append(html("option", { value: number }, title || `${name}: ${shorten(was)} → ${shorten(now)}`));
      }
      const found = this.mistakes.length;
      if (!found) mutants.append(html("option", { disabled: true }, "this card shows no lines"));
      this.say(found ? `Choose one of ${count(found, "mistake")}; it runs at once.` : "This card shows no lines that can be broken.");
    });
  }

  /** Open editors for the card's lines, changed as an address says. */
  async edit(edits = []) {
    const { id, verification, edit, reset, run } = this.parts;
    if (opened.has(id)) return;
    opened.set(id, []);
    clearResults();
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

  /** Keep the changes in the address, if they are short enough. */
  changed() {
    const edits = changes();
    const own = opened.get(this.parts.id)?.some(({ edit }) => edit);
    mark(this.parts.verification, own ? "changed" : "", "changed, not run yet");
    const address = addressed(location.href, edits);
    if (edits.length) address.hash = this.parts.id;
    history.replaceState(history.state, "", address);
    if (edits.length && !address.searchParams.has("edit")) this.say("These changes are too long for a link.");
  }

  /** Put the lines back as they are. */
  reset() {
    const { id, verification, edit, reset, run } = this.parts;
    for (const editor of opened.get(id) ?? []) editor.close();
    opened.delete(id);
    verification.querySelector(".run-help")?.remove();
    clearResults();
    this.changed();
    this.say("The lines are as they were.");
    [edit.hidden, reset.hidden] = [false, true];
    run.textContent = "Run it here";
    edit.focus();
  }
}

/** The code of a card that can be changed: lines of the package, and then its sessions. */
export function blocks(verification) {
  const sessions = verification.querySelectorAll(".language-pycon.highlight:not(.not-run)");
  const some = (found, part, label) => [...found].map((block, number) => ({ block, part, number, label: label(block) }));
  return [
    ...some(findLines(verification), "lines", (block) => `Lines of ${block.querySelector(".filename").textContent}`),
    ...some(sessions, "session", () => "Session of the verification"),
  ];
}

/** What noticed a mistake in words: a text, its state, and the rest of the sentence. */
function judge(id, fallen) {
  const answers = fallen.get(id);
  const others = [...fallen.keys()].filter((card) => card !== id);
  if (answers) {
    const which = answers === 1 ? "1 answer of this card changes" : `${answers} answers of this card change`;
    const more = others.length ? [" On this page it also breaks ", ...linkCards(others), "."] : [" No other card of this page fails."];
    return [`Caught: with this mistake, ${which}.`, "caught", ...more];
  }
  if (others.length) return ["Caught, but not by this card: it breaks ", "caught", ...linkCards(others), "."];
  return ["Nothing on this page notices this change, because all the answers stay the same.", ""];
}

/** Links to cards by their numbers, as a list in words, with code between cards last. */
const linkCards = (ids) => joinLinks([...ids].sort((a, b) => !a - !b).map(linkNumber));

/** Whether an outcome says something: an import or a definition that holds does not. */
const tells = ({ status, answer }) => status !== "passed" || answer !== "";

/** What failed; of a traceback its last line, which says why. */
function formatMessage(message) {
  const lines = message.trim().split("\n");
  const text = message.includes("Traceback (most recent call last)") ? lines.at(-1).trim() : lines.join("\n");
  return text.replace(/^AssertionError: /, "");
}

/** One prompt and its result. */
function line({ source, answer, status, message, seconds }) {
  const item = html(
    "li",
    { "data-status": status, title: `${seconds.toFixed(2)} s` },
    html("span", { class: "run-mark" }, `${SAID[status]}: `),
    html("code", {}, shorten(source.replace(/\s+/g, " "))),
    status === "passed" && answer ? html("span", {}, " gives ", html("code", {}, shorten(answer.split("\n")[0]))) : "",
  );
  if (status === "failed") item.append(html("pre", {}, formatMessage(message)));
  return item;
}
