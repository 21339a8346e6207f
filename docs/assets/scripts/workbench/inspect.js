// The page Inspect a model: a config in, what each kind of layer does with positions out.

import { button, html } from "../explorers/parts/elements.js";
import { calm } from "../explorers/parts/page.js";
import { ask, loading, stop } from "../run/python.js";
import { showOther } from "./inspect_other.js";
import { showResult } from "./inspect_result.js";
import { codeArea, draft, dropZone, fileButton, plain, statusLine } from "./input.js";
import { pack, unpack } from "./link.js";
import { copyButton } from "./tables.js";

const PATIENCE = 60_000; // milliseconds that an answer may take
const LARGEST_FILE = 2_000_000; // bytes; configs have a few thousand
const MODELS = new URL("../../workbench/models.json", import.meta.url);
const FIRST = ["Llama 3.1 8B", "Gemma 3 12B", "DeepSeek V3", "gpt-oss-20b"];
const NAME = "config";
const TYPING = /^(insertText|insertComposition|delete)/;
const HINT =
  "The result appears here: which layers rotate, wavelengths against the context length, what a scaling rule " +
  "changed, positions that coincide in bfloat16, and the size of the cache. The first press loads Python, about 12 MB.";

const block = document.querySelector("[data-tool=inspect]");
const area = codeArea("config.json", '{"model_type": "llama", …}');
let editor = plain(area);

const list = html("datalist", { id: "workbench-models" });
const choice = html("input", { list: list.id, id: "workbench-choice", placeholder: "Search by name, such as qwen", autocomplete: "off" });
const length = html("input", { id: "workbench-length", type: "number", min: 0, step: 1, inputmode: "numeric" });
const part = html("select", { id: "workbench-part" }, html("option", { value: "" }, "the text model"));
const partField = html("div", { class: "workbench-field", hidden: true }, html("label", { for: part.id }, "Part"), part);
const [inspect, halt] = [button("Inspect", { class: "md-button md-button--primary" }), button("Stop")];
const [open, picker] = fileButton("Open a file", ".json,application/json", takeFile);
const [status, say] = statusLine();
const stale = html("p", { class: "workbench-hint", hidden: true }, "Edited since: this is the result of the earlier config.");
const result = html("div", { class: "workbench-result" });

/** What the reader has put in, as the worker takes it. */
const given = () => ({
  text: editor.text(),
  seq_len: length.value === "" ? null : Number(length.value),
  part: partField.hidden ? null : part.value || null,
});

const unfinished = draft("inspect");
let shown = ""; // what the result is of
let models;

/** List the parts of a multimodal config, if it has several. */
function listParts() {
  let names = [];
  try {
    names = Object.entries(JSON.parse(editor.text())).filter(([name, value]) => /_config$/.test(name) && value?.hidden_size);
  } catch {
    // a config that isn't finished has no parts yet
  }
  const options = names.map(([name]) => html("option", { value: name, selected: name === part.value }, name));
  part.replaceChildren(html("option", { value: "" }, "the text model"), ...options);
  partField.hidden = options.length < 2;
}

function changed() {
  listParts();
  stale.hidden = !shown || JSON.stringify(given()) === shown;
  unfinished.keep(given());
}

/** Ask Python for what a wish names, and say how far it is. */
async function request(wish) {
  [inspect.hidden, halt.hidden] = [true, false];
  say("Loading Python");
  try {
    return await ask({ tool: "inspect", ...wish }, (data) => say(data.ready ? "Computing" : loading(data)), PATIENCE);
  } catch (error) {
    stop(); // a crash, or an error that isn't the reader's
    say(error.message, "failed");
    return null;
  } finally {
    [inspect.hidden, halt.hidden] = [false, true];
  }
}

async function run() {
  if (inspect.hidden) return;
  const wish = given();
  if (!wish.text.trim()) {
    say("Paste a config, open a file, or choose a model first.");
    return;
  }
  const answer = await request(wish);
  if (!answer) return;
  editor.blame(answer.refused);
  if (answer.refused) {
    say(answer.refused.message, "failed");
    return;
  }
  shown = JSON.stringify(wish);
  const show = answer.sections ? showOther : showResult;
  result.replaceChildren(stale, ...show(answer, files(wish)));
  say("");
  const below = result.getBoundingClientRect().top > innerHeight / 2; // on a phone
  if (below) result.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
  const link = await makeLink(wish);
  if (link) history.replaceState(history.state, "", link);
  changed();
}

