// Run Python in a worker, so that the page stays responsive. It loads Python as soon as it starts.
//
// In:  {page, card, mutant, mutantCard, edits}: run a page to the end of a card, or all of it, with
//      a mutant of the lines of `mutantCard` or none, and with the reader's edits;
//      {page, listMutants: card}, {page, listMistakes: card}: list its mutants, or only those with
//      a name; {exercise, text}: check an answer; {tool, ...arguments}: ask a tool of the
//      workbench, a module of browser.workbench; files among the arguments are Uint8Arrays.
// Out: {loaded: bytes, of: bytes}, {ready}, {count}, {outcome}, {mutants}, {verdict}, {answer},
//      {done}, or {error}; with `over` if Python itself has crashed.

const here = new URL("../../runtime/", import.meta.url);
const BYTES = 12.3e6; // the size of all archives, approximately
const ARCHIVES = { "numpy.tar": "/packages", "packages.tar": "/packages", "book.tar": "/book" };
const HEAD = 512; // bytes before each file of an archive; its length is padded to a multiple

const plain = self.fetch;
let loaded = 0;

/** Fetch a file of the runtime and unpack it here, since a host may not; count its bytes. */
async function fetchPacked(name) {
  const answer = await plain(new URL(`${name}.gz`, here));
  if (!answer.ok) throw new Error(`${name}.gz could not be loaded (${answer.status})`);
  const counted = new TransformStream({
    transform(chunk, out) {
      loaded += chunk.length;
      postMessage({ loaded, of: BYTES });
      out.enqueue(chunk);
    },
  });
  const body = answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(body, { headers: { "Content-Type": type } });
}

/** Load Pyodide from the packed files. */
async function loadInterpreter() {
  const names = ["pyodide.asm.wasm", "python_stdlib.zip"];
  const packed = Object.fromEntries(names.map((name) => [name, fetchPacked(name)])); // at once
  const { loadPyodide } = await import(new URL("pyodide.mjs", here));
  self.fetch = (address, ...rest) =>
    packed[String(address.url ?? address).split("/").at(-1)] ?? plain(address, ...rest);
  const python = await loadPyodide({ indexURL: here.href });
  self.fetch = plain;
  return python;
}

/** Write the files of a tar archive. */
function unpack({ FS }, archive, folder) {
  const text = (from, length) => String.fromCharCode(...archive.subarray(from, from + length)).replace(/\0.*/s, "");
  for (let at = 0; archive[at]; ) {
    const path = `${folder}/${text(at, 100)}`;
    const [from, size] = [at + HEAD, parseInt(text(at + 124, 12), 8)];
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, archive.subarray(from, from + size));
    at = from + Math.ceil(size / HEAD) * HEAD;
  }
}

/** Load the interpreter and the archives in parallel. */
async function start() {
  const archives = Object.entries(ARCHIVES).map(async ([name, folder]) => {
    const content = await (await fetchPacked(name)).arrayBuffer();
    return [new Uint8Array(content), folder];
  });
  const python = await loadInterpreter();
  // This build of NumPy needs a symbol that Pyodide lacks; 0 means no trace.
  python._module.mergeLibSymbols({ backtrace: () => 0 }, "stubs");
  for (const archive of archives) unpack(python, ...(await archive));
  python.runPython(`
    import sys
    sys.path[:0] = ["/book", "/book/docs/_hooks", "/packages"]
    from functools import cache
    from browser.exercise_check import check_answer
    from browser.page_session import PageSession
    from browser.workbench import run_tool
    open_page = cache(lambda name: PageSession(f"/book/docs/{name}"))
  `);
  return python;
}

const starting = start();

/** Load the weights of `posenc.trained` before the first page that uses them runs. */
async function loadWeights({ FS }, page) {
  const path = "/book/posenc/trained/data/minilm.npz";
  const source = FS.readFile(`/book/docs/${page}`, { encoding: "utf8" });
  if (!source.includes("posenc.trained") || FS.analyzePath(path).exists) return;
  const answer = await plain(new URL("minilm.npz", here));
  if (!answer.ok) throw new Error(`minilm.npz could not be loaded (${answer.status})`);
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  FS.writeFile(path, new Uint8Array(await answer.arrayBuffer()));
}

async function answer({ page, card = "", mutant = null, mutantCard = "", edits = [], ...request }) {
  const { listMutants, listMistakes, exercise, text } = request;
  const python = await starting;
  if (exercise) {
    postMessage({ ready: true });
    postMessage({ verdict: JSON.parse(python.globals.get("check_answer")(exercise, text)) });
    return;
  }
  await loadWeights(python, page);
  const session = python.globals.get("open_page")(page);
  if (listMutants) {
    postMessage({ mutants: JSON.parse(session.list_mutants(listMutants)) });
    return;
  }
  if (listMistakes) {
    postMessage({ mutants: JSON.parse(session.list_named_mistakes(listMistakes)) });
    return;
  }
  const refused = JSON.parse(session.apply_edits(JSON.stringify(edits)));
  if (refused) {
    postMessage({ error: refused });
    return;
  }
  postMessage({ count: JSON.parse(session.count_examples(card, mutant ?? undefined, mutantCard)) });
  for (const outcome of session.run(card, mutant ?? undefined, mutantCard)) {
    postMessage({ outcome: JSON.parse(outcome) });
  }
  postMessage({ done: true });
}

async function askTool({ tool, ...given }) {
  const python = await starting;
  postMessage({ ready: true });
  postMessage({ answer: JSON.parse(python.globals.get("run_tool")(tool, python.toPy(given))) });
}

/** The last line of a traceback, which names the error. */
const lastLine = (text) => text.trim().split("\n").at(-1);

/** The message for an error of Python, or for a crash of Python itself. */
function describe(error) {
  if (error.constructor.name === "PythonError") return { error: lastLine(error.message) };
  return { over: true, error: `Python crashed: ${lastLine(String(error.message ?? error))}` };
}

let previous = Promise.resolve();

onmessage = ({ data }) => {
  const reply = data.tool ? askTool : answer;
  previous = previous.then(() => reply(data)).catch((error) => postMessage(describe(error)));
};
