// Python in a worker, so that the page never waits: loads it once, then runs what is asked for.
//
// It starts to load when it is made, asked or not.
//
// In:  {page, card, fault, of, edits}: run a page to the end of a card, or all of it; with a fault
//      of the lines of card `of` in place, or none, and with what a reader has changed;
//      {broken: card}: what its faults are; {named: card}: those with a name; {exercise, text}:
//      judge an answer.
// Out: {loaded: bytes, of: bytes}, {ready}, {count}, {outcome}, {faults}, {judged}, {done}, or
//      {error}; `over` where Python did not survive it.

const here = new URL("../../runtime/", import.meta.url);
const BYTES = 11.6e6; // that all archives have together, about
const ARCHIVES = { "numpy.tar": "/packages", "packages.tar": "/packages", "book.tar": "/book" };
const HEAD = 512; // bytes before each file of an archive, and what its length is rounded up to

const plain = self.fetch;
let loaded = 0;

/** A packed file of the runtime: counted, and unpacked here, as no host has to know how. */
async function fetched(name) {
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

/** Pyodide, which finds unpacked what it fetches. */
async function interpreter() {
  const names = ["pyodide.asm.wasm", "python_stdlib.zip"];
  const packed = Object.fromEntries(names.map((name) => [name, fetched(name)])); // at once
  const { loadPyodide } = await import(new URL("pyodide.mjs", here));
  self.fetch = (address, ...rest) =>
    packed[String(address.url ?? address).split("/").at(-1)] ?? plain(address, ...rest);
  const python = await loadPyodide({ indexURL: here.href });
  self.fetch = plain;
  return python;
}

/** Write the files of a tar archive: of each its name and size count. */
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

/** The interpreter and all that it imports, asked for at once. */
async function start() {
  const archives = Object.entries(ARCHIVES).map(async ([name, folder]) => {
    const content = await (await fetched(name)).arrayBuffer();
    return [new Uint8Array(content), folder];
  });
  const python = await interpreter();
  // This build of NumPy wants a symbol that Pyodide lacks; 0 says that there is no trace.
  python._module.mergeLibSymbols({ backtrace: () => 0 }, "stubs");
  for (const archive of archives) unpack(python, ...(await archive));
  python.runPython(`
    import sys
    sys.path[:0] = ["/book", "/book/docs/_hooks", "/packages"]
    from functools import cache
    from browser.exercise_check import judged
    from browser.page_session import Running
    page = cache(lambda name: Running(f"/book/docs/{name}"))
  `);
  return python;
}

const starting = start();

async function answer({ page, card = "", fault = null, of = "", edits = [], ...wish }) {
  const { broken, named, exercise, text } = wish;
  const python = await starting;
  if (exercise) {
    postMessage({ ready: true });
    postMessage({ judged: JSON.parse(python.globals.get("judged")(exercise, text)) });
    return;
  }
  const running = python.globals.get("page")(page);
  if (broken || named) {
    postMessage({ faults: JSON.parse(broken ? running.broken(broken) : running.named(named)) });
    return;
  }
  const refused = JSON.parse(running.edit(JSON.stringify(edits)));
  if (refused) {
    postMessage({ error: refused });
    return;
  }
  postMessage({ count: JSON.parse(running.examples(card, fault ?? undefined, of)) });
  for (const outcome of running.run(card, fault ?? undefined, of)) {
    postMessage({ outcome: JSON.parse(outcome) });
  }
  postMessage({ done: true });
}

/** The last line of a traceback says what is wrong. */
const last = (text) => text.trim().split("\n").at(-1);

/** What went wrong, as an answer: an error of Python, or the end of Python itself. */
function wrong(error) {
  if (error.constructor.name === "PythonError") return { error: last(error.message) };
  return { over: true, error: `Python had to give up: ${last(String(error.message ?? error))}` };
}

let before = Promise.resolve();

onmessage = ({ data }) => {
  before = before.then(() => answer(data)).catch((error) => postMessage(wrong(error)));
};
