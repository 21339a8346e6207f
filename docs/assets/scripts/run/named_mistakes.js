// Add a button for each named mistake before the pitfalls of a chapter. The first press loads the
// script that runs the page with it.

import { button, html } from "../explorers/parts/elements.js";

const { mistakes } = document.querySelector("meta[name=runtime]").dataset;

/** A link to a card, with its number and title. */
export function linkCard(id) {
  const title = document.getElementById(id).querySelector(".admonition-title").cloneNode(true);
  for (const link of title.querySelectorAll(".headerlink")) link.remove();
  const number = title.querySelector(".number");
  number?.remove();
  const text = `${number?.textContent.trim() ?? ""} ${title.textContent.trim()}`.trim();
  return html("a", { href: `#${id}` }, text);
}

const choices = JSON.parse(mistakes).map((one) => {
  const press = button(one.title);
  press.addEventListener("click", async () => (await import("./mistake_run.js")).runMistake(one, panel));
  return html("li", {}, press, html("span", {}, " in ", linkCard(one.card)));
});
const description = "Each button puts a mistake into the package, in your browser only, and runs every card that could notice it.";
const panel = html(
  "section",
  { class: "run mistakes", "aria-label": "Break it" },
  html("p", { class: "mistakes-title" }, "Break it"),
  html("p", {}, description),
  html("ul", { class: "mistakes-choices" }, ...choices),
);
if (choices.length) document.getElementById("pitfalls").before(panel);
