"""Explorer: how alike two positions are, against the package."""

import numpy as np

import posenc
from tests.browser.explorers import (
    called,
    copied_link,
    misses,
    number,
    opened,
    paths,
    shown,
    themed,
)

PAGE = "chapters/relative/"
HERE = f"{PAGE}#explore-similarity"
WIDTHS = [(d, base) for d in (2, 4, 64, 128) for base in (10, 123.5, 10000, 1e6)]


def similarity(p: int, q: int, d: int = 64, base: float = 10000) -> float:
    """Return the dot product of two codes, divided by that of one with itself."""
    here, there = posenc.sinusoidal_at([p, q], d, base=base)
    return float(here @ there) / (d / 2)


def test_dot_products_and_distances_agree_with_posenc(site_tab, address):
    positions = [-64, 0, 3, 100, 200, 264]
    calls = [(anchor, positions, d, base) for d, base in WIDTHS for anchor in (0, 77, 200)]
    products = called(site_tab, address, "parts/relative", "dotProducts", calls)
    for (anchor, _, d, base), row in zip(calls, products, strict=True):
        pe = posenc.sinusoidal_at([anchor, *positions], d, base=base)
        # Angles are at most 264, and wrong by that times 4e-15; each of d products, then, by twice.
        assert abs(pe[1:] @ pe[0] - row).max() < d * 2e-12

    offsets = [(k, *width) for width in WIDTHS for k in (1, 6, -40, 200)]
    distances = called(site_tab, address, "parts/relative", "distanceByOffset", offsets)
    ours = [posenc.distance_by_offset(k, d, base=base) for k, d, base in offsets]
    assert np.allclose(distances, ours, rtol=0, atol=1e-11)  # 64 sines of halves of such angles

    nearest = called(
        site_tab, address, "parts/relative", "nearestAlias", [(d, 64, b) for d, b in WIDTHS]
    )
    for (d, base), (offset, distance) in zip(WIDTHS, nearest, strict=True):
        expected = posenc.nearest_alias(d, 64, base=base)
        assert offset == expected[0]
        assert abs(distance - expected[1]) < 1e-11


def test_the_first_rise_is_that_of_the_packages_curve(site_tab, address):
    tables = [posenc.sinusoidal_positional_encoding(65, d, base=b) for d, b in WIDTHS]
    curves = [posenc.pe_similarity_by_distance(pe).tolist() for pe in tables]
    rises = called(site_tab, address, "parts/relative", "firstRise", [[curve] for curve in curves])
    expected = [np.flatnonzero(np.diff(curve) > 0) + 1 for curve in curves]
    assert rises == [int(found[0]) for found in expected]
    assert called(site_tab, address, "parts/relative", "firstRise", [[[3, 2, 2, 1]]]) == [None]


def test_keys_show_the_similarity_that_posenc_has(page, brief):
    block = opened(page, brief + HERE)

    def agrees(p: int, q: int, d: int = 64, base: float = 10000) -> None:
        values = shown(block)
        assert values["positions"] == f"{p} and {q}"
        expected = similarity(p, q, d, base)
        assert abs(number(values["similarity"]) - expected) <= 0.51e-4
        dot, _, largest = values["dot"].partition(" of ")
        assert abs(number(dot) - expected * d / 2) <= 0.51e-4
        assert largest == str(d // 2)
        offset, distance = posenc.nearest_alias(d, 64, base=base)
        apart, _, peak = values["nearest"].partition(" apart: ")
        assert int(apart) == offset
        assert abs(number(peak) - (1 - distance**2 / d)) <= 0.51e-4

    agrees(100, 106)
    by_position, by_offset = block.get_by_role("application").all()
    by_offset.press("ArrowRight")
    by_offset.press("Shift+ArrowLeft")
    agrees(100, 97)
    by_position.press("ArrowRight")
    agrees(101, 98)
    block.get_by_label("Channels d", exact=True).press("Home")
    agrees(101, 98, 2)
    block.get_by_label("Base b, as a number").fill("345.5")
    agrees(101, 98, 2, 345.5)
    block.get_by_label("Channels d, as a number").fill("4")
    agrees(101, 98, 4, 345.5)
    by_offset.press("End")
    agrees(101, 165, 4, 345.5)
    block.get_by_label("Anchor p", exact=True).press("End")  # no position is above 200
    agrees(200, 200, 4, 345.5)
    block.get_by_label("Anchor p, as a number").fill("30")
    agrees(30, 94, 4, 345.5)


def test_the_curve_by_offset_stays_while_the_anchor_moves(page, brief):
    block = opened(page, brief + HERE)

    moving, standing = paths(block, ".by-position .curve"), paths(block, ".by-offset .curve")
    similar = shown(block)["similarity"]
    block.get_by_label("Anchor p", exact=True).press("PageUp")
    assert paths(block, ".by-position .curve") != moving
    assert paths(block, ".by-offset .curve") == standing
    assert shown(block)["similarity"] == similar


def test_the_curves_go_through_the_values_of_posenc(page, brief):
    block = opened(page, f"{brief}{PAGE}?similarity.p=20#explore-similarity")
    for plot, first, last in ((".by-position", 0, 200), (".by-offset", -44, 84)):
        path = paths(block, f"{plot} .curve")[0]
        exact = [similarity(20, q) for q in range(first, last + 1)]
        assert misses(path, exact) < 0.02  # pixels; a path has hundredths of them


def test_a_press_in_the_pictures_moves_anchor_and_neighbour(page, brief):
    block = opened(page, brief + HERE)
    block.locator(".by-position .other").click(force=True)  # what stands at 106
    assert shown(block)["positions"] == "106 and 112"
    block.locator(".by-offset .mirrored").click(force=True)
    assert shown(block)["positions"] == "106 and 100"


def test_reset_links_and_themes_keep_what_was_set(page, brief):
    block = opened(page, brief + HERE)
    before = shown(block)
    block.get_by_label("Anchor p", exact=True).press("PageDown")
    block.get_by_role("application").last.press("ArrowLeft")
    after = shown(block)
    assert after["positions"] != before["positions"]
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
