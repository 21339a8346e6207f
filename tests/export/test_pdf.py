"""The book as one page: what is taken into it, and where its links lead then."""

import re

import pytest

from engine.places import ROOT
from export.pdf import NAME, PLACE, Chapter, article, assembled, link, offer

NAMES = {"chapters/order/": "chapters-order", "chapters/relative/": "chapters-relative"}
ORDER = Chapter("chapters/order/", "")


@pytest.mark.parametrize(
    ("href", "leads"),
    [
        ("#eq-sum", "#chapters-order--eq-sum"),
        ("../relative/#eq-shift", "#chapters-relative--eq-shift"),
        ("../relative/", "#chapters-relative"),
        ("../../reference/api/", "https://posenc.example/reference/api/"),
        ("https://arxiv.org/abs/1706.03762", "https://arxiv.org/abs/1706.03762"),
    ],
)
def test_a_link_leads_into_the_book_or_to_the_published_site(href, leads):
    assert link(ORDER, href, NAMES, "https://posenc.example/") == leads


def test_a_link_to_what_is_nowhere_published_leads_nowhere():
    assert link(ORDER, "../../reference/api/", NAMES, "") == ""


def test_ids_get_their_page_and_only_tags_are_touched():
    page = Chapter(
        "chapters/order/",
        '<article class="a"><p id="x"><a href="#x" title="a > b">id="y"</a>'
        '<img src="../../f-light.svg#only-light" loading="lazy">'
        '<img src="../../f-dark.svg#only-dark"></p></article>',
    )

    assert article(page, NAMES, "") == (
        '<article class="page" id="chapters-order">'
        '<p id="chapters-order--x"><a href="#chapters-order--x" title="a > b">id="y"</a>'
        '<img src="f-light.svg#only-light"></p></article>'
    )


def test_the_pages_are_those_of_the_navigation(tmp_path):
    """A page that the navigation does not reach, and one that is no part of the book, stay out."""
    for path, following in [
        ("", "chapters/order/"),
        ("chapters/order/", "../relative/"),
        ("chapters/relative/", "../../reference/authors/"),
        ("reference/authors/", None),
        ("chapters/hidden/", None),
    ]:
        folder = tmp_path / path
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text(
            (f'<link rel="next" href="{following}">' if following else "")
            + f"<article><h1>{path}</h1></article>"
        )

    book = assembled(tmp_path)

    assert re.findall(r'<article class="page" id="([^"]*)"', book) == [
        "chapters-order",
        "chapters-relative",
    ]


def test_the_first_page_offers_the_pdf_once_there_is_one(tmp_path):
    assert PLACE in (ROOT / "docs/index.md").read_text("utf-8")
    home = tmp_path / "index.html"
    home.write_text(f"<p>Take it. {PLACE}</p>", "utf-8")

    offer(tmp_path, b"%PDF" * 1_000_000)

    assert (tmp_path / NAME).stat().st_size == 4_000_000
    assert home.read_text("utf-8") == (
        '<p>Take it. <a href="posenc.pdf">The whole book as a PDF</a> (4 MB).</p>'
    )
