"""The book as a PDF: its pages and its links."""

import re
from pathlib import Path

import pikepdf
import pytest

from check.paths import ROOT
from export.pdf import (
    CHROMIUM,
    LINK_MARK,
    NAME,
    Chapter,
    add_link_to_home,
    assemble_book,
    print_book,
    render_article,
    resolve_link,
)
from tests.browser.conftest import find_browser

NAMES = {"chapters/order/": "chapters-order", "chapters/relative/": "chapters-relative"}
ORDER = Chapter("chapters/order/", "")


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("#eq-sum", "#chapters-order--eq-sum"),
        ("../relative/#eq-shift", "#chapters-relative--eq-shift"),
        ("../relative/", "#chapters-relative"),
        ("../../reference/api/", "https://posenc.example/reference/api/"),
        ("https://arxiv.org/abs/1706.03762", "https://arxiv.org/abs/1706.03762"),
    ],
)
def test_a_link_leads_into_the_pdf_or_to_the_published_site(href, target):
    assert resolve_link(ORDER, href, NAMES, "https://posenc.example/") == target


def test_a_link_to_an_unpublished_page_is_removed():
    assert resolve_link(ORDER, "../../reference/api/", NAMES, "") == ""


def test_ids_are_prefixed_by_their_page_and_text_is_unchanged():
    page = Chapter(
        "chapters/order/",
        '<article class="a"><p id="x"><a href="#x" title="a > b">id="y"</a>'
        '<img src="../../f.svg" loading="lazy"></p></article>',
    )

    assert render_article(page, NAMES, "") == (
        '<article class="page" id="chapters-order">'
        '<p id="chapters-order--x"><a href="#chapters-order--x" title="a > b">id="y"</a>'
        '<img src="f.svg"></p></article>'
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a site with two chapters, a reference page, and a page outside the navigation."""
    for path, next_page, text in [
        ("", "chapters/order/", ""),
        ("chapters/order/", "../relative/", '<a href="../relative/#eq-shift">(2.1)</a>'),
        ("chapters/relative/", "../../reference/authors/", '<p id="eq-shift">Shift</p>'),
        ("reference/authors/", None, ""),
        ("chapters/hidden/", None, ""),
    ]:
        folder = tmp_path / path
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text(
            (f'<link rel="next" href="{next_page}">' if next_page else "")
            + f"<article><h1>{path}</h1>{text}</article>"
        )
    return tmp_path


def test_only_pages_of_the_navigation_and_the_book_are_printed(site):
    articles = re.findall(r'<article class="page" id="([^"]*)"', assemble_book(site))

    assert articles == ["chapters-order", "chapters-relative"]


def test_the_pdf_has_an_outline_tags_and_links_between_chapters(site):
    print_book(find_browser("CHROMIUM", *CHROMIUM), site, site / NAME)

    with pikepdf.open(site / NAME) as paper:
        assert paper.Root.MarkInfo.Marked, "no tags for screen readers"
        with paper.open_outline() as outline:
            titles = [str(entry.title) for entry in outline.root]
        assert titles == ["posenc", "Contents", "chapters/order/", "chapters/relative/"]
        links = [str(note.Dest) for page in paper.pages for note in page.get("/Annots", [])]
        assert links == ["/chapters-order", "/chapters-relative", "/chapters-relative--eq-shift"]


def test_the_home_page_links_the_pdf(tmp_path):
    assert LINK_MARK in (ROOT / "docs/index.md").read_text("utf-8")
    home = tmp_path / "index.html"
    home.write_text(f"<p>Take it. {LINK_MARK}</p>", "utf-8")

    (tmp_path / NAME).write_bytes(b"%PDF" * 1_000_000)

    add_link_to_home(tmp_path)

    assert home.read_text("utf-8") == (
        '<p>Take it. <a href="posenc.pdf">The whole book as a PDF</a> (4 MB).</p>'
    )
