"""Explorers for readers who use a keyboard or a screen reader, or want less motion."""

import pytest

from tests.browser.axe import find_violations
from tests.browser.explorers import open_explorer, press
from tests.browser.test_explorer_frame import PLACES
from tests.browser.waiting import set_scheme

SIMILARITY = "chapters/relative/#explore-similarity"

# Of radio buttons, the Tab key stops at the chosen one.
STOPS = """block => [...block.querySelectorAll("a[href], button, input, [role=application]")]
  .filter(one => one.checkVisibility({visibilityProperty: true}))
  .filter(one => one.type !== "radio" || one.checked)"""


@pytest.mark.parametrize("place", PLACES)
def test_an_explorer_is_accessible(page, address, place):
    """Axe finds nothing, light or dark, and the Tab key goes through all controls and out."""
    block = open_explorer(page, address + place)
    for scheme, width in (("light", 1280), ("dark", 390)):
        page.set_viewport_size({"width": width, "height": 900})
        set_scheme(page, scheme)
        assert find_violations(page, f"#{place.partition('#')[2]}") == []

    count = block.evaluate(f"block => (window.stops = ({STOPS})(block)).length")
    assert count > 3
    page.evaluate("stops[0].focus()")
    for stop in range(count):
        assert page.evaluate("stops.indexOf(document.activeElement)") == stop
        page.keyboard.press("Tab")
    assert not block.evaluate("block => block.contains(document.activeElement)")


def test_a_change_is_announced_once_it_rests(new_tab, address):
    new_tab.clock.install()
    block = open_explorer(new_tab, address + SIMILARITY)
    status = block.get_by_role("status").last
    message = block.locator(".explorer-message")
    first = status.text_content()
    assert first == message.text_content()
    status.evaluate(
        """status => {
             window.spoken = [];
             new MutationObserver(() => spoken.push(status.textContent))
               .observe(status, {childList: true, characterData: true, subtree: true});
           }"""
    )
    new_tab.clock.run_for(3000)
    press("Anchor p", "ArrowRight")(block)
    press("plot", "ArrowRight")(block)
    new_tab.clock.run_for(3000)

    assert new_tab.evaluate("spoken") == [message.text_content()] != [first]
    assert block.locator("output:not([aria-live=off])").count() == 0, "each number is announced"


def test_reduced_motion_turns_play_into_one_step(new_tab, address):
    new_tab.emulate_media(reduced_motion="reduce")
    new_tab.clock.install()
    block = open_explorer(new_tab, address + "chapters/counting/#explore-clock")
    block.get_by_role("button", name="Step").click()
    new_tab.clock.run_for(5000)

    assert block.get_by_label("Position p, as a number").input_value() == "21"
    assert block.get_by_role("button", name="Pause").count() == 0
