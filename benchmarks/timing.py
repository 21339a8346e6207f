"""What the benchmarks share: medians of interleaved runs, goals beside them, and a file."""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from datetime import date
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypedDict

Calls = dict[str, Callable[[], object]]


class Line(TypedDict):
    """One thing measured; a goal is the most it should be, or with "≥" the least."""

    what: str
    measured: float
    goal: str


def medians(calls: Calls, runs: int, repeats: int = 1) -> dict[str, float]:
    """Return the seconds of each call, the median of several rounds of all of them.

    They are those that this thread spends on the processor: other work on the machine makes
    it wait, which would count.
    """
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(runs):
        for name, call in calls.items():
            start = time.thread_time()
            for _ in range(repeats):
                call()
            times[name].append((time.thread_time() - start) / repeats)
    return {name: statistics.median(spent) for name, spent in times.items()}


def ours() -> dict[str, Any]:
    """Return who makes tables and turns queries: `posenc`, and `posenc.numba` beside numba."""
    names = ["posenc", *(["posenc.numba"] if find_spec("numba") else [])]
    return {name: import_module(name) for name in names}


def versions_of(*packages: str) -> tuple[str, ...]:
    """Return the packages whose versions are stored, numba among them if it is there."""
    return (*packages, "numpy", *(["numba"] if find_spec("numba") else []))


def show(line: Line) -> Line:
    """Print one line, and return it."""
    print(f"{line['what']:64} {line['measured']:8.1f}   {line['goal']}".rstrip(), flush=True)
    return line


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return what reads the command line of a benchmark, which may have arguments of its own."""
    found = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    found.add_argument("--json", type=Path, metavar="FILE", help="store what was measured")
    return found


def file_asked_for(description: str | None) -> Path | None:
    """Return where the command line says that results go, if it does."""
    asked: Path | None = parser(description).parse_args().json
    return asked


def met(line: Line) -> bool:
    """Return whether what was measured is at most, or at least, what its goal says."""
    sign, _, bound = line["goal"].partition(" ")
    if sign not in ("≤", "≥"):
        raise ValueError(f"a goal begins with ≤ or ≥, got {line['goal']!r}")
    return line["measured"] <= float(bound) if sign == "≤" else line["measured"] >= float(bound)


def missed(lines: list[Line]) -> int:
    """Print the goals that are missed, and return the exit code that says whether any is."""
    wrong = [line for line in lines if line["goal"] and not met(line)]
    for line in wrong:
        print(f"missed: {line['what']}: {line['measured']:.6g}, not {line['goal']}")
    return bool(wrong)


def store(
    file: Path | None,
    lines: list[Line],
    *,
    table: list[dict[str, Any]] | None = None,
    packages: tuple[str, ...] = ("numpy",),
    command: str = "",
    options: str = "",
) -> None:
    """Write lines into a file, with the machine and the versions that they hold for.

    `table` has rows of any columns, beside the lines. In `docs/reference/measured/`, what is
    stored is shown on the page *What was measured*, where `goals.toml` names the file.
    """
    if file is None:
        return
    beside = f"--with numba=={version('numba')} " if "numba" in packages else ""
    about = {
        "date": date.today().isoformat(),
        "command": command or f"uv run {beside}python -m {_module()} {options}".rstrip(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "versions": {"Python": platform.python_version()}
        | {package: version(package) for package in packages},
    }
    judged = [line | {"met": met(line) if line["goal"] else None} for line in lines]
    said = {"about": about, "lines": judged} | ({"table": table} if table else {})
    file.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _module() -> str:
    """Return the name of the module that is run, as `python -m` has it."""
    spec = sys.modules["__main__"].__spec__
    return spec.name if spec else Path(sys.argv[0]).stem
