"""The theme's pages, mended."""

from mkdocs.structure.files import File

import dark
from mending import mended

HEAD = """<head>
      <link rel="stylesheet" href="../../assets/stylesheets/main.css">
      <link rel="stylesheet" href="../../assets/_mkdocstrings.css">
      <link rel="stylesheet" href="../../assets/book.css">
</head>"""


def test_the_font_is_asked_for_before_all_sheets():
    page = mended(HEAD)

    assert page.index('rel="preload" href="../../assets/math.woff2"') < page.index("main.css")


def test_entries_of_the_api_alone_load_their_style():
    assert "_mkdocstrings.css" not in mended(HEAD)
    assert "_mkdocstrings.css" in mended(HEAD + '<div class="doc doc-object">')


def test_an_empty_cell_is_no_header():
    row = '<tr><th style="text-align: left;"></th><th>norm</th></tr>'

    assert mended(row) == '<tr><td style="text-align: left;"></td><th>norm</th></tr>'


def test_dark_colours_without_javascript_are_those_of_the_dark_scheme():
    palette = "@media screen{[data-md-color-scheme=slate]{--md-code-fg-color:white}}"
    file = File("assets/stylesheets/palette.1.min.css", "", "", use_directory_urls=True)
    file.content_string = palette

    sheet = dark.sheet([file])

    assert "[data-md-color-scheme=default] {--md-code-fg-color:white}" in sheet
    assert '[data-md-color-scheme="default"]' in sheet
    assert "slate" not in sheet
    assert "--book-paper: #1" in sheet, "the ground is dark"
