"""Explorer: the score of a turned query and a turned key, against the package."""

import itertools

import numpy as np
from numpy.typing import NDArray

import posenc
from posenc.core.layouts import LAYOUTS, Layout
from tests.browser.explorers import (
    called,
    copied_link,
    misses,
    number,
    opened,
    paths,
    settled,
    shown,
    themed,
)

PAGE = "chapters/rotary/"
HERE = f"{PAGE}#explore-rotary"
QUERY = np.array([-0.6, 0.5, 1, 0.2, -0.4, 0.7, -0.2, 0.3])
KEY = np.array([0.2, -0.6, 0.4, 0.9, -0.8, 0.9, 0.9, -0.7])
LAST = 40


def turned(x: NDArray[np.float64], p: float, layout: Layout, base: float) -> NDArray[np.float64]:
    """Return one vector turned by the package."""
    return posenc.apply_rotary(x, p, layout=layout, base=base)


def score(p: float, q: float, queries: Layout, keys: Layout, base: float) -> float:
    """Return the score by the package, each side in its own layout."""
    return float(turned(QUERY, p, queries, base) @ turned(KEY, q, keys, base))


def test_turned_vectors_and_scores_agree_with_posenc(site_tab, address):
    cases = list(itertools.product((-40, -1, 0, 0.25, 7, 1000), LAYOUTS, (10, 123.5, 10000, 1e6)))
    rng = np.random.default_rng(0)
    vectors = {d: rng.normal(size=d) for d in (2, 6, 8, 64)}
    turns = [(x, *case) for x in vectors.values() for case in cases]
    calls = [(x.tolist(), p, {"layout": how, "base": base}) for x, p, how, base in turns]
    results = called(site_tab, address, "parts/rotary", "applyRotary", calls)
    for turn, result in zip(turns, results, strict=True):
        # An angle is at most 1000, and wrong by that times 4e-15; the numbers are below 4.
        assert abs(turned(*turn) - result).max() < 2e-11

    scored = list(itertools.product((0, 2, 40), (0, 5, 39.5), LAYOUTS, LAYOUTS, (10, 100, 1e6)))
    given = [
        (QUERY.tolist(), p, KEY.tolist(), q, {"queryLayout": queries, "keyLayout": keys, "base": b})
        for p, q, queries, keys, b in scored
    ]
    scores = called(site_tab, address, "parts/rotary", "rotaryScore", given)
    # Angles of up to 40, two of them, and eight products of numbers of about 1.
    assert np.allclose(scores, [score(*case) for case in scored], rtol=0, atol=1e-11)


def test_keys_show_the_scores_of_posenc(page, brief):
    block = opened(page, brief + HERE)

    def agrees(
        p: int, q: int, queries: Layout, keys: Layout, base: float = 100, pair: int = 1
    ) -> None:
        values = shown(block)
        assert abs(number(values["score"]) - score(p, q, queries, keys, base)) <= 0.51e-4
        assert int(values["offset"]) == q - p
        everywhere = [score(a, a + q - p, queries, keys, base) for a in range(LAST + 1)]
        if queries == keys:
            first, second = (pair, pair + 4) if keys == "half" else (2 * pair, 2 * pair + 1)
            both = [turned(QUERY, p, queries, base), turned(KEY, q, keys, base)]
            part = sum(both[0][c] * both[1][c] for c in (first, second))
            assert abs(number(values["part"]) - part) <= 0.51e-4
            assert np.ptp(everywhere) < 1e-12
            assert values["elsewhere"] == "the same"
        else:
            ends = [number(text) for text in values["elsewhere"].split(" to ")]
            assert np.allclose(ends, [min(everywhere), max(everywhere)], rtol=0, atol=0.51e-2)
            assert ends[1] - ends[0] > 1, "not relative"

    agrees(2, 5, "interleaved", "interleaved")
    block.get_by_label("Key position q", exact=True).press("ArrowRight")
    agrees(2, 6, "interleaved", "interleaved")
    block.get_by_label("Query position p", exact=True).press("End")
    agrees(40, 6, "interleaved", "interleaved")
    block.get_by_role("application").press("Shift+ArrowRight")
    agrees(40, 16, "interleaved", "interleaved")
    keys = block.get_by_role("group", name="Layout of the key")
    keys.get_by_role("radio", name="interleaved").press("ArrowRight")
    agrees(40, 16, "interleaved", "half")
    queries = block.get_by_role("group", name="Layout of the query")
    queries.get_by_role("radio", name="half").press(" ")
    agrees(40, 16, "half", "half")
    block.get_by_role("radio", name="1", exact=True).press("ArrowRight")
    agrees(40, 16, "half", "half", pair=2)
    block.get_by_label("Base b, as a number").fill("2500")
    agrees(40, 16, "half", "half", base=2500, pair=2)
    keys.get_by_role("radio", name="interleaved").press(" ")
    agrees(40, 16, "half", "interleaved", base=2500, pair=2)


