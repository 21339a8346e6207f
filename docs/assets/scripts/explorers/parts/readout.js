// Exact numbers under a picture: names and values, of which each is found by its key.
//
//   const numbers = readout(stage.body, [["value", "PE(p, c)"], ["omega", "Frequency ω"]]);
//   numbers.show({value: decimal(0.5), omega: "1 rad"});

import { html } from "./page.js";

/** Build the list; `show` takes texts by key. Each value is an `<output data-value="key">`. */
export function readout(host, entries) {
  const outputs = new Map();
  const list = html("dl", { class: "readout" });
  for (const [key, ...label] of entries) {
    // An output is read out at every change, unless told otherwise; the frame's status is enough.
    const output = html("output", { "data-value": key, "aria-live": "off" });
    outputs.set(key, output);
    list.append(html("div", {}, html("dt", {}, ...label), html("dd", {}, output)));
  }
  host.append(list);
  return {
    show(texts) {
      for (const [key, text] of Object.entries(texts)) outputs.get(key).textContent = text;
    },
  };
}
