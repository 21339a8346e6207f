"""Layouts: which two channels make a pair, which axes hold positions, and how to convert.

Letters in this module
    L  positions (seq_len)     H  heads (n_heads)
    B  sequences in a batch    r  rotated channels (rotary_dim), r <= head_dim
"""

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks

Layout = Literal["interleaved", "half"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def convert_layout(
    x: ArrayLike, *, source: Layout, target: Layout, rotary_dim: int | None = None
) -> NDArray[Any]:
    """Return the channels of queries or keys in the order of another layout.

    Args:
        x: Real numbers of shape (..., head_dim). They are moved, not changed.
        source: Layout of x: `"interleaved"` or `"half"`, as in `rotate_pairs`.
        target: Layout of the result, one of the same two.
        rotary_dim: Number of rotated channels r, the first of each vector; the others
            are not moved. Even, from 2 to head_dim. None: all.

    Returns:
        A new array with the shape and dtype of x. From interleaved to half, channel
        2i goes to i and 2i+1 to r/2 + i; from half to interleaved, back.

    Raises:
        TypeError: `x` does not hold real numbers, or another argument has the wrong
            type.
        ValueError: `x` has no axis, a layout is unknown, or `rotary_dim`, or head_dim
            in its place, is odd or out of range.

    Source:
        Both layouts are in use: Su et al. 2021, arXiv:2104.09864v5, equation 34, is
        interleaved; GPT-NeoX and Hugging Face have halves. Deviation: none.

    Examples:
        >>> from posenc import convert_layout
        >>> convert_layout([0, 1, 2, 3, 4, 5, 6], source="interleaved", target="half",
        ...                rotary_dim=6)
        array([0, 2, 4, 1, 3, 5, 6])
    """
    array = checks.reals("x", x)
    if array.ndim == 0:
        raise ValueError("x must have an axis of channels, got shape ()")
    order = _order(array.shape[-1], source, target, rotary_dim)
    return np.take(array, order, axis=-1)


def convert_weights(
    weights: ArrayLike,
    n_heads: int,
    *,
    head_dim: int,
    source: Layout,
    target: Layout,
    rotary_dim: int | None = None,
) -> NDArray[Any]:
    """Return the weights that make queries or keys in the order of another layout.

    Args:
        weights: W_Q or W_K of shape (H·head_dim, d_in), so that queries are
            `X @ W_Q.T`, or their biases, of shape (H·head_dim,). Real numbers; they
            are moved, not changed. Never W_V: values are not rotated.
        n_heads: Heads H that these weights have, at least 1. Grouped queries: W_K has
            fewer than W_Q.
        head_dim: Channels of a head, the same for W_Q and W_K. Required, since 1024 rows
            may belong to 8 heads of 128 channels or to 32 heads of 32.
        source: Layout that the weights were made for: `"interleaved"` or `"half"`.
        target: Layout of the result, one of the same two.
        rotary_dim: Number of rotated channels r, the first of each head; the others
            are not moved. Even, from 2 to head_dim. None: all.

    Returns:
        A new array with the shape and dtype of `weights`: within each head, rows in
        the order in which `convert_layout` puts channels.

    Raises:
        TypeError: `weights` does not hold real numbers, or another argument has the
            wrong type.
        ValueError: `weights` has other than 1 or 2 axes or other than n_heads·head_dim
            rows, a layout is unknown, or `rotary_dim`, or `head_dim` in its place, is
            odd or out of range.

    Source:
        The scripts that convert Llama's checkpoints for Hugging Face do this to W_Q
        and W_K (`convert_llama_weights_to_hf.py`, `permute`). Deviation: none.

    Examples:
        >>> from posenc import convert_weights
        >>> bias = [0, 1, 2, 3, 10, 11, 12, 13]
        >>> convert_weights(bias, 2, head_dim=4, source="interleaved", target="half")
        array([ 0,  2,  1,  3, 10, 12, 11, 13])
    """
    array = checks.reals("weights", weights)
    if array.ndim not in (1, 2):
        raise ValueError(f"weights must have 1 or 2 axes, got shape {array.shape}")
    n_heads = checks.integer("n_heads", n_heads, least=1)
    head_dim = checks.integer("head_dim", head_dim, least=1)
    if array.shape[0] != n_heads * head_dim:
        raise ValueError(
            f"weights must have n_heads * head_dim = {checks.describe_value(n_heads)} *"
            f" {checks.describe_value(head_dim)} rows, got shape {array.shape}; W_K may have fewer"
            " heads than W_Q"
        )
    order = _order(head_dim, source, target, rotary_dim)
    # --8<-- [start:weights]
    heads = array.reshape(n_heads, head_dim, *array.shape[1:])
    return np.take(heads, order, axis=1).reshape(array.shape)
    # --8<-- [end:weights]


def pair_channels(d_model: int, layout: str) -> tuple[slice, slice]:
    """Return the channels of the sines and those of the cosines of all pairs."""
    # --8<-- [start:layouts]
    half = d_model // 2
    # --8<-- [start:interleaved]
    if layout == "interleaved":
        return slice(0, d_model, 2), slice(1, d_model, 2)
    # --8<-- [end:interleaved]
    return slice(0, half), slice(half, d_model)
    # --8<-- [end:layouts]


def rotary_channels(rotary_dim: int | None, head_dim: int) -> int:
    """Return the number of rotated channels of a head: rotary_dim, or all."""
    if rotary_dim is None:
        return checks.even("head_dim", head_dim)
    r = checks.even("rotary_dim", rotary_dim)
    if r > head_dim:
        raise ValueError(
            f"rotary_dim must be at most head_dim={head_dim}, got"
            f" rotary_dim={checks.describe_value(r)}"
        )
    return r


def vectors(x: Any) -> NDArray[Any]:
    """Return x, which must hold floats with the channels on its last axis."""
    array = checks.floats("x", x, bfloat16=True)
    checks.float_dtype("x.dtype", array.dtype, bfloat16=True)
    if array.ndim == 0:
        raise ValueError("x must have an axis of channels, got shape ()")
    return array


def positions_last(x: NDArray[Any], seq_axis: Any, given: tuple[int, ...]) -> NDArray[Any]:
    """Return a view of x with positions on axis -2; they are on `seq_axis`, -2 or -3.

    Without `seq_axis`, x is refused if it has two equally long axes and the shape of the
    positions fits both.
    """
    if seq_axis is None:
        told = given == x.shape[:-1]  # every vector has its own
        if not told and x.ndim > 3 and x.shape[-3] == x.shape[-2] > 1:
            raise ValueError(
                f"x of shape {x.shape} has two axes of {x.shape[-2]}: pass the axis of positions,"
                " seq_axis=-2 for (B, H, L, head_dim) or seq_axis=-3 for (B, L, H, head_dim)"
            )
        return x
    axis = checks.integer("seq_axis", seq_axis)
    if axis not in (-2, -3) or x.ndim < -axis:
        raise ValueError(
            "seq_axis must be -2 or -3, an axis of x, got"
            f" seq_axis={checks.describe_value(axis)} and x of shape {x.shape}"
        )
    return x.swapaxes(-2, -3) if axis == -3 else x


def axes_of(name: str, shape: tuple[int, ...], x_shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape to which positions are broadcast: (L,), (B, 1, ..., L) or all axes."""
    axes = x_shape[:-1]  # (..., L), or () for one vector
    if shape == axes[-1:]:
        return shape
    fitting = {axes: axes}
    if len(axes) > 2:
        by_batch = (axes[0], axes[-1])
        fitting[by_batch] = (axes[0], *(1 for _ in axes[1:-1]), axes[-1])
    if shape in fitting:
        return fitting[shape]
    shapes = " or ".join(str(option) for option in sorted({axes[-1:], *fitting}, key=len))
    what = "shape" if name == "positions" else "leading axes"
    raise ValueError(f"{name} must have {what} {shapes}, for x {x_shape}, got {shape}")


def _order(
    head_dim: int, source: Layout, target: Layout, rotary_dim: int | None
) -> NDArray[np.int64]:
    """Return, for each channel in the target layout, the channel that it comes from."""
    source = checks.choice("source", source, LAYOUTS)
    target = checks.choice("target", target, LAYOUTS)
    r = rotary_channels(rotary_dim, head_dim)
    # --8<-- [start:order]
    channels = np.arange(head_dim)
    order = channels.copy()
    sides = zip(pair_channels(r, source), pair_channels(r, target), strict=True)
    for theirs, ours in sides:  # first channels of all pairs, then second ones
        order[ours] = channels[theirs]
    # --8<-- [end:order]
    return order
