// The words of a sentence with their vectors before and after one attention layer.
//
// Press two words and they change places. Without positions and mask each output vector moves along
// with its word; otherwise the vectors themselves change, and those that do are framed.

import { attend, orderOf, rankOf, swapped, TOKENS, WORDS } from "./parts/attention.js";
import { sinusoidalPositionalEncoding } from "./parts/codes.js";
import { divergingStops, mix } from "./parts/colours.js";
import { decimal, html, svg } from "./parts/page.js";
import { readout } from "./parts/readout.js";

const LAST = 119; // of the 120 orders of five words
const LIMIT = 2; // the largest entry of a token

export const controls = [
  { name: "order", label: "Order", min: 0, max: LAST, value: 0, hidden: true },
  { name: "first", label: "Pressed word", min: -1, max: 4, value: -1, hidden: true },
  {
    name: "sees",
    label: "Attention gets",
    options: [
      ["tokens", "tokens"],
      ["positions", "+ positions"],
      ["mask", "+ causal mask"],
    ],
    value: "tokens",
    wide: true,
  },
];

export const play = { name: "order", by: 37, label: "Shuffle" };

export function mount({ body, set }) {
  const words = html("div", { class: "words" });
  const host = html("div", { class: "explorer-plot" });
  const root = svg("svg", { role: "img" });
  host.append(root);
  body.append(words, host);
  const buttons = WORDS.map((word, token) => {
    const face = html("button", { type: "button" }, word);
    face.addEventListener("click", () => set((values) => press(values, token)));
    return face;
  });
  words.append(...buttons);
  const columns = WORDS.map((_, token) => root.appendChild(svg("g", { "data-token": token })));
  const numbers = readout(body, [
    ["changed", "Output vectors that changed"],
    ["largest", "Largest change of an entry"],
  ]);

  return ({ order, first, sees }) => {
    const rows = orderOf(order);
    const outputs = layer(rows, sees);
    const before = layer([0, 1, 2, 3, 4], sees);
    const changes = rows.map((token, p) => farthest(outputs[p], before[token]));
    rows.forEach((token, p) => {
      place(buttons[token], columns[token], p, host);
      buttons[token].setAttribute("aria-pressed", token === first);
      columns[token].replaceChildren(...column(host, TOKENS[token], outputs[p], changes[p] > 1e-9));
    });
    const changed = changes.filter((change) => change > 1e-9).length;
    numbers.show({ changed: `${changed} of 5`, largest: decimal(Math.max(...changes), 2) });
    const sentence = rows.map((token) => WORDS[token]).join(" ");
    root.setAttribute("aria-label", `Vectors of the words ${sentence}, before and after attention.`);
    if (!order) return "Press two words to swap them.";
    const what = changed ? `${changed} of 5 output vectors changed` : "the output vectors moved along, unchanged";
    return `${sentence}: ${what}.`;
  };
}

/** Remember the pressed word, or swap it with the one pressed before. */
function press({ order, first }, token) {
  if (first < 0) return { first: token };
  return { first: -1, order: rankOf(swapped(orderOf(order), first, token)) };
}

/** Return the outputs of the words in an order, one row for each position. */
function layer(rows, sees) {
  const codes = sinusoidalPositionalEncoding(5, 4, { base: 10000 });
  const X = rows.map((token, p) =>
    TOKENS[token].map((entry, c) => entry + (sees === "positions" ? codes[p][c] : 0)),
  );
  return attend(X, sees === "mask");
}

const farthest = (one, other) => Math.max(...one.map((entry, c) => Math.abs(entry - other[c])));

/** Move the button and the column of a word to a position; the style sheet animates it. */
function place(button, column, p, host) {
  button.style.order = p;
  column.style.transform = `translateX(${(p * host.clientWidth) / 5}px)`;
}

function column(host, input, output, changed) {
  const [width, height] = [host.clientWidth / 5, host.clientHeight];
  const em = parseFloat(getComputedStyle(host).fontSize);
  const [gap, side] = [2.4 * em, 0.35 * em];
  const cell = (height - gap - 4) / 8;
  const stops = divergingStops(host);
  const shade = (entry) => `rgb(${mix(stops, (entry / LIMIT + 1) / 2).map(Math.round).join(" ")})`;
  const strip = (vector, top) =>
    vector.map((entry, c) =>
      svg("rect", { x: side, y: top + c * cell, width: width - 2 * side, height: cell, fill: shade(entry) }),
    );
  const middle = 2 + 4 * cell + gap / 2;
  const frame = { x: side, y: 2 + 4 * cell + gap, width: width - 2 * side, height: 4 * cell };
  return [
    ...strip(input, 2),
    svg("path", { class: "down", d: `M${width / 2} ${middle - 0.8 * em}v${1.6 * em}m${-0.4 * em} ${-0.5 * em}l${0.4 * em} ${0.5 * em}l${0.4 * em} ${-0.5 * em}` }),
    ...strip(output, frame.y),
    ...(changed ? [svg("rect", { class: "changed", ...frame })] : []),
  ];
}
