// The page Judge a function: NumPy code or a file in, a verdict out. A link fills in the code, and
// only a press runs it.

import { heat } from "../explorers/parts/heat.js";
import { button, html } from "../explorers/parts/elements.js";
import { calm, onWidth } from "../explorers/parts/page.js";
import { ask, loading, stop } from "../run/python.js";
import { EXAMPLES } from "./judge_examples.js";
import { codeArea, draft, dropZone, fileButton, plain, statusLine } from "./input.js";
import { pack, unpack } from "./link.js";
import { copyButton, short, table } from "./tables.js";

const PATIENCE = 120_000; // milliseconds that an answer may take
const LARGEST_FILE = 50_000_000; // bytes
const NAME = "code";
const GROUPS = {
  Tables: ["sinusoidal", "tensor2tensor", "fairseq"],
  Rotations: ["rotary", "gpt-j", "llama", "llama3", "llama3.1", "gpt-neox"],
  Biases: ["alibi", "alibi-symmetric", "t5", "t5-decoder"],
};
const HINT =
  "The verdict appears here: whether it holds, the cause if it has a name, the first difference, and a map of the " +
  "error. The first press loads Python, about 12 MB.";

const block = document.querySelector("[data-tool=judge]");
const area = codeArea("NumPy code", "def rope(x, positions): …");
let editor = plain(area);
let file = null; // judged in place of the code

const groups = Object.entries(GROUPS).map(([label, names]) =>
  html("optgroup", { label }, ...names.map((name) => html("option", { value: name }, name))),
);
const wanted = html(
  "select",
  { id: "workbench-reference" },
  html("option", { value: "identify" }, "What is it?"),
  ...groups,
  html("optgroup", { label: "A model" }, html("option", { value: "config" }, "the rotation of a config.json")),
);
const config = html("textarea", { class: "box", id: "workbench-config", rows: 5, spellcheck: "false", autocapitalize: "off" });
const configField = html("div", { class: "workbench-field", hidden: true }, html("label", { for: config.id }, "config.json"), config);
const configOptions = html("div", { hidden: true });
const choose = (id, label, options) => {
  const field = html("select", { id }, ...options.map(([value, text]) => html("option", { value }, text)));
  return [field, html("div", { class: "workbench-field" }, html("label", { for: id }, label), field)];
};
const KINDS = ["full_attention", "sliding_attention", "chunked_attention"];
const [layerType, layerField] = choose("workbench-layer", "Kind of layer, if the config has several", [
  ["", "the only one"],
  ...KINDS.map((kind) => [kind, kind.replace("_", " ")]),
]);
const [layout, layoutField] = choose("workbench-layout", "Pairing", [
  ["", "as in the model"],
  ["half", "halves"],
  ["interleaved", "neighbours"],
]);
const [chosen, chosenField] = choose("workbench-function", "Function", []);
const [judge, halt] = [button("Judge", { class: "md-button md-button--primary" }), button("Stop")];
const [open, picker] = fileButton("Open a .npy file", ".npy,.npz", takeFile);
const dropFile = button("Judge the code instead");
const fileNote = html("p", { class: "workbench-hint", hidden: true });
const [status, say] = statusLine();
const stale = html("p", { class: "workbench-hint", hidden: true }, "Edited since: this is the earlier verdict.");
const result = html("div", { class: "workbench-result" });
const unfinished = draft("judge");
let shown = ""; // what the result is of

/** What the reader has put in, as the worker takes it. */
function given() {
  const wish = { text: editor.text(), reference: wanted.value, function: chosenField.hidden ? "" : chosen.value };
  if (wanted.value !== "config") return { ...wish, config: "" };
  return { ...wish, config: config.value, layer_type: layerType.value, layout: layout.value };
}

const trace = () => JSON.stringify([given(), file?.file_name]);

function changed() {
  configField.hidden = configOptions.hidden = wanted.value !== "config";
  stale.hidden = !shown || trace() === shown;
  unfinished.keep(given());
}

