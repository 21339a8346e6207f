// The formulas of posenc in JavaScript, with its names and its order of channels.
//
// Letters: p a position, d channels, b the base, i the index of a pair, ω its frequency.
// JavaScript's powers are accurate to a few units in the last place; posenc's frequencies are
// correctly rounded. tests/browser/test_explorers.py compares the two.

/** Return the frequencies of all pairs in radians per position, in descending order. */
export function invFreq(dim, base = 10000, exponent = "paper") {
  const pairs = dim / 2;
  const steps = exponent === "paper" ? pairs : Math.max(pairs - 1, 1);
  return Array.from({ length: pairs }, (_, i) => base ** (-i / steps));
}

/** Return the wavelength of each pair in positions. */
export function wavelengths(dim, base, exponent) {
  return invFreq(dim, base, exponent).map((omega) => (2 * Math.PI) / omega);
}

/** Return the channels of the sine and the cosine of pair i: [sine, cosine]. */
export function pairChannels(d, layout, i) {
  return layout === "half" ? [i, d / 2 + i] : [2 * i, 2 * i + 1];
}

/** Return the pair of a channel, and whether the channel is its sine: {pair, sine}. */
export function channelPair(d, layout, channel) {
  if (layout === "half") return { pair: channel % (d / 2), sine: channel < d / 2 };
  return { pair: channel >> 1, sine: channel % 2 === 0 };
}

/** Return the d entries of the encoding at a position, which may be fractional. */
export function sinusoidalAt(p, d, { base, layout = "interleaved", exponent } = {}) {
  const row = new Float64Array(d);
  invFreq(d, base, exponent).forEach((omega, i) => {
    const [sine, cosine] = pairChannels(d, layout, i);
    row[sine] = Math.sin(p * omega);
    row[cosine] = Math.cos(p * omega);
  });
  return row;
}

/** Return the encodings of consecutive positions as rows. */
export function sinusoidalPositionalEncoding(seqLen, d, { start = 0, ...convention } = {}) {
  return Array.from({ length: seqLen }, (_, r) => sinusoidalAt(start + r, d, convention));
}

/** Return the block of M_k for a pair with frequency ω: [[cos, sin], [-sin, cos]] of kω. */
export function pairRotation(offset, omega) {
  const [sine, cosine] = [Math.sin(offset * omega), Math.cos(offset * omega)];
  return [
    [cosine, sine],
    [0 - sine, cosine],
  ];
}

/** Multiply a matrix and a vector. */
export function apply(matrix, vector) {
  return matrix.map((row) => row.reduce((sum, entry, j) => sum + entry * vector[j], 0));
}
