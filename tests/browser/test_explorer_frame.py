"""What all explorers share: the address, Play, what stands without them, and room for them."""

from datetime import datetime

import pytest
from playwright.sync_api import expect

import posenc
from tests.browser.explorers import find_explorer, open_explorer, press, read_values
from tests.browser.test_explorers import EXPLORERS
from tests.browser.waiting import wait_for_frames

PAGE = "chapters/sinusoidal/"
TABLE = f"{PAGE}#explore-table"
CLOCK = "chapters/counting/#explore-clock"
PLACES = sorted(
    {explorer.address for explorer in EXPLORERS.values() if "?" not in explorer.address}
)


def test_an_address_keeps_its_fragment_and_the_values_of_others(page, address):
    page.goto(f"{address}{PAGE}?h=wave&other.d=3#frequencies")
    press("Length L", "ArrowRight")(find_explorer(page, "explore-table"))

    page.wait_for_url("**/?h=wave&other.d=3&table.length=65#frequencies")


def test_bad_values_in_an_address_are_ignored(page, address):
    given = ["d=7", "base=NaN", "length=1e9", "layout=third", "p=64", "c=1.5", "<b>=&="]
    bad = "&table.".join(given)
    block = open_explorer(page, f"{address}{PAGE}?table.{bad}#explore-table")

    assert read_values(block)["value"] == f"{posenc.sinusoidal_at(20, 32, base=100)[8]:.4f}"


def test_two_keys_within_one_frame_are_two_steps(page, address):
    block = open_explorer(page, address + TABLE)
    before = block.locator("[data-name=value]").text_content()
    block.get_by_role("application").evaluate(
        """plot => ["ArrowRight", "ArrowRight"].forEach(
             key => plot.dispatchEvent(new KeyboardEvent("keydown", {key})))"""
    )
    wait_for_frames(page)

    assert before == "PE(20, 8)"
    assert block.locator("[data-name=value]").text_content() == "PE(20, 10)"


def test_play_goes_on_until_paused(new_tab, address):
    new_tab.clock.install(time=datetime(2026, 1, 1))
    block = open_explorer(new_tab, address + CLOCK)
    new_tab.clock.pause_at(datetime(2026, 1, 2))
    field = block.get_by_label("Position p, as a number")
    block.get_by_role("button", name="Play").click()
    new_tab.clock.run_for(1300)  # a step at once, and three of 400 ms each
    assert field.input_value() == "24"

    block.get_by_role("button", name="Pause").click()
    new_tab.clock.run_for(5000)
    assert field.input_value() == "24"
    expect(block.get_by_role("button", name="Play")).to_be_visible()


# The height of a block, the room that its style keeps for it, and how much of it is empty.
MEASURE = """block => {
  const [outer, inner] = [block, block.querySelector(".explorer-live")].map(
    one => one.getBoundingClientRect());
  const room = parseFloat(getComputedStyle(block).minHeight);
  return [outer.height, room, outer.bottom - inner.bottom];
}"""


@pytest.mark.parametrize("place", PLACES)
def test_the_room_kept_for_an_explorer_is_what_it_needs(page, address, place):
    """Else the text below would move when it starts."""
    block = open_explorer(page, address + place)
    for width in (390, 800, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        wait_for_frames(page, 4)
        height, room, empty = block.evaluate(MEASURE)
        assert height == pytest.approx(room, abs=0.1), width
        assert empty < 60, width


def test_the_figure_stays_where_the_script_fails_and_on_paper(page, address):
    page.goto(address + TABLE)
    block = find_explorer(page, "explore-table")
    figure = block.locator("> figure")
    assert not figure.is_visible()
    assert not block.locator(".take").is_visible(), "it offers the numbers of the figure"

    page.emulate_media(media="print")
    assert figure.is_visible()
    assert not block.locator(".explorer-live").is_visible()

    page.emulate_media(media="screen")
    page.route("**/explorers/table.js", lambda route: route.abort())
    page.reload()
    page.wait_for_selector("#explore-table[data-state=failed]")
    assert figure.is_visible()
    assert block.locator(".explorer-live").count() == 0
