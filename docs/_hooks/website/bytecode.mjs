// Bytecode for the reader's browser, which would else compile each file whenever it starts: made
// by the very Python that runs there.
//   node bytecode.mjs PYODIDE TREES LEVEL [beside]
// For each x.py in TREES, x.pyc is written, to take its place, or `beside` it in __pycache__. LEVEL
// is what Python calls the level of optimization: 2 leaves out docstrings and assertions.
// It is the same whenever it is made of the same.
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, trees] = process.argv.slice(2, 4).map((name) => path.resolve(name));
const [level, beside] = process.argv.slice(4);

async function main() {
  const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
  const env = { HOME: "/home/pyodide", PYTHONHASHSEED: "0" }; // by which sets are written in one order
  const python = await loadPyodide({ indexURL: pyodide + path.sep, env });
  python.mountNodeFS("/trees", trees);
  python.globals.set("level", Number(level));
  python.globals.set("beside", beside === "beside");
  return python.runPython(`
    import compileall
    from py_compile import PycInvalidationMode

    compileall.compile_dir(
        "/trees",
        quiet=1,
        legacy=not beside,
        optimize=level,
        stripdir="/trees",
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )
  `);
}

// Of an error its message alone: Node would show the line that threw it, which has a megabyte.
main().then(
  (whole) => {
    process.exitCode = whole ? 0 : 1;
  },
  (error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
