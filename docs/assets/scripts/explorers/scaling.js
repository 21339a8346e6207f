// The effect of each scaling rule on each frequency, as curves and as a table.

import { axes, ticks } from "./parts/axes.js";
import { invFreq } from "./parts/codes.js";
import { movable } from "./parts/cursor.js";
import { brief, decimal, html, svg } from "./parts/page.js";
import { readout } from "./parts/readout.js";
import { ntkBase, ropeParameters, turns } from "./parts/stretch.js";

const PART = 0.25; // share of the pairs that rotate under the proportional rule

// Name, label, colour, and the config for posenc.rope_parameters.
const RULES = [
  ["none", "As trained", "ink", () => ({})],
  ["linear", "Interpolation", 0, ({ factor }) => ({ rope_type: "linear", factor })],
  ["ntk", "NTK-aware", 4, ({ base, factor, d }) => ({ rope_theta: ntkBase(base, factor, d) })],
  [
    "dynamic",
    "Dynamic NTK",
    5,
    ({ factor, original }) => ({ rope_type: "dynamic", factor, max_position_embeddings: original }),
  ],
  ["yarn", "YaRN", 1, (values) => ({ rope_type: "yarn", ...trained(values) })],
  [
    "llama3",
    "Llama 3",
    2,
    (values) => ({ rope_type: "llama3", ...trained(values), low_freq_factor: 1, high_freq_factor: 4 }),
  ],
  [
    "proportional",
    "Proportional ¼",
    3,
    () => ({ rope_type: "proportional", partial_rotary_factor: PART }),
  ],
];
const trained = ({ factor, original }) => ({ factor, original_max_position_embeddings: original });
const whole = (number) => brief(number, String(number).length);
const now = ({ original, times }) => Math.round(original * times);

export const controls = [
  { name: "rule", hidden: true, options: RULES.map(([name, label]) => [name, label]), value: "yarn" },
  { name: "d", label: "Turned channels", symbol: "d", min: 8, max: 256, step: 2, value: 128 },
  { name: "base", label: "Base", symbol: "b", min: 100, max: 1e7, scale: "log", value: 10000 },
  {
    name: "original",
    label: "Trained on",
    symbol: "L₀",
    unit: "positions",
    min: 128,
    max: 131072,
    scale: "log",
    step: 1,
    value: 4096,
  },
  { name: "factor", label: "Factor", symbol: "s", min: 1, max: 64, scale: "log", value: 8 },
  { name: "times", label: "Text now", symbol: "L / L₀", min: 0.25, max: 64, scale: "log", value: 8 },
  { name: "i", hidden: true, min: 0, max: ({ d }) => d / 2 - 1, value: 30 },
];

/** Return for each rule the frequencies, their ratios to the original ones, and its table cells. */
function all(values) {
  const { d, base, original } = values;
  const old = invFreq(d, base);
  const within = turns(original, old);
  const length = now(values);
  return RULES.map(([name, label, colour, config]) => {
    const made = ropeParameters({ head_dim: d, rope_theta: base, ...config(values) }, length);
    const ratio = made.invFreq.map((omega, i) => omega / old[i]);
    const reached = turns(length, made.invFreq);
    const strange = reached.filter((n, i) => within[i] < 1 && n > within[i] * (1 + 1e-9));
    return {
      name,
      label,
      colour,
      ratio,
      reached,
      within,
      frequencies: made.invFreq,
      attention: made.attentionFactor,
      kept: ratio.filter((share) => Math.abs(share - 1) < 1e-9).length,
      strange: strange.length,
    };
  });
}

export function mount({ body, set }) {
  const host = html("div", { class: "explorer-plot" });
  body.append(host);
  const chart = axes(host, "");
  let place;
  movable(host, "Cursor in the plot. Arrow keys move it to other pairs.", {
    step: (right) => set(({ i }) => ({ i: i + right })),
    point: (x) => set({ i: place(x) }),
  });
  const rules = rulesTable(body, set);
  const numbers = readout(body, [
    ["old", "Wavelength as trained"],
    ["new", "Wavelength now"],
    ["within", "Turns in training"],
    ["reached", "Turns in the text now"],
  ]);

  return (values) => {
    const { i, rule, original } = values;
    const found = all(values);
    const chosen = found.find(({ name }) => name === rule);
    place = draw(chart, found, chosen, values);
    rules.show(found, values);
    const { within } = chosen;
    numbers.show({
      old: `${brief(original / within[i])} positions`,
      new: chosen.frequencies[i] ? `${brief((2 * Math.PI) / chosen.frequencies[i])} positions` : "does not turn",
      within: brief(within[i]),
      reached: brief(chosen.reached[i]),
    });
    const short = within.filter((n) => n < 1).length;
    const [pairs, length] = [within.length, now(values)];
    const them = chosen.strange ? `${chosen.strange} of them meet` : "none of them meets";
    return (
      `${short} of ${pairs} pairs never completed a turn in training. ` +
      `${chosen.label}, at ${whole(length)} positions: ${them} new angles.`
    );
  };
}

