"""DeBERTa's buckets: against the formula in fifty digits, and the code that models have."""

import mpmath
import numpy as np
import pytest

from posenc import deberta_bucket

SIZES = ((256, 512), (32, 64), (6, 5), (6, 100), (50, 8192), (512, 1024))


def by_formula(k: int, num_buckets: int, max_position: int) -> int:
    n, n_0, n_1 = abs(k), num_buckets // 2, max_position - 1
    if n <= n_0:
        return k
    with mpmath.workdps(50):
        share = mpmath.log(mpmath.mpf(n) / n_0) / mpmath.log(mpmath.mpf(n_1) / n_0)
        steps = (n_0 - 1) * share
        whole = mpmath.nint(steps)
        up = whole if abs(steps - whole) < mpmath.mpf(10) ** -40 else mpmath.ceil(steps)
    return (n_0 + int(up)) * (1 if k > 0 else -1)


@pytest.mark.parametrize(("num_buckets", "max_position"), SIZES)
def test_bucket_agrees_with_the_formula(num_buckets: int, max_position: int) -> None:
    far = np.unique(np.geomspace(1, 2**53, 400).astype(np.int64))
    k = np.concatenate([np.arange(-1200, 1200), far, -far, [2**53]])

    found = deberta_bucket(k, num_buckets=num_buckets, max_position=max_position)

    assert found.tolist() == [by_formula(int(one), num_buckets, max_position) for one in k]


def test_bucket_agrees_with_models_in_float32() -> None:
    """The lines of the authors' code, in NumPy, at the sizes of deberta-v3."""
    k = np.arange(-511, 512)
    middle = np.float32(128)
    size = np.where(abs(k) < 128, 127, abs(k)).astype(np.float32)
    scale = np.log(np.float32(511) / middle)
    steps = np.ceil(np.log(size / middle) / scale * np.float32(127)) + middle
    expected = np.where(size <= middle, k, steps * np.sign(k))

    assert (deberta_bucket(k) == expected).all()
