"""Repairs of articles and of the navigation."""

import re

import pytest
from mkdocs.structure.files import File

from render.navigation import Chapter
from website import styles
from website.html import repair_article, repair_navigation


def test_a_code_block_has_its_number_of_lines():
    code = '<pre><span></span><code><span class="k">a</span>\n\nb\n</code></pre>'

    assert '<code style="--lines: 3; --wrapped: 3"><span' in repair_article(code)


def test_each_answer_of_a_session_is_one_element_with_its_line_ends():
    code = (
        '<div class="language-pycon highlight"><pre><span></span><code>'
        '<span class="gp">&gt;&gt;&gt; </span>a\n<span class="gp">... </span>    b\n'
        '<span class="go">1</span>\n<span class="gt">Traceback:</span>\n  ...\n'
        '<span class="gp">&gt;&gt;&gt; </span>c\n<span class="go">2</span>\n</code></pre></div>'
    )

    answers = re.findall(r'<span class="go">(.*?)</span>(?=<|\Z)', repair_article(code), re.DOTALL)

    assert answers == ['1\n<span class="gt">Traceback:</span>\n  ...\n', "2\n"]


@pytest.mark.parametrize("kind", ["statement", "claim"])
def test_the_title_of_an_equation_or_a_claim_is_a_heading(kind):
    box = f'<div class="admonition {kind}" id="x">\n<p class="admonition-title">6.1 Norm</p>'

    title = '<p class="admonition-title" role="heading" aria-level="3">6.1 Norm</p>'
    assert title in repair_article(box)
    assert "heading" not in repair_article(box.replace(kind, "proof"))


def test_a_permanent_link_has_an_accessible_name():
    link = '<a class="headerlink" href="#x" title="Permanent link">&para;</a>'

    assert 'aria-label="Link to this place">&para;</a>' in repair_article(link)


def test_a_link_in_the_footer_has_the_label_that_it_shows():
    link = (
        '<a href="{}" class="md-footer__link md-footer__link--next" aria-label="Next: The sea">'
        '<span>Next</span><div class="md-ellipsis">The sea</div></a>'
    )
    chapters = [Chapter(7, "", "chapters/sea/")]

    numbered_link = repair_navigation(link.format("../sea/"), "chapters/shore/", chapters)
    assert 'aria-label="Next 7 The sea"' in numbered_link
    other = repair_navigation(link.format("../lake/"), "chapters/shore/", chapters)
    assert 'aria-label="Next The sea"' in other


def test_an_empty_header_cell_becomes_a_data_cell():
    row = '<tr><th style="text-align: left;"></th><th>norm</th></tr>'

    assert repair_article(row) == '<tr><td style="text-align: left;"></td><th>norm</th></tr>'


def test_a_table_has_a_scrolling_frame():
    table = "<table><tr><td>1</td></tr></table>"

    assert repair_article(f"<p>a</p>{table}<p>b</p>") == (
        '<p>a</p><div class="md-typeset__scrollwrap framed"><div class="md-typeset__table">'
        f"{table}</div></div><p>b</p>"
    )


def test_the_list_of_a_section_is_labelled_by_its_title():
    nav = """<nav aria-labelledby="__nav_6_label" aria-expanded="true">
      <label class="md-nav__title" for="__nav_6">
        <span class="md-nav__icon md-icon"></span>
        Limits &amp; practice
      </label></nav>"""

    repaired = repair_navigation(nav, "", [])
    assert 'aria-label="Limits &amp; practice" aria-expanded="true"' in repaired
    assert "aria-labelledby" not in repaired


@pytest.mark.parametrize("name", ["colours", "explorers"])
def test_the_dark_scheme_overrides_every_light_colour(name):
    """The light colours apply to every page, because dark pages are printed in them."""
    sheet = (styles.FOLDER / f"{name}.css").read_text("utf-8")
    light, dark_ones = (
        {
            name
            for rule in re.findall(selector + r" \{(.*?)\}", sheet, re.DOTALL)
            for name in re.findall(r"(--[\w-]+):", rule)
        }
        for selector in (r"\[data-md-color-scheme\]", r'\[data-md-color-scheme="slate"\]')
    )

    assert light
    assert light <= dark_ones


def test_the_sheet_without_javascript_has_the_rules_of_the_dark_scheme():
    palette = "@media screen{[data-md-color-scheme=slate]{--md-code-fg-color:white}}"
    file = File("assets/stylesheets/palette.1.min.css", "", "", use_directory_urls=True)
    file.content_string = palette

    sheet = styles.make_dark_sheet([file])

    assert "[data-md-color-scheme=default] {--md-code-fg-color:white}" in sheet
    assert '[data-md-color-scheme="default"]' in sheet
    assert "slate" not in sheet
    assert "--book-paper: #1" in sheet, "the background is dark"


NUMBERED = [Chapter(7, "", "chapters/waves/"), Chapter(8, "", "chapters/sea/")]
ENTRIES = {  # links of the theme by their target
    "chapters/waves/": '<a href="../waves/" class="md-nav__link">\n'
    ' <span class="md-ellipsis">\n {}\n</span>',
    "chapters/sea/": '<a href="../sea/" class="md-footer__link md-footer__link--next" '
    'aria-label="Next"><svg></svg><span>Next</span><div class="md-ellipsis">{}</div>',
    "chapters/waves/ itself": '<label class="md-nav__link md-nav__link--active" for="__toc">'
    '<span class="md-ellipsis">{}</span>',
    "chapters/waves/, its name": '<div class="md-header__topic" data-md-component="header-topic">'
    '<span class="md-ellipsis">{}</span>',
    "a lab": '<a href="../../labs/sea/" class="md-nav__link"><span class="md-ellipsis">{}</span>',
    "a section": '<a href="#sea" class="md-nav__link"><span class="md-ellipsis">{}</span>',
    "a part": '<label class="md-nav__link" for="__nav_2"><span class="md-ellipsis">{}</span>',
    "the book": '<div class="md-header__topic"><span class="md-ellipsis">{}</span>',
}


@pytest.mark.parametrize("to", ENTRIES)
def test_only_links_to_chapters_are_numbered(to):
    """All links have the same title here, so the address decides."""
    html = ENTRIES[to].format("Waves &amp; more")
    number = re.search(
        r'<span class="chapter">(\d)</span> Waves &amp; more<',
        repair_navigation(html, "chapters/waves/", NUMBERED),
    )

    numbers = {"chapters/waves/": "7", "chapters/sea/": "8"}
    expected = next((numbers[url] for url in numbers if to.startswith(url)), None)
    assert (number and number[1]) == expected


def test_long_cells_are_marked():
    cell = "<table><tbody><tr><td>short</td><td style='x'>{}</td></tr></tbody></table>"

    assert "<td class=\"long\" style='x'>" in repair_article(cell.format("word " * 9))
    assert 'class="long"' not in repair_article(cell.format("<b class='a long attribute'>word</b>"))
