// What results of models with and without rotations have in common: the source, and the cache.

import { html } from "../explorers/parts/elements.js";
import { short, table } from "./tables.js";

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

const text = (value) => html("p", {}, value);

/** A sentence on where defaults are from, after another sentence. */
export const describeSource = (source) => (source ? ` Defaults are those of ${source} in transformers.` : "");

/** The section on the cache. */
export function showCache(cache) {
  return [html("h2", { id: "cache" }, "Cache"), ...(cache.unknown ? [text(`Not counted: ${cache.unknown}.`)] : countBytes(cache))];
}

function countBytes({ longest, words, ...of }) {
  const { token, growing, whole: all } = of.bfloat16;
  const rows = [
    ["One token in one layer", "layer"],
    ["One token in all layers", "token"],
    ...(growing < token ? [["Each further token, once windows are full", "growing"]] : []),
    ...(longest ? [[`A sequence of ${short(longest)} tokens`, "whole"]] : []),
  ].map(([name, key]) => [name, of.bfloat16[key], of.float32[key]]);
  const sum = all ? `, and ${bytes(all)} for a sequence of ${short(longest)}` : "";
  return [
    text(`Each layer with attention caches ${words}. In bfloat16 that is ${bytes(token)} for a token${sum}.`),
    table("Bytes of the cache", ["Cached", "bfloat16, bytes", "float32, bytes"], rows),
  ];
}

/** A number of bytes, exactly, and in a unit that people compare. */
function bytes(count) {
  const power = Math.min(Math.floor(Math.log2(count || 1) / 10), UNITS.length - 1);
  return power ? `${short(count)} (${short(count / 1024 ** power, 4)} ${UNITS[power]})` : `${short(count)} bytes`;
}
