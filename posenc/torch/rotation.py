"""The rotation itself, given cosines and sines: one product and one sum for each channel.

Letters in this module
    L  positions (seq_len)      r  channels that are rotated (rotary_dim), r <= head_dim
"""

import torch
from torch import Tensor

from posenc.core.layouts import Layout
from posenc.torch import inputs


def rotate_pairs(x: Tensor, cos: Tensor, sin: Tensor, *, layout: Layout) -> Tensor:
    """Return x with its first pairs of channels rotated counter-clockwise.

    Args:
        x: Any floating dtype, shape (..., L, head_dim).
        cos: Shape (..., L, r/2), a number for each pair, from `RotaryEmbedding.cos_sin`;
            its axes before the last are those of x, or 1, or missing.
        sin: As `cos`.
        layout: `"interleaved"` or `"half"`, as in `RotaryEmbedding`.

    Returns:
        Shape and dtype of x. Computed in the wider of the dtypes of x and of the tables:
        with tables in float32, float16 and bfloat16 are rounded once.

    Raises:
        TypeError: `x`, `cos` or `sin` does not hold floats, or `layout` is not a string.
        ValueError: `layout` is unknown, `cos` and `sin` have different shapes, more numbers
            on the last axis than x has pairs, or axes that do not fit x.

    Source:
        As `posenc.rotate_pairs`. Deviations: tables with each number twice are not looked
        for, since that would read their values, and numbers need not be finite.

    Examples:
        >>> import torch
        >>> from posenc.torch import rotate_pairs
        >>> x, quarter = torch.tensor([[3.0, 4.0]]), torch.tensor([[1.0]])
        >>> rotate_pairs(x, 0 * quarter, quarter, layout="half")
        tensor([[-4.,  3.]])
    """
    layout = inputs.layout(layout)
    x = inputs.tensor("x", x)
    cos, sin = inputs.tensor("cos", cos), inputs.tensor("sin", sin)
    _fits(x, cos, sin)
    if not x.dtype == cos.dtype == sin.dtype:
        dtype = torch.promote_types(x.dtype, torch.promote_types(cos.dtype, sin.dtype))
        cos, sin = cos.to(dtype), sin.to(dtype)
    return rotate(x, *widen(cos, sin, layout), layout)


def widen(cos: Tensor, sin: Tensor, layout: Layout) -> tuple[Tensor, Tensor]:
    """Return a cosine for each channel, and the sine by which its partner is multiplied."""
    if layout == "interleaved":
        return torch.stack((cos, cos), -1).flatten(-2), torch.stack((-sin, sin), -1).flatten(-2)
    return torch.cat((cos, cos), -1), torch.cat((-sin, sin), -1)


def rotate(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> Tensor:
    """Return x, rotated by tables from `widen`."""
    r = cos.shape[-1]
    is_whole, is_same = r == x.shape[-1], x.dtype == cos.dtype
    own = x if is_whole else x[..., :r]
    if not is_same:  # even a conversion that does nothing costs time with a single token
        own = own.to(cos.dtype)
    if layout == "interleaved":
        partner = own.unflatten(-1, (r // 2, 2)).flip(-1).flatten(-2)
    else:
        partner = own.roll((r // 2,), (-1,))  # PyTorch 2.5 traces no bare number
    turned = torch.addcmul(own * cos, partner, sin)
    if not is_same:
        turned = turned.to(x.dtype)
    return turned if is_whole else torch.cat((turned, x[..., r:]), -1)


def _fits(x: Tensor, cos: Tensor, sin: Tensor) -> None:
    if cos.shape != sin.shape:
        raise ValueError(
            f"cos and sin must have one shape, got shapes {(*cos.shape,)} and {(*sin.shape,)}"
        )
    pairs = x.shape[-1] // 2 if x.ndim else 0
    if not cos.ndim or not 1 <= cos.shape[-1] <= pairs:
        raise ValueError(
            f"cos must have 1 to {pairs} numbers on its last axis, as x has {2 * pairs} channels"
            f" in pairs, got shape {(*cos.shape,)}"
        )
    axes = zip(cos.shape[:-1], x.shape[x.ndim - cos.ndim : -1], strict=True)
    if cos.ndim > x.ndim or any(one not in (1, of_x) for one, of_x in axes):
        raise ValueError(
            f"cos must have the axes of x, or 1 in their place, before its last, got shapes"
            f" {(*cos.shape,)} and {(*x.shape,)}"
        )
