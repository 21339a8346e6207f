// What a config says of positions: a strip of layers, tables and plots.

import { html } from "../explorers/parts/elements.js";
import { describeSource, showCache } from "./inspect_common.js";
import { ratios, wavelengths } from "./plots.js";
import { short, table } from "./tables.js";

const COLOURS = 6;

const words = (name) => name.replace(/_nope$/, ", no positions").replaceAll("_", " ");
const text = (value) => html("p", {}, value);

/** Numbers with runs shortened: 0–4, 6–10. */
function runs(numbers) {
  const found = [];
  for (const number of numbers) {
    if (found.at(-1)?.[1] === number - 1) found.at(-1)[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => (last > first ? `${first}–${last}` : first)).join(", ");
}

/** The elements that show an answer, with a bar of buttons below its title. */
export function showResult({ model, kinds, cache }, bar) {
  const rotating = kinds.filter(({ rotates }) => rotates);
  const colour = (kind) => kinds.indexOf(kind) % COLOURS;
  const scaled = rotating.filter(({ pairs }) => pairs.ratio.some((one) => one !== 1));
  return [
    html("h2", { id: "layers" }, describeModel(model)),
    bar,
    text(describePairing(model, rotating)),
    strip(kinds, model.layers, colour),
    table("Kinds of layers", ["Property", ...kinds.map(({ name }) => words(name))], listFacts(kinds)),
    ...(rotating.length ? [html("h2", { id: "wavelengths" }, "Wavelengths"), ...showWavelengths(model, rotating, scaled, colour)] : []),
    ...(scaled.length ? [html("h2", { id: "scaling" }, "What scaling changed"), ...showScaling(scaled, colour)] : []),
    ...(rotating.length ? [html("h2", { id: "bfloat16" }, "Positions in bfloat16"), ...showRounding(model, rotating)] : []),
    ...showCache(cache),
    ...(rotating.length ? [html("h2", { id: "pairs" }, "All pairs"), ...rotating.map((kind) => listPairs(kind))] : []),
  ];
}

function describeModel({ model_type: type, layers, encoding }) {
  const kind = { none: "no positions", alibi: "ALiBi", rotary: "RoPE" }[encoding];
  return `${type ?? "Model without model_type"}: ${layers} layers, ${kind}`;
}

function describePairing({ layout, sign, source, encoding }, rotating) {
  const facts = describeSource(source);
  if (encoding !== "rotary") return `Nothing is rotated.${facts}`;
  const pairs = {
    half: `Pairing: halves. Channels i and i + ${[...new Set(rotating.map(({ pairs }) => pairs.pair.length))].join(" or ")} are a pair.`,
    interleaved: "Pairing: neighbours. Channels 2i and 2i + 1 are a pair.",
  };
  const direction = sign < 0 ? "Angles run backwards, from x₂ to x₁." : "Angles grow with the position.";
  return `${pairs[layout] ?? "Pairing: not known, as the model isn't one of transformers."} ${direction}${facts}`;
}

/** A box for each layer, in the colour of its kind, hollow if it doesn't rotate, and a legend. */
function strip(kinds, count, colour) {
  const of = Array.from({ length: count });
  for (const kind of kinds) for (const layer of kind.layers) of[layer] = kind;
  const look = (kind) => ({ class: `workbench-layer c${colour(kind)}`, "data-rotates": String(kind.rotates) });
  const boxes = of.map((kind, layer) => html("span", { ...look(kind), title: `layer ${layer}: ${words(kind.name)}` }));
  const label = `Layers: ${kinds.map(({ name, layers }) => `${words(name)} in ${runs(layers)}`).join("; ")}`;
  const legend = kinds.map((kind) =>
    html("li", {}, html("span", look(kind)), ` ${words(kind.name)}: ${kind.layers.length} of ${count} layers (${runs(kind.layers)})`),
  );
  return html(
    "div",
    { class: "explorer-live" },
    html("div", { class: "workbench-strip", role: "img", "aria-label": label }, ...boxes),
    html("ul", { class: "workbench-legend" }, ...legend),
  );
}

function listFacts(kinds) {
  const share = ({ rotary_dim: rotated, head_dim: all }) => (all ? `${rotated} of ${all} (${short((100 * rotated) / all, 3)} %)` : null);
  const facts = [
    ["Rotates", ({ rotates }) => (rotates ? "yes" : "no")],
    ["Width of a head", ({ head_dim: width }) => width],
    ["Rotated channels", share],
    ["Base", ({ base }) => base],
    ["Rule", ({ rope_type: rule }) => rule],
    ["Attention factor", ({ attention_factor: factor }) => factor],
    ["Window or chunk", ({ window }) => window],
    ["Scale of scores", ({ softmax_scale: scale }) => scale],
    ["Queries times", ({ query_scale: scale }) => scale],
    ["Training length", ({ original_positions: length }) => length],
    ["Context length", ({ max_positions: length }) => length],
  ];
  return facts.map(([name, get]) => [name, ...kinds.map(get)]).filter(([, ...cells]) => cells.some((cell) => cell !== null));
}

/** For how many positions the frequencies are, where they depend on the number. */
function describeLength({ positions_now: now }, { rope_type: rule, original_positions: trained, max_positions: most }) {
  if (rule !== "dynamic" && rule !== "longrope") return [];
  const length = now ?? trained ?? most;
  const from = now ? `for ${short(now)} positions` : `for sequences of up to ${short(length)} positions`;
  return [`The rule ${rule} depends on the length: these are the frequencies ${from}. Set “Positions now” to see others.`];
}

function showWavelengths(model, rotating, scaled, colour) {
  const notes = [
    ...new Set(rotating.flatMap((kind) => describeLength(model, kind))),
    ...(rotating.length > 1 ? ["Each curve has the colour of its kind of layer."] : []),
    ...(scaled.length ? ["Faint lines are the wavelengths before scaling."] : []),
  ];
  const beyond = rotating.map((kind) => {
    const { pairs, max_positions: most, name } = kind;
    if (!most) return `The config of ${words(name)} layers has no context length.`;
    const slow = pairs.wavelength.filter((one) => one === null || one > most).length;
    return `${words(name)}: ${slow} of ${pairs.pair.length} pairs don't complete a rotation within the context of ${short(most)} positions.`;
  });
  return [
    wavelengths(rotating, colour),
    ...(notes.length ? [text(notes.join(" "))] : []),
    html("ul", {}, ...beyond.map((one) => html("li", {}, one))),
  ];
}

function showScaling(scaled, colour) {
  const items = scaled.map(({ name, rope_type: rule, pairs: { ratio } }) => {
    const [kept, least] = [ratio.filter((one) => one === 1).length, Math.min(...ratio)];
    const slowed = ratio.filter((one) => one !== 1 && one !== least).length;
    const most = ratio.length - kept - slowed;
    const parts = [
      [kept, `${kept} keep their frequency`],
      [slowed, `${slowed} are slowed less`],
      [most, least ? `${most} are divided by ${short(1 / least)}` : `${most} don't rotate`],
    ];
    const counts = parts.filter(([count]) => count).map(([, one]) => one);
    return html("li", {}, `${words(name)}, ${rule}: of ${ratio.length} pairs, ${counts.join(", ")}.`);
  });
  return [ratios(scaled, colour), html("ul", {}, ...items)];
}

function showRounding(model, rotating) {
  const searched = short(model.searched);
  const lines = rotating.map((kind) => {
    const { name, equal_rows: rows, pairs } = kind;
    const found = pairs.first_equal_neighbours_bfloat16.map((p, i) => [p, i]).filter(([p]) => p !== null);
    found.sort(([p], [q]) => p - q);
    const apart = rows
      ? `positions ${rows[0]} and ${rows[1]} coincide in all pairs`
      : `no two of the first ${short(Math.min(kind.max_positions ?? model.searched, model.searched))} positions coincide in all pairs`;
    const single = found.length
      ? `${found.length} of ${pairs.pair.length} pairs have neighbours that coincide, first positions ${short(found[0][0] - 1)} and ${short(found[0][0])} in pair ${found[0][1]}`
      : "no pair has neighbours that coincide";
    return html("li", {}, `${words(name)}: ${apart}; ${single}.`);
  });
  const lost = short(model.distinct_bfloat16_positions);
  return [
    text(
      `If positions are rounded to bfloat16 before they become angles, 256 and 257 coincide in every pair, whatever the model. Of the first ${searched} positions, ${lost} are left.`,
    ),
    text("If only the finished cosines and sines are rounded, as in transformers, and their angles are exact:"),
    html("ul", {}, ...lines),
  ];
}

function listPairs({ name, pairs }) {
  const heads = [
    "Pair",
    "Channels",
    "Frequency (radians per position)",
    "Wavelength (positions)",
    "Before scaling",
    "New over old",
    "Neighbours equal in bfloat16 from",
  ];
  const rows = pairs.pair.map((i) => [
    i,
    pairs.channel_1[i] === null ? null : `${pairs.channel_1[i]}, ${pairs.channel_2[i]}`,
    pairs.inv_freq[i],
    pairs.wavelength[i],
    pairs.inv_freq_unscaled[i],
    pairs.ratio[i],
    pairs.first_equal_neighbours_bfloat16[i],
  ]);
  const summary = html("summary", {}, `${words(name)}: ${pairs.pair.length} pairs`);
  return html("details", {}, summary, table(`Pairs of ${words(name)} layers`, heads, rows));
}
