"""rotary: cosines, sines and scores in 50 digits, up to a million positions and beyond."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from posenc.rotary.rotation import apply_rotary, rotary_cos_sin
from tests.bits import assert_same_bits

Array = NDArray[Any]

LAYOUTS = ["interleaved", "half"]

# Derived in docs/reference/precision.md: cosines and sines are hardly off by more than half a
# unit in the last place, 5.6e-17, while frequencies are at most 2**40.
SINGLE = 6e-17


def channels(r: int, layout: str) -> list[tuple[int, int]]:
    """Name the two channels of each pair."""
    if layout == "interleaved":
        return [(2 * i, 2 * i + 1) for i in range(r // 2)]
    return [(i, i + r // 2) for i in range(r // 2)]


@pytest.mark.parametrize("base", [1.5, 10_000.0, 500_000.0])
@pytest.mark.parametrize("dim", [2, 6, 32])
def test_cosines_and_sines_are_exact(dim: int, base: float) -> None:
    positions = [0, 1, -3, 0.5, 2048, 10**6 + 1, -(10**12) + 0.25, 2**53]
    cos, sin = rotary_cos_sin(positions, dim, base=base)

    assert cos.shape == sin.shape == (8, dim // 2)
    with mpmath.workdps(50):
        for row, p in enumerate(positions):
            for i in range(dim // 2):
                angle = mpmath.mpf(p) * mpmath.power(base, -mpmath.mpf(2 * i) / dim)
                assert abs(cos[row, i].item() - mpmath.cos(angle)) <= SINGLE
                assert abs(sin[row, i].item() - mpmath.sin(angle)) <= SINGLE


def test_given_frequencies_are_taken_as_exact() -> None:
    frequencies = [0.0, 1 / 3, 0.1, math.pi, 1e-300, 2.0**53]
    positions = [0, 7, -(10**9) - 1, 2.0**53 - 1]
    cos, sin = rotary_cos_sin(positions, 12, inv_freq=frequencies)

    with mpmath.workdps(80):
        for row, p in enumerate(positions):
            for i, omega in enumerate(frequencies):
                angle = mpmath.mpf(p) * mpmath.mpf(omega)
                assert abs(cos[row, i].item() - mpmath.cos(angle)) <= SINGLE
                assert abs(sin[row, i].item() - mpmath.sin(angle)) <= SINGLE
    assert cos[:, 0].tolist() == [1, 1, 1, 1]
    assert sin[:, 0].tolist() == [0, 0, 0, 0]


def test_given_frequencies_replace_the_base() -> None:
    narrow = np.array([0.3, 0.01], dtype=np.float32)  # as libraries keep them
    frequencies = narrow.tolist()
    expected = [[math.cos(p * w) for w in frequencies] for p in range(5)]

    for given_as in (narrow, frequencies, tuple(frequencies)):
        cos, _ = rotary_cos_sin(range(5), 4, base=7.0, inv_freq=given_as)
        # Angles below 2 are rounded to 2.2e-16 by the judge, whose cosine adds 1.1e-16.
        assert_allclose(cos, expected, rtol=0, atol=SINGLE + 4e-16)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_narrow_cosines_are_the_wide_ones_rounded_once(dtype: Any) -> None:
    positions = np.linspace(-1e9, 1e9, 2001)
    wide = rotary_cos_sin(positions, 64, attention_factor=1.2)
    narrow = rotary_cos_sin(positions, 64, attention_factor=1.2, dtype=dtype)
    for a, b in zip(wide, narrow, strict=True):
        assert b.dtype == dtype
        assert_same_bits(b, a.astype(dtype))


# Here p·ω is within 1e-11 of a multiple of half a pi (a convergent of its continued fraction),
# and the sum of products behind the sine or the cosine passes 1.
@pytest.mark.parametrize(
    ("p", "omega"),
    [
        (1801755922108, 1.236),
        (3143681108891, 2.096),
        (18080913061831, 0.182),
        (80221106885369, 0.492),
        (115271222286785, 0.492),
        (1873092192185327, 1.138),
        (2251960955023540, 0.219),
        (5231806917648090, 0.609),
    ],
)
def test_no_entry_leaves_the_unit_interval(p: int, omega: float) -> None:
    cos, sin = rotary_cos_sin(p, 2, inv_freq=[omega])

    assert 1 - SINGLE <= np.abs([cos, sin]).max() <= 1


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("base", [1.5, 10_000.0, 500_000.0])
def test_a_turned_pair_is_within_its_bound_up_to_the_last_position(
    base: float, layout: str
) -> None:
    """For pairs of length 1; derived in docs/reference/precision.md, which shows 2.2e-16."""
    rng = np.random.default_rng(2104)
    positions = np.rint(2.0 ** rng.uniform(0, 53, 150))
    x = rng.normal(size=(150, 16))
    for a, b in channels(16, layout):
        x[:, [a, b]] /= np.nextafter(np.hypot(x[:, a], x[:, b]), 9)[:, np.newaxis]
    turned = apply_rotary(x, positions, base=base, layout=layout).tolist()

    worst = 0.0
    with mpmath.workdps(50):
        for i, (a, b) in enumerate(channels(16, layout)):
            omega = mpmath.power(base, -mpmath.mpf(2 * i) / 16)
            for row, p in enumerate(positions.tolist()):
                cos, sin = mpmath.cos_sin(p * omega)
                one, other = x[row, a].item(), x[row, b].item()
                exact = one * cos - other * sin, one * sin + other * cos
                off = abs(turned[row][a] - exact[0]), abs(turned[row][b] - exact[1])
                worst = max(worst, *map(float, off))

    assert 1.2e-16 < worst <= 2.25e-16


def exact_score(x: Array, y: Array, offset: int, frequencies: Any, layout: str) -> float:
    """The real part of Σ conj(x) y exp(iωk), in 50 digits."""
    with mpmath.workdps(50):
        total = mpmath.mpf(0)
        pairs = channels(2 * len(frequencies), layout)
        for omega, (a, b) in zip(frequencies, pairs, strict=True):
            u, v = mpmath.mpc(x[a], -x[b]), mpmath.mpc(y[a], y[b])
            total += mpmath.re(u * v * mpmath.expj(mpmath.mpf(omega) * offset))
        return float(total)


def base_frequencies(base: float) -> list[Any]:
    with mpmath.workdps(50):
        return [mpmath.power(base, -mpmath.mpf(i) / 64) for i in range(64)]


GIVEN = [0.0 if i > 60 else 500_000.0 ** (-i / 64) / (8 if i > 30 else 1) for i in range(64)]


# The promise of the project: the score at equal offsets is equal to 1e-12.
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("options", "frequencies"),
    [
        ({}, base_frequencies(10_000.0)),
        ({"base": 500_000.0}, base_frequencies(500_000.0)),
        ({"inv_freq": GIVEN}, GIVEN),
    ],
    ids=["10000", "500000", "given"],
)
def test_the_score_sees_the_offset_alone_up_to_a_million(
    options: dict[str, Any], frequencies: list[Any], layout: str
) -> None:
    rng = np.random.default_rng(2104)
    for offset in [0, 1, -1, 7, -1000, 99_991, 999_999, -999_999]:
        x, y = rng.normal(size=(2, 128))
        first, last = max(0, -offset), 10**6 - max(0, offset)
        p = np.array([first, last, *rng.integers(first, last, 300, endpoint=True)])
        assert 0 <= p.min() <= p.max() <= 10**6
        assert 0 <= (p + offset).min() <= (p + offset).max() <= 10**6
        queries = apply_rotary(np.tile(x, (302, 1)), p, layout=layout, **options)
        keys = apply_rotary(np.tile(y, (302, 1)), p + offset, layout=layout, **options)
        scores = [math.fsum(row) for row in (queries * keys).tolist()]

        assert max(scores) - min(scores) < 1e-12
        # And it is the right one: 128 products of entries known to 1e-15 of about 1.
        exact = exact_score(x, y, offset, frequencies, layout)
        assert_allclose(scores, exact, rtol=0, atol=5e-13)
        # As it is computed in practice, with a matrix product:
        assert np.ptp(np.einsum("pc,pc->p", queries, keys)) < 1e-12
