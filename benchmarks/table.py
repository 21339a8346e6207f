"""How fast is a sinusoidal table? Ratios to filling an array of the same size.

    uv run python benchmarks/table.py

Medians of several interleaved runs, each into memory of its own: a ratio of 1 is the speed
of memory. `plain` is the formula as most programs have it, sine and cosine of an outer
product; `product` is `posenc`, which turns one row in 128 to get the others.
"""

import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import posenc

SIZES = [(512, 512), (4096, 1024), (32768, 1024), (131072, 512)]
RUNS = 7


def plain(seq_len: int, d_model: int) -> np.ndarray:
    """Return the table as most programs compute it."""
    omega = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.arange(seq_len)[:, np.newaxis] * omega
    table = np.empty((seq_len, d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def seconds(function: Callable[[], object]) -> float:
    """Return the time of one call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main() -> None:
    """Print a line for each size."""
    print(
        f"{'positions':>10} {'channels':>9} {'plain/fill':>11} {'product/fill':>13} {'speed-up':>9}"
    )
    for seq_len, d_model in SIZES:
        methods = {
            "fill": partial(np.full, (seq_len, d_model), 0.5),
            "plain": partial(plain, seq_len, d_model),
            "product": partial(posenc.sinusoidal_positional_encoding, seq_len, d_model),
        }
        runs = [{name: seconds(call) for name, call in methods.items()} for _ in range(RUNS)]
        fill, slow, fast = (statistics.median(run[name] for run in runs) for name in methods)
        print(f"{seq_len:9} {d_model:9} {slow / fill:11.1f} {fast / fill:13.1f} {slow / fast:9.1f}")


if __name__ == "__main__":
    main()
