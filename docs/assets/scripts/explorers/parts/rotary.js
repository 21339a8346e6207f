// Rotary position embedding, with the names and the signs of posenc/rotary/rotation.py.

import { invFreq, pairChannels } from "./codes.js";

/** Return the cosines and sines of all pairs at a position: {cos, sin}. */
export function rotaryCosSin(position, dim, base) {
  const angles = invFreq(dim, base).map((omega) => position * omega);
  return { cos: angles.map(Math.cos), sin: angles.map(Math.sin) };
}

/** Return a vector with each pair of channels rotated counter-clockwise. */
export function rotatePairs(x, { cos, sin }, layout = "interleaved") {
  const turned = new Float64Array(x.length);
  cos.forEach((_, i) => {
    const [first, second] = pairChannels(x.length, layout, i);
    turned[first] = x[first] * cos[i] - x[second] * sin[i];
    turned[second] = x[first] * sin[i] + x[second] * cos[i];
  });
  return turned;
}

/** Return a query or key rotated by its position. */
export function applyRotary(x, position, { layout, base } = {}) {
  return rotatePairs(x, rotaryCosSin(position, x.length, base), layout);
}

/** Return the dot product of a query x at p and a key y at q, each in its own layout. */
export function rotaryScore(x, p, y, q, { base, queryLayout, keyLayout } = {}) {
  const query = applyRotary(x, p, { base, layout: queryLayout });
  const key = applyRotary(y, q, { base, layout: keyLayout });
  return query.reduce((sum, entry, c) => sum + entry * key[c], 0);
}
