// One pair, and the matrix that shifts its position by k: a rotation, the same at all positions.
//
// As in the figures, the sine is drawn to the right and the cosine upwards: positions
// start at the top and move clockwise.

import { apply, invFreq, pairRotation, sinusoidalAt } from "./parts/codes.js";
import { movable } from "./parts/cursor.js";
import { brief, decimal, html, svg } from "./parts/page.js";

const D = 16; // channels; one of the pairs is shown

export const controls = [
  { name: "p", label: "Position", symbol: "p", min: 0, max: 100, value: 3 },
  { name: "k", label: "Offset", symbol: "k", min: -20, max: 20, value: 2 },
  { name: "i", label: "Pair", symbol: "i", unit: `of d = ${D}`, min: 0, max: D / 2 - 1, value: 1 },
  { name: "others", label: "Four other positions", value: true },
];

export const play = { name: "p", by: 1 };

const TURN = 2 * Math.PI;

export function mount({ body, set }) {
  const host = html("div", { class: "explorer-plot" });
  const root = svg("svg", { role: "img" });
  host.append(root);
  const product = equation();
  body.append(host, product.element);
  let last;
  movable(host, "Unit circle. Left and right arrow keys move the position, up and down the offset.", {
    step: (right, down) => set(({ p, k }) => ({ p: p + right, k: k - down })),
    point(x, y) {
      const angle = Math.atan2(x - host.clientWidth / 2, host.clientHeight / 2 - y);
      const ahead = angle - last.p * last.omega; // to the nearest position that points there
      set({ p: last.p + (ahead - TURN * Math.round(ahead / TURN)) / last.omega });
    },
  });

  return ({ p, k, i, others }) => {
    const omega = invFreq(D)[i];
    last = { p, omega };
    const [before, after] = [p, p + k].map((at) => [...sinusoidalAt(at, D).slice(2 * i, 2 * i + 2)]);
    const matrix = pairRotation(k, omega);
    draw(root, host, { p, k, omega, others });
    product.show(matrix, before, apply(matrix, before));
    const turn = `${brief(Math.abs((k * omega * 360) / TURN))}°`;
    root.setAttribute(
      "aria-label",
      `Unit circle. The hand of position ${p} at sine ${decimal(before[0])}, cosine ` +
        `${decimal(before[1])}; that of position ${p + k} at ${decimal(after[0])}, ${decimal(after[1])}.`,
    );
    const way = k < 0 ? "counter-clockwise" : "clockwise";
    return `At ω = ${brief(omega)}, the offset ${decimal(k, 0)} turns every position ${way} by ${turn}.`;
  };
}

