// Python in a browser's engine: loads Pyodide and NumPy, and prints what a function returns.
//   node pyodide.mjs NODE_MODULES BOOK
// BOOK becomes /book; `checked` of its sessions.py gets each folder of docs, and returns JSON.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, book] = process.argv.slice(2).map((name) => path.resolve(name));

async function main() {
  const folder = path.join(modules, "pyodide");
  const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
  const python = await loadPyodide({ indexURL: folder + path.sep });

  // This build of NumPy wants a symbol that Pyodide lacks; 0 says that there is no trace.
  python._module.mergeLibSymbols({ backtrace: () => 0 }, "stubs");
  const packed = path.join(modules, "@emscripten-forge/numpy/pkg");
  for (const name of readdirSync(packed))
    python.unpackArchive(new Uint8Array(readFileSync(path.join(packed, name))), "gztar", { extractDir: "/" });

  python.mountNodeFS("/book", book);
  return python.runPython(`
    import json, sys
    from pathlib import Path

    sys.path[:0] = ["/book", "/book/docs/_hooks", "/book/packages"]
    from sessions import checked

    json.dumps({
        "python": sys.platform,
        **{folder.name: checked(folder) for folder in Path("/book/pages").iterdir()},
    })
  `);
}

// Of an error its message alone: Node would show the line that threw it, which has a megabyte.
main().then(console.log, (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
