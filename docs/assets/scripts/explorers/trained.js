// A trained table of positions in one of its planes, and where the heads of the first layer look.
//
// The circle shows rows of the table; the arrows point to row p and to row p + k. The curve shows
// the attention weight of a head by offset, with every token the same.

import { arrow, between } from "./parts/arrows.js";
import { axes } from "./parts/axes.js";
import { movable } from "./parts/cursor.js";
import { ANGLES, PLANES, WEIGHTS } from "./parts/minilm.js";
import { decimal, html, svg } from "./parts/page.js";
import { readout } from "./parts/readout.js";

const REACH = (WEIGHTS[0].length - 1) / 2;
const ROWS = PLANES[0].length / 2; // rows 1 to ROWS
const OFFSETS = WEIGHTS[0].map((_, n) => n - REACH);

export const controls = [
  { name: "p", label: "Row", symbol: "p", min: REACH + 1, max: ROWS - REACH, value: 150, wide: true },
  { name: "plane", label: "Plane", symbol: "i", min: 0, max: PLANES.length - 1, value: 1 },
  { name: "head", label: "Head", symbol: "h", min: 0, max: WEIGHTS.length - 1, value: 2 },
  { name: "k", label: "Offset", symbol: "k", min: -REACH, max: REACH, value: -1 },
];

export const play = { name: "p", by: 1 };

export function mount({ body, set }) {
  const circle = html("div", { class: "explorer-plot plane" });
  const curve = html("div", { class: "explorer-plot heads" });
  body.append(html("div", { class: "both" }, circle, curve));
  const root = svg("svg", { role: "img" });
  circle.append(root);
  const chart = axes(curve, "");
  let plot;
  movable(curve, "Attention weight by offset. Arrow keys move to other offsets.", {
    step: (right, down) => set(({ k }) => ({ k: k + right - down })),
    point: (x) => set({ k: Math.round(plot.x.invert(x)) }),
  });
  const numbers = readout(body, [
    ["rotation", "Rotation per position"],
    ["expected", "k times as much"],
    ["angle", "From p to p + k"],
    ["weight", "Weight at offset k"],
  ]);

  return ({ p, plane, head, k }) => {
    const [here, there] = [p, p + k].map((row) => point(plane, row));
    const expected = wrap((k * ANGLES[plane]) / 1000);
    drawPlane(root, circle, plane, [here, there]);
    plot = drawWeights(chart, head, k);
    const weight = WEIGHTS[head][k + REACH] / 1000;
    numbers.show({
      rotation: `${decimal(ANGLES[plane] / 1000, 3)} rad`,
      expected: `${decimal(expected, 2)} rad`,
      angle: `${decimal(between(here, there), 2)} rad`,
      weight: decimal(weight, 3),
    });
    root.setAttribute("aria-label", `Rows 1 to ${ROWS} in plane ${plane}, with arrows to rows ${p} and ${p + k}.`);
    return `Head ${head} puts ${decimal(100 * weight, 0)} % of its weight on offset ${decimal(k, 0)}.`;
  };
}

/** Return a row of the table in a plane, as [x, y] in mean radii. */
function point(plane, row) {
  return [2 * row - 2, 2 * row - 1].map((n) => PLANES[plane][n] / 100);
}

/** Return the same angle between -π and π. */
function wrap(angle) {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

function drawPlane(root, host, plane, rows) {
  const [width, height] = [host.clientWidth, host.clientHeight];
  const em = parseFloat(getComputedStyle(host).fontSize);
  const scale = Math.min(width, height) / 2 / 1.5; // no row is farther out than 1.5 mean radii
  const dots = Array.from({ length: ROWS }, (_, n) => point(plane, n + 1))
    .map(([x, y]) => `M${(x * scale).toFixed(1)} ${(-y * scale).toFixed(1)}h0`)
    .join("");
  root.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
  root.replaceChildren(
    svg("path", { class: "dots", d: dots }),
    ...rows.map((row, n) => svg("path", { class: `arrow c${n}`, d: arrow(row, scale, em) })),
  );
}

function drawWeights(chart, head, k) {
  const weights = WEIGHTS[head].map((weight) => weight / 1000);
  const plot = chart.frame({
    x: [-REACH, REACH],
    y: [0, Math.max(0.1, Math.ceil(10 * Math.max(...weights)) / 10)],
    xLabel: "offset of the key",
    yLabel: "weight",
  });
  plot.curve(OFFSETS.map((offset, n) => [offset, weights[n]]), 0);
  plot.add(svg("circle", { class: "dot", cx: plot.x(k), cy: plot.y(weights[k + REACH]), r: 0.4 * plot.em }));
  chart.say(`Attention weight of head ${head} by offset, from −${REACH} to ${REACH}.`);
  return plot;
}
