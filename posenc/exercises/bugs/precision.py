"""A bug of sinusoids: angles in half precision."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import laws
from posenc.exercises.exercise import (
    Answer,
    Exercise,
    by_law,
    code,
    differs,
    first,
    judges,
    pairs,
)

Table = NDArray[np.float64]


def encode(positions: Any, d_model: int, dtype: Any) -> NDArray[Any]:
    """Return sinusoids of the paper, interleaved, rounded to dtype."""
    rows = [code(float(p), d_model) for p in positions]
    return np.array(rows).astype(dtype)


def _waves(positions: NDArray[Any], omega: NDArray[Any], dtype: Any) -> NDArray[Any]:
    angles = positions[:, None] * omega
    rows = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), -1)
    return rows.astype(dtype)


def rounded_first(positions: Any, d_model: int, dtype: Any) -> NDArray[Any]:
    """Convert positions and frequencies, as a model does that is cast as a whole."""
    return _waves(np.asarray(positions, dtype), pairs(d_model).astype(dtype), dtype)


def rounded_frequencies(positions: Any, d_model: int, dtype: Any) -> NDArray[Any]:
    """Keep positions, and leave the frequencies as they were cast."""
    omega = pairs(d_model).astype(dtype).astype(float)
    return _waves(np.asarray(positions, float), omega, dtype)


def never_rounded(positions: Any, d_model: int, dtype: Any) -> NDArray[Any]:
    """Forget the type."""
    return encode(positions, d_model, float)


@judges(
    "neighbours far out",
    hint="positions were rounded before use: float16 has no odd numbers above 2048,"
    " bfloat16 none above 256, so neighbours share a row.",
    wrong=rounded_first,
)
def far_neighbours(answer: Answer) -> str | None:
    """Whole numbers above 2048 have neighbours in float16."""

    def table(seq_len: int) -> Any:
        return answer(np.arange(seq_len), 16, np.float16)

    return by_law(laws.unique(table, 2060))


@judges(
    "angles far out",
    hint="the frequencies were rounded: their error is multiplied by the position.",
    wrong=rounded_frequencies,
)
def far_angles(answer: Answer) -> str | None:
    """Rounding an entry of at most 1 moves it by 2**-12 at most."""
    return first(
        differs(
            answer([p], 32, np.float16)[0],
            code(p, 32),
            at=f"position {p}",
            axes=("channel",),
            within=2.0**-12,
        )
        for p in (1857, 30000)
    )


@judges(
    "type that was asked for",
    hint="the table was left in float64; compute there, and round at the end.",
    wrong=never_rounded,
)
def asked_type(answer: Answer) -> str | None:
    """As many bytes as were asked for."""
    sizes = [answer([1], 8, dtype).dtype.itemsize for dtype in (np.float16, np.float32)]
    found = differs(sizes, [2, 4], at="bytes of an entry", axes=("case",))
    single = answer([5], 8, np.float32)[0]
    return found or differs(single, code(5), at="float32", axes=("channel",), within=2.0**-23)


PRECISION = Exercise("bug-dtype", encode, (far_neighbours, far_angles, asked_type))
