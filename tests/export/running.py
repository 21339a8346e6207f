"""Run scripts in the percent format, cell by cell, as an editor does, and say what they answer.

    python running.py relative.py rotary.py

prints JSON: for each script and each of its cells the answer. Each script has a process of
its own, which begins with NumPy and Matplotlib loaded.
"""

import ast
import contextlib
import io
import json
import os
import re
import sys
import traceback
import warnings
from pathlib import Path

CELL = re.compile(r"^# %%(?P<kind>[^\n]*)\n(?P<source>(?:(?!# %%)[^\n]*\n)*)", re.MULTILINE)


def answers(script: str, path: str) -> list[str]:
    """Return what each cell prints, followed by the value of its last line."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    found = []
    for cell in CELL.finditer(script):
        if cell["kind"]:
            continue
        printed = io.StringIO()
        tree = ast.parse(cell["source"])
        ends = bool(tree.body) and isinstance(tree.body[-1], ast.Expr)
        last = ast.Expression(tree.body.pop().value) if ends else None  # type: ignore[attr-defined]
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, path, "exec"), namespace)
            value = eval(compile(last, path, "eval"), namespace) if last else None
        shown = "" if value is None or type(value).__name__ == "Figure" else f"{value!r}\n"
        found.append(printed.getvalue() + shown)
    return found


def main(paths: list[str]) -> None:
    """Run each script and print what came of it."""
    import matplotlib.figure  # noqa: F401, what every script takes long to load

    import posenc

    print(json.dumps(["posenc", posenc.__file__]))
    for path in paths:
        sys.stdout.flush()
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        try:
            warnings.simplefilter("error")
            found: object = answers(Path(path).read_text("utf-8"), path)
        except BaseException:
            found = traceback.format_exc()
        print(json.dumps([Path(path).name, found]), flush=True)
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
