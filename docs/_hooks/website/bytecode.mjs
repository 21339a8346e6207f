// Bytecode for the reader's browser, which would else compile each file whenever it starts: made
// by the very Python that runs there.
//   node bytecode.mjs PYODIDE TREES '[{"level": 2, "beside": false}, …]'
// TREES holds a folder for each of these, called 0, 1, …: for each x.py in it, x.pyc is written, to
// take its place, or `beside` it in __pycache__. What Python calls the level of optimization leaves
// out docstrings and assertions where it is 2.
// It is the same whenever it is made of the same.
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, trees] = process.argv.slice(2, 4).map((name) => path.resolve(name));
const asked = process.argv[4];

async function main() {
  const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
  const env = { HOME: "/home/pyodide", PYTHONHASHSEED: "0" }; // by which sets are written in one order
  const python = await loadPyodide({ indexURL: pyodide + path.sep, env });
  python.mountNodeFS("/trees", trees);
  python.globals.set("asked", asked);
  return python.runPython(`
    import compileall
    import json
    from py_compile import PycInvalidationMode

    all([
        compileall.compile_dir(
            f"/trees/{number}",
            quiet=1,
            legacy=not tree["beside"],
            optimize=tree["level"],
            stripdir=f"/trees/{number}",
            invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        )
        for number, tree in enumerate(json.loads(asked))
    ])
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
