"""Base of all rotary modules: compute tables from positions, and rotate vectors by them.

Letters in this module
    L  positions (seq_len)      r  channels that are rotated (rotary_dim), r <= head_dim
    B  sequences in a batch     H  heads
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from posenc.core import checks
from posenc.core.layouts import Layout
from posenc.torch import inputs
from posenc.torch.cache import TableCache, can_read, has_version
from posenc.torch.constants import WithConstants
from posenc.torch.rotation import rotate, widen


class WithTables(WithConstants):
    """A module that rotates pairs of channels, and keeps the tables of its last call.

    Subclasses compute angles, with one coordinate for each position or with several.
    """

    inv_freq: Tensor
    _most_axes = 2  # of positions that all heads share

    def __init__(
        self,
        head_dim: int,
        inv_freq: NDArray[np.float64],
        *,
        layout: Layout,
        seq_axis: int,
        attention_factor: float = 1.0,
        clockwise: bool = False,
        compute_dtype: torch.dtype | None = None,
        **constants: NDArray[np.int64],
    ) -> None:
        super().__init__(inv_freq=inv_freq, **constants)
        self.head_dim = head_dim
        self.rotary_dim = 2 * len(inv_freq)
        self.layout = inputs.layout(layout)
        self.seq_axis = _seq_axis(seq_axis)
        self.attention_factor = checks.above_zero("attention_factor", attention_factor)
        self.clockwise = checks.boolean("clockwise", clockwise)
        self.compute_dtype = (
            None if compute_dtype is None else inputs.float_dtype(compute_dtype, "compute_dtype")
        )
        self._cache = TableCache()

    def _read_positions(self, positions: Any, x: Tensor, name: str = "") -> Tensor:
        """Return positions as float64, with axes that fit those of x without its channels."""
        raise NotImplementedError

    def _angles(self, positions: Tensor) -> Tensor:
        """Return the angle of each pair in float64, shape (..., L, r/2)."""
        raise NotImplementedError

    def _check_vectors(self, x: Any) -> Tensor:
        """Return x, if it has all axes of queries or keys."""
        x = inputs.vectors("x", x, self.head_dim)
        if self.seq_axis == -3 and x.ndim < 3:
            raise ValueError(f"x must have axes of positions and heads, got shape {(*x.shape,)}")
        return x

    def _rotate(self, x: Tensor, positions: Tensor | None) -> Tensor:
        x = self._check_vectors(x)
        cos, sin = self._find_tables(x, positions)
        return rotate(x, cos, sin, self.layout)

    def _find_tables(self, x: Tensor, positions: Tensor | None) -> tuple[Tensor, Tensor]:
        dtype = x.dtype
        if self.compute_dtype is not None:
            dtype = torch.promote_types(dtype, self.compute_dtype)
        if not can_read(x, positions, self._most_axes):
            return self._make_tables(x, positions, dtype)
        frequencies = self._buffers["inv_freq"]  # faster than the attribute
        if not has_version(frequencies):
            return self._make_tables(x, positions, dtype)
        # All that tables depend on except positions; keys may have fewer heads than queries.
        shape, axis = x.shape, self.seq_axis
        key = (
            dtype, len(shape), shape[0], shape[axis],
            self.layout, axis, self.attention_factor, self.clockwise, frequencies._version,
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
        cos, sin = widen(*self._cos_sin(self._read_positions(positions, x), dtype), self.layout)
        return (cos, sin) if self.seq_axis == -2 else (cos.unsqueeze(-2), sin.unsqueeze(-2))

    def _cos_sin(self, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        self.refuse_meta(positions)
        angles = self._angles(positions)
        cos, sin = self.attention_factor * angles.cos(), self.attention_factor * angles.sin()
        return cos.to(dtype), (-sin if self.clockwise else sin).to(dtype)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        clockwise = ", clockwise=True" if self.clockwise else ""
        return (
            f"{self.head_dim}, layout={self.layout!r}, seq_axis={self.seq_axis},"
            f" rotary_dim={self.rotary_dim}{clockwise}"
        )


def _seq_axis(value: Any) -> int:
    axis = checks.integer("seq_axis", value)
    if axis not in (-2, -3):
        raise ValueError(f"seq_axis must be -2 or -3, got seq_axis={axis}")
    return axis
