"""memory_traffic: bytes against memory that counts its reads and writes, and the roofline."""

import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

import posenc
from posenc.costs.memory import (
    cache_bytes,
    roofline_seconds,
    table_bytes,
    traffic_bytes,
)

DTYPES = {"float16": 2, "float32": 4, "float64": 8}


class Memory:
    """A list of numbers that counts how often it is read and written."""

    moved = 0

    def __init__(self, size: int) -> None:
        self.cells = [0] * size

    def __getitem__(self, index: int) -> int:
        Memory.moved += 1
        return self.cells[index]

    def __setitem__(self, index: int, value: int) -> None:
        Memory.moved += 1
        self.cells[index] = value


def moved(B: int, L: int, d: int, lookup: str) -> int:
    """Add a table to B sequences, its entries kept at hand from one to the next."""
    embedding, X, pe, out = Memory(100 * d), Memory(B * L * d), Memory(L * d), Memory(B * L * d)
    tokens = np.random.default_rng(0).integers(0, 100, (B, L)).tolist()
    Memory.moved = 0
    if lookup == "separate":
        for cell in range(B * L * d):
            sequence, rest = divmod(cell, L * d)
            X[cell] = embedding[tokens[sequence][rest // d] * d + rest % d]
    for cell in range(L * d):
        at_hand = pe[cell]
        for b in range(B):
            if lookup == "fused":
                x = embedding[tokens[b][cell // d] * d + cell % d]
            else:
                x = X[b * L * d + cell]
            out[b * L * d + cell] = x + at_hand
    return Memory.moved


@pytest.mark.parametrize(("B", "L", "d"), [(1, 1, 1), (1, 5, 4), (3, 2, 6), (4, 7, 2)])
@pytest.mark.parametrize("lookup", ["none", "separate", "fused"])
def test_traffic_is_what_memory_counts(B: int, L: int, d: int, lookup: str) -> None:
    for dtype, itemsize in DTYPES.items():
        expected = moved(B, L, d, lookup) * itemsize
        assert traffic_bytes(L, d, dtype, batch=B, lookup=lookup) == expected


def written(L: int, dtype: str, n: int, h: int, d: int, B: int) -> int:
    """Return the bytes of the arrays of a model that has appended L tokens one by one."""
    caches = [np.zeros((B, h, 0, d), dtype) for _ in ("keys", "values") for _ in range(n)]
    for _ in range(L):
        caches = [np.append(cache, np.ones((B, h, 1, d), dtype), axis=2) for cache in caches]
    return sum(len(cache.tobytes()) for cache in caches)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("L", "n", "h", "d", "B"),
    [(0, 1, 1, 1, 1), (1, 1, 1, 1, 1), (5, 3, 2, 4, 1), (7, 2, 1, 6, 3), (4, 2, 3, 1, 0)],
)
def test_a_cache_takes_the_bytes_of_its_arrays(
    L: int, n: int, h: int, d: int, B: int, dtype: str
) -> None:
    found = cache_bytes(L, dtype, layers=n, kv_heads=h, head_dim=d, batch=B)

    assert found == written(L, dtype, n, h, d, B)


@pytest.mark.parametrize("B", [1, 2, 5])
def test_the_addition_allocates_one_output(B: int) -> None:
    encoder = posenc.SinusoidalPositionalEncoding(500, 64)
    X = np.ones((B, 500, 64))
    encoder.forward(X)  # whatever is made once, is made
    tracemalloc.start()
    try:
        result = encoder.forward(X)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    # A few small objects beside it, and in some versions of NumPy a buffer of 64 KiB; the
    # smallest table or batch here has 250.
    assert 0 <= peak - result.nbytes < 100_000


def test_bytes_are_whole_numbers_beyond_any_float() -> None:
    far = 10**30

    assert traffic_bytes(far, far, batch=far) == (2 * far + 1) * far**2 * 8
    assert table_bytes(far, far, "float32") == 4 * far**2
    assert cache_bytes(far, layers=far, kv_heads=far, head_dim=far, batch=far) == 16 * far**5
    assert type(traffic_bytes(np.int8(100), np.int8(100))) is int


def test_the_roofline_is_that_of_the_paper() -> None:
    # Williams et al. give the attainable rate; the time is the work over it.
    for flops, traffic in ((1, 100), (100, 1), (24, 8), (7, 3)):
        peak, bandwidth = 12, 4
        rate = min(Fraction(peak), Fraction(bandwidth) * Fraction(flops, traffic))
        seconds = roofline_seconds(
            flops, traffic, flops_per_second=peak, bytes_per_second=bandwidth
        )
        # A quotient, rounded once.
        assert math.isclose(seconds, Fraction(flops) / rate, rel_tol=3e-16)
