// On every card: run its verification here, in the reader's browser, as it stands, with a mistake
// put into the lines that it shows, or as the reader changes it. Before the first press there is
// only the bar: what it does, and all that this needs, is loaded then.

import { button, html } from "../explorers/parts/elements.js";
import { kept } from "./keeping.js";

/** The statement above a verification. */
function statement(verification) {
  let above = verification.previousElementSibling;
  while (above && !above.matches(".statement")) above = above.previousElementSibling;
  return above;
}

/** The bar of a card; returns what loads the card that it belongs to. */
function bar(verification) {
  const id = statement(verification)?.id;
  const parts = {
    id,
    verification,
    run: button("Run it here"),
    all: button("Run the whole page"),
    edit: button("Edit"),
    mutants: html("select", { "aria-label": "A mistake in the lines shown" }, html("option", { value: "" }, "as it stands")),
    status: html("p", { class: "run-status", role: "status" }),
    list: html("ol", { class: "run-outcomes", tabindex: 0, "aria-label": "Results" }),
  };
  const { run, all, edit, mutants, status, list } = parts;
  const broken = html("label", { class: "run-mutant" }, "Break it: ", mutants);
  const buttons = html("p", { class: "run-bar" }, run, all, edit, broken);
  verification.dataset.card = id;
  verification.querySelector("summary").after(html("div", { class: "run" }, buttons, status, list));

  let made;
  const card = () => (made ??= import("./card.js").then(({ Card }) => new Card(parts)));
  const on = (node, event, act, more) => node.addEventListener(event, async () => act(await card()), more);
  on(run, "click", (it) => it.go());
  on(all, "click", (it) => it.go({ whole: true }));
  on(edit, "click", (it) => it.edit());
  on(mutants, "focus", (it) => it.fill(), { once: true });
  on(mutants, "change", (it) => it.breakIt());
  return card;
}

const cards = [...document.querySelectorAll("details.verification")].map((one) => [one, bar(one)]);

// What an address changes is opened.
if (location.search.includes("edit=")) import("./address.js").then(({ open }) => open(cards));

// Used before on this visit, Python is started as soon as nothing else is done.
if (kept(({ sessionStorage }) => sessionStorage.getItem("posenc-python")))
  (self.requestIdleCallback ?? setTimeout)(() => import("./python.js").then(({ warm }) => warm()));
