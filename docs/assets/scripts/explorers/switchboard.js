// The conventions of libraries as switches, which show the same row next to that of the paper.

import {
  ADDED,
  PAPER,
  ROFORMER,
  ROTARY,
  addedChannels,
  addedRow,
  matching,
  turnedChannels,
  turnedRow,
} from "./parts/conventions.js";
import { invFreq } from "./parts/codes.js";
import { brief, decimal, html, svg } from "./parts/page.js";
import { readout } from "./parts/readout.js";

const D = 8;
const QUERY = Array.from({ length: D }, (_, c) => (c + 1) / 10);
const LOW = "₀₁₂₃₄₅₆₇";
const added = ({ code }) => code === "added";
const rotary = ({ code }) => code === "rotary";

// Longer labels for names that are unclear on their own.
const NAMES = {
  Llama: "Llama (Hugging Face), Mistral, Qwen 2.5, Gemma",
  "DeepSeek-V3": "DeepSeek-V3 (Hugging Face)",
};

export const controls = [
  {
    name: "code",
    label: "Code",
    options: [["added", "added"], ["rotary", "rotary"]],
    value: "added",
  },
  {
    name: "layout",
    label: "Layout of pairs",
    options: [["interleaved", "interleaved"], ["half", "half"]],
    value: "half",
  },
  {
    name: "order",
    label: "Order",
    options: [["sines", "sine first"], ["cosines", "cosine first"]],
    value: "sines",
    when: added,
  },
  {
    name: "exponent",
    label: "Exponent",
    options: [["paper", "2i/d"], ["tensor2tensor", "i/(d/2 − 1)"]],
    value: "tensor2tensor",
    when: added,
  },
  {
    name: "start",
    label: "First token at",
    options: [["0", "0"], ["1", "1"], ["2", "2, after padding"]],
    value: "2",
    when: added,
  },
  {
    name: "size",
    label: "Multiplied by",
    options: [["one", "1"], ["root", "1/√d"]],
    value: "one",
    when: added,
  },
  {
    name: "halves",
    label: "Results half by half",
    value: false,
    when: (values) => rotary(values) && values.layout === "interleaved",
  },
  { name: "token", label: "Token, from 0", min: 0, max: 64, value: 1 },
  { name: "base", label: "Base", symbol: "b", min: 10, max: 1e6, scale: "log", value: 10000 },
];

/** Return the settings that apply to a kind of encoding, as in parts/conventions.js. */
function settingsOf({ layout, order, exponent, start, size, halves, base, code }) {
  return code === "added"
    ? { layout, order, exponent, start: Number(start), size, base }
    : { layout, halves: halves || layout === "half", base };
}

/** Return the paper's row and the row with the settings, with the origin of each cell. */
function rowsOf(values) {
  const { token, base } = values;
  const settings = settingsOf(values);
  if (added(values)) {
    const row = (of) => {
      const numbers = addedRow(token, D, { ...of, base });
      const factor = of.size === "root" ? "/√d" : "";
      return addedChannels(D, of).map(({ pair, wave }, c) => {
        return { pair, made: `${wave} pω${LOW[pair]}${factor}`, number: numbers[c] };
      });
    };
    return { paper: row(PAPER), these: row(settings) };
  }
  const row = (of) => {
    const numbers = turnedRow(QUERY, token, { ...of, base });
    return turnedChannels(D, of).map(({ pair, first, second, part }, c) => {
      const made = part ? `x${LOW[first]}s + x${LOW[second]}c` : `x${LOW[first]}c − x${LOW[second]}s`;
      return { pair, made, number: numbers[c] };
    });
  };
  return { paper: row(ROFORMER), these: row(settings) };
}

/** Return the channels of each pair, in the row as it is written and as it is read. */
function pairsOf({ code, layout, ...rest }) {
  const list =
    code === "added"
      ? addedChannels(D, { layout, order: "sines" })
      : turnedChannels(D, { layout, halves: rest.halves });
  return Array.from({ length: D / 2 }, (_, i) => {
    const places = list.flatMap(({ pair }, c) => (pair === i ? [c] : []));
    return [places[0], places.at(-1)];
  });
}

export function mount({ body, set }) {
  const strip = stripOf(body);
  const numbers = readout(
    body,
    Array.from({ length: D / 2 }, (_, i) => [`omega${i}`, `ω${LOW[i]}, pair ${i}`]),
  );
  const lists = {
    added: listOf(body, ADDED, "Encodings that are added", (settings) => {
      set({ ...settings, start: String(settings.start), base: 10000 });
    }),
    rotary: listOf(body, ROTARY, "Rotary embeddings", ({ layout, halves }) => {
      set({ layout, halves: halves && layout === "interleaved" });
    }),
  };

  return (values) => {
    const settings = settingsOf(values);
    const { paper, these } = rowsOf(values);
    const text = ({ number }) => decimal(number);
    const differs = these.map((cell, c) => text(cell) !== text(paper[c]));
    strip.show(values, paper, these, differs);
    const omegas = invFreq(D, values.base, added(values) ? values.exponent : "paper");
    numbers.show(Object.fromEntries(omegas.map((omega, i) => [`omega${i}`, brief(omega)])));

    const [list, book] = added(values) ? [ADDED, lists.added] : [ROTARY, lists.rotary];
    const asUsual = rotary(values) || values.base === 10000; // rotary models differ in their bases
    const found = asUsual ? matching(list, settings) : -1;
    lists.added.element.hidden = !added(values);
    lists.rotary.element.hidden = added(values);
    book.show(found);
    const count = differs.filter(Boolean).length;
    const than = count ? `${count} of ${D} numbers are not the paper's` : "the paper's row";
    const note = added(values)
      ? `The token stands at position ${settings.start + values.token}.`
      : "c and s are cosine and sine of the pair's angle.";
    return `${found < 0 ? "As in no library of this page" : `As in ${some(list[found])}`}: ${than}. ${note}`;
  };
}

