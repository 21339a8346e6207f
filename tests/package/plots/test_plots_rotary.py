"""posenc.plots: what the drawings of rotary embeddings must show, judged by plain Python."""

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Arc, FancyArrowPatch, Rectangle
from numpy.testing import assert_allclose

from posenc import plots
from tests.package.plots.drawings import written, xy


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_turned_pair_turns_both_arrows_by_their_positions() -> None:
    places = [(0, 0), (2, 5), (12, 15)]
    figure = plots.turned_pair([1, 0.2], [0.4, 0.9], places, frequency=0.3)
    assert [axes.get_title() for axes in figure.axes] == [f"p = {p}, q = {q}" for p, q in places]
    for axes, (p, q) in zip(figure.axes, places, strict=True):
        u, v = (1 + 0.2j) * cmath.exp(0.3j * p), (0.4 + 0.9j) * cmath.exp(0.3j * q)
        arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
        tips = [complex(*arrow._posA_posB[1]) for arrow in arrows]  # type: ignore[attr-defined]
        assert all(arrow._posA_posB[0] == (0, 0) for arrow in arrows)  # type: ignore[attr-defined]
        # As they were and turned: query, then key.
        assert_allclose(tips, [1 + 0.2j, u, 0.4 + 0.9j, v], rtol=0, atol=1e-14)
        product = (u.conjugate() * v).real
        assert axes.get_xlabel() == f"first number\ndot product {product:.2f}".replace("-", "−")
        names = {text.get_text(): complex(*text.get_position()) for text in axes.texts}
        for name, tip in (("query", u), ("key", v)):  # nearest to its own arrow
            assert min((u, v), key=lambda other: abs(names[name] - other)) == tip
        assert axes.get_aspect() == 1
        assert max(abs(u), abs(v)) < axes.get_xlim()[1] == axes.get_ylim()[1] == -axes.get_xlim()[0]


def test_no_name_lies_on_the_tip_of_an_arrow() -> None:
    # One arrow in every direction, and the three panels of the chapter.
    places = [(p, p + 9) for p in range(18)]
    for figure in (
        plots.turned_pair([1, 0], [1, 0], places[:3], frequency=math.pi / 9),
        *(plots.turned_pair([1, 0], [1, 0], places[p : p + 3], frequency=0.35) for p in range(15)),
        plots.turned_pair([1, 0.2], [0.4, 0.9], [(0, 0), (2, 5), (12, 15)], frequency=0.3),
    ):
        figure.draw_without_rendering()
        for axes in figure.axes:
            arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
            tips = [arrow._posA_posB[1] for arrow in arrows]  # type: ignore[attr-defined]
            for text in axes.texts:
                box = text.get_window_extent()
                own = 1 if text.get_text() == "query" else 3
                assert not box.contains(*axes.transData.transform(tips[own]))


