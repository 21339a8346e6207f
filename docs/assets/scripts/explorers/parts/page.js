// Number formats, and properties of the page: theme, motion, width.

export { html, svg } from "./elements.js";

const RAISED = { "-": "⁻", ...[..."⁰¹²³⁴⁵⁶⁷⁸⁹"] };
const NARROW_SPACE = "\u202f";

/** Format a number with all its digits, as for the ticks of an axis. */
export function plain(number) {
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? power(number, 0) : String(number).replace("-", "−");
}

function power(number, digits) {
  const [mantissa, exponent] = number.toExponential(digits).split("e");
  const raised = [...exponent.replace("+", "")].map((digit) => RAISED[digit]).join("");
  return `${mantissa === "1" ? "" : `${mantissa}·`}10${raised}`.replace("-", "−");
}

/** Format a number with a fixed number of decimals, a true minus sign, and no minus before zero. */
export function decimal(number, digits = 4) {
  const text = number.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** Format a number with some significant digits and separated thousands. */
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

/** Return the value of a CSS custom property of an element. */
export function property(node, name) {
  return getComputedStyle(node).getPropertyValue(name).trim();
}

/** Call a function when the theme changes. */
export function onTheme(callback) {
  new MutationObserver(callback).observe(document.body, {
    attributeFilter: ["data-md-color-scheme"],
  });
}

/** Call a function when the width of an element changes. */
export function onWidth(node, callback) {
  let width = node.clientWidth;
  new ResizeObserver(() => {
    if (node.clientWidth === width) return;
    width = node.clientWidth;
    callback();
  }).observe(node);
}

/** Return whether the reader prefers reduced motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