function some({ libraries: [first, ...more] }) {
  return more.length ? `${first} and ${more.length} more` : first;
}

/** Build the table of channels, with arcs for the pairs above the paper's row and below the other. */
function stripOf(body) {
  const above = svg("svg", { class: "arcs paper", "aria-hidden": "true" });
  const below = svg("svg", { class: "arcs these", "aria-hidden": "true" });
  const channels = Array.from({ length: D }, (_, c) => html("th", { scope: "col" }, String(c)));
  const row = (name, title) => {
    const head = html("th", { scope: "row" }, title);
    const cells = channels.map((_, c) => {
      const made = html("span", { class: "made" });
      const output = html("output", { "data-value": `${name}${c}`, "aria-live": "off" });
      const sign = html("span", { class: "sign" });
      return { made, output, sign, element: html("td", {}, made, output, sign) };
    });
    return { head, cells, element: html("tr", {}, head, ...cells.map(({ element }) => element)) };
  };
  const [query, paper, these] = [row("query", "query x"), row("paper", "the paper"), row("these", "these settings")];
  const corner = html("th", { scope: "col" }, "channel");
  const table = html(
    "table",
    { class: "strip", "aria-label": "Rows of numbers, a column for each channel" },
    html("thead", {}, html("tr", {}, corner, ...channels)),
    html("tbody", {}, query.element, paper.element, these.element),
  );
  body.append(html("div", { class: "strip-box" }, above, table, below));
  query.cells.forEach(({ made, output }, c) => {
    made.textContent = `x${LOW[c]}`;
    output.textContent = decimal(QUERY[c], 1);
  });

  const fill = ({ cells }, numbers, differs) =>
    cells.forEach(({ made, output, sign, element }, c) => {
      made.textContent = numbers[c].made;
      output.textContent = decimal(numbers[c].number);
      element.className = `p${numbers[c].pair}${differs?.[c] ? " differs" : ""}`;
      sign.textContent = differs?.[c] ? "≠" : "";
    });
  return {
    show(values, numbers, others, differs) {
      query.element.hidden = added(values);
      fill(paper, numbers);
      fill(these, others, differs);
      const { code, layout, halves } = values;
      const of = { ...PAPER, ...ROFORMER, code };
      draw(above, table, channels, pairsOf(of), false);
      draw(below, table, channels, pairsOf({ code, layout, halves: halves || layout === "half" }), true);
    },
  };
}

/** Draw arcs between the channels of each pair; on a phone, down the side of the table. */
function draw(root, table, channels, pairs, after) {
  const upright = getComputedStyle(table).display === "grid";
  const [width, height] = [root.clientWidth, root.clientHeight];
  const corner = root.getBoundingClientRect();
  const middles = channels.map((channel) => {
    const { left, top, width: wide, height: high } = channel.getBoundingClientRect();
    return upright ? top + high / 2 - corner.top : left + wide / 2 - corner.left;
  });
  const room = upright ? width : height;
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const arcs = pairs.flatMap(([a, b], i) => {
    const [from, to] = [middles[a], middles[b]];
    const deep = Math.min((to - from) * 0.4, room - 9);
    const at = (along, off) => {
      const across = after ? off : room - off;
      return upright ? [across, along] : [along, across];
    };
    const radii = upright ? `${deep} ${(to - from) / 2}` : `${(to - from) / 2} ${deep}`;
    const turn = upright === after ? 1 : 0;
    const path = `M${at(from, 0).join(" ")}A${radii} 0 0 ${turn} ${at(to, 0).join(" ")}`;
    const [x, y] = at((from + to) / 2, deep);
    return [
      svg("path", { class: `curve c${i}`, d: path }),
      svg("text", { class: "middle over", x, y: y + 4 }, String(i)),
    ];
  });
  root.replaceChildren(...arcs);
}

/** Build radio buttons for libraries; none is checked if no library has the settings. */
function listOf(body, list, title, choose) {
  const kind = list === ADDED ? "added" : "rotary";
  const group = `${body.closest("[data-explorer]").id}-${kind}`;
  const options = list.map(({ libraries, settings }, n) => {
    const input = html("input", { type: "radio", name: group, value: n });
    input.addEventListener("change", () => choose(settings));
    const names = libraries.map((name) => html("span", {}, NAMES[name] ?? name));
    const label = html("label", {}, input, html("span", { class: "names" }, ...names));
    return { input, label };
  });
  const legend = html("legend", {}, `${title}: choose a library; marked are those with exactly these settings`);
  const element = html("fieldset", { class: `libraries ${kind}` }, legend, ...options.map(({ label }) => label));
  body.append(element);
  return {
    element,
    show: (found) => options.forEach(({ input }, n) => (input.checked = n === found)),
  };
}