function draw(root, host, { p, k, omega, others }) {
  const [width, height] = [host.clientWidth, host.clientHeight];
  const em = parseFloat(getComputedStyle(host).fontSize);
  const short = width < 40 * em; // a phone: short words, with the numbers below
  const radius = Math.min(height / 2 - 2.7 * em, width / 2 - (short ? 3.8 : 6.6) * em);
  const at = (position, share = 1) => [
    radius * share * Math.sin(position * omega),
    -radius * share * Math.cos(position * omega),
  ];
  const line = (name, [x1, y1], [x2, y2]) => svg("line", { class: name, x1, y1, x2, y2 });
  const dot = (name, [cx, cy]) => svg("circle", { class: name, cx, cy, r: 0.4 * em });
  // Labels next to the points; one above and one below if the points are close.
  const [[x1, y1], [x2, y2]] = [at(p), at(p + k)];
  const near = k !== 0 && Math.abs(x1 - x2) < 5 * em && Math.abs(y1 - y2) < 1.3 * em;
  const word = (name, position, text, line) => {
    const [x, y] = at(position, 1 + ((near ? 1.7 : 1.1) * em) / radius);
    const side = Math.abs(x) < radius / 3 ? "middle" : x < 0 ? "end" : "start";
    const down = 0.35 * em + (near ? 0.65 * em * line : 0);
    return svg("text", { class: `${name} over ${side}`, x, y: y + down }, text);
  };
  const turn = (name, from, share) =>
    svg("path", { class: `arc ${name}`, d: arc(from, k, omega, radius * share, em) });

  const group = svg("g", { transform: `translate(${width / 2} ${height / 2})` });
  group.append(
    svg("circle", { class: "rim", r: radius }),
    line("thin", [-radius, 0], [radius, 0]),
    line("thin", [0, -radius], [0, radius]),
  );
  if (others) {
    for (const [n, step] of [1, 2, 3, 4].entries()) {
      const other = p + (step * TURN) / 5 / omega;
      group.append(
        line("ghost", [0, 0], at(other)),
        line("ghost", [0, 0], at(other + k)),
        turn("ghost", other, 0.8 - 0.07 * n),
        dot("ghost", at(other)),
        dot("ghost", at(other + k)),
      );
    }
  }
  group.append(
    svg("text", { x: radius - 0.5 * em, y: -0.4 * em, class: "quiet end" }, "sin ωp"),
    svg("text", { x: 0.4 * em, y: -radius + 1.4 * em, class: "quiet" }, "cos ωp"),
    turn("now", p, 0.45),
    line("hand before", [0, 0], at(p)),
    line("hand after", [0, 0], at(p + k)),
    dot("before", at(p)),
    dot("after", at(p + k)),
    word("before", p, short ? "p" : `p = ${p}`, -1),
  );
  if (k !== 0) group.append(word("after", p + k, short ? "p + k" : `p + k = ${decimal(p + k, 0)}`, 1));
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.replaceChildren(group);
}

/** Return an arrow along a rotation, as a path; more than a full turn is drawn as one turn. */
function arc(from, k, omega, radius, em) {
  const turn = Math.sign(k) * Math.min(Math.abs(k * omega), TURN * 0.999);
  if (turn === 0) return "";
  const steps = 60;
  const place = (n) => {
    const angle = from * omega + (turn * n) / steps;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  };
  const text = ([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`;
  const way = Array.from({ length: steps + 1 }, (_, n) => text(place(n)));
  const end = from * omega + turn;
  const size = Math.min(0.6 * em, radius * Math.abs(turn) * 0.6) * Math.sign(turn);
  const wing = (side) => {
    const [x, y] = place(steps);
    const [back, out] = [-size * Math.cos(end), -size * Math.sin(end)];
    return text([x + back + side * 0.6 * Math.abs(size) * Math.sin(end), y + out - side * 0.6 * Math.abs(size) * Math.cos(end)]);
  };
  return `M${way.join("L")}M${wing(1)}L${way.at(-1)}L${wing(-1)}`;
}

/** Build the product M · before = after, with a key for each number. */
function equation() {
  const cells = {};
  const cell = (key, name) => {
    cells[key] = html("output", { "data-value": key, "aria-live": "off", class: name });
    return cells[key];
  };
  const bracket = (columns, ...inside) => html("span", { class: "matrix", style: `--columns: ${columns}` }, ...inside);
  const part = (name, content) => html("span", { class: "part" }, html("span", { class: "name" }, name), content);
  const element = html(
    "div",
    { class: "product" },
    part("matrix of k", bracket(2, cell("m00"), cell("m01"), cell("m10"), cell("m11"))),
    part("pair at p", bracket(1, cell("s", "before"), cell("c", "before"))),
    html("span", { class: "equals" }, "="),
    part("pair at p + k", bracket(1, cell("s2", "after"), cell("c2", "after"))),
  );
  const put = (key, number) => (cells[key].textContent = decimal(number));
  return {
    element,
    show([[a, b], [c, d]], before, after) {
      Object.entries({ m00: a, m01: b, m10: c, m11: d }).forEach(([key, number]) => put(key, number));
      ["s", "c"].forEach((key, n) => put(key, before[n]));
      ["s2", "c2"].forEach((key, n) => put(key, after[n]));
    },
  };
}
