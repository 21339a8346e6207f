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
from posenc.torch.cache import TableCache, can_read, has_version
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
        compute_dtype: Dtype of the rotation where it is wider than that of x. None: the
            dtype of x. `torch.float32` rounds float16 and bfloat16 only once; the error
            falls by a third, and a long sequence takes 2 to 5 times as long on a CPU.

    Attributes:
        inv_freq: Shape (r/2,), float64 for life: neither `.half()` nor a checkpoint
            changes it. Not in the `state_dict`.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `layout` or `seq_axis` is unknown, `rotary_dim` is odd, above head_dim
            or contradicts `inv_freq`, or another argument is refused as in
            `posenc.rotary_cos_sin`.

    Notes:
        On a CPU, a module keeps the cosines and sines of its last call and uses them again
        when a call has equal integer positions and needs the same dtype, so that keys and
        further layers don't compute them a second time. Nothing else is kept: other devices,
        compiled and exported graphs compute them in each call, and copies and saved modules
        start without them. To compute them once per step on a GPU, use `cos_sin` and
        `rotate_pairs`.

    Source:
        Su et al. 2021, arXiv:2104.09864v5, section 3.2.2. Deviation: angles, cosines and
        sines are computed in float64, so that they are right at position 10**6 as well.

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
        compute_dtype: torch.dtype | None = None,
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
        self.compute_dtype = (
            None if compute_dtype is None else inputs.float_dtype(compute_dtype, "compute_dtype")
        )
        self._cache = TableCache()

    def cos_sin(self, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Return cosines and sines, once for all layers: `rotate_pairs` takes them.

        Args:
            positions: Real numbers of any shape; integers, float32 or float64.
            dtype: Of the result. `rotate_pairs` rotates in the wider of this dtype and that
                of x, so give it the dtype of x, or float32 to round 16 bits only once.

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
            channels r and above as they were. Cosines and sines are computed in float64
            and rounded to the dtype of the rotation: that of x, or `compute_dtype`. In the
            dtype of x, an entry is off by at most three roundings of the length of its
            pair: 3·2**-8 of it in bfloat16, 3·2**-11 in float16, 3·2**-24 in float32.

        Raises:
            TypeError: `x` does not hold floats, or `positions` is refused as in `cos_sin`.
            ValueError: `x` has not head_dim channels or too few axes, or `positions` does
                not fit.
            RuntimeError: The module is on the meta device and x is not.
        """
        x = inputs.vectors("x", x, self.head_dim)
        if self.seq_axis == -3 and x.ndim < 3:
            raise ValueError(f"x must have axes of positions and heads, got shape {(*x.shape,)}")
        cos, sin = self._find_tables(x, positions)
        return _rotate(x, cos, sin, self.layout)

    def _find_tables(self, x: Tensor, positions: Tensor | None) -> tuple[Tensor, Tensor]:
        dtype = x.dtype
        if self.compute_dtype is not None:
            dtype = torch.promote_types(dtype, self.compute_dtype)
        if not can_read(x, positions):
            return self._make_tables(x, positions, dtype)
        frequencies = self._buffers["inv_freq"]  # faster than the attribute
        if not has_version(frequencies):
            return self._make_tables(x, positions, dtype)
        # All that tables depend on besides positions; keys may have fewer heads than queries.
        shape, axis = x.shape, self.seq_axis
        key = (
            dtype, len(shape), shape[0], shape[axis],
            self.layout, axis, self.attention_factor, frequencies._version,
        )  # fmt: skip
        found = self._cache.find(key, frequencies, positions)
        if found is None:
            # Training refuses tensors that were made in inference mode.
            with torch.inference_mode(False):
                found = self._make_tables(x, positions, dtype)
            self._cache.store(key, frequencies, positions, found)
        return found

    def _make_tables(
        self, x: Tensor, positions: Tensor | None, dtype: torch.dtype
    ) -> tuple[Tensor, Tensor]:
        p = inputs.positions(positions, x, (*x.shape[: self.seq_axis + 1],))
        cos, sin = _widen(*self._cos_sin(p, dtype), self.layout)
        return (cos, sin) if self.seq_axis == -2 else (cos.unsqueeze(-2), sin.unsqueeze(-2))

    def _cos_sin(self, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        self.refuse_meta(positions)
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
    return _rotate(x, *_widen(cos, sin, layout), layout)


def _widen(cos: Tensor, sin: Tensor, layout: Layout) -> tuple[Tensor, Tensor]:
    """Return a cosine for each channel, and the sine by which its partner is multiplied."""
    if layout == "interleaved":
        return torch.stack((cos, cos), -1).flatten(-2), torch.stack((-sin, sin), -1).flatten(-2)
    return torch.cat((cos, cos), -1), torch.cat((-sin, sin), -1)


def _rotate(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> Tensor:
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


def _seq_axis(value: Any) -> int:
    axis = checks.integer("seq_axis", value)
    if axis not in (-2, -3):
        raise ValueError(f"seq_axis must be -2 or -3, got seq_axis={axis}")
    return axis
