"""The explorer of the matrix that moves a pair, against posenc."""

import numpy as np

import posenc
from tests.browser.explorers import called, number, opened, shown

SHIFT = "chapters/relative/#explore-shift"
D = 16


def test_the_block_of_a_pair_agrees_with_posenc(site_tab, address):
    frequencies = posenc.inv_freq(D)
    calls = [(k, float(omega)) for k in (-20, -1, 0, 0.5, 20) for omega in frequencies]
    blocks = called(site_tab, address, "parts/codes", "pairRotation", calls)
    for (k, _), (i, block) in zip(calls, enumerate(blocks), strict=True):
        pair = slice(2 * (i % 8), 2 * (i % 8) + 2)
        expected = posenc.rotation_matrix(k, D)[pair, pair]
        # Sines and cosines of angles up to 20, whose product is rounded.
        assert abs(np.array(block) - expected).max() < 20 * 4e-16


def test_the_equation_shows_the_numbers_of_posenc_for_what_the_keys_set(page, brief):
    block = opened(page, brief + SHIFT)

    def agrees(p: int, k: int, i: int) -> None:
        pair = slice(2 * i, 2 * i + 2)
        matrix = posenc.rotation_matrix(k, D)[pair, pair]
        before, after = posenc.sinusoidal_at([p, p + k], D)[:, pair]
        values = {key: number(text) for key, text in shown(block).items()}
        expected = dict(zip(("m00", "m01", "m10", "m11"), matrix.ravel(), strict=True))
        expected |= {"s": before[0], "c": before[1], "s2": after[0], "c2": after[1]}
        assert values.keys() == expected.keys()
        for key, entry in expected.items():
            assert abs(values[key] - entry) <= 0.5e-4 + 1e-12, (key, values)

    agrees(3, 2, 1)
    circle = block.get_by_role("application")
    circle.press("ArrowRight")
    circle.press("ArrowDown")
    agrees(4, 1, 1)
    block.get_by_label("Offset k", exact=True).press("Home")
    agrees(4, -20, 1)
    block.get_by_label("Pair i", exact=True).press("Home")
    agrees(4, -20, 0)
    block.get_by_label("Pair i", exact=True).press("End")
    agrees(4, -20, 7)
    before = shown(block)
    block.get_by_label("Position p", exact=True).press("End")
    agrees(100, -20, 7)
    after = shown(block)
    assert all(after[key] == before[key] for key in after if key.startswith("m"))
    block.get_by_label("Four other positions").press(" ")
    shown(block)
    assert block.locator("svg .ghost").count() == 0


def test_what_is_drawn_turns_as_the_equation_says(page, brief):
    block = opened(page, brief + SHIFT)
    values = {key: number(text) for key, text in shown(block).items()}
    ends = block.evaluate(
        """(block) => { const radius = block.querySelector(".rim").r.baseVal.value;
             return ["before", "after"].flatMap((name) => {
               const dot = block.querySelector(`circle.${name}`);
               return [dot.cx.baseVal.value / radius, -dot.cy.baseVal.value / radius]; }); }"""
    )
    assert np.allclose(ends, [values[key] for key in ("s", "c", "s2", "c2")], atol=1e-4)
