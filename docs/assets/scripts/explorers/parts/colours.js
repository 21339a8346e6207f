// The colour map of the static figures, with stops from the style sheet.

import { property } from "./page.js";

/** Return the stops of the diverging map in the current theme, blue to red, as [r, g, b]. */
export function divergingStops(node) {
  return property(node, "--diverging").match(/[0-9a-f]{6}/gi).map((hex) =>
    [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)),
  );
}

/** Return the colour [r, g, b] for a value between 0 and 1. */
export function mix(stops, share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const below = Math.min(Math.floor(place), stops.length - 2);
  return stops[below].map((from, c) => Math.round(from + (place - below) * (stops[below + 1][c] - from)));
}

/** Return a function from numbers in [-limit, limit] to CSS colours. */
export function diverging(node, limit = 1) {
  const stops = divergingStops(node);
  return (value) => `rgb(${mix(stops, (value / limit + 1) / 2).join(" ")})`;
}
