// How alike two codes are, with the names of relative_position.py and analysis.py
// in posenc/added.

import { invFreq, sinusoidalAt } from "./codes.js";

/** The dot product of two vectors. */
export function dot(a, b) {
  return a.reduce((sum, entry, c) => sum + entry * b[c], 0);
}

/** Dot products of the code of an anchor with those of other positions. */
export function dotProducts(anchor, positions, d, base) {
  const own = sinusoidalAt(anchor, d, { base });
  return positions.map((position) => dot(own, sinusoidalAt(position, d, { base })));
}

/** How far apart two codes are, from the offset alone; no digits are lost where they are near. */
export function distanceByOffset(offset, d, base) {
  return 2 * Math.hypot(...invFreq(d, base).map((omega) => Math.sin((omega * offset) / 2)));
}

/** The offset, of 1 up to the largest, at which codes come nearest, and their distance. */
export function nearestAlias(d, maxOffset, base) {
  let nearest = [0, Infinity];
  for (let offset = 1; offset <= maxOffset; offset++) {
    const distance = distanceByOffset(offset, d, base);
    if (distance < nearest[1]) nearest = [offset, distance];
  }
  return nearest;
}

/** The first offset at which a curve over 0, 1, 2, … rises, or undefined where it never does. */
export function firstRise(curve) {
  const found = curve.findIndex((value, offset) => value > curve[offset - 1]);
  return found < 0 ? undefined : found;
}
