// Conventions of libraries, as in docs/reference/conventions.md, and the rows that they produce.
// A test compares the names with the tables of that page, and the rows with numbers of the libraries.

import { invFreq, pairChannels } from "./codes.js";

/** The settings of the paper's formula for codes that are added. */
export const PAPER = { layout: "interleaved", order: "sines", exponent: "paper", start: 0, size: "one" };

/** The settings of RoFormer, equation 34. */
export const ROFORMER = { layout: "interleaved", halves: false };

const half = { ...PAPER, layout: "half" };
const code = { ...half, exponent: "tensor2tensor" };

/** Libraries that add an encoding, with their settings; each line is one row of numbers. */
export const ADDED = [
  {
    libraries: [
      "Annotated Transformer",
      "DistilBERT, XLM",
      "VideoMAE",
      "SpeechT5, scaled",
      "positional-encodings",
      "keras-hub",
    ],
    settings: PAPER,
  },
  { libraries: ["Marian, RoFormer", "CTRL"], settings: half },
  { libraries: ["x-transformers"], settings: { ...half, size: "root" } },
  { libraries: ["tensor2tensor", "Whisper", "diffusers"], settings: code },
  { libraries: ["fairseq, M2M100"], settings: { ...code, start: 2 } },
  { libraries: ["MusicGen"], settings: { ...code, order: "cosines" } },
  { libraries: ["diffusers, flipped"], settings: { ...half, order: "cosines" } },
];

/** Libraries that rotate queries and keys, with their settings. */
export const ROTARY = [
  { libraries: ["Llama", "GPT-NeoX", "keras-hub"], settings: { layout: "half", halves: true } },
  {
    libraries: ["GPT-J", "Cohere", "Llama, by Meta", "rotary-embedding-torch", "x-transformers"],
    settings: ROFORMER,
  },
  { libraries: ["DeepSeek-V3"], settings: { ...ROFORMER, halves: true } },
];

/** Return the index of exactly these settings in a list, or -1. */
export function matching(list, given) {
  return list.findIndex(({ settings }) =>
    Object.entries(settings).every(([name, value]) => given[name] === value),
  );
}

/** Return pair and wave of each of d channels: {pair, wave}. */
export function addedChannels(d, { layout, order }) {
  const channels = [];
  for (let pair = 0; pair < d / 2; pair++) {
    const waves = order === "sines" ? ["sin", "cos"] : ["cos", "sin"];
    pairChannels(d, layout, pair).forEach((c, k) => (channels[c] = { pair, wave: waves[k] }));
  }
  return channels;
}

/** Return the d entries of the encoding of a token, counted from 0. */
export function addedRow(token, d, { base = 10000, exponent, start, size, ...order }) {
  const omegas = invFreq(d, base, exponent);
  const unit = size === "root" ? d ** -0.5 : 1;
  return addedChannels(d, order).map(({ pair, wave }) => unit * Math[wave]((start + token) * omegas[pair]));
}

/** Return for each of d results the channels that it reads, and which result of the pair it is. */
export function turnedChannels(d, { layout, halves }) {
  const channels = [];
  for (let pair = 0; pair < d / 2; pair++) {
    const [first, second] = pairChannels(d, layout, pair);
    pairChannels(d, halves ? "half" : layout, pair).forEach(
      (c, k) => (channels[c] = { pair, first, second, part: k }),
    );
  }
  return channels;
}

/** Return a vector rotated counter-clockwise by its position, in the order of the settings. */
export function turnedRow(x, p, { base = 10000, ...order }) {
  const omegas = invFreq(x.length, base);
  return turnedChannels(x.length, order).map(({ pair, first, second, part }) => {
    const [cosine, sine] = [Math.cos(p * omegas[pair]), Math.sin(p * omegas[pair])];
    return part ? x[first] * sine + x[second] * cosine : x[first] * cosine - x[second] * sine;
  });
}
