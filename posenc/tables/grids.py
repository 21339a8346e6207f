"""Sinusoidal encodings of points with several coordinates: images, video, volumes.

Letters in this module
    n  coordinates of a point (axes of the grid)      a  an axis, 0..n-1
    d  channels (d_model), shared out to the axes     p  a point, p_a its coordinates
"""

from collections.abc import Iterable, Mapping, Set
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.frequencies import Exponent, chosen_inv_freq
from posenc.core.memory import check_memory
from posenc.core.underflow import ignore_underflow
from posenc.tables.sinusoidal import sinusoidal_at

GridLayout = Literal["interleaved", "half", "blocks"]
LAYOUTS: tuple[GridLayout, ...] = get_args(GridLayout)


def grid_points(shape: Iterable[int]) -> NDArray[np.int64]:
    """Return the coordinates of all cells of a grid, in the order of its axes.

    Args:
        shape: Cells along each axis, at least one axis, each number at least 0: (H, W)
            for an image, (T, H, W) for video.

    Returns:
        Integers of shape (*shape, n), int64, cells, from 0. Entry [y, x] of a grid (H, W) is
        [y, x]: row first, column second. `.reshape(-1, n)` lists the cells row by row,
        with the last coordinate running fastest.

    Raises:
        TypeError: `shape` is one number, a set or a mapping, or holds something that is
            not an integer.
        ValueError: `shape` is empty, an array without exactly 1 axis, or has a number
            below 0.

    Source:
        Own function. What `np.meshgrid` returns has the columns first, or the rows,
        by its argument `indexing`; here there is one order.

    Examples:
        >>> from posenc import grid_points
        >>> grid_points((2, 3)).reshape(-1, 2).tolist()
        [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    """
    sizes = whole_numbers("shape", shape, least=0)
    if len(sizes) > checks.MOST_AXES:
        raise ValueError(f"shape must have at most {checks.MOST_AXES} numbers, got {len(sizes)}")
    check_memory("the grid", *sizes, len(sizes))
    # --8<-- [start:points]
    coordinates = np.indices(sizes, dtype=np.int64)  # (n, *shape)
    return np.moveaxis(coordinates, 0, -1).copy()  # (*shape, n)
    # --8<-- [end:points]


@ignore_underflow
def axial_encoding(
    points: ArrayLike,
    d_model: int,
    *,
    sections: Iterable[int] | None = None,
    order: Iterable[int] | None = None,
    base: float = 10000.0,
    layout: GridLayout = "interleaved",
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
    dtype: DTypeLike = np.float64,
) -> NDArray[Any]:
    """Return the sinusoidal encoding of points: a block of channels for each coordinate.

    Args:
        points: Real coordinates, shape (..., n), each within ±2**53. `grid_points`
            makes those of a whole grid; fractions are points between its cells.
        d_model: Channels d. Even; a multiple of 2n where `sections` is None.
        sections: Channels for each axis, n even numbers of at least 2 with the sum d.
            None: d/n for each.
        order: The axes in the order of their blocks, such as (1, 0) to put x before y.
            None: as the coordinates come.
        base: b, dimensionless, finite, above 1, the same for all axes.
        layout: `"interleaved"`: each sine before its cosine. `"half"`: all sines of all
            axes, then all cosines, so that channels i and d/2 + i are a pair.
            `"blocks"`: in the block of each axis, its sines and then its cosines.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent, shape (d/2,),
            radians per cell, each from 0 to 2**53: block after block, as they are ordered.
        dtype: float64, float32, float16, or the bfloat16 of ml_dtypes.

    Returns:
        Shape points.shape[:-1] + (d,), of the given dtype, dimensionless, in [-1, 1].
        Each block has the frequencies of its own width, from 1 down, or those given.
        float64 entries are within 3e-16 of the exact value; float32 and float16 entries
        are those, rounded.

    Raises:
        TypeError: An argument has the wrong type; `points` does not hold real numbers.
        ValueError: `points` has no axis of coordinates or an empty one, a coordinate is
            not finite or beyond 2**53, d cannot be shared out evenly, `sections` or
            `order` do not fit the axes, `inv_freq` has not one number for each pair of
            channels, or an argument is refused as in `sinusoidal_at`.

    Source:
        tensor2tensor, `add_timing_signal_nd` (`layout="blocks"`,
        `exponent="tensor2tensor"`); He et al. 2021, arXiv:2111.06377v2, whose code is
        `layout="blocks"`, `order=(1, 0)` for points (y, x). Deviation: channels that
        are left over are refused, where tensor2tensor leaves them 0.

    Examples:
        >>> from posenc import axial_encoding, grid_points
        >>> axial_encoding([[2, 0.5]], 4).round(4)  # sin y, cos y, sin x, cos x
        array([[ 0.9093, -0.4161,  0.4794,  0.8776]])
        >>> axial_encoding(grid_points((3, 5)), 32).shape
        (3, 5, 32)
    """
    p = coordinates("points", points)
    widths = axis_widths("d_model", d_model, p.shape[-1], sections)
    axes = axis_order(p.shape[-1], order)
    layout = checks.choice("layout", layout, LAYOUTS)
    options: dict[str, Any] = {
        "base": base,
        "layout": "interleaved" if layout == "interleaved" else "half",
        "exponent": exponent,
        "dtype": dtype,
    }
    own = split_inv_freq([widths[axis] for axis in axes], inv_freq)  # None: of their widths

    # --8<-- [start:blocks]
    parts = [(p[..., axis], widths[axis]) for axis in axes]
    blocks = [
        sinusoidal_at(p_a, w, inv_freq=omega, **options)
        for (p_a, w), omega in zip(parts, own, strict=True)
    ]
    if layout == "half":  # all sines first, then all cosines
        halves = [np.split(block, 2, axis=-1) for block in blocks]
        blocks = [sin for sin, _ in halves] + [cos for _, cos in halves]
    return np.concatenate(blocks, axis=-1)
    # --8<-- [end:blocks]


