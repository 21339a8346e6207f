// A heat map on a canvas, with axes in SVG above it, a colour bar, and a cursor on a cell.
//
//   const map = heat(host, {hint, step, point});         // once
//   map.draw({rows, columns, value: (r, c) => …, cursor: [r, c], xLabel, yLabel, label});

import { axes } from "./axes.js";
import { divergingStops, mix } from "./colours.js";
import { movable } from "./cursor.js";
import { html, svg } from "./page.js";

const BAR = { right: 5.2 }; // room for the colour bar, in em
const SHADES = 512; // of the colour map
const FINE = 3; // device pixels below which a cell is averaged rather than picked

/** Build a heat map; see cursor.js for `step`; `point(row, column)` gets the pressed cell. */
export function heat(host, { hint, step, point }) {
  const canvas = html("canvas", { class: "heat", "aria-hidden": "true" });
  host.append(canvas);
  const chart = axes(host, "");
  let last = null;
  movable(host, hint, {
    step,
    point(x, y) {
      const column = Math.floor(((x - last.plot.left) / last.plot.width) * last.columns);
      const row = Math.floor(((y - last.plot.top) / last.plot.height) * last.rows);
      point(clamp(row, last.rows), clamp(column, last.columns));
    },
  });
  return {
    draw(picture) {
      chart.say(picture.label);
      last = { ...picture, plot: draw(host, canvas, chart, picture) };
    },
  };
}

const clamp = (index, count) => Math.min(Math.max(index, 0), count - 1);

function draw(host, canvas, chart, { rows, columns, value, cursor, limit = 1, xLabel, yLabel }) {
  const plot = chart.frame({
    x: [-0.5, columns - 0.5],
    y: [rows - 0.5, -0.5],
    xLabel,
    yLabel,
    margins: BAR,
    ...whole(columns, rows),
  });
  const stops = divergingStops(host);
  const shades = Array.from({ length: SHADES + 1 }, (_, n) => [...mix(stops, n / SHADES), 255]);
  const within = (number) => Math.min(Math.max(number / limit, -1), 1);
  const shade = (number) => shades[Math.round(((within(number) + 1) / 2) * SHADES)];
  paint(canvas, plot, cells(rows, columns, (r, c) => shade(value(r, c))));
  bar(plot, stops, limit);
  mark(plot, cursor, rows, columns);
  return plot;
}

/** Return integer ticks for rows and columns. */
function whole(columns, rows) {
  const some = (count, most) => {
    const step = [1, 2, 5, 10, 20, 50, 100].find((width) => count / width <= most) ?? 200;
    return Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step);
  };
  return { xTicks: some(columns, 8), yTicks: some(rows, 7) };
}

/** Return an image with one pixel per cell. */
function cells(rows, columns, colour) {
  const image = new ImageData(columns, rows);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) image.data.set(colour(r, c), 4 * (r * columns + c));
  }
  return image;
}

/** Scale the image to the area of the plot without blurring it. */
function paint(canvas, { left, top, width, height }, image) {
  const ratio = devicePixelRatio;
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  Object.assign(canvas.style, {
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
  });
  const small = html("canvas", { width: image.width, height: image.height });
  small.getContext("2d").putImageData(image, 0, 0);
  const context = canvas.getContext("2d");
  const size = Math.min(canvas.width / image.width, canvas.height / image.height);
  context.imageSmoothingEnabled = size < FINE;
  context.imageSmoothingQuality = "high";
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
}

let bars = 0; // each has a name of its own, also where several maps share a page

/** Draw the colour bar on the right. */
function bar({ add, left, top, width, height, em }, stops, limit) {
  const x = left + width + 1.2 * em;
  const id = `colour-bar-${(bars += 1)}`;
  const shades = stops.map((rgb, n) =>
    svg("stop", { offset: 1 - n / (stops.length - 1), "stop-color": `rgb(${rgb.join(" ")})` }),
  );
  add(
    svg("linearGradient", { id, x1: 0, x2: 0, y1: 0, y2: 1 }, ...shades.reverse()),
    svg("rect", { x, y: top, width: 0.9 * em, height, fill: `url(#${id})` }),
  );
  for (const [share, text] of [[0, String(limit)], [0.5, "0"], [1, `−${limit}`]]) {
    add(svg("text", { x: x + 1.4 * em, y: top + share * height + 0.35 * em }, text));
  }
}

/** Draw the cursor: a frame around the cell, its row and its column. */
function mark({ add, left, top, width, height }, [row, column], rows, columns) {
  const [w, h] = [width / columns, height / rows];
  const [x, y] = [left + column * w, top + row * h];
  const [wide, high] = [Math.max(w, 5), Math.max(h, 5)]; // to be seen where cells are small
  const at = { x: x + w / 2 - wide / 2, y: y + h / 2 - high / 2, width: wide, height: high };
  add(
    svg("rect", { class: "hair", x: left, y: at.y, width, height: high }),
    svg("rect", { class: "hair", x: at.x, y: top, width: wide, height }),
    svg("rect", { class: "cursor under", ...at }),
    svg("rect", { class: "cursor", ...at }),
  );
}
