"""What the benchmarks share: medians of interleaved runs, goals beside them, and a file."""

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

import numpy as np

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


def show(line: Line) -> Line:
    """Print one line, and return it."""
    print(f"{line['what']:54} {line['measured']:8.1f}   {line['goal']}".rstrip(), flush=True)
    return line


def file_asked_for(description: str | None) -> Path | None:
    """Return where the command line says that results go, if it does."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="store what was measured")
    asked: Path | None = parser.parse_args().json
    return asked


def store(file: Path | None, lines: list[Line]) -> None:
    """Write lines into a file, with the machine and the versions that they hold for."""
    if file is None:
        return
    about = {
        "machine": platform.machine(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    text = json.dumps({"about": about, "lines": lines}, indent=1, ensure_ascii=False)
    file.write_text(text + "\n", encoding="utf-8")
