// The biases that ALiBi and T5 add to a score at each offset: a line, or a number per bucket.

import { axes } from "./parts/axes.js";
import {
  alibiSlopes,
  biasAt,
  bucketStarts,
  halfway,
  relativePositionBucket,
  sharedDistances,
} from "./parts/biases.js";
import { movable } from "./parts/cursor.js";
import { brief, decimal, html, svg } from "./parts/page.js";
import { readout } from "./parts/readout.js";

const LOWEST = -10; // the lowest bias drawn; weights below e⁻¹⁰ are invisible
const FINE = 120; // points of a curve on each side
const alibi = ({ rule }) => rule === "alibi";
const t5 = ({ rule }) => rule === "t5";
const directed = ({ buckets, both }) => (both ? buckets / 2 : buckets);

export const controls = [
  { name: "rule", label: "Rule", options: [["alibi", "ALiBi"], ["t5", "T5"]], value: "alibi" },
  { name: "reach", label: "Offsets up to", min: 8, max: 1024, scale: "log", step: 1, value: 24 },
  { name: "heads", label: "Heads", symbol: "H", min: 1, max: 128, value: 8, when: alibi },
  { name: "head", label: "Head", symbol: "h", min: 0, max: ({ heads }) => heads - 1, value: 1, when: alibi },
  {
    name: "form",
    label: "Form",
    options: [["causal", "causal"], ["symmetric", "symmetric"]],
    value: "symmetric",
    when: alibi,
  },
  { name: "buckets", label: "Buckets", min: 4, max: 64, step: 2, value: 32, when: t5 },
  { name: "both", label: "Both directions, as in an encoder", value: true, when: t5 },
  {
    name: "far",
    label: "Largest distance",
    symbol: "n₁",
    min: (values) => Math.floor(directed(values) / 2) + 1,
    max: 1024,
    value: 128,
    when: t5,
  },
  { name: "k", hidden: true, min: ({ reach }) => -reach, max: ({ reach }) => reach, value: -6 },
];

export function mount({ body, set }) {
  const host = html("div", { class: "explorer-plot" });
  body.append(host);
  const [above, below] = ["bias", "weight"].map((name) => {
    const part = html("div", { class: `explorer-plot ${name}` });
    host.append(part);
    return axes(part, "");
  });
  let plot;
  movable(host, "Cursor in the plot. Arrow keys move it to other offsets.", {
    step: (right) => set(({ k }) => ({ k: k + right })),
    point: (x) => set({ k: Math.round(plot.x.invert(x)) }),
  });
  const parts = {
    alibi: numbersOf(body, [
      ["slope", "Slope m"],
      ["bias", "Added to the score"],
      ["weight", "Weight, nearest key 1"],
      ["half", "Half of it at distance"],
    ]),
    t5: numbersOf(body, [
      ["bucket", "Bucket"],
      ["shared", "Shared by distances"],
      ["used", "Buckets in use"],
      ["last", "Last bucket from"],
    ]),
  };

  return (values) => {
    for (const [rule, part] of Object.entries(parts)) part.element.hidden = rule !== values.rule;
    host.dataset.rule = values.rule;
    const show = values.rule === "alibi" ? lines : stairs;
    const shown = show(values, above, below);
    plot = shown.plot;
    parts[values.rule].show(shown.numbers);
    return shown.message;
  };
}

function numbersOf(body, entries) {
  const element = html("div", {});
  body.append(element);
  return { element, show: readout(element, entries).show };
}

