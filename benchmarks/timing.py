"""Shared by all benchmarks: medians of interleaved runs, goals, and files with results."""

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
    """A result with its goal, which is an upper bound, or a lower bound with "≥"."""

    what: str
    measured: float
    goal: str


def measure_medians(calls: Calls, runs: int, repeats: int = 1) -> dict[str, float]:
    """Return the seconds that each call takes, as a median over interleaved rounds.

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


def list_own_packages() -> dict[str, Any]:
    """Return the packages to measure: `posenc`, and `posenc.numba` if numba is installed."""
    names = ["posenc", *(["posenc.numba"] if find_spec("numba") else [])]
    return {name: import_module(name) for name in names}


def list_measured_packages(*packages: str) -> tuple[str, ...]:
    """Return the names of the packages whose versions are stored."""
    return (*packages, "numpy", *(["numba"] if find_spec("numba") else []))


def print_line(line: Line) -> Line:
    """Print and return a result."""
    print(f"{line['what']:64} {line['measured']:8.1f}   {line['goal']}".rstrip(), flush=True)
    return line


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Return the parser for the command line of a benchmark."""
    found = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    found.add_argument("--json", type=Path, metavar="FILE", help="store what was measured")
    return found


def get_output_file(description: str | None) -> Path | None:
    """Return the file for results that the command line names, or None."""
    asked: Path | None = make_parser(description).parse_args().json
    return asked


def is_met(line: Line) -> bool:
    """Return whether a result meets its goal."""
    sign, _, bound = line["goal"].partition(" ")
    if sign not in ("≤", "≥"):
        raise ValueError(f"a goal begins with ≤ or ≥, got {line['goal']!r}")
    return line["measured"] <= float(bound) if sign == "≤" else line["measured"] >= float(bound)


def count_missed(lines: list[Line]) -> int:
    """Print the goals that are missed, and return the exit code: 1 if there are any."""
    wrong = [line for line in lines if line["goal"] and not is_met(line)]
    for line in wrong:
        print(f"missed: {line['what']}: {line['measured']:.6g}, not {line['goal']}")
    return bool(wrong)


def store_lines(
    file: Path | None,
    lines: list[Line],
    *,
    table: list[dict[str, Any]] | None = None,
    packages: tuple[str, ...] = ("numpy",),
    command: str = "",
    options: str = "",
) -> None:
    """Store results in a file, with date, machine and versions.

    `table` has rows of any columns, beside the lines. In `docs/reference/measured/`, what is
    stored is shown on the page *What was measured*, where `goals.toml` names the file.
    """
    if file is None:
        return
    beside = f"--with numba=={version('numba')} " if "numba" in packages else ""
    about = {
        "date": date.today().isoformat(),
        "command": command or f"uv run {beside}python -m {_get_module_name()} {options}".rstrip(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "versions": {"Python": platform.python_version()}
        | {package: version(package) for package in packages},
    }
    judged = [line | {"met": is_met(line) if line["goal"] else None} for line in lines]
    said = {"about": about, "lines": judged} | ({"table": table} if table else {})
    file.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _get_module_name() -> str:
    """Return the name of the running module, for `python -m`."""
    spec = sys.modules["__main__"].__spec__
    return spec.name if spec else Path(sys.argv[0]).stem
