"""Domains know their edges, draw within them, and say themselves in words."""

import numpy as np
import pytest

from posenc.proofs import Domain, above, even, one_of, real, seed, whole
from posenc.proofs.domains import CORNERS, points

DOMAINS = {
    "even": (even(512), lambda v: isinstance(v, int) and v % 2 == 0 and 2 <= v <= 512),
    "whole": (whole(2**53), lambda v: isinstance(v, int) and abs(v) <= 2**53),
    "counts": (whole(40, least=7), lambda v: isinstance(v, int) and 7 <= v <= 40),
    "negative": (whole(-7, least=-40), lambda v: isinstance(v, int) and -40 <= v <= -7),
    "real": (real(1000), lambda v: isinstance(v, float) and abs(v) <= 1000),
    "shares": (real(0.9, least=0.2), lambda v: isinstance(v, float) and 0.2 <= v <= 0.9),
    "above": (above(1, 10**6), lambda v: isinstance(v, float) and 1 < v <= 10**6),
    "named": (one_of("half", "interleaved"), lambda v: v in ("half", "interleaved")),
    "seed": (seed(), lambda v: isinstance(v, int) and 0 <= v < 2**32),
}


@pytest.mark.parametrize(("domain", "within"), DOMAINS.values(), ids=DOMAINS)
def test_edges_and_what_is_drawn_lie_within(domain: Domain, within):
    rng = np.random.default_rng(0)

    assert all(map(within, domain.edges))
    assert all(within(domain.draw(rng)) for _ in range(2000))


@pytest.mark.parametrize("name", ["even", "whole", "counts", "negative", "real", "shares"])
def test_both_ends_are_edges(name):
    domain = DOMAINS[name][0]
    drawn = [domain.draw(np.random.default_rng(n)) for n in range(500)]

    assert domain.edges[0] == min([*domain.edges, *drawn])
    assert domain.edges[-1] == max([*domain.edges, *drawn])


@pytest.mark.parametrize(
    ("domain", "described"),
    [
        (even(8, least=4), ("even", 4, 8)),
        (whole(9), ("whole", -9, 9)),
        (real(2, least=0), ("real", 0, 2)),
        (above(1, 10), ("above", 1, 10)),
        (one_of("a", "b"), ("one_of", None, None)),
        (seed(), ("seed", None, None)),
    ],
)
def test_a_domain_says_its_kind_and_the_ends_of_its_interval(domain, described):
    assert (domain.kind, domain.least, domain.most) == described


def test_small_numbers_are_drawn_as_often_as_large_ones():
    rng = np.random.default_rng(0)
    sizes = [abs(whole(2**53).draw(rng)) for _ in range(2000)]

    assert 0.4 < np.mean(np.less(sizes, 2**26)) < 0.6
    assert min(sizes) == 0
    assert 0.4 < np.mean([whole(2**53).draw(rng) < 0 for _ in range(2000)]) < 0.6


def test_reals_have_digits_behind_the_point_and_come_near_zero():
    rng = np.random.default_rng(0)
    drawn = [real(1000).draw(rng) for _ in range(500)]

    assert sum(value == round(value) for value in drawn) == 0
    assert min(map(abs, drawn)) < 0.01
    assert max(map(abs, drawn)) > 500


def test_points_are_reproducible_and_start_with_the_corners():
    domain = {"d": even(8), "p": whole(3, least=0)}
    found = list(points(domain, 100))

    assert found == list(points(domain, 100))
    assert len(found) == 100
    corners = [{"d": d, "p": p} for d in (2, 4, 6, 8) for p in (0, 1, 2, 3)]
    assert found[:16] == corners


def test_each_edge_of_each_variable_is_tried_where_there_are_too_many_corners():
    domain = {name: real(10) for name in "abcd"}
    found = list(points(domain, 100))[:CORNERS]

    assert found[0] == dict.fromkeys("abcd", -10.0)
    assert found[1] == dict.fromkeys("abcd", 10.0)
    for name in "abcd":
        assert {point[name] for point in found} == set(real(10).edges)
    assert len({tuple(point.values()) for point in found}) > CORNERS - 3


@pytest.mark.parametrize("tries", [1, 7, 39, 40, 41])
def test_no_more_points_than_asked_for(tries):
    assert len(list(points({"p": real(1), "q": real(1)}, tries))) == tries


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: even(7), ValueError, "most must be even and at least 2, got most=7"),
        (lambda: even(4, least=6), ValueError, "least must be at most most, got least=6, most=4"),
        (lambda: whole(2.0), TypeError, "most must be an integer, got most=2.0"),
        (lambda: whole(-1), ValueError, "least must be at most most"),
        (lambda: real("1"), TypeError, "most must be a real number, got most='1'"),
        (lambda: real(np.inf), ValueError, "most must be finite"),
        (lambda: above(1, 1), ValueError, "most must be above least, got least=1, most=1"),
        (lambda: one_of(), ValueError, "values must be one or more"),
        (lambda: list(points({}, 9)), ValueError, "domain must name a variable"),
        (lambda: list(points({"d": 3}, 9)), TypeError, "d must be a Domain, such as even"),  # type: ignore[dict-item]
        (lambda: list(points({"d": even(4)}, 0)), ValueError, "tries must be at least 1"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
