"""The explorer of clock hands, against posenc."""

import math
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Locator

import posenc
from tests.browser.explorers import live, number, opened, settled, shown

CLOCK = "chapters/counting/#explore-clock"
SLOWED = "chapters/scaling/#explore-clock"
GRID = "chapters/grids/#explore-clock"


def agrees(block: Locator, p: float, d: int, base: float) -> None:
    shows(block, posenc.sinusoidal_at(p, d, base=base))


def shows(block: Locator, row: NDArray[np.float64]) -> None:
    values = shown(block)
    assert len(values) == len(row)
    for channel, entry in enumerate(row):
        # The last digit shown, and angles of 200 rounded.
        assert abs(number(values[f"c{channel}"]) - entry) <= 0.5e-4 + 1e-12


def test_the_hands_show_the_row_of_posenc_for_what_the_keys_set(page, brief):
    block = opened(page, brief + CLOCK)
    agrees(block, 20, 8, 10000)
    block.get_by_role("application").press("ArrowRight")
    agrees(block, 21, 8, 10000)
    block.get_by_label("Position p", exact=True).press("End")
    agrees(block, 200, 8, 10000)
    block.get_by_label("Channels d", exact=True).press("End")
    agrees(block, 200, 16, 10000)
    block.get_by_label("Base b", exact=True).press("Home")
    agrees(block, 200, 16, 10)
    block.get_by_label("Channels d", exact=True).press("Home")
    agrees(block, 200, 2, 10)


def test_the_hands_point_to_their_numbers(page, brief):
    """The tip of each hand, as drawn, is its sine to the right and its cosine upwards."""
    block = opened(page, brief + CLOCK)
    settled(page)
    tips = block.evaluate(
        """(block) => [...block.querySelectorAll(".rim")].map((rim) => {
             const tip = rim.parentNode.querySelector(".tip"), radius = rim.r.baseVal.value;
             return [tip.cx.baseVal.value / radius, -tip.cy.baseVal.value / radius]; })"""
    )
    expected = posenc.sinusoidal_at(20, 8).reshape(4, 2)
    assert abs(tips - expected).max() < 1e-6  # coordinates are single precision


def test_a_press_on_a_dial_turns_its_hand_there(page, brief):
    block = opened(page, brief + CLOCK)
    dial = block.locator(".rim").nth(1).bounding_box()
    assert dial
    # To the right by 0.6 of the radius and down by 0.8, where this hand is nearest at 25.
    assert round(math.atan2(0.6, -0.8) / posenc.inv_freq(8)[1]) == 25
    radius = dial["width"] / 2
    page.mouse.click(dial["x"] + 1.6 * radius, dial["y"] + 1.8 * radius)
    agrees(block, 25, 8, 10000)


def test_slowed_hands_stand_where_interpolation_puts_them(page, brief):
    block = opened(page, brief + SLOWED)
    assert block.get_by_label("Channels d", exact=True).is_hidden()
    for key, p, s in (("", 40, 2), ("End", 40, 8), ("ArrowLeft", 40, 7.5)):
        if key:
            block.get_by_label("Slowed by s", exact=True).press(key)
        keys = {"rope_type": "linear", "factor": s, "head_dim": 8, "rope_theta": 100}
        angles = p * posenc.rope_parameters(keys).inv_freq
        shows(block, np.column_stack([np.sin(angles), np.cos(angles)]).ravel())
    ghosts = block.locator(".ghost").evaluate_all(
        "all => all.map(line => Math.atan2(line.x2.baseVal.value, -line.y2.baseVal.value))"
    )
    angles = 40 * posenc.inv_freq(8, base=100)
    assert np.allclose(np.exp(1j * np.array(ghosts)), np.exp(1j * angles), atol=1e-5)


def test_a_cell_has_hands_for_its_row_and_others_for_its_column(page, brief):
    block = opened(page, brief + GRID)
    dials = block.get_by_role("application")

    def stands(row: int, column: int) -> None:
        shows(block, posenc.axial_encoding([row, column], 8, base=100))

    stands(2, 3)
    for key, row, column in (("ArrowRight", 2, 4), ("ArrowDown", 3, 4), ("ArrowUp", 2, 4)):
        dials.press(key)
        stands(row, column)
    block.get_by_label("Position p", exact=True).press("Home")
    stands(0, 0)
    block.get_by_label("Columns W", exact=True).press("Home")
    block.get_by_label("Position p", exact=True).press("End")
    stands(100, 0)
    assert block.locator(".ghost").count() == 0


def test_a_press_on_a_dial_of_the_column_stays_in_the_row(page, brief):
    block = opened(page, brief + GRID)
    dial = block.locator(".rim").nth(2).bounding_box()
    assert dial
    # Down, where the fast hand of the column is nearest at 3; then up, at 0.
    for down, column in ((1.9, 3), (0.1, 0)):
        radius = dial["width"] / 2
        page.mouse.click(dial["x"] + radius, dial["y"] + down * radius)
        shows(block, posenc.axial_encoding([2, column], 8, base=100))


def test_play_goes_on_until_it_is_paused(newcomer, brief):
    newcomer.clock.install(time=datetime(2026, 1, 1))
    block = opened(newcomer, brief + CLOCK)
    newcomer.clock.pause_at(datetime(2026, 1, 2))
    field = block.get_by_label("Position p, as a number")
    block.get_by_role("button", name="Play").click()
    newcomer.clock.run_for(1300)  # a step at once, and three beats of 400 ms
    assert field.input_value() == "24"
    block.get_by_role("button", name="Pause").click()
    assert block.get_by_role("button", name="Play").is_visible()
    newcomer.clock.run_for(5000)
    assert field.input_value() == "24"


def test_with_reduced_motion_play_is_one_step(newcomer, brief):
    page = newcomer
    page.emulate_media(reduced_motion="reduce")
    page.clock.install()
    page.goto(brief + CLOCK)
    page.clock.run_for(1000)
    block = live(page, "explore-clock")
    block.get_by_role("button", name="Step").click()
    page.clock.run_for(5000)
    assert block.get_by_label("Position p, as a number").input_value() == "21"
    assert block.get_by_role("button", name="Pause").count() == 0
