"""How fast are queries and keys turned? Ratios to copying an array of the same size.

    uv run python benchmarks/rotary.py

Medians of several interleaved runs, each into memory of its own: a ratio of 1 is the speed
of memory. `apply` computes cosines and sines for each call, `pairs` is given them, as where
many layers share them; `halves` is the formula as most programs have it, with a rotated copy.
"""

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc

SIZES = [(1, 8, 1, 128), (1, 8, 512, 64), (1, 8, 4096, 128), (4, 8, 2048, 128)]
RUNS = 7


def copy(x: NDArray[Any]) -> None:
    """Copy into new memory."""
    np.copyto(np.empty_like(x), x)


def halves(x: NDArray[Any], positions: NDArray[Any]) -> NDArray[Any]:
    """Return x turned in the half layout, as most programs do."""
    half = x.shape[-1] // 2
    angles = np.outer(positions, 10000.0 ** (-np.arange(half) / half))
    cos, sin = (np.tile(table(angles), 2).astype(x.dtype) for table in (np.cos, np.sin))
    rotated = np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return np.asarray(x * cos + rotated * sin)


def seconds(function: Callable[[], object]) -> float:
    """Return the time of one call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main() -> None:
    """Print a line for each size, number type and layout."""
    names = ("apply/copy", "pairs/copy", "halves/copy")
    print(f"{'shape':>18} {'dtype':>8} {'layout':>12}", *(f"{name:>12}" for name in names))
    for shape in SIZES:
        positions = np.arange(shape[-2])
        cos, sin = posenc.rotary_cos_sin(positions, shape[-1])
        for dtype in ("float64", "float32"):
            x = np.random.default_rng(0).normal(size=shape).astype(dtype)
            for layout in ("interleaved", "half"):
                methods: dict[str, Callable[[], object]] = {
                    "copy": partial(copy, x),
                    "apply": partial(posenc.apply_rotary, x, positions, layout=layout),
                    "pairs": partial(posenc.rotate_pairs, x, cos, sin, layout=layout),
                    "halves": partial(halves, x, positions),
                }
                runs = [
                    {name: seconds(call) for name, call in methods.items()} for _ in range(RUNS)
                ]
                copying, *times = (statistics.median(run[name] for run in runs) for name in methods)
                ratios = (f"{value / copying:12.1f}" for value in times)
                print(f"{'x'.join(map(str, shape)):>18} {dtype:>8} {layout:>12}", *ratios)


if __name__ == "__main__":
    main()
