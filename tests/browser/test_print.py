"""Chapters on paper: no page is left white, and nothing is printed that needs a screen."""

from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise

import pikepdf
import pytest
from playwright.sync_api import Page

MM = 72 / 25.4  # points
TOP, BOTTOM = 17 * MM, (297 - 19) * MM  # the margins of docs/assets/style/print.css
GAP = 13 * MM  # more than between a section and the next heading
LOAD_IMAGES = """() => Promise.all([...document.images].filter(image => image.checkVisibility())
  .map(image => { image.loading = "eager"; return image.decode(); }))"""


def print_page(page: Page, address: str) -> pikepdf.Pdf:
    """Return a page of the site as a PDF."""
    page.goto(address)
    page.evaluate(LOAD_IMAGES)
    return pikepdf.open(BytesIO(page.pdf(format="A4", print_background=True)))


def find_ink(paper: pikepdf.Page) -> Iterator[float]:
    """Yield the height of each piece of text and of the points of each path, from the top."""
    height = float(paper.mediabox[3])
    matrix, stack = pikepdf.Matrix(), []
    for instruction in pikepdf.parse_content_stream(paper):
        match str(instruction.operator), list(instruction.operands):
            case "q", _:
                stack.append(matrix)
            case "Q", _:
                matrix = stack.pop()
            case "cm", numbers:
                matrix = pikepdf.Matrix(*map(float, numbers)) @ matrix
            case "Tm" | "m" | "l" | "c", [*_, x, y]:
                yield height - matrix.transform((float(x), float(y)))[1]
            case "Do", _:
                yield from (height - matrix.transform((0, y / 20))[1] for y in range(21))


def measure_white(paper: pikepdf.Page) -> float:
    """Return the share of a page's height that has neither text nor pictures."""
    ink = sorted([TOP, *(y for y in find_ink(paper) if TOP < y < BOTTOM), BOTTOM])
    gaps = [low - high for high, low in pairwise(ink)]
    return sum(gap for gap in gaps if gap > GAP) / (BOTTOM - TOP)


@pytest.mark.parametrize("chapter", ["order", "aliasing"])
def test_no_page_of_a_chapter_is_more_than_a_third_white(page, address, chapter):
    with print_page(page, f"{address}chapters/{chapter}/") as pdf:
        *pages, _ = pdf.pages  # a chapter may end early on its last page
        white = {number: round(measure_white(paper), 2) for number, paper in enumerate(pages, 1)}

    assert len(white) > 10
    assert {number: share for number, share in white.items() if share > 1 / 3} == {}


def test_nothing_is_printed_that_needs_a_screen(page, address):
    page.goto(address + "chapters/rotary/")
    page.get_by_role("button", name="present").wait_for()
    page.emulate_media(media="print")

    assert page.locator(":is(button, input, select, .md-search):visible").count() == 0
