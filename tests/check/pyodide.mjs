// Run the checks of a page in Pyodide, the Python of browsers: load it with NumPy and print a result.
//   node pyodide.mjs NODE_MODULES BOOK
// BOOK is mounted at /book. `check_folder` of its sessions.py is called with each folder of pages.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, book] = process.argv.slice(2).map((name) => path.resolve(name));

async function main() {
  const folder = path.join(modules, "pyodide");
  const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
  const python = await loadPyodide({ indexURL: folder + path.sep });

  // This build of NumPy needs a symbol that Pyodide does not have; 0 means no backtrace.
  python._module.mergeLibSymbols({ backtrace: () => 0 }, "stubs");
  const packed = path.join(modules, "@emscripten-forge/numpy/pkg");
  for (const name of readdirSync(packed))
    python.unpackArchive(new Uint8Array(readFileSync(path.join(packed, name))), "gztar", { extractDir: "/" });

  python.mountNodeFS("/book", book);
  return python.runPython(`
    import json, sys
    from pathlib import Path

    sys.path[:0] = ["/book", "/book/docs/_hooks", "/book/packages"]
    from sessions import check_folder

    json.dumps({
        "python": sys.platform,
        **{folder.name: check_folder(folder) for folder in Path("/book/pages").iterdir()},
    })
  `);
}

// Print only the message of an error: the line that Node would print has a megabyte.
main().then(console.log, (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
