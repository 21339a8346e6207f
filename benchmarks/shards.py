"""Can Dask make and reduce, shard by shard, a table that is larger than memory?

    uv run python -m benchmarks.shards [--rows N] [--json FILE]

An encoding depends only on positions, so each shard can compute its rows anywhere from their first
position. The sums over 10^8 positions are compared with a closed form in 50 digits. The sums of
their bit patterns, which depend on every bit but not on the order, are compared with those of
shards of another size. The goal for memory allows each thread one block in progress and one that
waits for its sum. The exit code is 1 if a goal is missed.
"""

import resource
import sys
from argparse import ArgumentParser
from functools import partial
from itertools import pairwise
from typing import Any

import dask.array as da
import mpmath
import numpy as np
from numpy.typing import NDArray

import posenc
from benchmarks.timing import Line, count_missed, make_parser, print_line, store_lines

Array = NDArray[Any]

ROWS, CHANNELS, BLOCK = 10**8, 64, 2**17
OTHER_ROWS = 99_991  # rows per shard for a second way of cutting; a prime
THREADS = 2
QUERIES, SHARDS = (1, 8, 4096, 128), (0, 1, 130, 1000, 1007, 2048, 4095, 4096)


def make_shard(positions: Array, d_model: int) -> Array:
    """Return the rows of a shard, given its consecutive positions."""
    start = int(positions[0])
    return posenc.sinusoidal_positional_encoding(len(positions), d_model, start=start)


def make_table(rows: int, d_model: int, block: int) -> Any:
    """Return a lazy table of the first positions."""
    positions = da.arange(rows, chunks=block)
    return positions.map_blocks(
        make_shard,
        d_model,
        new_axis=1,
        chunks=(*positions.chunks, (d_model,)),
        meta=np.empty((0, 0)),
    )


def sum_bits(rows: Array) -> Array:
    """Return for each column the sum of the bit patterns, as integers modulo 2^64: (1, d)."""
    return np.asarray(rows.view(np.uint64).sum(axis=0, keepdims=True))


def reduce_table(rows: int, d_model: int, block: int) -> tuple[Array, Array]:
    """Return the sums of the columns of a table, as numbers and as bit patterns."""
    whole = make_table(rows, d_model, block)
    digest = whole.map_blocks(sum_bits, chunks=((1,) * whole.numblocks[0], (d_model,)))
    found = da.compute(
        whole.sum(axis=0), digest.sum(axis=0), scheduler="threads", num_workers=THREADS
    )
    sums, bits_of_columns = found
    return np.asarray(sums), np.asarray(bits_of_columns)


def sum_bits_with_other_cuts(rows: int, d_model: int) -> Array:
    """Return the sums of bit patterns for shards that are cut at other rows."""
    total = np.zeros((1, d_model), np.uint64)
    for start in range(0, rows, OTHER_ROWS):
        length = min(OTHER_ROWS, rows - start)
        total += sum_bits(posenc.sinusoidal_positional_encoding(length, d_model, start=start))
    return np.asarray(total[0])


def compute_sums(rows: int, d_model: int) -> tuple[Array, Array]:
    """Return the exact sums of the columns, with 50 digits, and a bound on the error of a sum.

    Each entry may be off by 5e-16, as documented; each addition by half a unit in the last place
    of what has come together so far, which is at most the number of rows, and in a wave at most
    what half a period holds.
    """
    sums, bounds = [], []
    with mpmath.workdps(50):
        for i in range(d_model // 2):
            w = mpmath.mpf(10000) ** (-mpmath.mpf(2 * i) / d_model)
            height = mpmath.sin(rows * w / 2) / mpmath.sin(w / 2)
            middle = (rows - 1) * w / 2
            sums += [float(height * mpmath.sin(middle)), float(height * mpmath.cos(middle))]
            largest = min(rows, float(2 / mpmath.sin(w / 2)))
            bounds += [rows * (5e-16 + 2.0**-53 * largest)] * 2
    return np.array(sums), np.array(bounds)


def measure_peak_memory() -> int:
    """Return the peak memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure_tables(rows: int) -> list[Line]:
    """Print and return the results for the table."""
    reduce_table(THREADS * 4, CHANNELS, 1)  # warm up imports and threads
    before = measure_peak_memory()
    sums, digest = reduce_table(rows, CHANNELS, BLOCK)
    grown = measure_peak_memory() - before
    exact, bound = compute_sums(rows, CHANNELS)
    block = BLOCK * CHANNELS * 8
    size = f"{rows:.0e} x {CHANNELS}".replace("e+0", "e")
    same = float((digest == sum_bits_with_other_cuts(rows, CHANNELS)).mean())
    return [
        print_line({"what": f"{size} float64: GiB of the whole table",
              "measured": rows * CHANNELS * 8 / 2**30, "goal": ""}),
        print_line({"what": f"{size} float64: peak of memory, in blocks of {block >> 20} MiB",
              "measured": grown / block, "goal": f"≤ {2 * THREADS}"}),
        print_line({"what": f"{size} float64: worst sum of a column, over its bound",
              "measured": float((abs(sums - exact) / bound).max()), "goal": "≤ 1"}),
        print_line({"what": f"{size} float64: columns with the bits of shards cut elsewhere",
              "measured": same, "goal": "≥ 1"}),
    ]  # fmt: skip


def measure_rotation(dtype: str, layout: Any) -> Line:
    """Print and return the share of a sequence that has the same bits when rotated in shards."""
    x = np.random.default_rng(0).normal(size=QUERIES).astype(dtype)
    turn = partial(posenc.apply_rotary, layout=layout)
    parts = [turn(x[..., a:b, :], np.arange(a, b)) for a, b in pairwise(SHARDS)]
    same = float((np.concatenate(parts, axis=-2) == turn(x, np.arange(QUERIES[-2]))).mean())
    what = f"{len(parts)} shards of a sequence turned, {layout}, {dtype}: equal to the whole"
    return print_line({"what": what, "measured": same, "goal": "≥ 1"})


def main() -> int:
    """Print all lines, and store them if the command line names a file."""
    asked: ArgumentParser = make_parser(__doc__)
    asked.add_argument("--rows", type=int, default=ROWS, metavar="N", help="positions")
    said = asked.parse_args()
    lines = measure_tables(said.rows)
    lines += [measure_rotation(dtype, layout) for dtype in ("float32", "float64")
              for layout in ("interleaved", "half")]  # fmt: skip
    store_lines(said.json, lines, packages=("numpy", "dask"))
    return count_missed(lines)


if __name__ == "__main__":
    sys.exit(main())