def test_moved_together_the_offset_stays_and_neither_leaves_the_text(page, brief):
    page.emulate_media(reduced_motion="reduce")
    block = opened(page, brief + HERE)
    query = block.get_by_label("Query position p", exact=True)
    key = block.get_by_label("Key position q", exact=True)

    def at() -> tuple[str, str]:
        settled(page)
        return query.input_value(), key.input_value()

    before = shown(block)["score"]
    together = block.get_by_role("checkbox", name="Move both together")
    together.press(" ")
    for slider, press, places in (
        (query, "ArrowRight", ("3", "6")),
        (key, "ArrowLeft", ("2", "5")),
        (query, "End", ("37", "40")),
        (key, "Home", ("0", "3")),
    ):
        slider.press(press)
        assert at() == places
        assert shown(block)["score"] == before
    typed = block.get_by_label("Query position p, as a number")
    typed.fill("39")
    typed.press("Enter")
    assert typed.input_value() == "37"
    step = block.get_by_role("button", name="Step")
    for places in (("2", "5"), ("3", "6")):  # after the last place, over again
        step.click()
        assert at() == places
    together.press(" ")
    key.press("Home")
    assert at() == ("3", "0")


def test_all_curves_are_one_unless_the_layouts_differ(page, brief):
    block = opened(page, brief + HERE)
    same = paths(block, ".curve")
    assert len(same) == 6
    assert len(set(same)) == 1
    block.get_by_role("group", name="Layout of the key").get_by_role("radio", name="half").press(
        " "
    )
    mixed = paths(block, ".curve")
    assert len(set(mixed)) == 6
    offsets = np.arange(-LAST, LAST + 0.25, 0.25)
    exact = [score(2, 2 + k, "interleaved", "half", 100) for k in offsets]
    assert misses(mixed[-1], exact) < 0.02  # pixels; a path has hundredths of them


def test_arrows_point_where_posenc_turns_the_pair(page, brief):
    block = opened(
        page, f"{brief}{PAGE}?rotary.p=11&rotary.q=30&rotary.keyLayout=half#explore-rotary"
    )
    arrows = paths(block, ".arrow:not(.faint)")
    exact = (turned(QUERY, 11, "interleaved", 100)[2:4], turned(KEY, 30, "half", 100)[[1, 5]])
    scales = []
    for path, (x, y) in zip(arrows, exact, strict=True):
        tip_x, tip_y = (float(text) for text in path.split("M")[1].split("L")[1].split())
        assert abs(np.angle(complex(tip_x, -tip_y) / complex(x, y))) < 1e-3
        scales.append(np.hypot(tip_x, tip_y) / np.hypot(x, y))
    assert abs(scales[0] / scales[1] - 1) < 1e-3


def test_reset_links_and_themes_keep_what_was_set(page, brief):
    block = opened(page, brief + HERE)
    before = shown(block)
    block.get_by_label("Query position p", exact=True).press("PageUp")
    block.get_by_role("group", name="Layout of the query").get_by_role("radio", name="half").press(
        " "
    )
    after = shown(block)
    assert after != before
    link = copied_link(block)
    block.get_by_role("button", name="Reset").click()
    assert shown(block) == before

    page.goto("about:blank")
    block = opened(page, link)
    assert shown(block) == after
    ink = "curve => getComputedStyle(curve).stroke"
    light = block.locator(".curve").last.evaluate(ink)
    themed(page, "dark")
    assert block.locator(".curve").last.evaluate(ink) != light
    assert shown(block) == after