function setFile(one) {
  file = one;
  fileNote.hidden = !one;
  fileNote.replaceChildren(...(one ? [`${one.file_name} is judged, not the code. `, dropFile] : []));
  changed();
}

async function run() {
  if (judge.hidden) return;
  const wish = given();
  if (!file && !wish.text.trim()) {
    say("Paste a function, load an example, or open a file first.");
    return;
  }
  [judge.hidden, halt.hidden] = [true, false];
  halt.focus();
  say("Loading Python");
  let answer;
  try {
    answer = await ask({ tool: "judge", ...wish, ...file }, (data) => say(data.ready ? "Judging" : loading(data)), PATIENCE);
  } catch (error) {
    stop(); // a crash, or an error that isn't the reader's
    say(error.message, "failed");
  }
  [judge.hidden, halt.hidden] = [false, true];
  if (document.activeElement === document.body) judge.focus();
  if (!answer) return;
  listFunctions(answer);
  const { refused } = answer;
  editor.blame({ line: refused?.line });
  if (refused) {
    say(refused.message, "failed");
    return;
  }
  say("");
  shown = JSON.stringify([{ ...wish, function: chosenField.hidden ? "" : answer.function }, file?.file_name]);
  result.replaceChildren(stale);
  showVerdict(answer);
  changed();
  if (result.getBoundingClientRect().top > innerHeight / 2) result.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
}

const makeLink = async () => {
  const fragment = await pack(NAME, given());
  if (!fragment) throw new Error("too long");
  return new URL(location.pathname + location.search + fragment, location.href).href;
};

/** Let the reader choose among the functions that the code defines. */
function listFunctions({ functions, function: name }) {
  chosenField.hidden = functions.length < 2;
  chosen.replaceChildren(...functions.map((one) => html("option", { value: one, selected: one === name }, one)));
}

/** An index with the names of its axes, where they are known. */
function nameIndex({ first, call }) {
  const bias = GROUPS.Biases.includes(JSON.parse(shown)[0].reference);
  const names = { 2: ["position", "channel"], 3: bias ? ["head", "query", "key"] : ["position", "output channel", "input channel"] };
  const axes = call && first.length > 2 ? ["sequence", "head", "token", "channel"] : names[first.length];
  return first.map((number, n) => `${axes?.[n] ?? "index"} ${number}`).join(", ");
}

function showVerdict({ title, holds, words, cause, errors, ...numbers }) {
  const bar = html("p", { class: "run-bar" }, copyButton("Copy verdict", () => `${title}\n${words}`));
  if (!file) bar.append(copyButton("Copy link", makeLink));
  result.append(
    html("h2", { id: "verdict" }, title),
    html("p", { class: "run-status", "data-state": holds ? "passed" : "failed" }, cause ? `Cause${numbers.call ? ` ${numbers.call}` : ""}: ${cause}.` : holds ? "It holds." : "No known cause explains it."),
    html("pre", { tabindex: 0 }, words),
    bar,
  );
  if (numbers.compared === undefined) return;
  const rows = [
    ["Entries compared", numbers.compared],
    ["Largest error", numbers.largest],
    [`Allowed there by rounding (${numbers.dtype})`, numbers.limit],
  ];
  if (numbers.first) rows.unshift(["First difference", nameIndex(numbers)], ["Found", numbers.given], ["Expected", numbers.wanted]);
  result.append(table("Numbers of the verdict", ["Number", "Value"], rows));
  if (errors?.length) result.append(html("h2", { id: "error" }, "Error"));
  if (errors?.length) showMap(errors);
}

