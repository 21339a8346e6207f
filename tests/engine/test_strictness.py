"""How close a card looks is read off its prompts."""

import pytest

from engine import strictness
from engine.strictness import Strictness

PAGE = """# T

/// statement | One
    attrs: {{id: eq-one}}

$$
1 = 1
$$
///

/// implementation
It is so.
///

/// verification | All of it
```pycon
>>> {prompt}
True
```
///
"""


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        (
            "gap(f, g, d=even(512)) < 2e-15",
            Strictness(bounds=(2e-15,), tried={"d": ("even(512)",)}),
        ),
        (
            "everywhere(lambda d: abs(mean(d) / d - 1) < 5 / 70, d=even(9))",
            Strictness(bounds=(5 / 70,), tried={"d": ("even(9)",)}),
        ),
        ("0.5 > f(1) and f(2) <= 2**-53 < f(3)", Strictness((2**-53, 0.5), (2**-53,))),
        ("f(1) < 5 and f(2) < g(2) and 0 <= f(3)", Strictness()),
        ("1 - 1e-15 < f(1) <= 1 and f(2) > 0.9", Strictness(floors=(1 - 1e-15, 0.9))),
        (
            "np.abs(f(1)).max() < 1e-9 and all(f(2)) and (f(3) == 1).all()",
            Strictness((1e-9,), of_all=3, equal=1),
        ),
        ("np.abs(f(1)).mean() < 1e-9 and any(f(2))", Strictness((1e-9,))),
        ("f(1) == f(2) == f(3) and f(4) >= f(5)", Strictness(equal=2)),
        ("f(rng.permutation(4)) < g(draw(3, seed=1))", Strictness(draws=2)),
        ("f(1) < 1 / 0", Strictness()),
        (
            "share(f, g, B=whole(6), x=real(2)) + share(f, g, x=real(3))",
            Strictness(tried={"B": ("whole(6)",), "x": ("real(2)", "real(3)")}),
        ),
    ],
)
def test_how_close_a_card_looks_is_found(prompt, found):
    (there,) = strictness.of_cards(PAGE.format(prompt=prompt)).values()

    assert there == found


@pytest.mark.parametrize(
    ("now", "before", "weaker"),
    [
        ({"bounds": (1e-9,), "of_all": 1}, {"bounds": (1e-9,), "of_all": 1}, []),
        ({"bounds": (1e-9, 0.5)}, {"bounds": (1e-9,)}, []),
        ({"bounds": (0.5,)}, {"bounds": (1e-9, 0.5)}, ["below 0.5"]),
        ({"bounds": (1e-9, 1e-8)}, {"bounds": (1e-9, 1e-9)}, ["below 1e-08"]),
        ({"bounds": (1e-8,)}, {"bounds": (1e-9,), "of_all": 1}, ["below 1e-08", "asks all, 0"]),
        ({"floors": (0.99, 0.9)}, {"floors": (0.99,)}, []),
        ({"floors": (0.9,)}, {"floors": (0.99,)}, ["above 0.9,"]),
        ({}, {"floors": (0.99,)}, ["above 0,"]),
        ({"equal": 1}, {"equal": 2}, ["the same 1 times"]),
        ({"draws": 0}, {"draws": 1}, ["at random 0 times"]),
        ({"tried": {"d": ("even(64)",)}}, {"tried": {"d": ("even(32)",)}}, []),
        ({"tried": {"d": ("even(8)",)}}, {"tried": {"d": ("even(32)",)}}, ["tries d=even(8)"]),
        (
            {"tried": {"x": ("real(9, least=1)",)}},
            {"tried": {"x": ("real(9)",)}},
            ["tries x=real("],
        ),
        (
            {"tried": {"x": ("real(9)", "real(1)")}},
            {"tried": {"x": ("real(9)", "real(2)")}},
            ["has tried x=real(2)"],
        ),
        (
            {"tried": {"x": ("one_of('a', 'b')",)}},
            {"tried": {"x": ("one_of('a', 'b', 'c')",)}},
            ["has tried x=one_of('a', 'b', 'c')"],
        ),
        ({"tried": {"x": ("x_of(1)",)}}, {"tried": {"x": ("real(2)",)}}, []),
    ],
)
def test_what_is_weaker_than_before_is_told(now, before, weaker):
    found = [*Strictness(**now).weaker(Strictness(**before))]

    assert len(found) == len(weaker)
    assert all(said in one for said, one in zip(weaker, found, strict=True))
