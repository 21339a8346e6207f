// The formulas of posenc in JavaScript, with its names and its order of channels.
//
// Letters: p a position, d channels, b the base, i the index of a pair, ω its frequency.
// Frequencies are powers as the language computes them, good to a few units of the last
// bit; posenc rounds them once. tests/browser/test_explorers.py compares the two.

/** Frequencies of all pairs, radians per position, fastest first. */
export function invFreq(dim, base = 10000, exponent = "paper") {
  const pairs = dim / 2;
  const steps = exponent === "paper" ? pairs : Math.max(pairs - 1, 1);
  return Array.from({ length: pairs }, (_, i) => base ** (-i / steps));
}

/** Positions that each pair takes for one full turn. */
export function wavelengths(dim, base, exponent) {
  return invFreq(dim, base, exponent).map((omega) => (2 * Math.PI) / omega);
}

/** Where the sine and the cosine of pair i stand among d channels: [sine, cosine]. */
export function pairChannels(d, layout, i) {
  return layout === "half" ? [i, d / 2 + i] : [2 * i, 2 * i + 1];
}

/** Which pair a channel belongs to, and whether it holds the sine: {pair, sine}. */
export function channelPair(d, layout, channel) {
  if (layout === "half") return { pair: channel % (d / 2), sine: channel < d / 2 };
  return { pair: channel >> 1, sine: channel % 2 === 0 };
}

/** The code of one position, whole or not: d numbers. */
export function sinusoidalAt(p, d, { base, layout = "interleaved", exponent } = {}) {
  const row = new Float64Array(d);
  invFreq(d, base, exponent).forEach((omega, i) => {
    const [sine, cosine] = pairChannels(d, layout, i);
    row[sine] = Math.sin(p * omega);
    row[cosine] = Math.cos(p * omega);
  });
  return row;
}

/** The codes of consecutive positions, a row each. */
export function sinusoidalPositionalEncoding(seqLen, d, { start = 0, ...convention } = {}) {
  return Array.from({ length: seqLen }, (_, r) => sinusoidalAt(start + r, d, convention));
}

/** The block of M_k for a pair that turns by ω: [[cos, sin], [-sin, cos]] of kω. */
export function pairRotation(offset, omega) {
  const [sine, cosine] = [Math.sin(offset * omega), Math.cos(offset * omega)];
  return [
    [cosine, sine],
    [0 - sine, cosine],
  ];
}

/** A matrix times a vector. */
export function apply(matrix, vector) {
  return matrix.map((row) => row.reduce((sum, entry, j) => sum + entry * vector[j], 0));
}
