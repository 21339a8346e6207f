"""Reading on a phone: code wraps, controls fit fingers, and tables keep words together."""

import pytest

from tests.browser.conftest import open_tab
from tests.browser.explorers import open_explorer
from tests.browser.test_explorer_frame import MEASURE, PLACES
from tests.browser.waiting import wait_until_loaded

OVERFLOWING_CODE = """() => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const blocks = [...document.querySelectorAll("article pre > code")];
  for (const code of blocks) code.style.contentVisibility = "visible";
  const cut = blocks.filter((code) => code.scrollWidth > code.clientWidth + 1);
  return cut.map((code) => code.textContent);
}"""
SMALL_CONTROLS = """() =>
  [...document.querySelectorAll(
    ".explorer :is(button, select, [type=number], [type=range], label)"
  )]
    .filter((control) => control.checkVisibility())
    .filter((control) => {
      const { height, width } = control.getBoundingClientRect();
      return Math.min(height, width) < 44;
    })
    .map((control) => control.outerHTML)"""


@pytest.fixture
def phone(browser):
    with open_tab(
        browser, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True
    ) as tab:
        yield tab


@pytest.mark.parametrize("path", ["", "chapters/rotary/", "reference/cookbook/"])
def test_no_line_of_code_is_cut(phone, address, path):
    phone.goto(address + path)
    wait_until_loaded(phone)

    assert phone.evaluate(OVERFLOWING_CODE) == []


@pytest.mark.parametrize("place", ["#explore-table", *PLACES])
def test_controls_are_as_large_as_a_finger_and_have_room(phone, address, place):
    block = open_explorer(phone, address + place)
    assert phone.evaluate(SMALL_CONTROLS) == []
    height, room, _ = block.evaluate(MEASURE)
    assert height == pytest.approx(room, abs=0.1)


def test_a_column_of_sentences_is_wider_than_a_word(phone, address):
    phone.goto(address + "reference/conventions/")

    widths = phone.evaluate(
        "[...document.querySelectorAll('td.long')].map((cell) => cell.offsetWidth)"
    )
    assert min(widths) >= 200


def test_back_to_top_covers_no_title(phone, address):
    phone.goto(address + "chapters/rotary/")
    wait_until_loaded(phone)
    phone.evaluate("scrollTo(0, 4000)")
    phone.wait_for_timeout(300)
    phone.evaluate("scrollTo(0, 3000)")
    phone.wait_for_selector(".md-top:not([hidden])")

    box = phone.locator(".md-top").bounding_box()
    assert box["y"] > 700
    assert box["height"] < 60


def test_wrapped_lines_of_an_editor_have_a_hanging_indent(phone, address):
    phone.goto(address + "workbench/inspect/")
    phone.locator(".cm-content").fill("word " * 20)

    rows = phone.locator(".cm-line").evaluate("""(line) => {
      const range = document.createRange();
      range.selectNodeContents(line);
      return [...range.getClientRects()].map((row) => row.left);
    }""")
    assert len(rows) >= 3
    assert min(rows[1:]) == max(rows[1:]) > rows[0]
