"""The tables of the last call, for a call that would compute the same ones."""

from typing import Any, Self

import torch
from torch import Tensor
from torch._C._functorch import is_functorch_wrapped_tensor
from torch.autograd.forward_ad import unpack_dual
from torch.utils._python_dispatch import _get_current_dispatch_mode

Tables = tuple[Tensor, Tensor]


class TableCache:
    """The cosines and sines of one call, with everything that they were computed from.

    Positions are compared by value: a tensor that was overwritten in place is noticed, even
    where PyTorch doesn't count versions. A copy of the cache, or a saved one, is empty.
    """

    def __init__(self) -> None:
        self._last: tuple[Any, Tensor, Tensor | None, Tables] | None = None

    def find(self, key: object, frequencies: Tensor, positions: Tensor | None) -> Tables | None:
        """Return the tables of the last call if this one would compute the same ones."""
        last = self._last  # read once: another thread may replace it
        if last is None:
            return None
        known_key, known_frequencies, known, tables = last
        if known_key != key or known_frequencies is not frequencies:
            return None
        if known is None or positions is None:
            return tables if known is positions else None
        is_same = known.dtype == positions.dtype and torch.equal(known, positions)
        return tables if is_same else None

    def store(
        self, key: object, frequencies: Tensor, positions: Tensor | None, tables: Tables
    ) -> None:
        """Keep the tables of this call instead of those of the last one."""
        own = None if positions is None else positions.clone()
        self._last = key, frequencies, own, tables

    def __deepcopy__(self, memo: object) -> Self:
        return type(self)()

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        return type(self), ()


def has_version(frequencies: Tensor) -> bool:
    """Return whether PyTorch counts what overwrites the frequencies, and nothing trains them."""
    return (
        type(frequencies) is Tensor
        and not frequencies.requires_grad
        and not frequencies.is_inference()
    )


def can_read(x: Tensor, positions: Tensor | None, most_axes: int) -> bool:
    """Return whether the values of positions can be read at no cost, and their tables kept.

    Not on a GPU, where reading them waits for all earlier work; not in a graph that is being
    compiled, exported or traced, where they would become constants; not for positions that
    have gradients or more axes than those which all heads share, nor inside `torch.vmap`.
    """
    if torch.compiler.is_compiling() or torch.jit.is_tracing():
        return False
    if _get_current_dispatch_mode() is not None:  # tensors may be fake, or recorded
        return False
    if positions is None:
        return bool(x.is_cpu)
    return (
        type(positions) is Tensor
        and positions.ndim <= most_axes
        and positions.is_cpu
        and not (positions.is_floating_point() and _has_gradient(positions))
        and not is_functorch_wrapped_tensor(positions)
    )


def _has_gradient(positions: Tensor) -> bool:
    return positions.requires_grad or unpack_dual(positions).tangent is not None
