"""What Python cannot say of a machine: a product and a sum in one, and memory past the cache."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

# Bytes of a line of the cache, and the least that can be written past it.
LINE, PIECE = 64, 16

# Bytes of an array that no cache would keep until it is read.
LARGE = 2**24

# What loops are compiled for.
FLOATS = np.dtype(np.float32), np.dtype(np.float64)


@intrinsic
def fma(_: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a·b + c, rounded once."""

    def code(context: Any, builder: Any, signature: Any, numbers: Any) -> Any:
        return builder.fma(*numbers)

    return a(a, b, c), code


def _mover(size: int, *, past: bool) -> Any:
    """Return what moves so many bytes from one address to another, or past the cache.

    What is written past it need not be read first, since the line is written as a whole.
    """
    bits = ir.VectorType(ir.IntType(32), size // 4)

    @intrinsic
    def move(_: Any, source: Any, target: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, addresses: Any) -> Any:
            source, target = (builder.inttoptr(a, bits.as_pointer()) for a in addresses)
            store = builder.store(builder.load(source, align=4), target, align=size if past else 4)
            if past:
                one = ir.Constant(ir.IntType(32), 1)
                store.set_metadata("nontemporal", builder.module.add_metadata([one]))
            return context.get_dummy_value()

        return types.void(source, target), code

    return move


_line, _number = (_mover(size, past=False) for size in (LINE, 4))
_line_past, _piece_past = (_mover(size, past=True) for size in (LINE, PIECE))


@intrinsic
def _fence(_: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, nothing: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), code


@njit
def arrive(past: bool) -> None:
    """Wait until other threads can see what was written past the cache."""
    if past:
        _fence()


@njit
def move(source: int, target: int, size: int, past: bool) -> None:
    """Move bytes from one address to another, in fours; past the cache, in whole PIECEs."""
    at = 0
    while past and at < size and (target + at) % LINE:
        _piece_past(source + at, target + at)
        at += PIECE
    while past and at <= size - LINE:
        _line_past(source + at, target + at)
        at += LINE
    while past and at < size:
        _piece_past(source + at, target + at)
        at += PIECE
    while at <= size - LINE:
        _line(source + at, target + at)
        at += LINE
    while at < size:
        _number(source + at, target + at)
        at += 4


@njit
def beside_line(size: int, like: Any) -> Any:
    """Return room for so many numbers, aligned to a cache line as `like` is."""
    room = np.empty(size + LINE // like.itemsize, like.dtype)
    first = (like.ctypes.data - room.ctypes.data) % LINE // like.itemsize
    return room[first : first + size]


def _fuses() -> bool:
    """Return whether NumPy multiplies complex numbers with `fma`, as it does where it can."""
    z = np.full(LINE, 0.1 + 0.3j)
    return bool((z * z.conj()).imag.any())  # which is 0, unless one product is rounded alone


FUSES = _fuses()


@njit
def product(a: float, b: float, c: float, s: float, fused: bool) -> tuple[float, float]:
    """Return the two parts of (a + ib)(c + is): as NumPy has them where it fuses, or in sums."""
    if fused:
        return fma(a, c, -(b * s)), fma(a, s, b * c)
    return a * c - b * s, a * s + b * c
