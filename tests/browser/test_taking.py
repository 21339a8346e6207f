"""What a reader takes along: the citation of a page, the numbers of a figure, the notebook."""

import json
from pathlib import Path

from tests.browser.explorers import opened

PAGE = "chapters/relative/"


def test_the_citation_is_copied_as_it_is_shown(page, address):
    page.goto(address + PAGE)
    cite = page.locator("details.cite")
    cite.locator("summary").click()
    shown = cite.locator("code").text_content()

    page.evaluate("navigator.clipboard.writeText('')")
    cite.locator("button[data-clipboard-target]").click()
    page.wait_for_function("navigator.clipboard.readText().then(text => text.length > 0)")

    assert page.evaluate("navigator.clipboard.readText()").strip() == shown.strip()
    assert shown.startswith("@incollection{posenc-relative,")


def test_the_numbers_of_a_figure_and_the_chapter_are_downloaded(page, address):
    page.goto(address + PAGE)
    for link, name, begins in (
        (
            page.locator(".take a[href$='fig-gram.csv']"),
            "fig-gram.csv",
            "panel,kind,series,x,y,value\n",
        ),
        (page.locator(".facts a[href$=py]"), "relative.py", "# %% [markdown]\n"),
        (page.locator(".facts a[href$=ipynb]"), "relative.ipynb", "{"),
    ):
        with page.expect_download() as started:
            link.click()
        assert started.value.suggested_filename == name
        text = Path(started.value.path()).read_text("utf-8")
        assert text.startswith(begins)
    assert json.loads(text)["nbformat"] == 4


def test_where_an_explorer_has_taken_the_place_of_a_figure_nothing_of_it_shows(page, address):
    block = opened(page, f"{address}chapters/sinusoidal/#explore-table")

    assert block.locator(".take").count() == 1
    assert not block.locator(".take").is_visible()
