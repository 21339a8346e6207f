// The values of an explorer: which ones are allowed, and their form in a URL.
//
// A URL has a prefix for each explorer, `table.d=64`, so that several can share a page. Values that
// are not allowed are ignored. All functions here are pure.

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Return the kind of a control from its declaration. */
export function kind(control) {
  if (control.options) return "choice";
  return "min" in control ? "range" : "toggle";
}

/** Return the bounds of a range, which may depend on other values. */
export function bounds(control, values) {
  const resolve = (bound) => (typeof bound === "function" ? bound(values) : bound);
  return [resolve(control.min), resolve(control.max)];
}

/** Return the nearest allowed number. */
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

/** Return all values, each adjusted to what the preceding ones allow. */
export function settle(controls, values) {
  const settled = { ...values };
  for (const control of controls) {
    if (kind(control) === "range") {
      settled[control.name] = fit(control, settled[control.name], settled);
    }
  }
  return settled;
}

/** Return the initial values. */
export function initial(controls) {
  const values = Object.fromEntries(controls.map(({ name, value }) => [name, value]));
  return settle(controls, values);
}

/** Return the value in a text, or undefined if it is not allowed. */
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

/** Return the values in a query (`?table.d=64`), with defaults for all others. */
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

/** Return the query with these values, keeping the parameters of others. */
export function write(controls, defaults, prefix, values, query) {
  const params = new URLSearchParams(query);
  for (const { name } of controls) {
    params.delete(prefix + name);
    if (values[name] !== defaults[name]) params.set(prefix + name, spell(values[name]));
  }
  const text = params.toString();
  return text && `?${text}`;
}
