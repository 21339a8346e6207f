"""Rotary position embedding as a module: queries and keys turned by their position.

Letters in this module
    L  positions (seq_len)      i  index of a pair, 0..r/2-1
    B  sequences in a batch     r  channels that are turned (rotary_dim), r <= head_dim
    H  heads                    ω  angular frequency, radians per position
"""

from typing import Any, Literal

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from posenc.core import checks
from posenc.core.frequencies import chosen_inv_freq
from posenc.core.layouts import Layout, rotary_channels
from posenc.torch import inputs
from posenc.torch.constants import WithConstants


class RotaryEmbedding(WithConstants):
    """Queries or keys, turned by the angles of their positions.

    Args:
        head_dim: Channels of a head, at least 2.
        layout: `"interleaved"`: pair i is the channels 2i and 2i+1, as in GPT-J and Meta's
            Llama; `"half"`: the channels i and r/2 + i, as in GPT-NeoX and the Llama of
            transformers. It has no default: the wrong one runs, and turns other pairs.
        seq_axis: Axis that holds the positions: -2 for (B, H, L, head_dim), -3 for
            (B, L, H, head_dim). It has no default for the same reason.
        base: b, dimensionless, finite, above 1. Not used where `inv_freq` is given.
        inv_freq: Frequencies ω in place of those of the base, shape (r/2,), as those of
            `rope_parameters`.
        rotary_dim: Channels r that are turned, the first of each vector. Even, from 2 to
            head_dim. None: two for each entry of `inv_freq` where that is given, and
            otherwise all.
        attention_factor: Factor on the turned channels, finite, above 0.

    Attributes:
        inv_freq: Shape (r/2,), float64 for life: neither `.half()` nor a checkpoint
            changes it. Not in the `state_dict`.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `layout` or `seq_axis` is unknown, `rotary_dim` is odd, above head_dim
            or contradicts `inv_freq`, or another argument is refused as in
            `posenc.rotary_cos_sin`.

    Source:
        Su et al. 2021, arXiv:2104.09864v5, section 3.2.2. Deviations: angles, cosines and
        sines are computed in float64, so that they are right at position 10**6 as well;
        float16 and bfloat16 are turned in float32 and rounded once.

    Examples:
        >>> import torch
        >>> from posenc.torch import RotaryEmbedding
        >>> rope = RotaryEmbedding(4, layout="half", seq_axis=-2).bfloat16()
        >>> rope(torch.ones(1, 1, 2, 4), torch.tensor([0, 1_000_000]))[0, 0, 1]
        tensor([ 1.2867, -0.6465,  0.5868, -1.2578])
    """

    inv_freq: Tensor

    def __init__(
        self,
        head_dim: int,
        *,
        layout: Layout,
        seq_axis: Literal[-2, -3],
        base: float = 10000.0,
        inv_freq: ArrayLike | None = None,
        rotary_dim: int | None = None,
        attention_factor: float = 1.0,
    ) -> None:
        head_dim = checks.integer("head_dim", head_dim, least=2)
        if rotary_dim is None and inv_freq is not None:
            rotary_dim = 2 * checks.reals("inv_freq", inv_freq).size
        turned = rotary_channels(rotary_dim, head_dim)
        frequencies = chosen_inv_freq(turned, base, inv_freq).radians
        super().__init__(inv_freq=frequencies)
        self.head_dim = head_dim
        self.rotary_dim = turned
        self.layout = inputs.layout(layout)
        self.seq_axis = _seq_axis(seq_axis)
        self.attention_factor = checks.above_zero("attention_factor", attention_factor)

    def cos_sin(self, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Return cosines and sines, once for all layers: `rotate_pairs` takes them.

        Args:
            positions: Real numbers of any shape; integers, float32 or float64.
            dtype: Of what comes out; float32, or float64 for a model in float64.

        Returns:
            (cos, sin), each of shape positions.shape + (r/2,), within ±attention_factor.
            Computed in float64, then rounded once. An angle is off by at most
            2**-52·|position|·ω, 3e-10 at position 10**6.

        Raises:
            TypeError: `positions` holds float16 or bfloat16, in which whole numbers fall
                together, or no real numbers; or `dtype` is no floating dtype.
        """
        p = inputs.positions(positions, self.inv_freq, (*positions.shape,))
        return self._cos_sin(p, inputs.float_dtype(dtype))

    def forward(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return queries or keys, turned.

        Args:
            x: Any floating dtype, shape (..., L, head_dim), or (..., L, H, head_dim) where
                `seq_axis` is -3.
            positions: Integers, float32 or float64, on the device of x: shape (L,), or
                (B, L) with B the first axis of x. None: 0..L-1, as without a cache.

        Returns:
            Shape, dtype and device of x; pair i turned counter-clockwise by p·ω_i, the
            channels r and above as they were. Float64 is computed in float64, any other
            in float32 and rounded once.

        Raises:
            TypeError: `x` does not hold floats, or `positions` is refused as in `cos_sin`.
            ValueError: `x` has not head_dim channels or too few axes, or `positions` does
                not fit.
        """
        x = inputs.vectors("x", x, self.head_dim)
        if self.seq_axis == -3 and x.ndim < 3:
            raise ValueError(f"x must have axes of positions and heads, got shape {(*x.shape,)}")
        if self.seq_axis == -3:
            x = x.transpose(-2, -3)
        p = inputs.positions(positions, x, (*x.shape[:-1],))
        turned = rotate_pairs(x, *self._cos_sin(p, inputs.wide(x)), layout=self.layout)
        return turned.transpose(-2, -3) if self.seq_axis == -3 else turned

    def _cos_sin(self, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        # A product of two axes, no matmul: autocast would do that in half precision.
        angles = positions.unsqueeze(-1) * self.inv_freq  # (..., L, r/2), float64
        cos, sin = self.attention_factor * angles.cos(), self.attention_factor * angles.sin()
        return cos.to(dtype), sin.to(dtype)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return (
            f"{self.head_dim}, layout={self.layout!r}, seq_axis={self.seq_axis},"
            f" rotary_dim={self.rotary_dim}"
        )


def rotate_pairs(x: Tensor, cos: Tensor, sin: Tensor, *, layout: Layout) -> Tensor:
    """Return x with its first pairs of channels turned counter-clockwise.

    Args:
        x: Any floating dtype, shape (..., L, head_dim).
        cos: Shape (..., L, r/2), a number for each pair, from `RotaryEmbedding.cos_sin`;
            its axes before the last are those of x, or 1, or missing.
        sin: As `cos`.
        layout: `"interleaved"` or `"half"`, as in `RotaryEmbedding`.

    Returns:
        Shape and dtype of x. Computed in the wider of float32 and the dtype of x, and
        rounded once.

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
    r = 2 * cos.shape[-1]
    dtype = inputs.wide(x)
    turned, rest = x[..., :r].to(dtype), x[..., r:]
    cos, sin = cos.to(dtype), sin.to(dtype)
    if layout == "interleaved":
        a, b = turned[..., 0::2], turned[..., 1::2]
    else:
        a, b = turned[..., : r // 2], turned[..., r // 2 :]
    pair = (a * cos - b * sin, a * sin + b * cos)
    joined = torch.stack(pair, -1).flatten(-2) if layout == "interleaved" else torch.cat(pair, -1)
    return torch.cat([joined.to(x.dtype), rest], -1)


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


def _seq_axis(value: Any) -> int:
    axis = checks.integer("seq_axis", value)
    if axis not in (-2, -3):
        raise ValueError(f"seq_axis must be -2 or -3, got seq_axis={axis}")
    return axis
