// Numbers as text, and what the page says of itself: theme, motion, width.

export { html, svg } from "./elements.js";

const RAISED = { "-": "⁻", ...[..."⁰¹²³⁴⁵⁶⁷⁸⁹"] };
const NARROW_SPACE = "\u202f";

/** A number as text with the digits that it has, as at the ticks of an axis. */
export function plain(number) {
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? power(number, 0) : String(number).replace("-", "−");
}

function power(number, digits) {
  const [mantissa, exponent] = number.toExponential(digits).split("e");
  const raised = [...exponent.replace("+", "")].map((digit) => RAISED[digit]).join("");
  return `${mantissa === "1" ? "" : `${mantissa}·`}10${raised}`.replace("-", "−");
}

/** A number as text with so many decimals, a true minus sign, and no minus before zero. */
export function decimal(number, digits = 4) {
  const text = number.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** A number as text with so many significant digits, thousands set apart. */
export function brief(number, digits = 4) {
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) {
    return power(number, digits - 1);
  }
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size || 1)));
  const [whole, part] = Number(number.toPrecision(digits)).toFixed(places).split(".");
  const grouped = /\d{5}/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE) : whole;
  return (part ? `${grouped}.${part}` : grouped).replace("-", "−");
}

/** The value of a custom property of the style sheet where an element stands. */
export function property(node, name) {
  return getComputedStyle(node).getPropertyValue(name).trim();
}

/** Call back when the reader switches between light and dark. */
export function onTheme(callback) {
  new MutationObserver(callback).observe(document.body, {
    attributeFilter: ["data-md-color-scheme"],
  });
}

/** Call back when an element gets another width. */
export function onWidth(node, callback) {
  let width = node.clientWidth;
  new ResizeObserver(() => {
    if (node.clientWidth === width) return;
    width = node.clientWidth;
    callback();
  }).observe(node);
}

/** Whether the reader asked for less motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
