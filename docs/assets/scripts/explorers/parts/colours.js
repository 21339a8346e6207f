// Numbers as colours: the map of the static figures, whose stops the style sheet holds.

import { property } from "./page.js";

/** The stops of the diverging map in the present theme, blue to red, as [r, g, b]. */
export function divergingStops(node) {
  return property(node, "--diverging").match(/[0-9a-f]{6}/gi).map((hex) =>
    [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)),
  );
}

/** The colour [r, g, b] of a share between 0 and 1. */
export function mix(stops, share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const below = Math.min(Math.floor(place), stops.length - 2);
  return stops[below].map((from, c) => Math.round(from + (place - below) * (stops[below + 1][c] - from)));
}

/** A function from numbers in [-limit, limit] to CSS colours. */
export function diverging(node, limit = 1) {
  const stops = divergingStops(node);
  return (value) => `rgb(${mix(stops, (value / limit + 1) / 2).join(" ")})`;
}
