// Compile Python modules for the reader's browser, with the same Pyodide that runs there, so that
// the browser doesn't have to compile them at each start.
//   node bytecode.mjs PYODIDE TREES '[{"level": 2, "keepSources": false}, …]'
// TREES has a folder for each of these options, named 0, 1, …. Each x.py in it gets its bytecode as
// x.pyc in the same folder, or in __pycache__ if the sources are kept. Optimization level 2 removes
// docstrings and assertions. The bytecode depends only on the sources.
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, trees] = process.argv.slice(2, 4).map((name) => path.resolve(name));
const options = process.argv[4];

async function main() {
  const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
  const env = { HOME: "/home/pyodide", PYTHONHASHSEED: "0" }; // or the order of sets would vary
  const python = await loadPyodide({ indexURL: pyodide + path.sep, env });
  python.mountNodeFS("/trees", trees);
  python.globals.set("options", options);
  return python.runPython(`
    import compileall
    import json
    from py_compile import PycInvalidationMode

    all([
        compileall.compile_dir(
            f"/trees/{number}",
            quiet=1,
            legacy=not tree["keepSources"],
            optimize=tree["level"],
            stripdir=f"/trees/{number}",
            invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        )
        for number, tree in enumerate(json.loads(options))
    ])
  `);
}

main().then(
  (compiled) => {
    process.exitCode = compiled ? 0 : 1;
  },
  (error) => {
    // Only the message: Node would print the line that threw it, which is a megabyte long.
    console.error(error.message);
    process.exitCode = 1;
  },
);
