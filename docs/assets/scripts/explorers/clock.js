// The encoding of a position as the hands of dials: one dial for each pair.
//
// The sine is drawn to the right and the cosine upwards, so a hand starts at the top and
// turns clockwise; its projections on the two axes are the two entries of its pair.
// If the hands are slowed, the original ones stay visible as ghosts. In a grid with W columns, the
// position counts cells in reading order, with hands for the row and for the column.

import { invFreq, sinusoidalAt } from "./parts/codes.js";
import { diverging } from "./parts/colours.js";
import { movable } from "./parts/cursor.js";
import { brief, decimal, html, svg } from "./parts/page.js";

const on = (what) => ({ of }) => of === what;

export const controls = [
  { name: "p", label: "Position", symbol: "p", min: 0, max: 200, value: 20, wide: true },
  { name: "of", hidden: true, options: [["text"], ["longer"], ["grid"]], value: "text" },
  { name: "d", label: "Channels", symbol: "d", min: 2, max: 16, step: 2, value: 8, when: on("text") },
  { name: "s", label: "Slowed by", symbol: "s", min: 1, max: 8, step: 0.5, value: 2, when: on("longer") },
  { name: "W", label: "Columns", symbol: "W", min: 2, max: 20, value: 6, when: on("grid") },
  { name: "base", label: "Base", symbol: "b", min: 10, max: 1e6, scale: "log", value: 10000 },
];

export const play = { name: "p", by: 1 };

const TURN = 2 * Math.PI;
const WORDS = 2.9; // em under a dial
const STRIP = 4.4; // em for the row as colours, below all dials

export function mount({ body, set }) {
  const host = html("div", { class: "explorer-plot" });
  const root = svg("svg", { role: "img" });
  host.append(root);
  body.append(host);
  let dials;
  movable(host, "Dials. Left and right arrow keys move the position.", {
    step: (right, down) => set(({ p, of, W }) => ({ p: p + right + down * (of === "grid" ? W : -1) })),
    point(x, y) {
      const away = (dial) => Math.hypot(dial.x - x, dial.y - y);
      const near = dials.reduce((one, other) => (away(other) < away(one) ? other : one));
      const ahead = Math.atan2(x - near.x, near.y - y) - near.at * near.omega;
      // Move to the nearest position at which this hand points there.
      set({ p: near.leads(near.at + (ahead - TURN * Math.round(ahead / TURN)) / near.omega) });
    },
  });

  return (values) => {
    const { p, d, base, s, of, W } = values;
    const pairs = parts(values).flatMap(({ axis, at, width, leads }) => {
      const row = sinusoidalAt(at, width, { base });
      return invFreq(width, base).map((omega, i) => ({
        name: `${axis}pair ${i}`,
        omega,
        at,
        leads,
        sine: row[2 * i],
        cosine: row[2 * i + 1],
        ghost: of === "longer" ? p * omega : null,
        turns: (at * omega) / TURN,
      }));
    });
    dials = draw(root, host, pairs);
    const said = pairs.map(({ name, sine, cosine }) => `${name} ${decimal(sine)}, ${decimal(cosine)}`);
    root.setAttribute("aria-label", `Position ${p}, sine and cosine: ${said.join("; ")}.`);
    if (of === "grid") return `Position ${p} in reading order is row ${Math.floor(p / W)}, column ${p % W}.`;
    if (of === "longer") {
      return `Slowed by ${s}, the hands stand at ${p} as they did at ${Number((p / s).toFixed(1))}. Dashed: not slowed.`;
    }
    const [fast, slow] = [pairs[0], pairs.at(-1)].map(({ turns }) => brief(turns, 3));
    return d === 2
      ? `On the way from 0 to ${p} the hand has made ${fast} turns.`
      : `On the way from 0 to ${p} the fastest hand has made ${fast} turns, the slowest ${slow}.`;
  };
}

/** Return what the hands encode, with the number of channels and the positions. */
function parts({ p, d, s, of, W }) {
  const slower = of === "longer" ? s : 1;
  if (of !== "grid") return [{ axis: "", at: p / slower, width: d, leads: (at) => at * slower }];
  const [row, column] = [Math.floor(p / W), p % W];
  const width = 2 * Math.ceil(d / 4); // of the part for rows, if the number of pairs is odd
  const inside = (at) => Math.min(Math.max(Math.round(at), 0), W - 1);
  return [
    { axis: "row, ", at: row, width, leads: (at) => Math.max(Math.round(at), 0) * W + column },
    { axis: "column, ", at: column, width: d - width, leads: (at) => row * W + inside(at) },
  ];
}

