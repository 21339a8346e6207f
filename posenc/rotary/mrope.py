"""M-RoPE: positions (t, h, w) of text, images and video, shared out over the pairs of a head.

Letters in this module
    a  an axis: time, height, width    d  channels that are rotated (dim)
    i  index of a pair, 0..d/2-1        ω  frequency, radians per cell
"""

import math
from collections.abc import Iterable, Mapping, Set
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.memory import check_memory
from posenc.core.underflow import ignore_underflow
from posenc.rotary.rotation import rotary_cos_sin
from posenc.tables.grids import (
    coordinates,
    grid_points,
    whole_numbers,
)

Assignment = Literal["contiguous", "interleaved"]


ASSIGNMENTS: tuple[Assignment, ...] = get_args(Assignment)


def mrope_axes(
    mrope_section: Iterable[int], *, assignment: Assignment = "contiguous"
) -> NDArray[np.int64]:
    """Return for each pair of a head the axis whose coordinate turns it, as in M-RoPE.

    Args:
        mrope_section: Pairs for each axis, one or more numbers of at least 1: (t, h, w).
            Pairs, not channels: their sum is half of the head.
        assignment: `"contiguous"`: the first pairs belong to the first axis, the next
            to the second, and so on. `"interleaved"`: with n axes, pair i belongs to
            axis a = i mod n while i < n · mrope_section[a], and to axis 0 beyond.

    Returns:
        Shape (d/2,), int64, axes 0..n-1, each as often as `mrope_section` says.

    Raises:
        TypeError: `mrope_section` does not hold integers, or `assignment` is no string.
        ValueError: `mrope_section` is empty or has a number below 1, an axis behind the
            first asks for more pairs than the interleaved rule can give it, or
            `assignment` is unknown.

    Source:
        Wang et al. 2024, arXiv:2409.12191v2, section 2.1 (Qwen2-VL), contiguous; the
        rule for interleaved pairs is that of Qwen3-VL in transformers 5.23.0.
        Deviation: that code gives an axis fewer pairs than asked for where its places
        run out; here this is refused.

    Examples:
        >>> from posenc import mrope_axes
        >>> mrope_axes((2, 3, 3)).tolist()
        [0, 0, 1, 1, 1, 2, 2, 2]
        >>> mrope_axes((4, 2, 2), assignment="interleaved").tolist()
        [0, 1, 2, 0, 1, 2, 0, 0]
    """
    counts = whole_numbers("mrope_section", mrope_section, least=1)
    assignment = checks.choice("assignment", assignment, ASSIGNMENTS)
    n, pairs = len(counts), sum(counts)
    check_memory("the pairs", pairs)
    if assignment == "interleaved":
        for axis in range(1, n):
            room = len(range(axis, pairs, n))
            if counts[axis] > room:
                raise ValueError(
                    f"mrope_section[{axis}] must be at most {room} of {pairs} pairs"
                    f" if interleaved, got {counts[axis]}"
                )
    # --8<-- [start:assignment]
    if assignment == "contiguous":
        return np.repeat(np.arange(n, dtype=np.int64), counts)
    axes = np.zeros(pairs, dtype=np.int64)
    for axis in range(1, n):
        axes[axis : n * counts[axis] : n] = axis
    return axes
    # --8<-- [end:assignment]