def coordinates(name: str, value: Any) -> NDArray[np.float64]:
    """Return value as float64 points: at least one coordinate on the last axis."""
    p = checks.positions(name, value)
    if p.ndim == 0 or p.shape[-1] == 0:
        raise ValueError(
            f"{name} must have a last axis of one or more coordinates, got shape {p.shape}"
        )
    return p


def axis_widths(name: str, total: object, n: int, sections: Iterable[int] | None) -> list[int]:
    """Return the channels of each of n axes, even numbers with the sum `total`."""
    channels = checks.even(name, total)
    if sections is None:
        if channels % (2 * n):
            raise ValueError(
                f"{name} must be a multiple of {2 * n} unless sections is given,"
                f" got {name}={checks.describe_value(channels)}"
            )
        return [channels // n] * n
    widths = whole_numbers("sections", sections, least=2)
    if len(widths) != n:
        raise ValueError(f"sections must have {n} numbers, one for each axis, got {widths}")
    if any(width % 2 for width in widths):
        raise ValueError(f"sections must be even, got {widths}")
    if sum(widths) != channels:
        raise ValueError(
            f"sections must have the sum {name}={checks.describe_value(channels)}, got {widths}"
        )
    return widths


def axis_order(n: int, order: Iterable[int] | None) -> list[int]:
    """Return the n axes in the order of their blocks."""
    if order is None:
        return list(range(n))
    axes = whole_numbers("order", order, least=0)
    if sorted(axes) != list(range(n)):
        raise ValueError(f"order must have each of the axes 0..{n - 1} once, got {axes}")
    return axes


def split_inv_freq(widths: list[int], inv_freq: ArrayLike | None) -> list[ArrayLike | None]:
    """Return the given frequencies of each block of so many channels, or None for each."""
    if inv_freq is None:
        return [None] * len(widths)
    given = chosen_inv_freq(sum(widths), 10000.0, inv_freq).radians
    ends = np.cumsum(widths)[:-1] // 2
    return [*np.split(given, ends)]


def whole_numbers(name: str, value: Any, *, least: int) -> list[int]:
    """Return value as a list of one or more integers of at least `least`."""
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | np.ma.MaskedArray):
        raise TypeError(f"{name} must hold integers, got {name}={checks.describe_value(value)}")
    if isinstance(value, Set | Mapping):
        raise TypeError(
            f"{name} must not be a set or a mapping, got {name}={checks.describe_value(value)}"
        )
    if isinstance(value, np.ndarray) and value.ndim != 1:
        raise ValueError(f"{name} must have 1 axis, got shape {value.shape}")
    numbers = [
        checks.integer(f"{name}[{index}]", number, least=least)
        for index, number in enumerate(value)
    ]
    if not numbers:
        raise ValueError(f"{name} must not be empty")
    return numbers
