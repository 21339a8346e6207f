// Similarity of two encodings, with the names in posenc/tables/relative_position.py and analysis.py.

import { invFreq, sinusoidalAt } from "./codes.js";

/** Return the dot product of two vectors. */
export function dot(a, b) {
  return a.reduce((sum, entry, c) => sum + entry * b[c], 0);
}

/** Return the dot products of the encoding of an anchor with those of other positions. */
export function dotProducts(anchor, positions, d, base) {
  const own = sinusoidalAt(anchor, d, { base });
  return positions.map((position) => dot(own, sinusoidalAt(position, d, { base })));
}

/** Return the distance of two encodings from their offset, which avoids cancellation. */
export function distanceByOffset(offset, d, base) {
  return 2 * Math.hypot(...invFreq(d, base).map((omega) => Math.sin((omega * offset) / 2)));
}

/** Return the offset from 1 to the largest with the smallest distance, and that distance. */
export function nearestAlias(d, maxOffset, base) {
  let nearest = [0, Infinity];
  for (let offset = 1; offset <= maxOffset; offset++) {
    const distance = distanceByOffset(offset, d, base);
    if (distance < nearest[1]) nearest = [offset, distance];
  }
  return nearest;
}

/** Return the first offset at which a curve over 0, 1, 2, … rises, or undefined. */
export function firstRise(curve) {
  const found = curve.findIndex((value, offset) => value > curve[offset - 1]);
  return found < 0 ? undefined : found;
}
