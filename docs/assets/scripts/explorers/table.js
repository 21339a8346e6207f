// The table of a sinusoidal code as a heat map, for any width, base and length.

import { channelPair, invFreq, sinusoidalPositionalEncoding } from "./parts/codes.js";
import { heat } from "./parts/heat.js";
import { brief, decimal, html } from "./parts/page.js";
import { readout } from "./parts/readout.js";

export const controls = [
  { name: "d", label: "Channels", symbol: "d", min: 2, max: 128, step: 2, value: 64 },
  { name: "base", label: "Base", symbol: "b", min: 10, max: 1e6, scale: "log", value: 10000 },
  { name: "length", label: "Length", symbol: "L", unit: "positions", min: 8, max: 256, value: 96 },
  {
    name: "layout",
    label: "Layout",
    options: [["interleaved", "interleaved"], ["half", "half"]],
    value: "interleaved",
  },
  { name: "p", hidden: true, min: 0, max: ({ length }) => length - 1, value: 20 },
  { name: "c", hidden: true, min: 0, max: ({ d }) => d - 1, value: 16 },
];

export function mount({ body, set }) {
  const host = html("div", { class: "explorer-plot" });
  body.append(host);
  const map = heat(host, {
    hint: "Cursor in the heat map. Arrow keys move it to other positions and channels.",
    step: (right, down) => set(({ p, c }) => ({ p: p + down, c: c + right })),
    point: (p, c) => set({ p, c }),
  });
  const numbers = readout(body, [
    ["value", "Entry"],
    ["formula", "Made by"],
    ["omega", "Frequency ω"],
    ["wavelength", "Wavelength"],
  ]);

  return ({ d, base, length, layout, p, c }) => {
    const table = sinusoidalPositionalEncoding(length, d, { base, layout });
    const { pair, sine } = channelPair(d, layout, c);
    const frequencies = invFreq(d, base);
    const omega = frequencies[pair];
    const turns = (frequency) => brief((length * frequency) / (2 * Math.PI), 3);
    map.draw({
      rows: length,
      columns: d,
      value: (row, channel) => table[row][channel],
      cursor: [p, c],
      xLabel: "channel",
      yLabel: "position",
      label: `Heat map of ${length} positions by ${d} channels, base ${base}, ${layout} layout.`,
    });
    numbers.show(
      {
        value: decimal(table[p][c]),
        formula: `${sine ? "sin" : "cos"}(${p} ω), pair ${pair}`,
        omega: `${brief(omega)} rad/position`,
        wavelength: `${brief((2 * Math.PI) / omega)} positions`,
      },
      { value: `PE(${p}, ${c})` },
    );
    return (
      `PE(${p}, ${c}) = ${decimal(table[p][c])}. ` +
      `In ${length} positions: ${turns(omega)} turns; the slowest pair ${turns(frequencies.at(-1))}.`
    );
  };
}
