// The code of a position as the hands of dials: one dial for each pair.
//
// The sine is drawn to the right and the cosine upwards, so a hand starts at the top and
// turns clockwise; its shadows on the two axes are the two numbers of its pair.

import { invFreq, sinusoidalAt } from "./parts/codes.js";
import { diverging } from "./parts/colours.js";
import { movable } from "./parts/cursor.js";
import { brief, decimal, html, svg } from "./parts/page.js";

export const controls = [
  { name: "p", label: "Position", symbol: "p", min: 0, max: 200, value: 20, wide: true },
  { name: "d", label: "Channels", symbol: "d", min: 2, max: 16, step: 2, value: 8 },
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
  let last;
  movable(host, "Dials. Left and right arrow keys move the position.", {
    step: (right, down) => set({ p: last.p + right - down }),
    point(x, y) {
      const away = (dial) => Math.hypot(dial.x - x, dial.y - y);
      const near = last.dials.reduce((one, other) => (away(other) < away(one) ? other : one));
      const ahead = Math.atan2(x - near.x, near.y - y) - last.p * near.omega;
      // To the nearest position at which this hand points there.
      set({ p: last.p + (ahead - TURN * Math.round(ahead / TURN)) / near.omega });
    },
  });

  return ({ p, d, base }) => {
    const row = sinusoidalAt(p, d, { base });
    const pairs = invFreq(d, base).map((omega, i) => ({
      i,
      omega,
      sine: row[2 * i],
      cosine: row[2 * i + 1],
      turns: (p * omega) / TURN,
    }));
    last = { p, dials: draw(root, host, pairs) };
    const said = pairs.map(({ i, sine, cosine }) => `pair ${i} ${decimal(sine)}, ${decimal(cosine)}`);
    root.setAttribute("aria-label", `Position ${p}, sine and cosine: ${said.join("; ")}.`);
    const [fast, slow] = [pairs[0], pairs.at(-1)].map(({ turns }) => brief(turns, 3));
    return d === 2
      ? `On the way from 0 to ${p} the hand has made ${fast} turns.`
      : `On the way from 0 to ${p} the fastest hand has made ${fast} turns, the slowest ${slow}.`;
  };
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
    root.append(dial(pair, x, y, radius, em));
    return { x, y, omega: pair.omega };
  });
  strip(root, pairs, { top: rest, width, em, colour: diverging(host) });
  return dials;
}

/** The number of columns at which the dials come out largest; a cell has room for two numbers. */
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

function dial({ i, sine, cosine }, x, y, radius, em) {
  const [right, up] = [radius * sine, -radius * cosine];
  const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 });
  const words = (text, dy, more) => svg("text", { y: radius + dy * em, class: "middle" }, text, ...more);
  const value = (name, channel, number) =>
    svg("tspan", { class: name, "data-value": `c${channel}` }, decimal(number));
  return svg(
    "g",
    { transform: `translate(${x} ${y})` },
    svg("circle", { class: "rim", r: radius }),
    line("thin", -radius, 0, radius, 0),
    line("thin", 0, -radius, 0, radius),
    line("shadow s", 0, 0, right, 0),
    line("shadow c", 0, 0, 0, up),
    line("thread", right, up, right, 0),
    line("thread", right, up, 0, up),
    line("hand", 0, 0, right, up),
    svg("circle", { class: "tip", cx: right, cy: up, r: 0.32 * em }),
    words(`pair ${i}`, 1.3, []),
    words("", 2.5, [value("s", 2 * i, sine), "\u2002", value("c", 2 * i + 1, cosine)]),
  );
}

/** The row itself, a coloured cell for each channel, as the heat map has it. */
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
      "the row: ",
      svg("tspan", { class: "s" }, "sine"),
      " and ",
      svg("tspan", { class: "c" }, "cosine"),
      " of each pair",
    ),
  );
}
