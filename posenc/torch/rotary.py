"""Rotary position embedding as a module: queries and keys rotated by their position.

Letters in this module
    L  positions (seq_len)      i  index of a pair, 0..r/2-1
    B  sequences in a batch     r  channels that are rotated (rotary_dim), r <= head_dim
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
from posenc.torch.tables import WithTables


class RotaryEmbedding(WithTables):
    """Queries or keys, rotated by the angles of their positions.

    Args:
        head_dim: Channels of a head, at least 2.
        layout: `"interleaved"`: pair i is the channels 2i and 2i+1, as in GPT-J and Meta's
            Llama; `"half"`: the channels i and r/2 + i, as in GPT-NeoX and the Llama of
            transformers. It has no default: the wrong one runs, and rotates other pairs.
        seq_axis: Axis that holds the positions: -2 for (B, H, L, head_dim), -3 for
            (B, L, H, head_dim). It has no default for the same reason.
        base: b, dimensionless, finite, above 1. Not used where `inv_freq` is given.
        inv_freq: Frequencies ω instead of those of the base, shape (r/2,), as those of
            `rope_parameters`.
        rotary_dim: Channels r that are rotated, the first of each vector. Even, from 2 to
            head_dim. None: two for each entry of `inv_freq` where that is given, and
            otherwise all.
        attention_factor: Factor on the rotated channels, finite, above 0.
        clockwise: Whether angles run backwards, as in nanochat.
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
        when a call has equal positions and needs the same dtype, so that keys and further
        layers don't compute them a second time. Nothing else is kept: other devices,
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
        clockwise: bool = False,
        compute_dtype: torch.dtype | None = None,
    ) -> None:
        head_dim = checks.integer("head_dim", head_dim, least=2)
        if rotary_dim is None and inv_freq is not None:
            rotary_dim = 2 * checks.reals("inv_freq", inv_freq).size
        rotated = rotary_channels(rotary_dim, head_dim)
        super().__init__(
            head_dim,
            chosen_inv_freq(rotated, base, inv_freq).radians,
            layout=layout,
            seq_axis=seq_axis,
            attention_factor=attention_factor,
            clockwise=clockwise,
            compute_dtype=compute_dtype,
        )

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
                together, or no real numbers; or `dtype` is not a floating dtype.
        """
        p = inputs.positions("positions", positions, self.inv_freq, (*positions.shape,))
        return self._cos_sin(p, inputs.float_dtype(dtype))

    def forward(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return queries or keys, rotated.

        Args:
            x: Any floating dtype, shape (..., L, head_dim), or (..., L, H, head_dim) where
                `seq_axis` is -3.
            positions: Integers, float32 or float64, on the device of x: shape (L,), or
                (B, L) with B the first axis of x. None: 0..L-1, as without a cache.

        Returns:
            Shape, dtype and device of x; pair i rotated counter-clockwise by p·ω_i, the
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
        return self._rotate(x, positions)

    def _read_positions(self, positions: Any, x: Tensor, name: str = "positions") -> Tensor:
        return inputs.positions(name, positions, x, (*x.shape[: self.seq_axis + 1],))

    def _angles(self, positions: Tensor) -> Tensor:
        # A product of two axes, no matmul: autocast would do that in half precision.
        return positions.unsqueeze(-1) * self.inv_freq
