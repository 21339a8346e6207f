"""Does a table fit that is larger than memory? Made and reduced shard by shard, under Dask.

    uv run python -m benchmarks.shards [--rows N] [--json FILE]

An encoding is a function of positions alone, so each shard builds its own rows, wherever it
runs, and nothing is sent but where it begins. What the rows of 10^8 positions add up to is
compared with a closed form in fifty digits; the sum of their bits, as whole numbers, with that
of shards cut elsewhere, since it depends on each bit of each row and on no order. The peak of
memory is held against the size of a block: each thread has one that it makes, and one more at
most that waits to be added up. Exit code 1 where a goal is missed.
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
from benchmarks.timing import Line, missed, parser, show, store

Array = NDArray[Any]

ROWS, CHANNELS, BLOCK = 10**8, 64, 2**17
ELSEWHERE = 99_991  # rows of the shards that are cut elsewhere; a prime
THREADS = 2
QUERIES, SHARDS = (1, 8, 4096, 128), (0, 1, 130, 1000, 1007, 2048, 4095, 4096)


def shard(positions: Array, d_model: int) -> Array:
    """Return the rows of a shard, whose positions are consecutive."""
    start = int(positions[0])
    return posenc.sinusoidal_positional_encoding(len(positions), d_model, start=start)


def table(rows: int, d_model: int, block: int) -> Any:
    """Return the table of the first positions, none of it made yet."""
    positions = da.arange(rows, chunks=block)
    return positions.map_blocks(
        shard, d_model, new_axis=1, chunks=(*positions.chunks, (d_model,)), meta=np.empty((0, 0))
    )


def bits(rows: Array) -> Array:
    """Return the sums of the bits of each column, as whole numbers modulo 2^64: (1, d)."""
    return np.asarray(rows.view(np.uint64).sum(axis=0, keepdims=True))


def reduced(rows: int, d_model: int, block: int) -> tuple[Array, Array]:
    """Return what the columns of a table add up to, as numbers and as bits."""
    whole = table(rows, d_model, block)
    digest = whole.map_blocks(bits, chunks=((1,) * whole.numblocks[0], (d_model,)))
    found = da.compute(
        whole.sum(axis=0), digest.sum(axis=0), scheduler="threads", num_workers=THREADS
    )
    sums, bits_of_columns = found
    return np.asarray(sums), np.asarray(bits_of_columns)


def cut_elsewhere(rows: int, d_model: int) -> Array:
    """Return the sums of bits again, of shards that begin elsewhere, one after the other."""
    total = np.zeros((1, d_model), np.uint64)
    for start in range(0, rows, ELSEWHERE):
        length = min(ELSEWHERE, rows - start)
        total += bits(posenc.sinusoidal_positional_encoding(length, d_model, start=start))
    return np.asarray(total[0])


def closed_form(rows: int, d_model: int) -> tuple[Array, Array]:
    """Return what the columns add up to, in fifty digits, and by how much a sum may be off.

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


def peak() -> int:
    """Return the most bytes of memory that this process has had at once."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def tables(rows: int) -> list[Line]:
    """Print and return what is found of the table."""
    reduced(THREADS * 4, CHANNELS, 1)  # all that is imported, and the threads, are there
    before = peak()
    sums, digest = reduced(rows, CHANNELS, BLOCK)
    grown = peak() - before
    exact, bound = closed_form(rows, CHANNELS)
    block = BLOCK * CHANNELS * 8
    size = f"{rows:.0e} x {CHANNELS}".replace("e+0", "e")
    same = float((digest == cut_elsewhere(rows, CHANNELS)).mean())
    return [
        show({"what": f"{size} float64: GiB of the whole table",
              "measured": rows * CHANNELS * 8 / 2**30, "goal": ""}),
        show({"what": f"{size} float64: peak of memory, in blocks of {block >> 20} MiB",
              "measured": grown / block, "goal": f"≤ {2 * THREADS}"}),
        show({"what": f"{size} float64: worst sum of a column, over its bound",
              "measured": float((abs(sums - exact) / bound).max()), "goal": "≤ 1"}),
        show({"what": f"{size} float64: columns with the bits of shards cut elsewhere",
              "measured": same, "goal": "≥ 1"}),
    ]  # fmt: skip


def turned(dtype: str, layout: Any) -> Line:
    """Print and return how much of a sequence, turned in shards, has the bits of the whole."""
    x = np.random.default_rng(0).normal(size=QUERIES).astype(dtype)
    turn = partial(posenc.apply_rotary, layout=layout)
    parts = [turn(x[..., a:b, :], np.arange(a, b)) for a, b in pairwise(SHARDS)]
    same = float((np.concatenate(parts, axis=-2) == turn(x, np.arange(QUERIES[-2]))).mean())
    what = f"{len(parts)} shards of a sequence turned, {layout}, {dtype}: equal to the whole"
    return show({"what": what, "measured": same, "goal": "≥ 1"})


def main() -> int:
    """Print all lines, and store them where that is asked for."""
    asked: ArgumentParser = parser(__doc__)
    asked.add_argument("--rows", type=int, default=ROWS, metavar="N", help="positions")
    said = asked.parse_args()
    lines = tables(said.rows)
    lines += [turned(dtype, layout) for dtype in ("float32", "float64")
              for layout in ("interleaved", "half")]  # fmt: skip
    store(said.json, lines, packages=("numpy", "dask"))
    return missed(lines)


if __name__ == "__main__":
    sys.exit(main())