/** The address of this page with a config, without the spaces that make it readable. */
async function makeLink({ text, seq_len, part: named }) {
  let config;
  try {
    config = JSON.parse(text);
  } catch {
    return null; // Python reads NaN, which is no JSON
  }
  const fragment = await pack(NAME, { config, seq_len, part: named });
  return fragment && location.pathname + location.search + fragment;
}

/** Buttons for the link and the files of a result. */
function files(wish) {
  const download = async (file) => {
    const answer = await request({ ...wish, file });
    if (!answer) return;
    const bytes = Uint8Array.from(atob(answer.base64), (one) => one.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([bytes]));
    const save = html("a", { href: address, download: `positions.${file}` });
    block.append(save); // some browsers only follow links of the document
    save.click();
    save.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    say("");
    changed();
  };
  const buttons = ["npz", "csv"].map((file) => {
    const made = button(`Download .${file}`);
    made.addEventListener("click", () => download(file));
    return made;
  });
  const link = copyButton("Copy link", async () => {
    const address = await makeLink(wish);
    if (!address) throw new Error("too long");
    return new URL(address, location.href).href;
  });
  return html("p", { class: "run-bar" }, link, ...buttons);
}

async function takeFile(file) {
  if (file.size > LARGEST_FILE) {
    say(`${file.name} has ${(file.size / 1e6).toFixed(1)} MB, which is too much for a config.`, "failed");
    return;
  }
  const text = await file.text();
  if (/[\0\ufffd]/.test(text)) say(`${file.name} is not a text file.`, "failed");
  else take(text);
}

function take(text) {
  editor.set(text);
  listParts();
  run();
}

/** Fetch the list of models when somebody is about to choose one. */
async function listModels() {
  models ??= fetch(MODELS).then((answer) => answer.json());
  const found = await models;
  if (!list.children.length) list.append(...Object.keys(found).map((value) => html("option", { value })));
  return found;
}

let chosen = "";

/** Take a model from the list, once: browsers report a choice by one or two events. */
async function choose(name) {
  const config = (await listModels())[name];
  const again = name === chosen;
  chosen = config ? name : "";
  if (config && !again) take(write(config));
}

/** A config as text, with lists of numbers or words in one line. */
const write = (config) =>
  JSON.stringify(config, null, 2).replace(/\[[^[\]{}]*\]/g, (list) => list.replace(/\s+/g, " "));

async function build() {
  const examples = FIRST.map((name) => {
    const made = button(name);
    made.addEventListener("click", () => {
      choice.value = name;
      chosen = "";
      choose(name);
    });
    return made;
  });
  const input = html(
    "div",
    { class: "workbench-input" },
    html("div", { class: "workbench-field" }, html("label", { for: choice.id }, "Choose a model"), choice, list),
    html("p", { class: "run-bar" }, ...examples),
    html("p", { class: "workbench-hint" }, "Or paste a config.json, or drop one here. It stays in your browser."),
    area,
    partField,
    html("div", { class: "workbench-field" }, html("label", { for: length.id }, "Positions now (optional)"), length),
    html("p", { class: "run-bar" }, inspect, halt, open, picker),
    status,
  );
  halt.hidden = true;
  block.replaceChildren(html("div", { class: "workbench-columns" }, input, result));
  result.append(html("p", { class: "workbench-hint" }, HINT));

  inspect.addEventListener("click", run);
  halt.addEventListener("click", () => stop("stopped"));
  choice.addEventListener("focus", listModels);
  choice.addEventListener("change", () => choose(choice.value));
  choice.addEventListener("input", ({ inputType = "" }) => {
    if (!TYPING.test(inputType)) choose(choice.value); // picked from the list, not typed
  });
  for (const field of [length, part, area]) field.addEventListener("input", changed);
  dropZone(input, takeFile);

  const link = await unpack(NAME);
  const opened = link?.config && typeof link.config === "object" ? link : null;
  area.value = opened ? write(opened.config) : (unfinished.find()?.text ?? "");
  try {
    const { grow } = await import("./config_editor.js");
    editor = grow(area, { run, changed });
  } catch {
    // the plain field does as well
  }
  if (!opened) return;
  if (Number.isSafeInteger(opened.seq_len)) length.value = opened.seq_len;
  listParts();
  if ([...part.options].some(({ value }) => value === opened.part)) part.value = opened.part;
  run();
}

build();