@pytest.mark.parametrize(("head_dim", "r"), [(2, 2), (10, 8), (12, None)])
def test_pair_layouts_join_the_two_channels_of_a_pair(head_dim: int, r: int | None) -> None:
    figure = plots.pair_layouts(head_dim, rotary_dim=r)
    turned = r or head_dim
    joined = [
        [(2 * i, 2 * i + 1) for i in range(turned // 2)],
        [(i, i + turned // 2) for i in range(turned // 2)],
    ]
    for axes, pairs in zip(figure.axes, joined, strict=True):
        arcs = [patch for patch in axes.patches if isinstance(patch, Arc)]
        ends = [(arc.center[0] - arc.width / 2, arc.center[0] + arc.width / 2) for arc in arcs]
        assert ends == pairs
        cells = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        centres = [round(cell.get_x() + cell.get_width() / 2) for cell in cells]
        assert centres == [channel for pair in pairs for channel in pair]
        colours = [patch.get_edgecolor() for patch in arcs for _ in (0, 1)]
        assert [cell.get_edgecolor() for cell in cells] == colours
        assert written(axes) == [str(channel) for channel in range(head_dim)]
        assert [text.get_position() for text in axes.texts] == [(c, 0) for c in range(head_dim)]
        # The highest arc stays within the panel.
        assert max(arc.center[1] + arc.height / 2 for arc in arcs) < axes.get_ylim()[1]
    assert [axes.get_ylabel() for axes in figure.axes] == ["interleaved", "half"]


def test_rotary_decay_shows_the_bound_and_the_equal_vectors() -> None:
    above = plots.rotary_decay(16, 60, base=500.0, rng=rng()).axes[0]
    zero, bound, equal = (xy(line) for line in above.lines)
    omega = [500.0 ** (-i / 8) for i in range(8)]
    bounds, cosines = [], []
    for k in range(61):
        waves = [cmath.exp(1j * w * k) for w in omega]
        bounds.append(sum(abs(sum(waves[:j])) for j in range(1, 9)))
        cosines.append(sum(math.cos(w * k) for w in omega))
    assert zero[1].tolist() == [0, 0]
    assert bound[0].tolist() == equal[0].tolist() == list(range(61))
    # Angles below 60, rounded by the judge: 60 * 2.2e-16 for each of 8 waves.
    assert_allclose(bound[1], np.array(bounds) / 36, rtol=0, atol=1e-13)
    assert_allclose(equal[1], np.array(cosines) / 8, rtol=0, atol=1e-13)
    assert sorted(written(above)) == ["equal vectors", "upper bound"]


def test_rotary_decay_shows_scores_of_random_vectors() -> None:
    below = plots.rotary_decay(4, 30, draws=7, rng=rng()).axes[1]
    _, one, spread = (xy(line) for line in below.lines)
    x, y = rng().normal(size=(2, 7, 4))
    scores = []
    for query, key in zip(x.tolist(), y.tolist(), strict=True):
        u = [complex(*query[:2]), complex(*query[2:])]
        v = [complex(*key[:2]), complex(*key[2:])]
        scores.append(
            [
                sum(
                    (a.conjugate() * b * cmath.exp(1j * w * k)).real
                    for a, b, w in zip(u, v, (1, 0.01), strict=True)
                )
                / 2
                for k in range(31)
            ]
        )
    assert_allclose(one[1], scores[0], rtol=0, atol=1e-13)
    expected = [math.sqrt(sum(row[k] ** 2 for row in scores) / 7) for k in range(31)]
    assert_allclose(spread[1], expected, rtol=0, atol=1e-13)
    assert sorted(written(below)) == ["one score", "root mean\nsquare"]
    assert (below.get_xlabel(), below.get_ylabel()) == ("offset", "score / √head_dim")


def test_rotary_decay_without_a_generator_draws_anew() -> None:
    one, other = (plots.rotary_decay(4, 5, draws=2).axes[1].lines[1] for _ in (0, 1))
    assert xy(one)[1].tolist() != xy(other)[1].tolist()


def pair(*args: Any, **options: Any) -> Callable[[], Figure]:
    return lambda: plots.turned_pair(*args, **({"frequency": 1} | options))


def layouts(*args: Any, **options: Any) -> Callable[[], Figure]:
    return lambda: plots.pair_layouts(*args, **options)


def decay(*args: Any, **options: Any) -> Callable[[], Figure]:
    return lambda: plots.rotary_decay(*args, **options)


REFUSED: list[tuple[Callable[[], Figure], type[Exception], str]] = [
    (pair([1], [1, 0], [(0, 1)]), ValueError, "query must hold two numbers, not both 0, got [1.0]"),
    (
        pair([1, 2], [0, 0], [(0, 1)]),
        ValueError,
        "key must hold two numbers, not both 0, got [0.0, 0.0]",
    ),
    (pair([1, np.nan], [1, 0], [(0, 1)]), ValueError, "query must be finite, got nan"),
    (pair(["a"], [1, 0], [(0, 1)]), TypeError, "query must hold real numbers, got dtype <U1"),
    (pair([1, 2], [1, 0], []), ValueError, "places must not be empty"),
    (
        pair([1, 2], [1, 0], [(1, 2, 3)]),
        ValueError,
        "places must hold two positions each, got [1, 2, 3]",
    ),
    (pair([1, 2], [1, 0], [(1, 2.5)]), TypeError, "places must be an integer, got places=2.5"),
    (
        pair([1, 2], [1, 0], [(1, 2)], frequency=-1),
        ValueError,
        "frequency must be at least 0, got frequency=-1.0",
    ),
    (
        pair([1, 2], [1, 0], [(1, 2)], frequency="a"),
        TypeError,
        "frequency must be a real number, got frequency='a'",
    ),
    (layouts(1), ValueError, "head_dim must be at least 2, got head_dim=1"),
    (layouts(7), ValueError, "head_dim must be even and at least 2, got head_dim=7"),
    (
        layouts(8, rotary_dim=10),
        ValueError,
        "rotary_dim must be at most head_dim=8, got rotary_dim=10",
    ),
    (layouts(8.0), TypeError, "head_dim must be an integer, got head_dim=8.0"),
    (decay(3, 9), ValueError, "head_dim must be even and at least 2, got head_dim=3"),
    (decay(4, 1), ValueError, "max_offset must be at least 2, got max_offset=1"),
    (decay(4, 9, draws=1), ValueError, "draws must be at least 2, got draws=1"),
    (decay(4, 9, base=1.0), ValueError, "base must be above 1, got base=1.0"),
    (decay(4, 9, rng=7), TypeError, "rng must be a numpy.random.Generator or None, got rng=7"),
]


@pytest.mark.parametrize(("draw", "kind", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refuses(draw: Callable[[], Figure], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        draw()
    assert str(refusal.value) == complaint