function draw(root, host, pairs) {
  const [width, height] = [host.clientWidth, host.clientHeight];
  const em = parseFloat(getComputedStyle(host).fontSize);
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.replaceChildren();
  const rest = height - STRIP * em; // for the dials
  const { columns, lines, cell, radius } = arrangement(pairs.length, width, rest, em);
  const line = 2 * radius + WORDS * em;
  const gap = (rest - lines * line) / (lines + 1);
  const dials = pairs.map((pair, n) => {
    const [down, right] = [Math.floor(n / columns), n % columns];
    const inLine = Math.min(columns, pairs.length - columns * down);
    const x = width / 2 + (right - (inLine - 1) / 2) * cell;
    const y = gap + down * (line + gap) + radius;
    root.append(dial({ ...pair, n }, x, y, radius, em));
    return { ...pair, x, y };
  });
  strip(root, pairs, { top: rest, width, em, colour: diverging(host) });
  return dials;
}

/** Return the number of columns that makes the dials largest; each cell needs room for two numbers. */
function arrangement(count, width, height, em) {
  let best = { radius: -Infinity };
  for (let columns = 1; columns <= Math.min(count, Math.floor(width / (8.5 * em))); columns++) {
    const lines = Math.ceil(count / columns);
    const cell = width / columns;
    const radius = Math.min(cell * 0.94, height / lines - WORDS * em) / 2 - 3;
    if (radius > best.radius) best = { columns, lines, cell, radius };
  }
  best.cell = Math.min(best.cell, Math.max(2.6 * best.radius, 11 * em));
  return best;
}

function dial({ n, name, sine, cosine, ghost }, x, y, radius, em) {
  const [right, up] = [radius * sine, -radius * cosine];
  const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 });
  const old = ghost === null ? [] : [line("ghost", 0, 0, radius * Math.sin(ghost), -radius * Math.cos(ghost))];
  const words = (text, dy, more) => svg("text", { y: radius + dy * em, class: "middle" }, text, ...more);
  const value = (name, channel, number) =>
    svg("tspan", { class: name, "data-value": `c${channel}` }, decimal(number));
  return svg(
    "g",
    { transform: `translate(${x} ${y})` },
    svg("circle", { class: "rim", r: radius }),
    line("thin", -radius, 0, radius, 0),
    line("thin", 0, -radius, 0, radius),
    ...old,
    line("shadow s", 0, 0, right, 0),
    line("shadow c", 0, 0, 0, up),
    line("thread", right, up, right, 0),
    line("thread", right, up, 0, up),
    line("hand", 0, 0, right, up),
    svg("circle", { class: "tip", cx: right, cy: up, r: 0.32 * em }),
    words(name, 1.3, []),
    words("", 2.5, [value("s", 2 * n, sine), "\u2002", value("c", 2 * n + 1, cosine)]),
  );
}

/** Draw the row as a strip of cells with the colours of the heat map. */
function strip(root, pairs, { top, width, em, colour }) {
  const row = pairs.flatMap(({ sine, cosine }) => [sine, cosine]);
  const cell = Math.min(width / row.length, 3.4 * em);
  const left = (width - cell * row.length) / 2;
  row.forEach((entry, channel) => {
    const x = left + channel * cell;
    const fill = colour(entry);
    root.append(
      svg("rect", { class: "cell", x, y: top + 1.2 * em, width: cell, height: 1.5 * em, fill }),
      svg("rect", {
        class: channel % 2 ? "mark c" : "mark s",
        x: x + 1,
        y: top + 2.9 * em,
        width: cell - 2,
        height: 0.22 * em,
      }),
    );
  });
  root.append(
    svg(
      "text",
      { class: "middle", x: width / 2, y: top + 4.3 * em },
      "the encoding: ",
      svg("tspan", { class: "s" }, "sine"),
      " and ",
      svg("tspan", { class: "c" }, "cosine"),
      " of each pair",
    ),
  );
}
