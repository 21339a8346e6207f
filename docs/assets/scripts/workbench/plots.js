// Plots of frequencies against the index of a pair, one curve for each kind of layer.

import { axes } from "../explorers/parts/axes.js";
import { html, onWidth, svg } from "../explorers/parts/page.js";
import { short } from "./tables.js";

const MOST_TICKS = 6;
const margins = { left: 5.6 };

/** A plot in a host of its own, which is drawn again when its width changes. */
function plot(label, draw) {
  const host = html("div", { class: "explorer-plot" });
  const chart = axes(host, label);
  const paint = () => host.clientWidth && draw(chart);
  onWidth(host, paint);
  return html("div", { class: "explorer-live" }, host);
}

const pairCount = (kinds) => Math.max(...kinds.map(({ pairs }) => pairs.pair.length));
const name = ({ name }) => name.replaceAll("_", " ");

/** The class of a curve that lies on an earlier one, which has to show between its dashes. */
const dash = (kinds, kind, column) => {
  const same = (other) => String(other.pairs[column]) === String(kind.pairs[column]);
  return kinds.slice(0, kinds.indexOf(kind)).some(same) ? "overlaid" : "";
};

/** Return round ticks for the indices of pairs. */
function pairTicks(count) {
  const step = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].find((one) => count / one <= MOST_TICKS) ?? count;
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step);
}

/** Wavelengths, on a logarithmic scale, with the lengths of the model as lines. */
export function wavelengths(kinds, colour) {
  const lengths = collectLengths(kinds);
  const all = kinds.flatMap(({ pairs }) => [...pairs.wavelength, ...pairs.inv_freq_unscaled.map((w) => (2 * Math.PI) / w)]);
  const finite = [...all, ...lengths.map(({ value }) => value)].filter(Number.isFinite);
  const label = `Wavelength of each pair in positions, from ${short(Math.min(...finite))} to ${short(Math.max(...finite))}; the tables of pairs below list the numbers.`;
  return plot(label, (chart) => {
    const count = pairCount(kinds);
    const area = chart.frame({
      x: [0, Math.max(count - 1, 1)],
      y: [Math.min(...finite) / 1.5, Math.max(...finite) * 1.5],
      yScale: "log",
      margins,
      xTicks: pairTicks(count),
      xLabel: "pair",
      yLabel: "wavelength in positions",
    });
    for (const { value, text } of lengths) {
      const at = area.y(value);
      area.add(
        svg("path", { class: "upright", d: `M${area.left} ${at}h${area.width}` }),
        svg("text", { class: "over", x: area.left + 0.6 * area.em, y: at - 0.35 * area.em }, `${text}: ${short(value)}`),
      );
    }
    kinds.forEach((kind) => {
      const { pair, wavelength, inv_freq_unscaled: unscaled, ratio } = kind.pairs;
      if (ratio.some((one) => one !== 1)) area.curve(pair.map((i) => [i, (2 * Math.PI) / unscaled[i]]), colour(kind), "faint");
      area.curve(
        pair.filter((i) => wavelength[i] !== null).map((i) => [i, wavelength[i]]),
        colour(kind),
        dash(kinds, kind, "wavelength"),
      );
    });
  });
}

/** Return each length that some kind of layer has, once, with its name. */
function collectLengths(kinds) {
  const values = (key) => new Set(kinds.map((kind) => kind[key]).filter(Boolean));
  const [trained, context] = [values("original_positions"), values("max_positions")];
  return [...new Set([...trained, ...context])].map((value) => {
    const names = [...(trained.has(value) ? ["training length"] : []), ...(context.has(value) ? ["context length"] : [])];
    return { value, text: names.join(" and ") };
  });
}

/** What the rule made of each frequency: new over old. */
export function ratios(kinds, colour) {
  const label = `New over old frequency of each pair, for ${kinds.map(name).join(" and ")}; the tables of pairs below list the numbers.`;
  return plot(label, (chart) => {
    const count = pairCount(kinds);
    const most = Math.max(1, ...kinds.flatMap(({ pairs }) => pairs.ratio));
    const area = chart.frame({
      x: [0, Math.max(count - 1, 1)],
      y: [0, most * 1.05],
      margins,
      xTicks: pairTicks(count),
      xLabel: "pair",
      yLabel: "new over old frequency",
    });
    kinds.forEach((kind) => {
      const points = kind.pairs.pair.map((i) => [i, kind.pairs.ratio[i]]);
      area.curve(points, colour(kind), dash(kinds, kind, "ratio"));
    });
  });
}
