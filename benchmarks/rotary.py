"""How fast are queries and keys turned? Ratios to copying an array of the same size.

    uv run python -m benchmarks.rotary [--json FILE]

Medians of several interleaved runs: a ratio of 1 is the speed of memory that is there.
`apply` computes cosines and sines for each call, `pairs` is given them, as where many
layers share them; `halves` is the formula as most programs have it, with a rotated copy,
computed in float32. `out` fills an array that is there, and `float32` says what is computed in.
Goals stand beside what was measured.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from benchmarks.timing import Line, file_asked_for, medians, show, store

QUERIES, GROUPED, TOKEN = (1, 32, 4096, 128), (1, 8, 4096, 128), (1, 32, 1, 128)
PARTIAL = 64  # channels of 128
RUNS, TOKENS = 7, 200


def halves(x: NDArray[Any], positions: NDArray[Any]) -> NDArray[Any]:
    """Return x turned in the half layout, as most programs do."""
    half = x.shape[-1] // 2
    angles = np.outer(positions, 10000.0 ** (-np.arange(half) / half))
    cos, sin = (np.tile(table(angles), 2).astype(x.dtype) for table in (np.cos, np.sin))
    rotated = np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return np.asarray(x * cos + rotated * sin)


def sequence(shape: tuple[int, ...]) -> list[Line]:
    """Print and return the ratios for a whole sequence of float32."""
    positions = np.arange(shape[-2])
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    whole, part = (posenc.rotary_cos_sin(positions, r) for r in (shape[-1], PARTIAL))
    pairs = partial(posenc.rotate_pairs, x, *whole)
    filled = partial(pairs, out=np.zeros_like(x))
    narrow = partial(filled, compute_dtype=np.float32)
    t = medians(
        {
            "copy": partial(np.copyto, np.zeros_like(x), x),
            "new copy": x.copy,
            "pairs, interleaved": pairs,
            "pairs, half": partial(pairs, layout="half"),
            "pairs, interleaved, out": filled,
            "pairs, half, out": partial(filled, layout="half"),
            "pairs, interleaved, float32, out": narrow,
            "pairs, half, float32, out": partial(narrow, layout="half"),
            f"pairs, {PARTIAL} of {shape[-1]}": partial(posenc.rotate_pairs, x, *part),
            "apply, interleaved": partial(posenc.apply_rotary, x, positions),
            "halves": partial(halves, x, positions),
        },
        RUNS,
    )
    first, second = "pairs, interleaved, float32, out", "pairs, half, float32, out"
    goals = {first: "≤ 1.1", second: "≤ 3.5"} if shape == QUERIES else {}
    size = " x ".join(map(str, shape))
    return [
        show({"what": f"{size}, {name} / copy", "measured": spent / t["copy"],
              "goal": goals.get(name, "")})
        for name, spent in t.items()
        if name != "copy"
    ]  # fmt: skip


def token() -> list[Line]:
    """Print and return the microseconds for one decoded token."""
    x = np.random.default_rng(0).normal(size=TOKEN).astype(np.float32)
    row = posenc.rotary_cos_sin([1000], TOKEN[-1])
    t = medians(
        {
            "pairs, interleaved": partial(posenc.rotate_pairs, x, *row),
            "pairs, half": partial(posenc.rotate_pairs, x, *row, layout="half"),
            "pairs, interleaved, float32": partial(
                posenc.rotate_pairs, x, *row, compute_dtype=np.float32
            ),
            "apply, interleaved": partial(posenc.apply_rotary, x, [1000]),
        },
        RUNS,
        TOKENS,
    )
    return [
        show({"what": f"one token, {name}, microseconds", "measured": spent * 1e6,
              "goal": "≤ 10" if name.startswith("pairs") else ""})
        for name, spent in t.items()
    ]  # fmt: skip


def main() -> None:
    """Print all lines, and store them where that is asked for."""
    file = file_asked_for(__doc__)
    store(file, [*sequence(QUERIES), *sequence(GROUPED), *token()])


if __name__ == "__main__":
    main()
