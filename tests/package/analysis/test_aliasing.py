"""aliasing against loops in plain Python, mpmath, and volumes by hand."""

import math

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.analysis import aliasing
from posenc.analysis.aliasing import alias_bound, first_alias, least_distance

widths = st.sampled_from([2, 4, 6, 8, 12])
bases = st.sampled_from([1.5, 10.0, 400.0, 10000.0])
exponents = st.sampled_from(["paper", "tensor2tensor"])


def distance(k: float, d: int, base: float = 10000.0, exponent: str = "paper") -> float:
    """Subtract the code of position 0 from the code of position k."""
    steps = d // 2 if exponent == "paper" else max(d // 2 - 1, 1)
    angles = [k / base ** (i / steps) for i in range(d // 2)]
    return math.hypot(*(x for a in angles for x in (math.sin(a), math.cos(a) - 1)))


@given(
    d=widths,
    base=bases,
    exponent=exponents,
    first=st.integers(1, 50),
    more=st.integers(0, 900),
    asked=st.none() | st.floats(0.01, 3),
)
def test_the_first_alias_is_that_of_a_loop(
    d: int, base: float, exponent: str, first: int, more: int, asked: float | None
) -> None:
    delta = distance(1, d, base, exponent) if asked is None else asked
    values = {k: distance(k, d, base, exponent) for k in range(first, first + more + 1)}
    # Angles below 950 rad: the judge is off by 950 * 3 * eps = 6e-13 a pair. What it
    # cannot decide is no example.
    if any(abs(value - delta) < 1e-11 for k, value in values.items() if k > 1):
        return
    closer = [k for k, value in values.items() if k > (asked is None) and value < delta]
    found = first_alias(
        d, first + more, min_offset=first, distance=asked, base=base, exponent=exponent
    )
    if closer:
        assert found is not None
        assert found[0] == closer[0]
        assert found[1] == pytest.approx(values[closer[0]], abs=1e-11)
    else:
        assert found is None


@pytest.mark.parametrize("sines", [1, 9, 256])
def test_chunk_borders_hide_no_alias(monkeypatch: pytest.MonkeyPatch, sines: int) -> None:
    monkeypatch.setattr(aliasing, "SINES", sines)
    for d in (2, 8, 12):
        offset, near = 0, math.inf
        found = []
        while alias := first_alias(d, 700, min_offset=offset + 1, distance=near):
            offset, near = alias
            found.append(offset)
        expected, least = [], math.inf
        for k in range(1, 701):
            if distance(k, d) < least * (1 - 1e-11):
                least = distance(k, d)
                expected.append(k)
        assert found == expected


def test_first_alias_is_exact_at_the_largest_offsets() -> None:
    first = 2**53 - 60
    with mpmath.workdps(60):
        omegas = [mpmath.mpf(10000) ** (-mpmath.mpf(i) / 3) for i in range(3)]
        values = [
            float(2 * mpmath.sqrt(sum(mpmath.sin(w * k / 2) ** 2 for w in omegas)))
            for k in range(first, 2**53 + 1)
        ]
    delta = sorted(values)[20]  # a third of them are closer
    expected = next(j for j, value in enumerate(values) if value < delta)
    found = first_alias(6, 2**53, min_offset=first, distance=delta)
    assert found is not None
    assert found[0] == first + expected
    assert found[1] == pytest.approx(values[expected], abs=3e-15)  # three sines and a root


def test_the_last_offsets_of_all_are_found() -> None:
    # 2**53 + 1 is 2**53 as a float64, so no "below the end" can tell the last from its end.
    for first in range(2**53 - 9, 2**53 + 1):
        found = first_alias(64, 2**53, min_offset=first, distance=math.inf)
        assert found is not None
        assert found[0] == first
    # Near the end, in stretches of 2048 whose centres would lie beyond 2**53.
    with mpmath.workdps(60):
        omegas = [mpmath.mpf(10000) ** (-mpmath.mpf(i) / 4) for i in range(4)]
        values = {
            k: float(2 * mpmath.sqrt(sum(mpmath.sin(w * k / 2) ** 2 for w in omegas)))
            for k in range(2**53 - 400, 2**53 + 1)
        }
    for k, value in values.items():
        closer = first_alias(8, 2**53, min_offset=k, distance=value + 1e-9)
        assert closer is not None
        assert closer[0] == k


@pytest.mark.parametrize("base", [1e20, 1e300, 1.7e308])
@pytest.mark.parametrize("exponent", ["paper", "tensor2tensor"])
def test_a_pair_that_stands_still_hides_nothing(base: float, exponent: str) -> None:
    # An eighth of its wavelength is longer than all offsets, and could overflow.
    found = first_alias(4, 100, min_offset=2, base=base, exponent=exponent)
    assert found is not None
    assert found[0] == 6
    # The second pair has moved by 6e-10 at most.
    assert found[1] == pytest.approx(2 * math.sin(math.pi - 3), abs=1e-9)


@given(
    d=widths,
    base=bases,
    exponent=exponents,
    center=st.floats(-1000, 1000),
    half=st.floats(0, 100),
    places=st.lists(st.floats(-1, 1), min_size=1, max_size=8),
)
def test_no_offset_of_a_stretch_falls_below_its_least_distance(
    d: int, base: float, exponent: str, center: float, half: float, places: list[float]
) -> None:
    least = float(least_distance(center, half, d, base=base, exponent=exponent))
    for place in (-1, 0, 1, *places):
        k = center + place * half
        # Angles below 1100 rad: the judge is off by 7e-13 a pair.
        assert distance(k, d, base, exponent) > least - 1e-11


def test_the_least_distance_is_reached() -> None:
    # One pair: at the end of the stretch that lies nearer to a whole turn.
    for center, half in [(2.0, 0.5), (5.0, 0.25), (-3.0, 1.0), (40.0, 2.0)]:
        ends = [distance(center - half, 2), distance(center + half, 2)]
        assert float(least_distance(center, half, 2)) == pytest.approx(min(ends), abs=1e-13)
    # A stretch with a whole turn in it.
    assert float(least_distance(6.0, 0.5, 2)) == 0
    assert float(least_distance(1.0, 4.0, 2)) == 0


def test_the_bound_of_large_distances_and_many_pairs() -> None:
    # A ball with a radius above π would meet itself: a larger δ cannot say more.
    assert alias_bound(2, distance=100.0) == pytest.approx(1, rel=1e-14)
    assert alias_bound(8, distance=50.0) == alias_bound(8, distance=2 * math.pi)
    assert alias_bound(8, distance=math.inf) == alias_bound(8, distance=50.0)
    assert alias_bound(4096) == math.inf
    assert alias_bound(4, distance=5e-324) == math.inf
