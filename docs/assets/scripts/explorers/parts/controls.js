// Build controls from their declarations, as native elements with labels, keyboard and roles.
//
//   {name: "d", label: "Channels", symbol: "d", min: 2, max: 128, step: 2, value: 64}
//   {name: "base", label: "Base", min: 10, max: 1e6, scale: "log", value: 10000}
//   {name: "p", label: "Position", min: 0, max: (values) => values.length - 1, value: 5}
//   {name: "layout", label: "Layout", options: [["half", "half"], …], value: "half"}
//   {name: "causal", label: "Causal mask", value: false}
//
// `unit` follows the number, `hidden` stores a value without a control, such as a cursor's, and
// `wide` gives a control a row of its own. Bounds may depend on controls declared earlier.
// `when: (values) => values.rule === "t5"` shows a control only if it applies.

import { bounds, fit, kind } from "./state.js";
import { html } from "./page.js";

const TICKS = 20; // of a logarithmic slider, for each factor of ten
const MOST_RADIOS = 4;

/**
 * Build the controls; `change(name, value)` is called for each input.
 * Returns the elements and `show(values)`, which makes them show values.
 */
export function build(controls, prefix, change) {
  const made = controls
    .filter((control) => !control.hidden)
    .map((control) => sometimes(control, BUILDERS[kind(control)](control, prefix + control.name, change)));
  return {
    elements: made.map((one) => one.element),
    show: (values) => made.forEach((one) => one.show(values)),
  };
}

/** Hide a control while it does not apply. */
function sometimes({ when }, { element, show }) {
  if (!when) return { element, show };
  return {
    element,
    show(values) {
      element.hidden = !when(values);
      show(values);
    },
  };
}

const BUILDERS = {
  range(control, id, change) {
    const logarithmic = control.scale === "log";
    const slider = html("input", { type: "range", id });
    const number = html("input", {
      type: "number",
      id: `${id}-number`,
      step: logarithmic ? "any" : (control.step ?? 1),
      inputmode: "decimal",
      "aria-label": `${name(control)}, as a number`,
    });
    let current = {};
    const slide = () => {
      const [min, max] = bounds(control, current);
      const along = Number(slider.value);
      change(control.name, fit(control, logarithmic ? raise(min, max, along) : along, current));
    };
    const type = (done) => {
      const typed = number.valueAsNumber;
      if (Number.isNaN(typed)) return done && show(current, true);
      const fitted = fit(control, typed, current);
      if (done || fitted === typed) change(control.name, fitted);
      if (done) show(current, true);
    };
    slider.addEventListener("input", slide);
    number.addEventListener("input", () => type(false));
    number.addEventListener("change", () => type(true));

    function show(values, typed = document.activeElement !== number) {
      current = values;
      const [min, max] = bounds(control, values);
      const value = values[control.name];
      if (typed) number.value = value; // not while the reader is typing
      Object.assign(number, { min, max });
      if (logarithmic) {
        Object.assign(slider, { min: 0, max: ticks(min, max), step: 1 });
        slider.value = Math.round(Math.log10(value / min) * TICKS);
      } else {
        Object.assign(slider, { min, max, step: control.step ?? 1 });
        slider.value = value;
      }
      slider.setAttribute("aria-valuetext", said(control, value));
      const share = (slider.value - slider.min) / (slider.max - slider.min || 1);
      slider.style.setProperty("--share", `${100 * share}%`);
    }
    const label = html("label", { for: id }, ...named(control));
    const unit = control.unit ? [html("span", { class: "unit" }, control.unit)] : [];
    return { element: row("range", control, label, number, ...unit, slider), show };
  },

  choice(control, id, change) {
    if (control.options.length > MOST_RADIOS) return menu(control, id, change);
    const inputs = control.options.map(([value]) =>
      html("input", { type: "radio", id: `${id}-${value}`, name: id, value }),
    );
    const marks = inputs.map((input, index) => {
      input.addEventListener("change", () => change(control.name, input.value));
      return html("label", { for: input.id }, input, html("span", {}, control.options[index][1]));
    });
    const show = (values) => {
      for (const input of inputs) input.checked = input.value === values[control.name];
    };
    const legend = html("legend", {}, ...named(control));
    const choices = html("div", { class: "choices" }, ...marks);
    const element = html("fieldset", { class: "choice control" }, legend, choices);
    element.classList.toggle("wide", Boolean(control.wide));
    return { element, show };
  },

  toggle(control, id, change) {
    const box = html("input", { type: "checkbox", id });
    box.addEventListener("change", () => change(control.name, box.checked));
    const label = html("label", { for: id }, box, html("span", {}, ...named(control)));
    const show = (values) => (box.checked = values[control.name]);
    return { element: row("toggle", control, label), show };
  },
};

function menu(control, id, change) {
  const options = control.options.map(([value, text]) => html("option", { value }, text));
  const select = html("select", { id }, ...options);
  select.addEventListener("change", () => change(control.name, select.value));
  const show = (values) => (select.value = values[control.name]);
  return { element: row("menu", control, html("label", { for: id }, ...named(control)), select), show };
}

function row(kind, control, ...children) {
  return html("div", { class: `${kind} control${control.wide ? " wide" : ""}` }, ...children);
}

function name({ label, symbol }) {
  return symbol ? `${label} ${symbol}` : label;
}

function named({ label, symbol }) {
  return symbol ? [`${label} `, html("var", {}, symbol)] : [label];
}

function said({ unit }, value) {
  return unit ? `${value} ${unit}` : String(value);
}

function ticks(min, max) {
  return Math.round(Math.log10(max / min) * TICKS);
}

/** Return the number at a slider position on a logarithmic scale: three digits, exact at the ends. */
function raise(min, max, along) {
  if (along >= ticks(min, max)) return max;
  return Number((min * 10 ** (along / TICKS)).toPrecision(3));
}
