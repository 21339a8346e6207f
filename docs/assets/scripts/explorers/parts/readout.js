// Exact numbers under a picture: names and values with keys.
//
//   const numbers = readout(stage.body, [["value", "PE(p, c)"], ["omega", "Frequency ω"]]);
//   numbers.show({value: decimal(0.5), omega: "1 rad"}, {value: "PE(3, 1)"});

import { html } from "./page.js";

/**
 * Build the list; `show` takes values by key, and new names if they change. A value is an
 * `<output data-value="key">`, its name a `<dt data-name="key">`.
 */
export function readout(host, entries) {
  const [outputs, names] = [new Map(), new Map()];
  const list = html("dl", { class: "readout" });
  for (const [key, ...label] of entries) {
    // Screen readers announce changes of an output by default; the frame's status is enough.
    const output = html("output", { "data-value": key, "aria-live": "off" });
    outputs.set(key, output);
    const name = html("dt", { "data-name": key }, ...label);
    names.set(key, name);
    list.append(html("div", {}, name, html("dd", {}, output)));
  }
  host.append(list);
  return {
    show(texts, called = {}) {
      for (const [key, text] of Object.entries(texts)) outputs.get(key).textContent = text;
      for (const [key, text] of Object.entries(called)) names.get(key).textContent = text;
    },
  };
}
