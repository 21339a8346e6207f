// Axes and curves in SVG. Colours are classes of explorers.css, so changing the theme needs no redrawing.
//
//   const chart = axes(host, "description");       // once
//   const plot = chart.frame({x: [0, 64], y: [-1, 1], xLabel: "position"});  // each time
//   plot.curve(points, 0); plot.add(svg("circle", {cx: plot.x(3), cy: plot.y(0), r: 4}));

import { plain, svg } from "./page.js";

/** Create an empty drawing that fills its host. */
export function axes(host, label) {
  const root = svg("svg", { role: "img", "aria-label": label });
  host.append(root);
  return {
    root,
    say: (text) => root.setAttribute("aria-label", text),
    frame: (options) => frame(root, host, options),
  };
}

/** Return ticks at round numbers, or at powers of ten on a logarithmic scale. */
export function ticks([low, high], count, scale) {
  if (scale === "log") {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const skip = Math.ceil((last - first + 1) / count) || 1;
    return Array.from({ length: last - first + 1 }, (_, n) => 10 ** (first + n)).filter(
      (_, n) => n % skip === 0,
    );
  }
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, n) =>
    Number(((first + n) * step).toPrecision(12)),
  );
}

/** Return a function from numbers to pixels, with its inverse as `invert`. */
export function scaling([low, high], [from, to], scale) {
  const [bend, back] = scale === "log" ? [Math.log10, (v) => 10 ** v] : [(v) => v, (v) => v];
  const [a, b] = [bend(low), bend(high)];
  const place = (value) => from + ((bend(value) - a) / (b - a || 1)) * (to - from);
  place.invert = (at) => back(a + ((at - from) / (to - from)) * (b - a));
  return place;
}

/** Return the area inside the axes, in CSS pixels: {left, top, width, height, em}. */
export function room(host, { left = 4.2, right = 1, top = 0.8, bottom = 3.2 } = {}) {
  const em = parseFloat(getComputedStyle(host).fontSize);
  return {
    em,
    left: left * em,
    top: top * em,
    width: host.clientWidth - (left + right) * em,
    height: host.clientHeight - (top + bottom) * em,
  };
}

function frame(root, host, { x, y, xLabel, yLabel, xScale, yScale, margins, xTicks, yTicks }) {
  const inner = room(host, margins);
  const { left, top, width, height, em } = inner;
  root.replaceChildren();
  root.setAttribute("viewBox", `0 0 ${host.clientWidth} ${host.clientHeight}`);
  const toX = scaling(x, [left, left + width], xScale);
  const toY = scaling(y, [top + height, top], yScale);
  const add = (...nodes) => root.append(...nodes);

  add(svg("path", { class: "axis", d: `M${left} ${top}V${top + height}H${left + width}` }));
  for (const value of xTicks ?? ticks(x, width / (4.5 * em), xScale)) {
    const at = toX(value);
    add(
      svg("path", { class: "axis", d: `M${at} ${top + height}v${0.3 * em}` }),
      svg("text", { x: at, y: top + height + 1.3 * em, class: "middle" }, plain(value)),
    );
  }
  for (const value of yTicks ?? ticks(y, height / (2.6 * em), yScale)) {
    const at = toY(value);
    add(
      svg("path", { class: "axis", d: `M${left} ${at}h${-0.3 * em}` }),
      svg("text", { x: left - 0.5 * em, y: at + 0.35 * em, class: "end" }, plain(value)),
    );
  }
  if (xLabel) {
    add(svg("text", { x: left + width / 2, y: top + height + 2.7 * em, class: "middle" }, xLabel));
  }
  if (yLabel) {
    const turned = `translate(${0.9 * em} ${top + height / 2}) rotate(-90)`;
    add(svg("text", { transform: turned, class: "middle" }, yLabel));
  }
  return {
    ...inner,
    x: toX,
    y: toY,
    add,
    /** Draw a line through [x, y] pairs in colour 0 to 5 of the book's figures. */
    curve(points, colour = 0, more = "") {
      const d = points.map(([a, b], n) => `${n ? "L" : "M"}${toX(a).toFixed(2)} ${toY(b).toFixed(2)}`);
      const path = svg("path", { class: `curve c${colour} ${more}`, d: d.join("") });
      add(path);
      return path;
    },
  };
}
