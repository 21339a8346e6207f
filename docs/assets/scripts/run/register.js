// On the page of all equations: run the whole book here, chapter by chapter, and mark what holds.
// An address may bring lines of the package that a reader has changed; then they are in place.

import { html } from "../explorers/parts/elements.js";

const importPython = () => import("./python.js");

const article = document.querySelector("article");
const chapters = [...article.querySelectorAll("h2 > a[href*='chapters/']")];

const host = document.getElementById("run-all");
const run = host.querySelector("button");
const halt = html("button", { type: "button", class: "md-button", hidden: true }, "Stop");
const status = html("p", { class: "run-status", role: "status" });
const body = html("tbody");
const table = html(
  "table",
  { hidden: true },
  html("thead", {}, html("tr", {}, ...["Chapter", "Cards", "Prompts", "Seconds"].map((name) => html("th", {}, name)))),
  body,
);
run.after(halt);
host.append(status, table);

let edits = [];
if (new URLSearchParams(location.search).has("edit")) {
  const { addressed, read } = await import("./address.js");
  edits = read().filter(({ part }) => part === "lines");
  if (edits.length) host.prepend(...changed(addressed));
}
run.disabled = false;

/** What the address changes, and how to do without it. */
function changed(addressed) {
  const [{ page, card }] = edits;
  const chapter = new URL(`../../${page.replace(".md", "/")}`, location.href);
  const origin = html("a", { href: addressed(`${chapter}#${card}`, edits).href }, "changed lines of the package");
  const without = html("a", { href: addressed(location.href, []).href }, "Put them back");
  const code = edits.map(({ text }) => text).join("\n");
  return [
    html("p", {}, "In place of what the book has, these ", origin, " will run. ", without, "."),
    html("pre", {}, html("code", {}, code || "(lines left out)")),
  ];
}

const page = (link) => `chapters/${new URL(link.href).pathname.split("/").filter(Boolean).at(-1)}.md`;

/** Mark the entry of a card with its result. */
function mark(id, holds) {
  const heading = document.getElementById(`entry-${id}`);
  heading?.querySelector(".run-mark")?.remove();
  const text = holds ? " holds here" : " does not hold here";
  heading?.append(html("span", { class: "run-mark", "data-status": holds ? "passed" : "failed" }, text));
}

async function chapter(link) {
  const cards = new Map();
  let [prompts, failed] = [0, 0];
  const { ask, loading } = await importPython();
  const begun = performance.now();
  await ask({ page: page(link), edits }, ({ outcome, ...progress }) => {
    if (progress.loaded) status.textContent = loading(progress);
    if (!outcome) return;
    prompts += 1;
    const holds = outcome.status !== "failed";
    failed += !holds;
    if (outcome.card) cards.set(outcome.card, holds && (cards.get(outcome.card) ?? true));
  });
  for (const [id, holds] of cards) mark(id, holds);
  const fallen = [...cards.keys()].filter((id) => !cards.get(id));
  const held = cards.size - fallen.length;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const cells = [link.textContent, html("span", {}, `${held} of ${cards.size} hold`, ...fallen.map(linkEntry)), `${prompts - failed} of ${prompts}`, seconds];
  body.append(html("tr", {}, ...cells.map((cell) => html("td", {}, cell))));
  return { held, cards: cards.size };
}

/** A link to the entry of a card that fails, by its number. */
function linkEntry(id, position) {
  const [number] = document.getElementById(`entry-${id}`).textContent.match(/\([\d.]+\)/);
  return html("span", {}, position ? ", " : "; failed: ", html("a", { href: `#entry-${id}` }, number));
}

run.addEventListener("click", async () => {
  run.disabled = true;
  [halt.hidden, table.hidden] = [false, false];
  body.replaceChildren();
  const sum = { held: 0, cards: 0 };
  try {
    for (const [number, link] of chapters.entries()) {
      status.textContent = `Chapter ${number + 1} of ${chapters.length}: ${link.textContent}`;
      const found = await chapter(link);
      sum.held += found.held;
      sum.cards += found.cards;
    }
    const change = edits.length ? "With the change, in" : "In";
    status.textContent = `${change} your browser, ${sum.held} of ${sum.cards} equations hold.`;
    status.dataset.state = sum.held === sum.cards ? "passed" : "failed";
  } catch (error) {
    status.textContent = error.message;
  }
  run.disabled = false;
  halt.hidden = true;
});
halt.addEventListener("click", async () => (await importPython()).stop("stopped"));