/** The error of each entry, with a cursor that starts at the largest. */
function showMap(errors) {
  const [rows, columns] = [errors.length, errors[0].length];
  const bias = GROUPS.Biases.includes(JSON.parse(shown)[0].reference);
  const [down, across] = bias ? ["query", "key"] : ["position", "channel"];
  const flat = errors.flat().map(Math.abs);
  const most = flat.reduce((a, b) => Math.max(a, b), 0);
  const worst = flat.indexOf(most);
  let cursor = [Math.floor(worst / columns), worst % columns];
  const host = html("div", { class: "explorer-plot" });
  const said = html("p", { class: "workbench-hint", role: "status" });
  result.append(html("div", { class: "explorer-live" }, host), said);
  const move = (row, column) => {
    cursor = [Math.min(Math.max(row, 0), rows - 1), Math.min(Math.max(column, 0), columns - 1)];
    draw();
  };
  const map = heat(host, {
    hint: `Cursor in the map of the error. Arrow keys move it to other ${down} and ${across} numbers.`,
    step: (right, below) => move(cursor[0] + below, cursor[1] + right),
    point: move,
  });
  function draw() {
    if (!host.clientWidth) return;
    map.draw({
      rows,
      columns,
      cursor,
      value: (row, column) => errors[row][column],
      limit: Number(most.toPrecision(2)) || 1,
      xLabel: across,
      yLabel: down,
      label: `Map of the error, ${rows} by ${columns}; the largest is ${short(most)}.`,
    });
    said.textContent = `${down} ${cursor[0]}, ${across} ${cursor[1]}: error ${short(errors[cursor[0]][cursor[1]])}`;
  }
  onWidth(host, draw);
  draw();
}

async function takeFile(one) {
  if (one.size > LARGEST_FILE) {
    say(`${one.name} has ${(one.size / 1e6).toFixed(0)} MB; up to 50 MB can be judged here.`, "failed");
    return;
  }
  setFile({ file: new Uint8Array(await one.arrayBuffer()), file_name: one.name });
  say(`${one.name} is ready. Choose what it should be, and press Judge.`);
}

function take(text, reference) {
  setFile(null);
  editor.set(text);
  editor.blame();
  chosenField.hidden = true;
  wanted.value = reference;
  changed();
}

async function build() {
  const examples = Object.entries(EXAMPLES).map(([name, [text, reference]]) => {
    const made = button(name);
    made.addEventListener("click", () => {
      take(text, reference);
      say("Loaded. Press Judge.");
    });
    return made;
  });
  const input = html(
    "div",
    { class: "workbench-input" },
    html("p", { class: "workbench-hint" }, "Paste a function, drop a .npy or .npz file here, or load an example:"),
    html("p", { class: "run-bar" }, ...examples),
    area,
    fileNote,
    html("div", { class: "workbench-field" }, html("label", { for: wanted.id }, "What it should be"), wanted),
    configField,
    configOptions,
    chosenField,
    html("p", { class: "run-bar" }, judge, halt, open, picker),
    status,
  );
  halt.hidden = chosenField.hidden = true;
  configOptions.append(layerField, layoutField);
  block.replaceChildren(html("div", { class: "workbench-columns" }, input, result));
  result.append(html("p", { class: "workbench-hint" }, HINT));

  judge.addEventListener("click", run);
  halt.addEventListener("click", () => stop("stopped"));
  dropFile.addEventListener("click", () => setFile(null));
  for (const field of [wanted, config, area, layerType, layout, chosen]) field.addEventListener("input", changed);
  dropZone(input, takeFile);

  const link = await unpack(NAME);
  const reloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const linked = typeof link?.text === "string" && !(reloaded && unfinished.find());
  const opened = linked ? link : unfinished.find();
  if (opened) {
    area.value = opened.text;
    if ([...wanted.options].some(({ value }) => value === opened.reference)) wanted.value = opened.reference;
    if (typeof opened.config === "string") config.value = opened.config;
    if (linked) say("This code came with the link. Read it, and press Judge to run it in your browser.");
  }
  changed();
  try {
    const { grow } = await import("./config_editor.js");
    editor = grow(area, { run, changed });
  } catch {
    // the plain field does as well
  }
}

build();
