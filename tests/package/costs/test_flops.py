"""costs: counts against numbers that count what is done with them."""

from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from posenc.costs.flops import (
    addition_flops,
    attention_flops,
    feed_forward_flops,
    matmul_flops,
    rotation_flops,
)

SIZES = [(1, 2), (3, 4), (4, 4), (5, 8), (7, 2)]  # L and d


class Number:
    """A number of which each multiplication and addition is counted."""

    done: ClassVar[Counter[str]] = Counter()

    def __init__(self, value: int) -> None:
        self.value = value

    def __mul__(self, other: "Number") -> "Number":
        Number.done["*"] += 1
        return Number(self.value * other.value)

    def __add__(self, other: "Number") -> "Number":
        Number.done["+"] += 1
        return Number(self.value + other.value)

    def __sub__(self, other: "Number") -> "Number":
        Number.done["+"] += 1
        return Number(self.value - other.value)


def numbers(*shape: int) -> NDArray[np.object_]:
    values = np.random.default_rng(0).integers(-9, 10, shape)
    made: NDArray[np.object_] = np.vectorize(Number, otypes=[object])(values)
    return made


def counted(work: Callable[[], object]) -> tuple[int, int]:
    """Return the multiplications and the additions of some work."""
    Number.done.clear()
    work()
    return Number.done["*"], Number.done["+"]


def values(array: NDArray[np.object_]) -> Any:
    return np.vectorize(lambda number: number.value)(array)


@pytest.mark.parametrize(("m", "k", "n"), [(1, 1, 1), (2, 3, 4), (5, 1, 2), (3, 7, 1), (4, 4, 4)])
def test_matmul_flops_equal_the_counted_operations(m: int, k: int, n: int) -> None:
    multiplications, additions = counted(lambda: numbers(m, k) @ numbers(k, n))

    # NumPy begins each of the m·n sums with its first term: one addition fewer.
    assert matmul_flops(m, k, n) == multiplications + additions + m * n
    assert matmul_flops(m, k, n) == 2 * multiplications


@pytest.mark.parametrize(("L", "d"), SIZES)
@pytest.mark.parametrize("B", [1, 3])
def test_addition_flops_equal_the_counted_operations(L: int, d: int, B: int) -> None:
    X, pe = numbers(B, L, d), numbers(L, d)

    assert counted(lambda: X + pe) == (0, addition_flops(L, d, batch=B))


def attention(X: Any, heads: int) -> None:
    """Every product of matrices in a layer, and nothing else of it."""
    B, L, d = X.shape

    def split(Y: Any) -> Any:
        return Y.reshape(B, L, heads, d // heads).transpose(0, 2, 1, 3)

    Q, K, V = (split(X @ numbers(d, d)) for _ in range(3))
    scores = Q @ K.transpose(0, 1, 3, 2)  # a softmax would come here
    sums = scores @ V
    sums.transpose(0, 2, 1, 3).reshape(B, L, d) @ numbers(d, d)


@pytest.mark.parametrize(("L", "d"), SIZES)
@pytest.mark.parametrize("B", [1, 2])
@pytest.mark.parametrize("heads", [1, 2])
def test_attention_flops_equal_the_counted_operations(L: int, d: int, B: int, heads: int) -> None:
    multiplications, additions = counted(lambda: attention(numbers(B, L, d), heads))

    sums = 4 * B * L * d + B * heads * L * L + B * L * d  # entries: each spared an addition
    assert attention_flops(L, d, batch=B) == 2 * multiplications
    assert attention_flops(L, d, batch=B) == multiplications + additions + sums


@pytest.mark.parametrize(("L", "d"), SIZES)
@pytest.mark.parametrize(("B", "expansion"), [(1, 4), (2, 1), (1, 3)])
def test_feed_forward_flops_equal_the_counted_operations(
    L: int, d: int, B: int, expansion: int
) -> None:
    X, widen, narrow = numbers(B, L, d), numbers(d, expansion * d), numbers(expansion * d, d)

    multiplications, additions = counted(lambda: X @ widen @ narrow)

    sums = B * L * (expansion + 1) * d
    flops = feed_forward_flops(L, d, expansion=expansion, batch=B)
    assert flops == 2 * multiplications == multiplications + additions + sums


def rotated(x: Any, cos: Any, sin: Any) -> Any:
    first, second = x[..., 0::2], x[..., 1::2]
    return first * cos - second * sin, first * sin + second * cos


@pytest.mark.parametrize(("L", "d"), SIZES)
@pytest.mark.parametrize("B", [1, 2])
def test_rotation_flops_equal_the_counted_operations(L: int, d: int, B: int) -> None:
    Q, K = numbers(B, L, d), numbers(B, L, d)
    cos, sin = numbers(L, d // 2), numbers(L, d // 2)

    done = counted(lambda: (rotated(Q, cos, sin), rotated(K, cos, sin)))

    assert done == (4 * B * L * d, 2 * B * L * d)
    assert sum(done) == rotation_flops(L, d, batch=B)


def test_counts_are_whole_numbers_beyond_any_float() -> None:
    far = 10**30
    counts = [
        matmul_flops(far, far, far),
        addition_flops(far, far, batch=far),
        attention_flops(far, far),
        feed_forward_flops(far, far, expansion=4),
        rotation_flops(far, far),
    ]

    assert counts == [2 * far**3, far**3, 12 * far**3, 16 * far**3, 6 * far**2]
    assert {type(count) for count in counts} == {int}
    assert type(attention_flops(np.int8(100), np.int8(100))) is int
    assert attention_flops(np.int8(100), np.int8(100)) == 12 * 100**3
