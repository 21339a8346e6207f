// The score of a rotated query and a rotated key at movable positions.
//
// On the left, one pair of each, as arrows. On the right, the score against the offset: for the
// current position of the query, and faintly for others. With the same layout, all curves coincide.

import { arrow, sector } from "./parts/arrows.js";
import { axes } from "./parts/axes.js";
import { invFreq, pairChannels } from "./parts/codes.js";
import { movable } from "./parts/cursor.js";
import { decimal, html, svg } from "./parts/page.js";
import { readout } from "./parts/readout.js";
import { applyRotary, rotaryScore } from "./parts/rotary.js";

// A head of eight channels. Pair 1 of the interleaved layout is that of the static figure.
export const QUERY = [-0.6, 0.5, 1, 0.2, -0.4, 0.7, -0.2, 0.3];
export const KEY = [0.2, -0.6, 0.4, 0.9, -0.8, 0.9, 0.9, -0.7];
const LAST = 40; // of the positions, from 0
const PLACES = [0, 10, 20, 30, 40]; // positions of the query for the faint curves

const layouts = [["interleaved", "interleaved"], ["half", "half"]];
export const controls = [
  { name: "p", label: "Query position", symbol: "p", min: 0, max: LAST, value: 2 },
  { name: "q", label: "Key position", symbol: "q", min: 0, max: LAST, value: 5 },
  { name: "together", label: "Move both together", value: false, wide: true },
  { name: "queryLayout", label: "Layout of the query", options: layouts, value: "interleaved" },
  { name: "keyLayout", label: "Layout of the key", options: layouts, value: "interleaved" },
  { name: "pair", label: "Pair in the picture", symbol: "i", options: [..."0123"].map((i) => [i, i]), value: "1" },
  { name: "base", label: "Base", symbol: "b", min: 10, max: 1e6, scale: "log", value: 10000 },
];

/** Move both positions together until the first one reaches its limit. */
export function follow(before, next) {
  const [byP, byQ] = [next.p - before.p, next.q - before.q];
  if (!next.together || (byP && byQ)) return next;
  const [first, last] = [Math.min(before.p, before.q), Math.max(before.p, before.q)];
  const by = Math.min(Math.max(byP || byQ, -first), LAST - last);
  return { ...next, p: before.p + by, q: before.q + by };
}

export const play = { name: "p", by: 1 };

const range = (from, to, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);

export function mount({ body, set }) {
  const circle = html("div", { class: "explorer-plot" });
  const curve = html("div", { class: "explorer-plot" });
  body.append(html("div", { class: "pictures" }, circle, curve));
  const arrows = svg("svg", { role: "img" });
  circle.append(arrows);
  const chart = axes(curve, "");
  let plot;
  movable(curve, "Score against offset. Arrow keys move the key.", {
    step: (right, down) => set(({ q }) => ({ q: q + right - down })),
    point: (x) => set(({ p }) => ({ q: p + Math.round(plot.x.invert(x)) })),
  });
  const numbers = readout(body, [
    ["score", "Score"],
    ["offset", "Offset q − p"],
    ["part", "Part of this pair"],
    ["elsewhere", "Moved together"],
  ]);

  return (values) => {
    const { p, q, queryLayout, keyLayout, base } = values;
    const convention = { base, queryLayout, keyLayout };
    const scoreAt = (from, offset) => rotaryScore(QUERY, from, KEY, from + offset, convention);
    const score = scoreAt(p, q - p);
    const everywhere = range(0, LAST).map((from) => scoreAt(from, q - p));
    const [least, most] = [Math.min(...everywhere), Math.max(...everywhere)];
    const relative = most - least < 1e-9; // above rounding errors, below the effect of another layout
    const pair = turnedPair(values);
    drawPair(arrows, circle, pair);
    plot = drawCurve(chart, values, scoreAt, score);
    numbers.show({
      score: decimal(score),
      offset: decimal(q - p, 0),
      part: pair.together ? decimal(pair.part) : "none of its own",
      elsewhere: relative ? "the same" : `${decimal(least, 2)} to ${decimal(most, 2)}`,
    });
    const [offset, shown] = [decimal(q - p, 0), decimal(score)];
    return relative
      ? `At the offset ${offset} the score is ${shown}, wherever query and key stand.`
      : `Here the score is ${shown}; elsewhere another, at the same offset ${offset}.`;
  };
}

