// Frequencies of a rotary embedding, scaled for longer contexts, with the names of posenc.
//
// Letters: d rotated channels, i a pair, s the factor, L0 the original length, `kept` a share
// between 0 (divided by s) and 1 (unchanged). Configs have the keys of
// Hugging Face, as posenc.rope_parameters reads them: head_dim, rope_theta, factor, …

import { invFreq } from "./codes.js";

/** Return the base that divides the lowest frequency by a factor and keeps the highest. */
export function ntkBase(base, factor, dim) {
  return base * factor ** (dim / (dim - 2));
}

/** Return the number of rotations at each frequency within a length. */
export function turns(length, frequencies) {
  return frequencies.map((omega) => (length * omega) / (2 * Math.PI));
}

/** Return the frequencies of a config at a length, and the factor on cosines and sines. */
export function ropeParameters(config, seqLen = 0) {
  const { head_dim: dim, rope_theta: base = 10000 } = config;
  return RULES[config.rope_type ?? "default"](config, dim, base, seqLen);
}

const clip = (number) => Math.min(Math.max(number, 0), 1);
const stretched = (frequencies, attentionFactor = 1) => ({ invFreq: frequencies, attentionFactor });

/** Return a mix of each frequency and the frequency divided by the factor. */
function blend(omegas, kept, factor) {
  return omegas.map((omega, i) => kept[i] * omega + (1 - kept[i]) * (omega / factor));
}

const RULES = {
  default: (_, dim, base) => stretched(invFreq(dim, base)),

  linear: ({ factor }, dim, base) => stretched(invFreq(dim, base).map((omega) => omega / factor)),

  dynamic({ factor, max_position_embeddings: original }, dim, base, seqLen) {
    const growth = (factor * Math.max(seqLen, original)) / original - (factor - 1);
    return stretched(invFreq(dim, ntkBase(base, growth, dim)));
  },

  yarn({ factor, original_max_position_embeddings: original }, dim, base) {
    const kept = yarnRamp(dim, base, original).map((share) => 1 - share);
    return stretched(blend(invFreq(dim, base), kept, factor), 0.1 * Math.log(factor) + 1);
  },

  llama3({ factor, low_freq_factor: low, high_freq_factor: high, ...config }, dim, base) {
    const omegas = invFreq(dim, base);
    const within = turns(config.original_max_position_embeddings, omegas);
    return stretched(blend(omegas, within.map((n) => clip((n - low) / (high - low))), factor));
  },

  proportional({ partial_rotary_factor: part }, dim, base) {
    const turned = Math.floor((part * dim) / 2);
    return stretched(invFreq(dim, base).map((omega, i) => (i < turned ? omega : 0)));
  },
};

/** Return YaRN's ramp from 0, at the pair with 32 rotations, to 1, at the pair with one. */
function yarnRamp(dim, base, original) {
  const pairOf = (n) => (dim * Math.log(original / (n * 2 * Math.PI))) / (2 * Math.log(base));
  const low = Math.max(Math.floor(pairOf(32)), 0);
  const end = Math.min(Math.ceil(pairOf(1)), dim - 1);
  const high = end === low ? low + 0.001 : end; // a step instead of a ramp
  return Array.from({ length: dim / 2 }, (_, i) => clip((i - low) / (high - low)));
}