@ignore_underflow
def mrope_cos_sin(
    points: ArrayLike,
    mrope_section: Iterable[int],
    *,
    assignment: Assignment = "contiguous",
    base: float = 10000.0,
    inv_freq: ArrayLike | None = None,
    attention_factor: float = 1.0,
    dtype: DTypeLike = np.float64,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return cosines and sines for `rotate_pairs` with one set of frequencies for all axes.

    Args:
        points: Real coordinates, shape (..., n), each within ±2**53: (t, h, w). A text
            token at position p has (p, p, p).
        mrope_section: Pairs for each of the n axes, as in `mrope_axes`; their sum is d/2.
        assignment: `"contiguous"` or `"interleaved"`, as in `mrope_axes`.
        base: b, dimensionless, finite, above 1. Not used where `inv_freq` is given.
        inv_freq: Frequencies in place of those of the base, shape (d/2,), as in
            `rotary_cos_sin`.
        attention_factor: Factor on every cosine and sine, finite, above 0.
        dtype: float64, float32, float16, or the bfloat16 of ml_dtypes.

    Returns:
        (cos, sin), each of shape points.shape[:-1] + (d/2,), dtype as asked. Pair i has
        the frequency ω_i of `rotary_cos_sin` for all d channels, and turns by ω_i times
        the coordinate that `mrope_axes` names.

    Raises:
        TypeError: An argument has the wrong type; `points` does not hold real numbers.
        ValueError: `points` has another number of coordinates than `mrope_section` has
            numbers, a coordinate is not finite or beyond 2**53, or another argument is
            refused as in `mrope_axes` or `rotary_cos_sin`.

    Source:
        Wang et al. 2024, arXiv:2409.12191v2, section 2.1, as `mrope_axes`. Deviation:
        coordinates stand on the last axis, where transformers has them on the first.

    Examples:
        >>> from posenc import mrope_cos_sin, rotary_cos_sin
        >>> cos, sin = mrope_cos_sin([[7, 7, 7]], (2, 3, 3))  # text: all three the same
        >>> bool((cos == rotary_cos_sin([7], 16)[0]).all())
        True
    """
    p = coordinates("points", points)
    axes = mrope_axes(mrope_section, assignment=assignment)
    n, dim = int(axes.max()) + 1, 2 * len(axes)
    if p.shape[-1] != n:
        raise ValueError(
            f"points must have {n} coordinates, one for each number of mrope_section,"
            f" got shape {p.shape}"
        )
    # --8<-- [start:mrope]
    cos, sin = rotary_cos_sin(
        p,
        dim,
        base=base,
        inv_freq=inv_freq,
        attention_factor=attention_factor,
        dtype=dtype,
    )  # (..., n, d/2): every coordinate with every frequency
    pairs = np.arange(dim // 2)
    return cos[..., axes, pairs], sin[..., axes, pairs]
    # --8<-- [end:mrope]


def mrope_points(parts: Iterable[int | Iterable[int]]) -> NDArray[np.int64]:
    """Return the positions (t, h, w) of text, images and video in one sequence, as in M-RoPE.

    Args:
        parts: The parts of the sequence, in order: a number of at least 0 for as many
            tokens of text, or (T, H, W), three numbers of at least 1, for a grid of
            vision tokens, as the language model gets it: frames, rows and columns after
            neighbouring patches have been merged. An image has T = 1.

    Returns:
        Shape (L, 3), int64, for all L tokens, as `mrope_cos_sin` takes them; a grid is
        listed frame by frame and row by row. A token of text has one number three times.
        Each part begins at the number after the largest one before it, and the first at 0.

    Raises:
        TypeError: `parts` is not an iterable of integers and of iterables of integers, or
            is a set or a mapping.
        ValueError: A number of text tokens is negative, or a grid does not have three
            numbers of at least 1.

    Source:
        Wang et al. 2024, arXiv:2409.12191v2, section 2.1 (Qwen2-VL). Deviation: none;
        Qwen2.5-VL, which came later, scales t by the time between frames.

    Examples:
        >>> from posenc import mrope_points
        >>> mrope_points([2, (1, 1, 3), 1]).tolist()  # text, an image of three tokens, text
        [[0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 3], [2, 2, 4], [5, 5, 5]]
    """
    unordered = isinstance(parts, str | bytes | Set | Mapping)
    number = isinstance(parts, np.ndarray) and parts.ndim == 0
    if not isinstance(parts, Iterable) or unordered or number:
        raise TypeError(
            f"parts must hold integers and grids, got parts={checks.describe_value(parts)}"
        )
    shapes = [_part(f"parts[{number}]", part) for number, part in enumerate(parts)]
    listed = [np.zeros((0, 3), dtype=np.int64)]
    check_memory("the positions", sum(math.prod(shape) for shape in shapes), 3)
    # --8<-- [start:ids]
    start = 0
    for shape in shapes:  # (n,) for text, (T, H, W) for a grid
        cells = grid_points(shape).reshape(-1, len(shape))
        listed.append(start + np.broadcast_to(cells, (len(cells), 3)))
        start = int(listed[-1].max(initial=start - 1)) + 1
    return np.concatenate(listed)
    # --8<-- [end:ids]


def _part(name: str, part: object) -> list[int]:
    """Return the shape of a part: one number for text, three for a grid."""
    if isinstance(part, Iterable):
        shape = whole_numbers(name, part, least=1)
        if len(shape) != 3:
            raise ValueError(f"{name} must be one number, or three: (T, H, W), got {shape}")
        return shape
    return [checks.integer(name, part, least=0)]