/** Draw one pair of the query and of the key, before and after the rotation. */
function turnedPair({ p, q, queryLayout, keyLayout, pair, base }) {
  const take = (vector, layout) => pairChannels(vector.length, layout, Number(pair)).map((c) => vector[c]);
  const one = (name, vector, position, layout) => ({
    name,
    position,
    channels: pairChannels(vector.length, layout, Number(pair)),
    before: take(vector, layout),
    after: take(applyRotary(vector, position, { base, layout }), layout),
    angle: position * invFreq(vector.length, base)[pair],
  });
  const query = one("query", QUERY, p, queryLayout);
  const key = one("key", KEY, q, keyLayout);
  const part = query.after[0] * key.after[0] + query.after[1] * key.after[1];
  return { pair, query, key, part, together: queryLayout === keyLayout };
}

function drawPair(root, host, { pair, query, key, together }) {
  const [width, height] = [host.clientWidth, host.clientHeight];
  const em = parseFloat(getComputedStyle(host).fontSize);
  const room = Math.min(width / 2, height / 2 - 2.4 * em) - 0.5 * em;
  const scale = room / Math.max(...[query, key].map((one) => Math.hypot(...one.before)));
  const group = svg("g", { transform: `translate(${width / 2} ${room + 0.5 * em})` });
  const axis = (d) => svg("path", { class: "thin", d });
  group.append(axis(`M${-room} 0H${room}`), axis(`M0 ${-room}V${room}`));
  for (const [n, one] of [query, key].entries()) {
    const size = scale * Math.hypot(...one.before);
    group.append(
      svg("circle", { class: `way c${n}`, r: size }),
      svg("path", { class: `arrow faint c${n}`, d: arrow(one.before, scale, em) }),
    );
  }
  if (together) {
    group.append(svg("path", { class: "angle", d: sector(query.after, key.after, 0.3 * room, em) }));
  }
  for (const [n, one] of [query, key].entries()) {
    group.append(
      svg("path", { class: `arrow c${n}`, d: arrow(one.after, scale, em) }),
      svg("text", { class: `middle c${n}`, y: room + (2 + 1.5 * n) * em }, `${one.name} at ${one.position}: channels ${one.channels.join(", ")}`),
    );
  }
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.replaceChildren(group);
  const said = [query, key].map(
    ({ name, channels, angle }) => `the ${name}'s channels ${channels.join(" and ")}, turned by ${decimal(angle, 2)} rad`,
  );
  root.setAttribute("aria-label", `Pair ${pair} as arrows: ${said.join("; ")}.`);
}

function drawCurve(chart, { p, q }, scoreAt, score) {
  const limit = Math.hypot(...QUERY) * Math.hypot(...KEY); // no score is larger
  const plot = chart.frame({
    x: [-LAST, LAST],
    y: [-limit, limit],
    xLabel: "offset q − p",
    yLabel: "score",
    margins: { left: 3.6 },
  });
  const offsets = range(-LAST, LAST, 0.25); // including fractional positions
  const line = (from) => offsets.map((offset) => [offset, scoreAt(from, offset)]);
  plot.add(
    svg("path", { class: "thin", d: `M${plot.left} ${plot.y(0)}h${plot.width}` }),
    svg("path", { class: "thread", d: `M${plot.x(q - p)} ${plot.top}v${plot.height}` }),
  );
  for (const place of PLACES) plot.curve(line(place), 2, "faint");
  plot.curve(line(p), 2);
  plot.add(svg("circle", { class: "point", cx: plot.x(q - p), cy: plot.y(score), r: 0.45 * plot.em }));
  chart.say(`Score against offset, from −${LAST} to ${LAST}, for the query at ${p} and at ${PLACES.join(", ")}.`);
  return plot;
}
