"""Explorers for readers who touch, listen, or choose their own colours."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.explorers import opened, settled, shown

HERE = "chapters/relative/#explore-similarity"


# A page that a finger has let go may roll on.
STILL = """async () => {
  const before = scrollY;
  for (let count = 0; count < 3; count++) await new Promise(requestAnimationFrame);
  return scrollY === before;
}"""


def drag(page: Page, x: float, y: float, right: float, down: float) -> None:
    """Move a finger."""
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    send("touchStart", (x, y))
    for step in range(1, 9):
        send("touchMove", (x + right * step / 8, y + down * step / 8))
    send("touchEnd")


def test_a_finger_drags_and_taps_but_scrolling_changes_nothing(touched, brief):
    block = opened(touched, brief + HERE)
    plot = block.get_by_role("application", name="Similarity by offset")

    def middle() -> tuple[float, float]:
        box = plot.bounding_box()
        assert box
        return box["x"] + 0.7 * box["width"], box["y"] + 0.5 * box["height"]

    before = shown(block)
    height = touched.evaluate("scrollY")
    drag(touched, *middle(), 0, -150)
    touched.wait_for_function("before => scrollY > before + 50", arg=height)
    touched.wait_for_function(STILL)
    assert shown(block) == before

    plot.evaluate("plot => plot.scrollIntoView({block: 'center'})")  # however far it rolled
    positions = block.locator("[data-value=positions]")

    def moved(act: Callable[[], None]) -> None:
        """Wait until something has changed the positions, which on a busy machine takes a while."""
        was = positions.text_content()
        act()
        touched.wait_for_function(
            "([element, was]) => element.textContent !== was",
            arg=[positions.element_handle(), was],
        )

    moved(lambda: drag(touched, *middle(), 60, 0))
    dragged = shown(block)
    moved(lambda: touched.touchscreen.tap(*middle()))
    assert shown(block)["positions"] not in (dragged["positions"], before["positions"])


def test_nothing_is_announced_before_the_reader_changes_something(newcomer, brief):
    page = newcomer
    page.add_init_script(
        """window.spoken = [];
           document.addEventListener("DOMContentLoaded", () => new MutationObserver(all =>
             all.filter(({target}) => target.closest?.(".explorer-status") && target.isConnected)
                .forEach(({target}) => spoken.push(target.textContent)))
             .observe(document.body, {subtree: true, childList: true}), {once: true});"""
    )
    page.clock.install()
    block = opened(page, brief + HERE)
    status = block.get_by_role("status").last
    first = status.text_content()
    assert first == block.locator(".explorer-message").text_content()
    page.evaluate("spoken.length = 0")
    page.clock.run_for(3000)
    assert page.evaluate("spoken") == []
    block.get_by_label("Anchor p", exact=True).press("ArrowRight")
    block.get_by_role("application").last.press("ArrowRight")
    page.clock.run_for(3000)
    assert page.evaluate("spoken") == [status.text_content()]
    assert status.text_content() != first


def test_a_drag_stops_what_plays(page, brief):
    block = opened(page, f"{brief}chapters/rotary/#explore-rotary")
    block.get_by_role("button", name="Play").click()
    block.get_by_role("application").press("ArrowRight")
    settled(page)
    assert block.get_by_role("button", name="Play").is_visible()


def test_what_is_chosen_is_seen_where_the_system_sets_the_colours(page, brief):
    page.emulate_media(forced_colors="active")
    block = opened(page, f"{brief}chapters/rotary/#explore-rotary")
    kept = block.get_by_role("group", name="Layout of the key").evaluate(
        """group => [...group.querySelectorAll("label")]
             .map(label => getComputedStyle(label).forcedColorAdjust)"""
    )
    assert kept == ["none", "auto"]  # the first is chosen, and keeps its background
