"""Both sides of a statement: how far apart, how near a bound, and whether each step holds."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import mpmath
import numpy as np
import pytest

from posenc.proofs import even, everywhere, gap, one_of, real, share, steps, whole


def test_gap_allows_the_largest_difference_of_two_entries():
    def off(n, p):
        return [n, n + (p == 5) * 0.25]

    def right(n, p):
        return [n, n]

    assert gap(off, right, below=0.25, n=even(6), p=whole(5, least=0)) is True
    message = r"the sides differ by 0.25, more than below=0.24, at n=\d, p=5"
    with pytest.raises(AssertionError, match=message):
        gap(off, right, below=0.24, n=even(6), p=whole(5, least=0))


@pytest.mark.parametrize("size", [1, -1, 1e-9])
def test_gap_is_absolute(size):
    assert gap(lambda x: x + size, lambda x: x * 1.0, below=1.001 * abs(size), x=one_of(0))
    with pytest.raises(AssertionError, match="the sides differ"):
        gap(lambda x: x + size, lambda x: x * 1.0, below=0.999 * abs(size), x=one_of(0))


@pytest.mark.parametrize(
    ("difference", "below", "wide"),
    [
        (1e-9, 1e-5, False),
        (1e-9, 1.1e-5, True),
        (0.0, 1e-11, False),
        (0.0, 1.1e-11, True),
    ],
)
def test_gap_refuses_a_tolerance_far_wider_than_the_difference(difference, below, wide):
    def compare() -> bool:
        return gap(lambda x: difference, lambda x: 0.0, below=below, x=real(1))

    if wide:
        with pytest.raises(AssertionError, match="is more than 10000 times the largest difference"):
            compare()
    else:
        assert compare()


def test_nan_is_the_largest_difference():
    with pytest.raises(AssertionError, match=r"the sides differ by nan, .* at x=6"):
        gap(lambda x: math.nan if x == 6 else x, lambda x: x, below=1, x=even(6))
    assert math.isnan(share(lambda x: math.nan if x == 6 else x, lambda x: x, x=even(6)))


def test_gap_reports_the_share_of_its_bound():
    assert share(lambda x: x * x, lambda x: 2 * abs(x), x=real(1)) == 0.5
    assert share(lambda x: x * x, lambda x: abs(x), x=real(2)) == 2


def test_a_bound_of_zero_is_broken_by_what_is_above_it():
    assert share(lambda x: 0, lambda x: 0, x=one_of(1)) == 0
    assert share(lambda x: -1, lambda x: 0, x=one_of(1)) == 0
    assert share(lambda x: 1e-300, lambda x: 0, x=one_of(1)) == math.inf


def test_a_negative_bound_is_refused():
    with pytest.raises(ValueError, match="right must be at least 0"):
        share(lambda x: -2, lambda x: -1, x=one_of(1))


@pytest.mark.parametrize("compare", [partial(gap, below=0), share])
def test_nothing_is_broadcast(compare):
    with pytest.raises(ValueError, match=r"one shape, got \(2,\) and \(\) at d=4"):
        compare(lambda d: np.zeros(2), lambda d: 0, d=one_of(4))


def test_a_claim_holds_everywhere_or_is_refused_with_the_place():
    assert everywhere(lambda n: n % 2 == 0, n=even(512))
    with pytest.raises(AssertionError, match="does not hold at n=512"):
        everywhere(lambda n: n < 512, n=even(512))
    with pytest.raises(TypeError, match="must return a bool, got 2 at n=2"):
        everywhere(lambda n: n, n=even(512))


def test_each_step_is_compared_with_the_next():
    def chain(second: Callable[..., Any], relation: str = "=") -> str:
        return steps(
            lambda x: mpmath.cos(2 * x),
            "=",
            lambda x: mpmath.cos(x) ** 2 - mpmath.sin(x) ** 2,
            relation,
            second,
            x=real(1000),
            tries=30,
        )

    assert chain(lambda x: 1 - 2 * mpmath.sin(x) ** 2) == "2 steps hold at 30 points"
    assert chain(lambda x: mpmath.mpf(1), "<=") == "2 steps hold at 30 points"
    with pytest.raises(AssertionError, match=r"step 2 does not hold: .* = .* at x="):
        chain(lambda x: 1 - mpmath.sin(x) ** 2)
    with pytest.raises(AssertionError, match=r"step 2 does not hold: .* > .* at x="):
        chain(lambda x: mpmath.mpf(1), ">")


def test_steps_have_fifty_digits_and_leave_the_precision_as_it_was():
    before = mpmath.mp.dps
    tiny = mpmath.mpf(10) ** -25

    with pytest.raises(AssertionError, match="step 1 does not hold"):
        steps(lambda x: x, "=", lambda x: x + tiny, x=real(1))
    with pytest.raises(AssertionError, match="step 1 does not hold"):  # in float64 it would
        steps(lambda x: x / 3, "=", lambda x: mpmath.mpf(float(x) / 3), x=real(1))
    assert mpmath.mp.dps == before


def test_sides_of_several_numbers_have_one_length():
    assert steps(lambda x: [x, 1], "=", lambda x: (x, 1), x=real(1)) == "1 step holds at 60 points"
    with pytest.raises(ValueError, match="sides 1 and 2 must have one length, got 2 and 1"):
        steps(lambda x: [x, 1], "=", lambda x: x, x=real(1))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: gap(1, abs, below=0, x=real(1)), TypeError, "left must be callable, got left=1"),
        (lambda: gap(abs, abs, below=-1, x=real(1)), ValueError, "below must be at least 0"),
        (lambda: gap(abs, abs, below="1", x=real(1)), TypeError, "below must be a real number"),
        (lambda: share(abs, 1, x=real(1)), TypeError, "right must be callable"),
        (lambda: everywhere(1, x=real(1)), TypeError, "claim must be callable"),
        (lambda: gap(abs, abs, below=0), ValueError, "domain must name a variable"),
        (lambda: steps(abs, x=real(1)), ValueError, "relations between them, got 1 parts"),
        (lambda: steps(abs, "=", x=real(1)), ValueError, "got 2 parts"),
        (lambda: steps(abs, "==", abs, x=real(1)), ValueError, "must be one of =, <=, .* got '=='"),
        (lambda: steps(abs, "=", 1, x=real(1)), TypeError, "side 2 must be callable"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
