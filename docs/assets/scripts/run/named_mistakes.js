// Before the pitfalls of a chapter: mistakes with a name, and a button for each. What puts one into
// the package and runs the page is loaded by the first press.

import { button, html } from "../explorers/parts/elements.js";

const { breakages } = document.querySelector("meta[name=runtime]").dataset;

/** A card as its title has it, as a link to it. */
export function named(id) {
  const title = document.getElementById(id).querySelector(".admonition-title").cloneNode(true);
  for (const link of title.querySelectorAll(".headerlink")) link.remove();
  const number = title.querySelector(".number");
  number?.remove();
  const text = `${number?.textContent.trim() ?? ""} ${title.textContent.trim()}`.trim();
  return html("a", { href: `#${id}` }, text);
}

const choices = JSON.parse(breakages).map((one) => {
  const press = button(one.title);
  press.addEventListener("click", async () => (await import("./breaking.js")).put(one, panel));
  return html("li", {}, press, html("span", {}, " in ", named(one.card)));
});
const says = "Each of these mistakes changes the package in your browser alone, and runs every card that may notice it.";
const panel = html(
  "section",
  { class: "run breakages", "aria-label": "Break it" },
  html("p", { class: "breakages-title" }, "Break it"),
  html("p", {}, says),
  html("ul", { class: "breakages-choices" }, ...choices),
);
if (choices.length) document.getElementById("pitfalls").before(panel);
