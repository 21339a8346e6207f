"""Open an explorer, move its controls, and read the numbers that it shows."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.waiting import wait_for_frames

SCRIPTS = "assets/scripts/explorers/"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
GROUP = "\u202f"  # between groups of thousands; such a number has four significant digits

Gesture = Callable[[Locator], None]
Readout = Mapping[str, str | Sequence[float]]


def open_explorer(page: Page, url: str) -> Locator:
    """Open the page of an explorer, whose id is the fragment, and wait until it works."""
    page.goto(url)
    return find_explorer(page, url.partition("#")[2])


def find_explorer(page: Page, name: str) -> Locator:
    """Scroll to an explorer, and return it once it works."""
    page.evaluate("name => document.getElementById(name).scrollIntoView()", name)
    page.wait_for_selector(f"#{name}[data-state=live]")
    return page.locator(f"#{name}")


def press(control: str, *keys: str, group: str = "") -> Gesture:
    """Return a gesture: press keys on a slider, a checkbox, a radio button or a plot."""

    def gesture(block: Locator) -> None:
        within = block.get_by_role("group", name=group) if group else block
        if control == "plot":
            target = within.get_by_role("application").last
        else:
            choices = within.get_by_role("radio", name=control, exact=True)
            target = choices.or_(within.get_by_label(control, exact=True)).first
        for key in keys:
            target.press(key)

    return gesture


def choose(choice: str, group: str = "") -> Gesture:
    """Return a gesture: choose a radio button by its whole name, or tick a checkbox."""
    return press(choice, " ", group=group)


def type_number(control: str, number: float) -> Gesture:
    """Return a gesture: type a number into the field beside a slider."""
    return lambda block: block.get_by_label(f"{control}, as a number").fill(str(number))


def click(selector: str, place: int = 0, right: float = 0, down: float = 0) -> Gesture:
    """Return a gesture: click something, so many half sizes away from its middle."""

    def gesture(block: Locator) -> None:
        target = block.locator(selector).nth(place)
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box, selector
        x, y = box["x"] + box["width"] / 2 * (1 + right), box["y"] + box["height"] / 2 * (1 + down)
        block.page.mouse.click(x, y)

    return gesture


def read_values(block: Locator) -> dict[str, str]:
    """Return the texts of the read-out by their keys, once they are drawn."""
    wait_for_frames(block.page)
    found: dict[str, str] = block.locator("[data-value]").evaluate_all(
        "all => Object.fromEntries(all.map(one => [one.dataset.value, one.textContent]))"
    )
    return found


def find_differences(shown: Mapping[str, str], expected: Readout) -> list[str]:
    """List the values that are not the expected text, or differ in a digit that is shown."""
    return [
        f"{key}: shown {shown.get(key)!r}, expected {value}"
        for key, value in expected.items()
        if key not in shown or not _agree(shown[key], value)
    ]


def _agree(shown: str, expected: str | Sequence[float]) -> bool:
    if isinstance(expected, str):
        return shown == expected
    texts = NUMBER.findall(shown.replace("·10", "e").translate(SUPERSCRIPTS).replace(GROUP, ""))
    if len(texts) != len(expected):
        return False
    for text, exact in zip(texts, expected, strict=True):
        mantissa, _, exponent = text.partition("e")
        unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        if GROUP in shown:
            unit = 10.0 ** (len(text) - 4)
        if abs(float(text) - exact) > 0.5 * unit + 1e-9 * abs(exact):
            return False
    return True


def copy_link(block: Locator) -> str:
    """Press the button that copies a link, and return the link."""
    block.page.evaluate("navigator.clipboard.writeText('')")
    block.get_by_role("button", name="Copy link").click()
    block.page.wait_for_function("navigator.clipboard.readText().then(text => text !== '')")
    link: str = block.page.evaluate("navigator.clipboard.readText()")
    return link


def call_function(page: Page, address: str, name: str, calls: Sequence[Sequence[Any]]) -> list[Any]:
    """Call a function, `module.function`, with each list of arguments; return the results."""
    module, _, function = name.partition(".")
    results: list[Any] = page.evaluate(
        """async ([url, name, calls]) => {
             const toPlain = value => ArrayBuffer.isView(value) ? [...value].map(toPlain)
               : Array.isArray(value) ? value.map(toPlain) : value;
             const { [name]: called } = await import(url);
             return calls.map(args => toPlain(called(...args)));
           }""",
        [f"{address}{SCRIPTS}parts/{module}.js", function, calls],
    )
    return results