/** Draw ALiBi: the biases of all heads above, the weights for equal content below. */
function lines({ heads, head, form, reach, k }, above, below) {
  const slopes = alibiSlopes(heads);
  const slope = slopes[head];
  const half = halfway(slope);
  const x = { x: [-reach, reach], margins: { bottom: 1.4 } };

  const top = above.frame({ ...x, y: [LOWEST, 0], yLabel: "bias" });
  hideLater(top, form, "later keys: −∞");
  const sides = form === "symmetric" ? [-1, 1] : [-1];
  const fall = (m) => sides.map((side) => side * Math.min(reach, LOWEST / -m));
  const line = (m) => {
    const ends = fall(m).map((end) => [end, biasAt(m, end, form)]);
    return [ends[0], [0, 0], ...ends.slice(1)];
  };
  slopes.forEach((m, h) => h === head || top.curve(line(m), 0, "faint"));
  top.curve(line(slope), 0, "chosen");
  const bias = biasAt(slope, k, form);
  upright(top, k, bias >= LOWEST && bias);
  above.say(
    `Bias against offset for ${heads} heads, ${form}: ` +
      `straight lines that fall from 0; that of head ${head} by ${brief(slope)} a position.`,
  );

  const low = below.frame({ ...x, margins: {}, y: [0, 1], yLabel: "weight", xLabel: "offset, key minus query" });
  hideLater(low, form, "no weight");
  const seen = Array.from({ length: FINE * sides.length + 1 }, (_, n) => (n / FINE - 1) * reach);
  const weights = (m) => seen.map((offset) => [offset, Math.exp(-m * Math.abs(offset))]);
  slopes.forEach((m, h) => h === head || low.curve(weights(m), 0, "faint"));
  low.curve(weights(slope), 0, "chosen");
  if (half <= reach) {
    const [right, level] = [low.x(-half), low.y(0.5)];
    low.add(
      svg("path", { class: "thread", fill: "none", d: `M${right} ${low.y(0)}V${level}H${low.x(0)}` }),
      svg("circle", { class: "mark c1", cx: right, cy: level, r: 4 }),
      svg("text", { class: "end over", x: right - 8, y: level - 3 }, `½ at ${brief(half, 3)}`),
    );
  }
  upright(low, k, Math.exp(bias));
  below.say(`Weight of equal contents: half of the nearest at distance ${brief(half)}.`);

  const hidden = bias === -Infinity;
  return {
    plot: top,
    numbers: {
      slope: brief(slope),
      bias: hidden ? "−∞ (hidden)" : decimal(bias),
      weight: hidden ? "0" : brief(Math.exp(bias)),
      half: brief(half),
    },
    message: hidden
      ? `${after(k)}: later than the query, and hidden.`
      : `${after(k)}: ${decimal(bias, 3)} is added, which leaves ${brief(Math.exp(bias), 3)} of the ` +
        "nearest key's weight.",
  };
}

/** Draw T5: the bucket of each offset, highlighting the offsets in the bucket of the cursor. */
function stairs({ buckets: numBuckets, both: bidirectional, far: maxDistance, reach, k }, above, below) {
  const options = { bidirectional, numBuckets, maxDistance };
  const offsets = Array.from({ length: 2 * reach + 1 }, (_, n) => n - reach);
  const found = relativePositionBucket(offsets, options);
  const bucket = found[k + reach];
  const [first, last] = sharedDistances(k, options);
  const starts = bucketStarts(bidirectional ? numBuckets / 2 : numBuckets, maxDistance);

  const plot = above.frame({
    x: [-reach, reach],
    y: [0, numBuckets - 1],
    xLabel: "offset, key minus query",
    yLabel: "bucket",
  });
  const same = offsets.filter((_, n) => found[n] === bucket);
  const [from, to] = [Math.max(same[0] - 0.5, -reach), Math.min(same.at(-1) + 0.5, reach)];
  const band = { x: plot.x(from), width: plot.x(to) - plot.x(from), y: plot.top, height: plot.height };
  plot.add(svg("rect", { class: "band c1", ...band }));
  const steps = offsets.flatMap((offset, n) => [
    [Math.max(offset - 0.5, -reach), found[n]],
    [Math.min(offset + 0.5, reach), found[n]],
  ]);
  plot.curve(steps, 0, "chosen");
  upright(plot, k, bucket);
  above.say(
    `Bucket against offset, ${numBuckets} buckets, ${bidirectional ? "both directions" : "causal"}: ` +
      "steps that are narrow near 0 and wide far away.",
  );
  below.root.replaceChildren();

  const later = !bidirectional && k > 0;
  const range = first === last ? String(first) : last === Infinity ? `${first} and more` : `${first} to ${last}`;
  const shared = later ? "all later keys" : range;
  return {
    plot,
    numbers: {
      bucket: String(bucket),
      shared,
      used: `${1 + new Set(starts).size * (bidirectional ? 2 : 1)} of ${numBuckets}`,
      last: `distance ${starts.at(-1)}`,
    },
    message: later
      ? `${after(k)}: bucket 0, as the query itself; a mask must hide this key.`
      : `${after(k)}: the learned number of bucket ${bucket}, as for ` +
        `${first === last ? "no other distance" : `all distances ${range}`}.`,
  };
}

/** Describe where a key is: "6 places before", "2 places after". */
function after(k) {
  if (k === 0) return "The query's own place";
  return `${Math.abs(k)} ${Math.abs(k) === 1 ? "place" : "places"} ${k < 0 ? "before" : "after"}`;
}

/** Shade the offsets that a causal head does not see. */
function hideLater(plot, form, text) {
  if (form !== "causal") return;
  const [x, end] = [plot.x(0), plot.left + plot.width];
  plot.add(
    svg("rect", { class: "shade", x, y: plot.top, width: end - x, height: plot.height }),
    svg("text", { class: "middle", x: (x + end) / 2, y: plot.top + plot.height / 2 }, text),
  );
}

/** Draw the cursor: a vertical line through an offset, and a dot on the curve. */
function upright(plot, k, value) {
  const x = plot.x(k);
  plot.add(svg("path", { class: "upright", d: `M${x} ${plot.top}v${plot.height}` }));
  if (Number.isFinite(value)) plot.add(svg("circle", { class: "dot", cx: x, cy: plot.y(value), r: 4.5 }));
}
