// What a config says of positions where nothing is rotated: tables, buckets or slopes.

import { html } from "../explorers/parts/elements.js";
import { describeSource, showCache } from "./inspect_common.js";
import { table } from "./tables.js";

const BY_ITSELF = "The model has no positions of its own: masks and recurrent layers show it the order.";

/** The elements that show an answer, with a bar of buttons below its title. */
export function showOther({ title, source, sections, cache }, bar) {
  return [
    html("h2", { id: "encoding" }, title),
    ...(sections.length ? [bar] : []),
    html("p", {}, `Nothing is rotated.${sections.length ? "" : ` ${BY_ITSELF}`}${describeSource(source)}`),
    ...sections.flatMap(({ heading, text, table: numbers }) => [
      html("h2", {}, heading),
      ...text.map((one) => html("p", {}, one)),
      ...(numbers ? [table(numbers.caption, numbers.heads, numbers.rows)] : []),
    ]),
    ...(cache ? showCache(cache) : []),
  ];
}
