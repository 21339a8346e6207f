// The values of an explorer: what is allowed, and how they stand in an address.
//
// In an address each value has a name of its own, `table.d=64`, so that several explorers
// share a page. What is not allowed counts as not given. All functions here are pure.

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** The kind of a control, told from what it declares. */
export function kind(control) {
  if (control.options) return "choice";
  return "min" in control ? "range" : "toggle";
}

/** The smallest and the largest number of a range; either may follow from other values. */
export function bounds(control, values) {
  const resolve = (bound) => (typeof bound === "function" ? bound(values) : bound);
  return [resolve(control.min), resolve(control.max)];
}

/** The allowed number nearest to a number. */
export function fit(control, number, values) {
  const [min, max] = bounds(control, values);
  const step = control.step ?? 1;
  let fitted = number;
  if (control.scale !== "log") {
    const last = Math.floor((max - min) / step + 1e-9);
    const steps = Math.min(Math.max(Math.round((number - min) / step), 0), last);
    fitted = Number((min + steps * step).toPrecision(12)); // 0.1 + 0.2 is 0.3
  } else if (control.step) {
    fitted = Math.round(number / step) * step;
  }
  return Math.min(Math.max(fitted, min), max);
}

/** All values, each moved to where the ones before it allow it to be. */
export function settle(controls, values) {
  const settled = { ...values };
  for (const control of controls) {
    if (kind(control) === "range") {
      settled[control.name] = fit(control, settled[control.name], settled);
    }
  }
  return settled;
}

/** What a control begins with. */
export function initial(controls) {
  const values = Object.fromEntries(controls.map(({ name, value }) => [name, value]));
  return settle(controls, values);
}

/** The value that a text means, or undefined where it means none that is allowed. */
export function parse(control, text, values) {
  if (kind(control) === "choice") {
    return control.options.some(([name]) => name === text) ? text : undefined;
  }
  if (kind(control) === "toggle") return { yes: true, no: false }[text];
  if (!NUMBER.test(text)) return undefined;
  const number = Number(text);
  return fit(control, number, values) === number ? number : undefined;
}

function spell(value) {
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}

/** The values that a query (`?table.d=64`) gives, and the defaults for all others. */
export function read(controls, defaults, prefix, query) {
  const given = new URLSearchParams(query);
  let values = { ...defaults };
  for (const control of controls) {
    const text = given.get(prefix + control.name);
    const value = text === null ? undefined : parse(control, text, values);
    if (value !== undefined) values[control.name] = value;
  }
  return settle(controls, values);
}

/** The query with these values in it, and with all that others have put there. */
export function write(controls, defaults, prefix, values, query) {
  const params = new URLSearchParams(query);
  for (const { name } of controls) {
    params.delete(prefix + name);
    if (values[name] !== defaults[name]) params.set(prefix + name, spell(values[name]));
  }
  const text = params.toString();
  return text && `?${text}`;
}
