"""Rotary embeddings of points with several coordinates, as modules: M-RoPE and axial rotation.

Letters in this module
    L  points (seq_len)         n  coordinates of a point
    B  sequences in a batch     r  channels that are rotated (rotary_dim), r <= head_dim
    H  heads                    ω  angular frequency, radians per cell
"""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from posenc.core import checks
from posenc.core.frequencies import chosen_inv_freq
from posenc.core.layouts import Layout, rotary_channels
from posenc.rotary.mrope import Assignment, mrope_axes
from posenc.tables.grids import axis_order, axis_widths, split_inv_freq
from posenc.torch import inputs
from posenc.torch.tables import WithTables


class _PointRotation(WithTables):
    """A rotary module that rotates each pair by one of several coordinates."""

    _axes: Tensor  # for each pair, the coordinate that its frequency is multiplied by
    _most_axes = 3

    def __init__(
        self, head_dim: int, inv_freq: NDArray[np.float64], axes: NDArray[np.int64], **settings: Any
    ) -> None:
        super().__init__(head_dim, inv_freq, _axes=axes, **settings)
        self.n_axes = int(axes.max()) + 1

    def cos_sin(self, points: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Return cosines and sines, once for all layers: `rotate_pairs` takes them.

        Args:
            points: Real coordinates, shape (..., n); integers, float32 or float64.
            dtype: Of the result, as in `RotaryEmbedding.cos_sin`.

        Returns:
            (cos, sin), each of shape points.shape[:-1] + (r/2,). Computed in float64, then
            rounded once.

        Raises:
            TypeError: `points` holds float16, bfloat16 or no real numbers; or `dtype` is no
                floating dtype.
            ValueError: `points` doesn't have n coordinates on its last axis.
            RuntimeError: The module is on the meta device and `points` is not.
        """
        exact = inputs.exact("points", points)
        if exact.shape[-1:] != (self.n_axes,):
            raise ValueError(
                f"points must have shape (..., {self.n_axes}), got shape {(*points.shape,)}"
            )
        return self._cos_sin(exact, inputs.float_dtype(dtype))

    def forward(self, x: Tensor, points: Tensor) -> Tensor:
        """Return queries or keys, rotated.

        Args:
            x: Any floating dtype, shape (..., L, head_dim), or (..., L, H, head_dim) where
                `seq_axis` is -3.
            points: Integers, float32 or float64, on the device of x: shape (L, n), or
                (B, L, n) with B the first axis of x. A vector whose coordinates are all 0,
                such as a class token, stays as it is.

        Returns:
            Shape, dtype and device of x, with the precision of `RotaryEmbedding`.

        Raises:
            TypeError: `x` does not hold floats, or `points` is refused as in `cos_sin`.
            ValueError: `x` doesn't have head_dim channels or has too few axes, or `points`
                doesn't fit.
            RuntimeError: The module is on the meta device and x is not.
        """
        return self._rotate(x, points)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return f"{super().extra_repr()}, n_axes={self.n_axes}"

    def _read_positions(self, positions: Any, x: Tensor, name: str = "points") -> Tensor:
        return inputs.points(name, positions, (*x.shape[: self.seq_axis + 1],), self.n_axes)

    def _angles(self, positions: Tensor) -> Tensor:
        return positions.index_select(-1, self._axes) * self.inv_freq


class MRotaryEmbedding(_PointRotation):
    """Queries or keys, rotated by positions (t, h, w) as in M-RoPE.

    Args:
        head_dim: Channels of a head, at least 2.
        mrope_section: Pairs for each of the n axes, as in `posenc.mrope_axes`: their sum is
            r/2, and r is at most head_dim.
        assignment: `"contiguous"`, as in Qwen2-VL and Qwen2.5-VL, or `"interleaved"`, as in
            Qwen3-VL: which pairs belong to which axis. It has no default: the wrong one
            runs, and rotates by other coordinates.
        layout: `"interleaved"` or `"half"`, as in `RotaryEmbedding`: which channels make a
            pair. Has nothing to do with `assignment`.
        seq_axis: -2 or -3, as in `RotaryEmbedding`.
        base: b, dimensionless, finite, above 1. Not used where `inv_freq` is given.
        inv_freq: Frequencies ω instead of those of the base, shape (r/2,).
        attention_factor: Factor on the rotated channels, finite, above 0.
        compute_dtype: As in `RotaryEmbedding`.

    Attributes:
        inv_freq: Shape (r/2,), float64 for life. Not in the `state_dict`.
        n_axes: Coordinates n of a point.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `mrope_section` has more pairs than a head, or an argument is refused as
            in `posenc.mrope_cos_sin` or `RotaryEmbedding`.

    Notes:
        Tables of the last call are kept, as in `RotaryEmbedding`.

    Source:
        Wang et al. 2024, arXiv:2409.12191v2, section 2.1, as `posenc.mrope_cos_sin`.
        Deviation: coordinates are on the last axis of `points`; transformers has them on
        the first of `position_ids`: pass `position_ids.movedim(0, -1)`.

    Examples:
        >>> import torch
        >>> from posenc.torch import MRotaryEmbedding, RotaryEmbedding
        >>> rope = MRotaryEmbedding(
        ...     16, (2, 3, 3), assignment="contiguous", layout="half", seq_axis=-2
        ... )
        >>> x, p = torch.ones(1, 1, 3, 16), torch.arange(3)
        >>> text = rope(x, p[:, None].expand(3, 3))  # all three coordinates are equal
        >>> bool((text == RotaryEmbedding(16, layout="half", seq_axis=-2)(x, p)).all())
        True
    """

    def __init__(
        self,
        head_dim: int,
        mrope_section: Iterable[int],
        *,
        assignment: Assignment,
        layout: Layout,
        seq_axis: Literal[-2, -3],
        base: float = 10000.0,
        inv_freq: ArrayLike | None = None,
        attention_factor: float = 1.0,
        compute_dtype: torch.dtype | None = None,
    ) -> None:
        head_dim = checks.integer("head_dim", head_dim, least=2)
        axes = mrope_axes(mrope_section, assignment=assignment)
        if 2 * len(axes) > head_dim:
            raise ValueError(
                f"mrope_section must have a sum of at most head_dim/2 = {head_dim / 2:g} pairs,"
                f" got {len(axes)}"
            )
        super().__init__(
            head_dim,
            chosen_inv_freq(2 * len(axes), base, inv_freq).radians,
            axes,
            layout=layout,
            seq_axis=seq_axis,
            attention_factor=attention_factor,
            compute_dtype=compute_dtype,
        )


class AxialRotaryEmbedding(_PointRotation):
    """Queries or keys, rotated by the coordinates of a point: a band of pairs for each.

    Args:
        head_dim: Channels of a head, at least 2.
        n_axes: Coordinates n of a point, at least 1: 2 for images, 3 for video.
        layout: `"interleaved"` or `"half"`, as in `RotaryEmbedding`.
        seq_axis: -2 or -3, as in `RotaryEmbedding`.
        sections: Channels for each axis, n even numbers of at least 2 with the sum r.
            None: r/n for each.
        order: The axes in the order of their bands. None: as the coordinates come.
        base: b, dimensionless, finite, above 1, the same for all axes.
        inv_freq: Frequencies ω instead of those of the base, shape (r/2,): band after
            band, as they are ordered.
        rotary_dim: Channels r that are rotated, the first of each vector. None: all.
        compute_dtype: As in `RotaryEmbedding`.

    Attributes:
        inv_freq: Shape (r/2,), float64 for life. Not in the `state_dict`.
        n_axes: Coordinates n of a point.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `n_axes` is below 1, or an argument is refused as in
            `posenc.axial_cos_sin` or `RotaryEmbedding`.

    Notes:
        Tables of the last call are kept, as in `RotaryEmbedding`.

    Source:
        Heo et al. 2024, arXiv:2403.13298v2, section 3, as `posenc.axial_cos_sin`.

    Examples:
        >>> import torch
        >>> from posenc.torch import AxialRotaryEmbedding
        >>> rope = AxialRotaryEmbedding(8, 2, layout="half", seq_axis=-2)
        >>> patches = torch.cartesian_prod(torch.arange(2), torch.arange(3))  # (y, x)
        >>> rope(torch.ones(1, 1, 6, 8), patches)[0, 0, 5]
        tensor([-0.3012,  0.9900, -1.3254,  0.9798,  1.3818,  1.0099,  0.4932,  1.0198])
    """

    def __init__(
        self,
        head_dim: int,
        n_axes: int,
        *,
        layout: Layout,
        seq_axis: Literal[-2, -3],
        sections: Iterable[int] | None = None,
        order: Iterable[int] | None = None,
        base: float = 10000.0,
        inv_freq: ArrayLike | None = None,
        rotary_dim: int | None = None,
        compute_dtype: torch.dtype | None = None,
    ) -> None:
        head_dim = checks.integer("head_dim", head_dim, least=2)
        n_axes = checks.integer("n_axes", n_axes, least=1)
        rotated = rotary_channels(rotary_dim, head_dim)
        name = "head_dim" if rotary_dim is None else "rotary_dim"
        of_axis = axis_widths(name, rotated, n_axes, sections)
        axes = axis_order(n_axes, order)
        widths = [of_axis[axis] for axis in axes]
        bands = zip(widths, split_inv_freq(widths, inv_freq), strict=True)
        super().__init__(
            head_dim,
            np.concatenate([chosen_inv_freq(w, base, omega).radians for w, omega in bands]),
            np.repeat(np.array(axes, dtype=np.int64), [w // 2 for w in widths]),
            layout=layout,
            seq_axis=seq_axis,
            compute_dtype=compute_dtype,
        )
