"""Which pages are made again in the next build of `mkdocs serve`."""

from pathlib import Path

from engine.checks import Report
from engine.places import DOCS
from pages.extension import Pages
from tests import checking

CHAPTER, LIST = DOCS / "chapters/order.md", DOCS / "reference/equations.md"
DOCUMENTED = DOCS / "reference/api/rotary.md"


def built(reports: dict[Path, Report | None], before: Pages | None = None, site: str = "") -> Pages:
    """Return the pages of a build that has made those of which there are reports."""
    pages = Pages(reports.__getitem__, checking.package(), site, before)
    pages.bind()
    for path in reports:
        pages.made(path)
    return pages


def made_again(before: Pages, now: Pages, path: Path) -> bool:
    """Return whether a page was made anew."""
    return now.made(path) is not before.made(path)


def test_a_page_is_made_again_where_its_report_is_another():
    first = built({CHAPTER: Report()})

    assert made_again(first, built({CHAPTER: Report()}, first), CHAPTER)
    assert not made_again(first, built({CHAPTER: first.report(CHAPTER)}, first), CHAPTER)


def test_a_page_that_is_not_checked_yet_is_made_again():
    first = built({CHAPTER: None})

    assert made_again(first, built({CHAPTER: None}, first), CHAPTER)


def test_a_page_that_lists_others_is_made_again():
    first = built({LIST: Report()})

    assert made_again(first, built({LIST: first.report(LIST)}, first), LIST)


def test_a_page_of_the_api_is_made_again_where_another_page_uses_something_else():
    first = built({DOCUMENTED: Report()})
    reports = {DOCUMENTED: first.report(DOCUMENTED)}
    assert not made_again(first, built(reports, first), DOCUMENTED)

    first.book.uses["posenc.apply_rotary"] = []  # as if no page had
    assert made_again(first, built(reports, first), DOCUMENTED)


def test_a_page_is_made_again_for_another_address():
    first = built({CHAPTER: Report()})

    now = built({CHAPTER: first.report(CHAPTER)}, first, "https://example.org/")
    assert made_again(first, now, CHAPTER)