/** Draw the curves of all rules, and dots for the chosen one; return a function from x to the pair. */
function draw(chart, found, chosen, { i, d, original }) {
  const { within } = chosen;
  const ends = [within[0] * 1.3, within.at(-1) / 1.3];
  const some = (size) => ticks([ends[1], ends[0]], size, "log");
  const plot = chart.frame({
    x: ends,
    y: [0, 1.06],
    xScale: "log",
    xTicks: some(7),
    yTicks: [0, 0.25, 0.5, 0.75, 1],
    xLabel: `turns in training, within ${whole(original)} positions`,
    yLabel: "new / old frequency",
  });
  if (ends[1] < 1) {
    const [from, end] = [Math.max(plot.x(1), plot.left), plot.left + plot.width];
    plot.add(svg("rect", { class: "shade", x: from, y: plot.top, width: end - from, height: plot.height }));
    if (end - from > 5 * plot.em) {
      const middle = { class: "middle", x: (from + end) / 2 };
      plot.add(
        svg("text", { ...middle, y: plot.y(0.9) }, "less than"),
        svg("text", { ...middle, y: plot.y(0.9) + 1.3 * plot.em }, "one turn"),
      );
    }
  }
  for (const rule of [...found.filter((one) => one !== chosen), chosen]) {
    const points = rule.ratio.map((share, n) => [within[n], share]);
    plot.curve(points, rule.colour, rule === chosen ? "chosen" : `thin-rule ${rule.name}`);
  }
  const dots = chosen.ratio.map((share, n) => {
    const hollow = within[n] < 1 ? " hollow" : "";
    const place = { cx: plot.x(within[n]), cy: plot.y(share), r: d > 128 ? 1.8 : 2.6 };
    return svg("circle", { class: `pair c${chosen.colour}${hollow}`, ...place });
  });
  const x = plot.x(within[i]);
  plot.add(
    ...dots,
    svg("path", { class: "upright", d: `M${x} ${plot.top}v${plot.height}` }),
    svg("circle", { class: "dot", cx: x, cy: plot.y(chosen.ratio[i]), r: 4.5 }),
  );
  chart.say(
    `New over old frequency of ${within.length} pairs under seven rules, fast pairs at the left; ` +
      `${chosen.label}: from ${brief(chosen.ratio[0], 3)} to ${brief(chosen.ratio.at(-1), 3)}.`,
  );
  return (px) => {
    const near = within.map((n) => Math.abs(plot.x(n) - px));
    return near.indexOf(Math.min(...near));
  };
}

/** Build the table of rules: a radio button, a legend stroke, and four numbers each. */
function rulesTable(body, set) {
  const group = `${body.closest("[data-explorer]").id}-rule`;
  const cell = (rule, key) => html("output", { "data-value": `${rule}-${key}`, "aria-live": "off" });
  const pairNumber = html("b", {});
  const pair = html("th", { scope: "col" }, html("span", {}, "new / old, "), pairNumber);
  const rows = RULES.map(([name, label, colour]) => {
    const input = html("input", { type: "radio", name: group, id: `${group}-${name}`, value: name });
    input.addEventListener("change", () => set({ rule: name }));
    const stroke = svg("svg", { class: "stroke", viewBox: "0 0 28 8", "aria-hidden": "true" });
    stroke.append(svg("path", { class: `curve thin-rule c${colour} ${name}`, d: "M0 4H28" }));
    const outputs = ["ratio", "kept", "strange", "attention"].map((key) => cell(name, key));
    const title = html("label", { for: input.id }, input, stroke, html("span", {}, label));
    const head = html("th", { scope: "row" }, title);
    const element = html("tr", {}, head, ...outputs.map((output) => html("td", {}, output)));
    return { name, input, outputs, element };
  });
  // Phones have no room for these words, so only screen readers get them there.
  const column = (more, text) => html("th", { scope: "col" }, html("span", {}, more), text);
  const columns = [column("", "Rule"), pair, column("pairs ", "kept"), column("at ", "new angles"), column("attention ", "factor")];
  const head = html("thead", {}, html("tr", {}, ...columns));
  const bodyRows = html("tbody", {}, ...rows.map(({ element }) => element));
  body.append(html("table", { class: "rules", "aria-label": "Rules" }, head, bodyRows));
  return {
    show(found, { rule, i }) {
      pairNumber.textContent = `pair ${i}`;
      rows.forEach(({ name, input, outputs, element }, n) => {
        const { ratio, kept, strange, attention } = found[n];
        input.checked = name === rule;
        element.classList.toggle("chosen", name === rule);
        const texts = [decimal(ratio[i], 3), kept, strange, decimal(attention, 3)];
        outputs.forEach((output, k) => (output.textContent = texts[k]));
      });
    },
  };
}
