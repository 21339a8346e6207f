// Tables whose numbers can be copied: they show a few digits, and the copy has all of them.

import { button, html } from "../explorers/parts/elements.js";
import { brief } from "../explorers/parts/page.js";

const SHOWN = 6; // digits
const NARROW_SPACE = "\u202f";
const CONFIRMED = 2000; // milliseconds that a button says that it has copied

/** Format whole numbers with all their digits, and others with a few, without zeros at the end. */
export function short(number, digits = SHOWN) {
  const grouped = (text) => (text.length > 4 ? text.replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE) : text);
  if (Number.isSafeInteger(number)) return grouped(String(number));
  return brief(number, digits).replace(/(\.\d*?)0+(?=$|·)/, "$1").replace(/\.(?=$|·)/, "");
}

/** What a cell shows, and what its copy has. */
const show = (value) => {
  if (value === null || value === undefined) return "–";
  return typeof value === "number" ? short(value) : value;
};
const copied = (value) => (value === null || value === undefined ? "" : String(value));

/** A table with a caption; the first cell of each row is its heading. Cells are numbers or text. */
export function table(caption, heads, rows) {
  const cell = (value, n) => {
    const attributes = typeof value === "number" ? { class: "number" } : {};
    return n ? html("td", attributes, show(value)) : html("th", { scope: "row" }, show(value));
  };
  const head = html("tr", {}, ...heads.map((text) => html("th", { scope: "col" }, text)));
  const body = rows.map((row) => html("tr", {}, ...row.map(cell)));
  const made = html(
    "table",
    {},
    html("caption", { class: "workbench-hidden" }, caption),
    html("thead", {}, head),
    html("tbody", {}, ...body),
  );
  const text = [heads, ...rows].map((row) => row.map(copied).join("\t")).join("\n");
  const scroller = html("div", { class: "workbench-table", tabindex: 0, role: "region", "aria-label": caption }, made);
  return html("div", {}, scroller, html("p", { class: "run-bar" }, copyButton("Copy table", () => text)));
}

/** A button that copies a text, and says so. */
export function copyButton(name, text) {
  const made = button(name);
  made.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(await text());
      made.textContent = "Copied";
    } catch {
      made.textContent = "The browser doesn't allow copying";
    }
    setTimeout(() => (made.textContent = name), CONFIRMED);
  });
  return made;
}
