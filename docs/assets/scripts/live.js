// Input fields for the numbers in the session on the home page. The browser compares the output
// with the same tolerance as the build.

import { sinusoidalAt } from "./explorers/parts/codes.js";

const LONGEST = 8192; // largest number of channels; fast enough to update while typing

/** Replace a number in the session by an input field. */
function field(old, label, width) {
  const input = document.createElement("input");
  input.value = old.textContent.trim();
  input.setAttribute("aria-label", label);
  input.inputMode = "decimal";
  input.style.width = `${width}ch`;
  input.spellcheck = false;
  old.replaceWith(input);
  return input;
}

/** Format a number like a Python float, with a decimal point. */
const python = (value) => (Number.isInteger(value) ? value.toFixed(1) : String(value));

/** Return the tolerance of the checker: half a unit of the last digit. */
function allowed(written) {
  const decimals = written.trim().replace(/^[^.]*\.?/, "").length;
  return decimals ? 0.5 * 10 ** -decimals : 0;
}

/** Return whether the claim in the three fields is true, and a message. */
export function judge(position, width, claimed) {
  const [p, d, length] = [position, width, claimed].map((text) => Number(text.trim() || NaN));
  if (!Number.isFinite(p)) return [false, "ValueError: positions must be finite numbers"];
  if (!Number.isInteger(d) || d < 2 || d % 2) {
    return [false, `ValueError: d_model must be an even integer of 2 or more, got ${width.trim()}`];
  }
  if (d > LONGEST) return [false, `Too wide for a page: this field takes up to ${LONGEST} channels`];
  const got = Math.hypot(...sinusoidalAt(p, d));
  if (Math.abs(got - length) <= allowed(claimed) + 1e-12 * got) {
    return [true, `It holds: the length is ${python(Number(got.toPrecision(12)))}. This page may be built.`];
  }
  const printed = python(Number(got.toPrecision(12)));
  return [false, `Expected ${claimed.trim() || "nothing"}, got ${printed}. No test passes, no page is built.`];
}

/** Add the fields to a card. */
export function enliven(card) {
  const verdict = card.querySelector(".live-verdict");
  const numbers = [...card.querySelectorAll(".mi")];
  const fields = [
    field(numbers[0], "position", 7),
    field(numbers[1], "d_model, the number of channels", 5),
    field(card.querySelector(".go"), "what the session is said to print", 9),
  ];
  verdict.setAttribute("role", "status");
  const update = () => {
    const [holds, said] = judge(...fields.map((input) => input.value));
    card.classList.toggle("false", !holds);
    verdict.textContent = said;
  };
  for (const input of fields) input.addEventListener("input", update);
  update();
}

for (const card of document.querySelectorAll(".live")) enliven(card);
