"""Call a function that rotates vectors, with the arrays and the axes that it takes.

Letters in this module
    B  sequences    L  positions (seq_len)
    H  heads        d  channels of a head (head_dim)
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core.rounding import round_to
from posenc.judging import arrays, kinds
from posenc.judging.kinds import Setup

Values = NDArray[np.float64]
Positions = NDArray[np.int64]


@dataclass(frozen=True)
class Axes:
    """How vectors (B, H, L, d) and positions (B, L) are passed to a function."""

    words: str
    order: tuple[int, ...]  # of the axes of x
    rows: bool  # whether each sequence has positions of its own

    @property
    def has_heads(self) -> bool:
        """Whether x has heads."""
        return len(self.order) > 2

    def arrange(self, x: Values) -> Values:
        """Return vectors (B, H, L, d) in the order of the function."""
        kept = x if len(self.order) == 4 else x[0] if len(self.order) == 3 else x[0, 0]
        return np.asarray(kept.transpose([axis - (4 - len(self.order)) for axis in self.order]))

    def restore(self, x: Values) -> Values:
        """Return vectors in the order of the function as (B, H, L, d)."""
        order = [axis - (4 - len(self.order)) for axis in self.order]
        kept = x.transpose(np.argsort(order))
        return np.asarray(kept.reshape((1,) * (4 - kept.ndim) + kept.shape))


PLAIN = Axes("(L, d)", (2, 3), rows=False)
AXES = (
    PLAIN,
    Axes("(B, H, L, d), positions (B, L)", (0, 1, 2, 3), rows=True),
    Axes("(B, H, L, d), positions (L,)", (0, 1, 2, 3), rows=False),
    Axes("(B, L, H, d), positions (B, L)", (0, 2, 1, 3), rows=True),
    Axes("(B, L, H, d), positions (L,)", (0, 2, 1, 3), rows=False),
    Axes("(H, L, d), positions (L,)", (1, 2, 3), rows=False),
    Axes("(L, H, d), positions (L,)", (2, 1, 3), rows=False),
)

# What functions raise when they are given arrays of another library, or with other axes.
CALL_ERRORS = (AssertionError, AttributeError, IndexError, RuntimeError, TypeError, ValueError)

# Sizes B, H, L. A function that takes another axis for the positions may accept one of these by
# chance, as a loop stops at the shorter of two axes. It does not accept both.
SIZES = ((2, 3, 5), (5, 4, 3))


class Caller:
    """A way to call a function with vectors and positions, and to check what it returns."""

    def __init__(self, name: str, function: Callable[..., Any], setup: Setup) -> None:
        self.name = name
        self.function = function
        self.dtype = setup.dtype
        self.head_dim = setup.head_dim
        self.arrays = kinds.choose_arrays(function, setup)
        one = kinds.count_arguments(function) == 1
        self.keyword = kinds.find_position_keyword(function) if one else None
        self.takes_positions = not one or self.keyword is not None
        self.returned = setup.dtype  # the dtype of the last result
        self.axes = self._find_axes(setup.seq_len)

    def call(self, x: Values, positions: Positions) -> Values:
        """Return vectors (L, d) as the function rotates them by positions (L,)."""
        b, h = SIZES[0][:2] if self.axes.has_heads else (1, 1)
        shape = (b, h, *x.shape)
        rows = np.broadcast_to(positions, (b, len(positions)))
        return np.asarray(self.call_heads(np.broadcast_to(x, shape), rows, self.axes)[0, 0])

    def call_heads(self, x: Values, positions: Positions, axes: Axes) -> Values:
        """Return vectors (B, H, L, d) as the function rotates them by positions (B, L)."""
        given = axes.arrange(x)
        vectors = self._convert(given)
        places = self._convert(positions if axes.rows else positions[0])
        try:
            value = self._apply(vectors, places)
        except CALL_ERRORS as error:
            raise ValueError(self._describe_failure(error, given.shape)) from error
        if isinstance(value, tuple):
            raise ValueError(self._describe_tuple(value))
        result = arrays.read_array(f"what {self.name} returns", value)
        if _drop_ones(result.shape) != _drop_ones(given.shape):
            raise ValueError(
                f"{self.name} must return the shape {given.shape} of its x, got shape"
                f" {result.shape}"
            )
        self.returned = result.dtype
        return axes.restore(result.check_finite().read_all().reshape(given.shape))

    def accepts(self, axes: Axes) -> bool:
        """Return whether the function takes vectors with these axes."""
        for b, h, length in SIZES:
            ones = np.ones((b, h, length, self.head_dim))
            try:
                self.call_heads(ones, np.tile(np.arange(length), (b, 1)), axes)
            except (TypeError, ValueError):
                return False
        return True

    def _find_axes(self, length: int) -> Axes:
        """Return the axes that the function takes: (L, d) if it can, or else others.

        The first call has the full length, as some functions keep the tables of their first call.
        """
        zeros = np.zeros((1, 1, length, self.head_dim))
        try:
            self.call_heads(zeros, np.arange(length)[np.newaxis], PLAIN)
        except ValueError:
            for axes in AXES[1:]:
                if self.accepts(axes):
                    return axes
            raise
        return PLAIN

    def _apply(self, vectors: Any, positions: Any) -> Any:
        if not self.takes_positions:
            return self.function(vectors)
        if self.keyword is not None:
            return self.function(vectors, **{self.keyword: positions})
        return self.function(vectors, positions)

    def _convert(self, values: NDArray[Any]) -> Any:
        """Return vectors in the dtype, or integer positions, as an array of the library."""
        is_real = values.dtype.kind == "f"
        if is_real:
            values = round_to(values, self.dtype)
            values = values.astype("float32" if self.dtype == "bfloat16" else self.dtype)
        values = np.ascontiguousarray(values)
        if self.arrays == "numpy":
            return values.copy()
        torch = importlib.import_module("torch")
        tensor = torch.tensor(values)
        return tensor.to(getattr(torch, self.dtype)) if is_real else tensor

    def _describe_failure(self, error: Exception, shape: tuple[int, ...]) -> str:
        """Return what a function raised, what it was called with, and what may help."""
        kind = "PyTorch tensors" if self.arrays == "torch" else "NumPy arrays"
        hint = "wrap it if it needs other arguments or axes"
        if self.arrays == "numpy":
            hint = "pass arrays='torch' if it takes PyTorch tensors"
        return (
            f"{self.name} raised {type(error).__name__}: {error}. It was called with {kind},"
            f" x of shape {shape}; {hint}"
        )

    def _describe_tuple(self, value: tuple[Any, ...]) -> str:
        """Return why a tuple is not a result, and how to wrap a function that returns one."""
        what = f"{self.name} must return the rotated x, got a tuple of {len(value)}"
        if len(value) == 2 and _are_cos_sin(value):
            return (
                f"{what}, cosines and sines: rotate x by them, or hand the pair itself to identify"
            )
        return f"{what}: where f rotates queries and keys, pass lambda x, p: f(x, x, p)[0]"


def _drop_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(size for size in shape if size != 1)


def _are_cos_sin(pair: tuple[Any, ...]) -> bool:
    """Return whether squares of two arrays add up to a constant, as those of cosines and sines."""
    try:
        cos, sin = (arrays.read_array("a table", part).read_all() for part in pair)
        total = cos**2 + sin**2
    except (TypeError, ValueError):
        return False
    return bool(total.min() > 0 and total.max() <= 1.02 * total.min())
