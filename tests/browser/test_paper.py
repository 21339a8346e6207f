"""On paper: a chapter printed from a dark page, and the book as one PDF."""

import io
import re

import pikepdf

from export import pdf

SHOWN = (
    "selector => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility()).length"
)


def test_a_dark_page_is_printed_in_light_colours_without_what_needs_a_screen(page, address):
    page.emulate_media(color_scheme="dark")
    page.goto(address + "chapters/relative/")
    page.wait_for_function("document.body.dataset.mdColorScheme === 'slate'")
    page.add_style_tag(content="* { transition: none !important }")  # colours change at once
    page.emulate_media(media="print", color_scheme="dark")

    lightness = """element => getComputedStyle(document.querySelector(element))
      .getPropertyValue('color').match(/\\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0)"""
    for text in ("article p", "h1", ".statement p", "pre code"):
        assert page.evaluate(lightness, text) < 3 * 128, text
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    for gone in (".md-header", ".md-sidebar", ".md-footer", "details.code", 'img[src$="-dark"]'):
        assert page.evaluate(SHOWN, gone) == 0, gone
    assert page.evaluate(SHOWN, "figure img") == page.locator("figure").count()


def test_answers_are_printed_also_without_javascript(still, address):
    still.goto(address + "chapters/relative/")
    answer = "details.answer > :not(summary)"
    assert still.evaluate(SHOWN, answer) == 0

    still.emulate_media(media="print")

    assert still.evaluate(SHOWN, answer) >= 5


def test_two_chapters_become_one_pdf_whose_links_and_outline_lead_into_it(browser, site):
    only = re.compile("chapters/(order|requirements)/")
    book = pdf.assembled(site, only)
    ids = re.findall(r'\sid="([^"]+)"', re.sub(r"<svg.*?</svg>", "", book, flags=re.DOTALL))

    assert len(ids) == len(set(ids)), "an id is there twice"
    assert set(re.findall(r'href="#([^"]+)"', book)) <= set(ids)

    with pikepdf.open(io.BytesIO(pdf.printed(browser, site, only))) as paper:
        assert paper.Root.MarkInfo.Marked, "no tags for screen readers"
        with paper.open_outline() as outline:
            titles = [str(entry.title) for entry in outline.root]
        assert len(titles) == 4, titles  # title page, contents, two chapters
        assert 20 < len(paper.pages) < 100
