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

Rule = Literal["qwen2-vl", "qwen2.5-vl", "qwen3-vl"]
RULES: tuple[Rule, ...] = get_args(Rule)

TextStart = Literal["largest", "spatial"]
TEXT_STARTS: tuple[TextStart, ...] = get_args(TextStart)


def mrope_axes(
    mrope_section: Iterable[int], *, assignment: Assignment = "contiguous"
) -> NDArray[np.int64]:
    """Return for each pair of a head the axis whose coordinate rotates it, as in M-RoPE.

    Args:
        mrope_section: Pairs for each axis, one or more numbers of at least 1: (t, h, w).
            Pairs, not channels: their sum is half of the head.
        assignment: `"contiguous"`: the first pairs belong to the first axis, the next
            to the second, and so on. `"interleaved"`: with n axes, pair i belongs to
            axis a = i mod n while i < n · mrope_section[a], and to axis 0 beyond.

    Returns:
        Shape (d/2,), int64, axes 0..n-1, each as often as `mrope_section` says.

    Raises:
        TypeError: `mrope_section` does not hold integers, or `assignment` is not a string.
        ValueError: `mrope_section` is empty or has a number below 1, an axis after the
            first has more pairs than the interleaved rule can give it, or
            `assignment` is unknown.

    Source:
        Wang et al. 2024, arXiv:2409.12191v2, section 2.1 (Qwen2-VL), contiguous; the
        rule for interleaved pairs is that of Qwen3-VL in transformers 5.23.0.
        Deviation: that code gives an axis fewer pairs than requested where its places
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
        inv_freq: Frequencies instead of those of the base, shape (d/2,), as in
            `rotary_cos_sin`.
        attention_factor: Factor on every cosine and sine, finite, above 0.
        dtype: float64, float32, float16, or the bfloat16 of ml_dtypes.

    Returns:
        (cos, sin), each of shape points.shape[:-1] + (d/2,), in the requested dtype. Pair i has
        the frequency ω_i of `rotary_cos_sin` for all d channels, and rotates by ω_i times
        the coordinate that `mrope_axes` names.

    Raises:
        TypeError: An argument has the wrong type; `points` does not hold real numbers.
        ValueError: `points` has another number of coordinates than `mrope_section` has
            numbers, a coordinate is not finite or beyond 2**53, or another argument is
            refused as in `mrope_axes` or `rotary_cos_sin`.

    Source:
        Wang et al. 2024, arXiv:2409.12191v2, section 2.1, as `mrope_axes`. Deviation:
        coordinates are on the last axis; transformers has them on the first.

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


def mrope_points(
    parts: Iterable[int | Iterable[int]],
    *,
    rule: Rule = "qwen2-vl",
    text_start: TextStart = "largest",
    second_per_grid_ts: float | Iterable[float] | None = None,
    tokens_per_second: float | None = None,
) -> NDArray[np.int64]:
    """Return the positions (t, h, w) of text, images and video in one sequence, as in M-RoPE.

    Args:
        parts: The parts of the sequence, in order: a number of at least 0 for as many
            tokens of text, or (T, H, W), three numbers of at least 1, for a grid of
            vision tokens, as the language model gets it: frames, rows and columns after
            neighbouring patches have been merged. An image has T = 1.
        rule: What t counts within a video. `"qwen2-vl"`: frames. `"qwen2.5-vl"`: time, so
            that frame j has t = floor(j * second_per_grid_ts * tokens_per_second).
            `"qwen3-vl"`: nothing, because each frame is a part (1, H, W) of its own, with
            the text tokens of its timestamp in front.
        text_start: Where the part after a grid that begins at s starts. `"largest"`: one
            more than the largest number so far, as in the paper and transformers 4.57
            (which drops fractions of `second_per_grid_ts`).
            `"spatial"`: s + max(H, W), as in transformers 5.24; if a video has more
            frames than rows and columns, the text then repeats numbers of the video.
        second_per_grid_ts: Seconds from one frame of a grid to the next, finite, above 0:
            one number, or one for each part with T above 1, in order. Required by
            `"qwen2.5-vl"` if there is such a part; otherwise None.
        tokens_per_second: Numbers per second, finite, above 0, as in the vision config:
            2 in published checkpoints of Qwen2.5-VL. Required and refused with
            `second_per_grid_ts`.

    Returns:
        Shape (L, 3), int64, for all L tokens, as `mrope_cos_sin` takes them; a grid is
        listed frame by frame and row by row. A token of text has one number three times.
        The first part begins at 0.

    Raises:
        TypeError: `parts` is not an iterable of integers and of iterables of integers, or
            is a set or a mapping; another argument has the wrong type.
        ValueError: A number of text tokens is negative, a grid does not have three
            numbers of at least 1, a name is unknown, a grid has T above 1 under
            `"qwen3-vl"`, time is missing or given to a rule that does not use it, or
            `second_per_grid_ts` has another length than there are videos.

    Source:
        Wang et al. 2024, arXiv:2409.12191v2, section 2.1 (Qwen2-VL); Bai et al. 2025,
        arXiv:2502.13923v1, section 2.1.3 (Qwen2.5-VL), with the floor and the float32
        product of transformers 5.24.0. Deviation: none. TMRoPE, which Qwen2.5-Omni and
        Qwen3-Omni use for audio and video that alternate, is not included.

    Examples:
        >>> from posenc import mrope_points
        >>> mrope_points([2, (1, 1, 3), 1]).tolist()  # text, an image of three tokens, text
        [[0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 3], [2, 2, 4], [5, 5, 5]]
        >>> video = [3, (16, 2, 3), 1]
        >>> [mrope_points(video, text_start=s)[-1, 0].item() for s in ("largest", "spatial")]
        [19, 6]
        >>> mrope_points(
        ...     [(3, 1, 1)], rule="qwen2.5-vl", second_per_grid_ts=1.0, tokens_per_second=2
        ... )[:, 0].tolist()
        [0, 2, 4]
    """
    unordered = isinstance(parts, str | bytes | Set | Mapping)
    number = isinstance(parts, np.ndarray) and parts.ndim == 0
    if not isinstance(parts, Iterable) or unordered or number:
        raise TypeError(
            f"parts must hold integers and grids, got parts={checks.describe_value(parts)}"
        )
    rule = _check_rule(rule)
    text_start = checks.choice("text_start", text_start, TEXT_STARTS)
    shapes = [_part(f"parts[{number}]", part) for number, part in enumerate(parts)]
    listed = [np.zeros((0, 3), dtype=np.int64)]
    steps = _frame_steps(shapes, rule, second_per_grid_ts, tokens_per_second)
    check_memory("the positions", sum(math.prod(shape) for shape in shapes), 3)
    # --8<-- [start:ids]
    start = 0
    for shape, step in zip(shapes, steps, strict=True):
        # (n,) for text, (T, H, W) for a grid
        cells = grid_points(shape).reshape(-1, len(shape))
        points = np.repeat(cells, 3 // len(shape), axis=1)
        if step is not None:
            points[:, 0] = np.floor(points[:, 0].astype(np.float32) * step)
        listed.append(start + points)
        counted = listed[-1] if text_start == "largest" else listed[-1][:, 1:]
        start = int(counted.max(initial=start - 1)) + 1
    return np.concatenate(listed)
    # --8<-- [end:ids]


def _check_rule(rule: object) -> Rule:
    if isinstance(rule, str) and ("omni" in rule.lower() or "tmrope" in rule.lower()):
        raise ValueError(
            f"rule={rule!r} is TMRoPE, which numbers alternating audio and video by time:"
            " mrope_points has no audio, so build the points in your own code"
        )
    return checks.choice("rule", rule, RULES)


def _frame_steps(
    shapes: list[list[int]], rule: Rule, second_per_grid_ts: object, tokens_per_second: object
) -> list[np.float32 | None]:
    """Return by how much t grows from one frame of a part to the next; None for 1."""
    steps: list[np.float32 | None] = [None] * len(shapes)
    videos = [i for i, shape in enumerate(shapes) if len(shape) == 3 and shape[0] > 1]
    times = {"second_per_grid_ts": second_per_grid_ts, "tokens_per_second": tokens_per_second}
    given = [name for name, value in times.items() if value is not None]
    if given and rule != "qwen2.5-vl":
        raise ValueError(f"{given[0]} is only for rule='qwen2.5-vl', got {rule=}")
    if rule == "qwen3-vl" and videos:
        raise ValueError(
            f"parts[{videos[0]}] must have T = 1 for rule='qwen3-vl', got {shapes[videos[0]]}:"
            " write each frame as a part (1, H, W), after the text tokens of its timestamp"
        )
    if rule != "qwen2.5-vl" or not (videos or given):
        return steps
    for name, value in times.items():
        if value is None:
            raise ValueError(f"rule='qwen2.5-vl' counts time in videos: pass {name}, too")
    rate = np.float32(checks.position("tokens_per_second", tokens_per_second))
    seconds = checks.positions("second_per_grid_ts", second_per_grid_ts)
    if seconds.shape not in ((), (len(videos),)):
        raise ValueError(
            "second_per_grid_ts must be one number, or one for each of the"
            f" {len(videos)} parts with T above 1, got shape {seconds.shape}"
        )
    least = min(rate, seconds.min(initial=np.inf))
    if least <= 0:
        raise ValueError(f"second_per_grid_ts and tokens_per_second must be above 0, got {least:g}")
    for i, second in zip(videos, np.broadcast_to(seconds, len(videos)), strict=True):
        with np.errstate(under="ignore"):  # too short to count: 0
            steps[i] = step = rate * second.astype(np.float32)
        if float(step) * shapes[i][0] > 2**53:
            raise ValueError(
                f"the times of parts[{i}] must lie within 2**53, got steps of {step:g}"
            )
    return steps


def _part(name: str, part: object) -> list[int]:
    """Return the shape of a part: one number for text, three for a grid."""
    if isinstance(part, Iterable):
        shape = whole_numbers(name, part, least=1)
        if len(shape) != 3:
            raise ValueError(f"{name} must be one number, or three: (T, H, W), got {shape}")
        return shape
    return [checks.integer(name, part, least=0)]
