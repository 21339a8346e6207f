"""Presenting a chapter on a projector."""

from tests.browser.axe import find_violations
from tests.browser.waiting import wait_until_loaded

VISIBLE_HEADINGS = """() =>
  [...document.querySelectorAll("article :is(h1, h2)")]
    .filter((heading) => heading.checkVisibility())
    .map((heading) => heading.id)"""


def test_a_lecturer_presents_one_section_at_a_time(page, address):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(address + "chapters/rotary/#sign")
    wait_until_loaded(page)
    size = "parseFloat(getComputedStyle(document.querySelector('article p')).fontSize)"
    before = page.evaluate(size)
    page.keyboard.press("Shift+P")
    page.wait_for_selector(".present-bar")

    assert page.evaluate(VISIBLE_HEADINGS) == ["sign"]
    assert page.evaluate(size) > 1.3 * before
    page.get_by_role("button", name="Previous section").click()
    (previous,) = page.evaluate(VISIBLE_HEADINGS)
    assert previous != "sign"
    while page.evaluate(VISIBLE_HEADINGS) == [previous]:  # scrolls to its end first
        page.keyboard.press("ArrowRight")
    assert page.evaluate(VISIBLE_HEADINGS) == ["sign"]

    page.keyboard.press("Escape")
    assert len(page.evaluate(VISIBLE_HEADINGS)) > 5
    assert page.evaluate(size) == before
    page.get_by_role("button", name="present").click()
    page.wait_for_selector(".present-bar")
    page.keyboard.press("Home")
    assert page.evaluate("document.querySelector('h1').checkVisibility()")
    assert find_violations(page) == []
