// All pairs of a query and of a key as arrows, rotated by their positions, one dial for each pair.
//
// Play moves both positions by the same amount: every arrow turns, each pair at its own speed, and
// the angles between query and key stay, and with them the score.

import { arrow, sector } from "./parts/arrows.js";
import { invFreq } from "./parts/codes.js";
import { brief, decimal, html, svg } from "./parts/page.js";
import { readout } from "./parts/readout.js";
import { applyRotary, rotaryScore } from "./parts/rotary.js";
import { KEY, QUERY } from "./rotary.js";

export const controls = [
  { name: "p", label: "Position of the query", symbol: "p", min: 0, max: 200, value: 0, wide: true },
  { name: "k", label: "Offset of the key", symbol: "k", min: -40, max: 40, value: 3 },
  { name: "base", label: "Base", symbol: "b", min: 10, max: 1e6, scale: "log", value: 10000 },
];

export const play = { name: "p", by: 1 };

const WORDS = 3; // em under a dial

export function mount({ body }) {
  const host = html("div", { class: "explorer-plot" });
  const root = svg("svg", { role: "img" });
  host.append(root);
  body.append(host);
  const numbers = readout(body, [
    ["query", "Query at p"],
    ["key", "Key at q = p + k"],
    ["score", "Score"],
    ["start", "Score at p = 0, q = k"],
  ]);

  return ({ p, k, base }) => {
    const pairs = rotatedPairs(p, k, base);
    draw(root, host, pairs);
    const [score, start] = [p, 0].map((from) => rotaryScore(QUERY, from, KEY, from + k, { base }));
    numbers.show({
      query: decimal(p, 0),
      key: decimal(p + k, 0),
      score: decimal(score),
      start: decimal(start),
    });
    const angles = pairs.map(({ angle }, i) => `pair ${i} by ${decimal(angle, 2)} rad`);
    root.setAttribute("aria-label", `The query, rotated: ${angles.join(", ")}.`);
    return `Query at ${p}, key at ${p + k}: the score is ${decimal(score, 2)}, as at 0 and ${k}.`;
  };
}

/** Return each pair of the query and of the key, before and after the rotation. */
function rotatedPairs(p, k, base) {
  const [query, key] = [applyRotary(QUERY, p, { base }), applyRotary(KEY, p + k, { base })];
  const take = (x, i) => [x[2 * i], x[2 * i + 1]];
  return invFreq(QUERY.length, base).map((omega, i) => ({
    omega,
    angle: p * omega,
    before: [take(QUERY, i), take(KEY, i)],
    after: [take(query, i), take(key, i)],
  }));
}

function draw(root, host, pairs) {
  const [width, height] = [host.clientWidth, host.clientHeight];
  const em = parseFloat(getComputedStyle(host).fontSize);
  const columns = width < 30 * em ? 2 : 4;
  const [cell, line] = [width / columns, height / (pairs.length / columns)];
  const radius = Math.min(cell / 2 - 0.6 * em, (line - WORDS * em) / 2 - 0.3 * em);
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.replaceChildren(
    ...pairs.map((pair, i) => {
      const x = (i % columns) * cell + cell / 2;
      const y = Math.floor(i / columns) * line + radius + 0.3 * em;
      return svg("g", { transform: `translate(${x} ${y})` }, ...dial(pair, i, radius, em));
    }),
  );
}

function dial({ omega, before, after }, i, radius, em) {
  const scale = radius / Math.max(...before.map((pair) => Math.hypot(...pair)));
  const text = (words, dy) => svg("text", { class: "middle", y: radius + dy * em }, words);
  const arrows = (pairs, faint) =>
    pairs.map((pair, n) => svg("path", { class: `arrow ${faint} c${n}`, d: arrow(pair, scale, em) }));
  return [
    svg("circle", { class: "rim", r: radius }),
    svg("path", { class: "thin", d: `M${-radius} 0H${radius}M0 ${-radius}V${radius}` }),
    ...arrows(before, "faint"),
    svg("path", { class: "angle", d: sector(after[0], after[1], 0.35 * radius, em) }),
    ...arrows(after, ""),
    text(`pair ${i}`, 1.3),
    text(`${brief(omega, 2)} rad per position`, 2.5),
  ];
}
