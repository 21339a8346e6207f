"""How fast are queries and keys rotated? Ratios to copying an array of the same size.

    uv run [--with numba==0.68.1] python -m benchmarks.rotary [--json FILE]

Medians of several interleaved runs: a ratio of 1 is the speed of existing memory. `apply` computes
cosines and sines in each call; `pairs` gets them as arguments, since layers can share them.
`halves` is the usual formula with a rotated copy, in float32. `out` writes into an existing array,
and `float32` is the type of the computation. `posenc.numba`, if numba is installed, does the same
as `pairs` in compiled loops. Results have goals.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from benchmarks.timing import (
    Calls,
    Line,
    get_output_file,
    list_measured_packages,
    list_own_packages,
    measure_medians,
    print_line,
    store_lines,
)

QUERIES, GROUPED, TOKEN = (1, 32, 4096, 128), (1, 8, 4096, 128), (1, 32, 1, 128)
PARTIAL = 64  # channels of 128
RUNS, TOKENS = 7, 200


def rotate_half(x: NDArray[Any], positions: NDArray[Any]) -> NDArray[Any]:
    """Return x rotated in the half layout, the way most libraries do it."""
    half = x.shape[-1] // 2
    angles = np.outer(positions, 10000.0 ** (-np.arange(half) / half))
    cos, sin = (np.tile(table(angles), 2).astype(x.dtype) for table in (np.cos, np.sin))
    rotated = np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return np.asarray(x * cos + rotated * sin)


def measure_sequence(shape: tuple[int, ...]) -> list[Line]:
    """Print and return the ratios for a whole sequence of float32."""
    positions = np.arange(shape[-2])
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    whole, part = (posenc.rotary_cos_sin(positions, r) for r in (shape[-1], PARTIAL))
    single = posenc.rotary_cos_sin(positions, shape[-1], dtype=np.float32)
    calls: Calls = {"copy": partial(np.copyto, np.zeros_like(x), x), "new copy": x.copy}
    goals = {}
    for who, module in list_own_packages().items():
        pairs = partial(module.rotate_pairs, x, *whole)
        filled = partial(pairs, out=np.zeros_like(x))
        narrow = partial(
            module.rotate_pairs, x, *single, compute_dtype=np.float32, out=np.zeros_like(x)
        )
        calls |= {
            f"{who}: pairs, interleaved": pairs,
            f"{who}: pairs, half": partial(pairs, layout="half"),
            f"{who}: pairs, interleaved, out": filled,
            f"{who}: pairs, half, out": partial(filled, layout="half"),
            f"{who}: pairs, interleaved, float32, out": narrow,
            f"{who}: pairs, half, float32, out": partial(narrow, layout="half"),
            f"{who}: pairs, {PARTIAL} of {shape[-1]}": partial(module.rotate_pairs, x, *part),
        }
        if shape == QUERIES and who == "posenc.numba":  # `posenc` is one plain way, without goals
            goals[f"{who}: pairs, interleaved, float32, out"] = "≤ 1.1"
            goals[f"{who}: pairs, half, float32, out"] = "≤ 3.5"
    calls |= {
        "posenc: apply, interleaved": partial(posenc.apply_rotary, x, positions),
        "halves": partial(rotate_half, x, positions),
    }
    t = measure_medians(calls, RUNS)
    size = " x ".join(map(str, shape))
    return [
        print_line({"what": f"{size}, {name} / copy", "measured": spent / t["copy"],
              "goal": goals.get(name, "")})
        for name, spent in t.items()
        if name != "copy"
    ]  # fmt: skip


def measure_token() -> list[Line]:
    """Print and return the microseconds for one decoded token."""
    x = np.random.default_rng(0).normal(size=TOKEN).astype(np.float32)
    row = posenc.rotary_cos_sin([1000], TOKEN[-1])
    single = posenc.rotary_cos_sin([1000], TOKEN[-1], dtype=np.float32)
    calls: Calls = {}
    for who, module in list_own_packages().items():
        calls |= {
            f"{who}: pairs, interleaved": partial(module.rotate_pairs, x, *row),
            f"{who}: pairs, half": partial(module.rotate_pairs, x, *row, layout="half"),
            f"{who}: pairs, interleaved, float32": partial(
                module.rotate_pairs, x, *single, compute_dtype=np.float32
            ),
        }
    calls["posenc: apply, interleaved"] = partial(posenc.apply_rotary, x, [1000])
    t = measure_medians(calls, RUNS, TOKENS)
    return [
        print_line({"what": f"one token, {name}, microseconds", "measured": spent * 1e6,
              "goal": "≤ 10" if "pairs" in name else ""})
        for name, spent in t.items()
    ]  # fmt: skip


def main() -> None:
    """Print all lines, and store them if the command line names a file."""
    file = get_output_file(__doc__)
    lines = [*measure_sequence(QUERIES), *measure_sequence(GROUPED), *measure_token()]
    store_lines(file, lines, packages=list_measured_packages())


if __name__ == "__main__":
    main()
