// Dot products of an anchor's code with those of its neighbours, by position and by offset.
//
// The upper plot has positions on its axis, so the peak moves with the anchor. The lower one has
// offsets; its curve is recomputed from the codes, and doesn't move.

import { axes } from "./parts/axes.js";
import { movable } from "./parts/cursor.js";
import { decimal, html, svg } from "./parts/page.js";
import { readout } from "./parts/readout.js";
import { distanceByOffset, dotProducts, firstRise, nearestAlias } from "./parts/relative.js";

const LAST = 200; // positions 0 to 200, as in the static figure
const REACH = 64; // largest offset shown

export const controls = [
  { name: "p", label: "Anchor", symbol: "p", min: 0, max: LAST, value: 100, wide: true },
  { name: "d", label: "Channels", symbol: "d", min: 2, max: 128, step: 2, value: 64 },
  { name: "base", label: "Base", symbol: "b", min: 10, max: 1e6, scale: "log", value: 10000 },
  { name: "k", hidden: true, min: -REACH, max: REACH, value: 6 },
];

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const OFFSETS = range(-REACH, REACH);
const POSITIONS = range(0, LAST);

/** Clamp an offset to those that lead to an existing position. */
export const inside = (p, k) => Math.min(Math.max(k, -p), LAST - p);

export function mount({ body, set }) {
  const above = html("div", { class: "explorer-plot by-position" });
  const below = html("div", { class: "explorer-plot by-offset" });
  body.append(above, below);
  const charts = [axes(above, ""), axes(below, "")];
  const plots = [];
  let anchor = 0;
  movable(above, "Similarity by position. Arrow keys move the anchor.", {
    step: (right, down) => set(({ p }) => ({ p: p + right - down })),
    point: (x) => set({ p: Math.round(plots[0].x.invert(x)) }),
  });
  movable(below, "Similarity by offset. Arrow keys move to other neighbours.", {
    step: (right, down) => set(({ p, k }) => ({ k: inside(p, inside(p, k) + right - down) })),
    point: (x) => set({ k: inside(anchor, Math.round(plots[1].x.invert(x))) }),
  });
  const numbers = readout(body, [
    ["positions", "Positions"],
    ["similarity", "Similarity"],
    ["dot", "Dot product"],
    ["nearest", `Most alike within ${REACH}`],
  ]);

  return ({ p, d, base, k: wanted }) => {
    const k = inside(p, wanted); // the original offset returns when the anchor moves back
    anchor = p;
    const alike = (positions) => dotProducts(p, positions, d, base).map((dot) => dot / (d / 2));
    const byOffset = alike(OFFSETS.map((step) => p + step));
    const byPosition = alike(POSITIONS);
    const value = byOffset[REACH + k];
    const [nearest, distance] = nearestAlias(d, REACH, base);
    const shown = { p, k, value, nearest, peak: 1 - distance ** 2 / d };
    const low = floor(POSITIONS.map((step) => 1 - distanceByOffset(step, d, base) ** 2 / d));
    plots[0] = overPositions(charts[0], byPosition, shown, low);
    plots[1] = overOffsets(charts[1], byOffset, shown, low);
    numbers.show({
      positions: `${p} and ${p + k}`,
      similarity: decimal(value),
      dot: `${decimal((value * d) / 2)} of ${d / 2}`,
      nearest: `${nearest} apart: ${decimal(shown.peak)}`,
    });
    return `${sentence(k, value)} ${trend(nearest, firstRise(byOffset.slice(REACH)))}`;
  };
}

/** Return the lower end of the axis, from the whole curve, so that it is the same for all anchors. */
function floor(values) {
  return Math.max(-1, Math.floor(2 * Math.min(...values)) / 2);
}

const dot = (plot, name, x, y, r = 0.4) =>
  svg("circle", { class: `dot ${name}`, cx: plot.x(x), cy: plot.y(y), r: r * plot.em });

const line = (plot, x) => svg("path", { class: "thread", d: `M${plot.x(x)} ${plot.top}v${plot.height}` });

function overPositions(chart, values, { p, k, value }, low) {
  const plot = chart.frame({
    x: [0, LAST],
    y: [low, 1],
    xLabel: "position",
    yLabel: "similarity",
    margins: { top: 1.7 },
    yTicks: [low, 0, 1].filter((tick, n, all) => all.indexOf(tick) === n),
  });
  const [from, to] = [p - REACH, p + REACH].map((q) => plot.x(Math.min(Math.max(q, 0), LAST)));
  plot.add(
    svg("rect", { class: "band", x: from, y: plot.top, width: to - from, height: plot.height }),
    line(plot, p),
    svg("text", { class: side(p / LAST), x: plot.x(p), y: plot.top - 0.6 * plot.em }, `anchor ${p}`),
  );
  plot.curve(POSITIONS.map((q) => [q, values[q]]), 0);
  plot.add(dot(plot, "own", p, 1), dot(plot, "other", p + k, value));
  chart.say(`Similarity of position ${p} with positions 0 to ${LAST}: it peaks at ${p}.`);
  return plot;
}

function overOffsets(chart, values, { p, k, value, nearest, peak }, low) {
  const plot = chart.frame({
    x: [-REACH, REACH],
    y: [low, 1],
    xLabel: "offset from the anchor",
    yLabel: "similarity",
  });
  const points = OFFSETS.map((step, n) => [step, values[n]]);
  plot.add(line(plot, 0));
  plot.curve(points, 0, "absent"); // continue the curve beyond the sequence
  plot.curve(points.filter(([step]) => inside(p, step) === step), 0);
  if (nearest > 1) {
    for (const step of [-nearest, nearest]) plot.add(dot(plot, "peak", step, peak, 0.65));
  }
  plot.add(dot(plot, "own", 0, 1), dot(plot, "mirrored", -k, value), dot(plot, "other", k, value));
  chart.say(`Similarity against the offset, from −${REACH} to ${REACH}: the same curve for every anchor.`);
  return plot;
}

/** Keep labels near an end of the axis inside the plot. */
function side(share) {
  return share < 0.1 ? "start" : share > 0.9 ? "end" : "middle";
}

function sentence(k, value) {
  if (k === 0) return "Every position is most like itself.";
  const apart = Math.abs(k) === 1 ? "1 position" : `${Math.abs(k)} positions`;
  return `${apart} apart: ${decimal(value)}, for every anchor.`;
}

function trend(nearest, rise) {
  if (nearest > 1) return `Most alike are those ${nearest} apart.`;
  if (rise === undefined) return "The curve never rises here.";
  return `The curve first rises at ${rise} apart.`;
}
