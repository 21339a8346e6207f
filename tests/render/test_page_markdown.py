"""Rendering a page: from the text that an author writes to Markdown."""

from pathlib import Path

import pytest

from check.cards import number_equations
from check.page_check import Report
from check.paths import DOCS
from render import page_markdown
from render.page_markdown import Book, Source, render_failures, render_page
from tests.checking import check_page

PAGE = DOCS / "chapters/relative.md"


@pytest.fixture(scope="module")
def book():
    """Return a book of two chapters, with fixed numbers for two equations."""
    entries = number_equations([DOCS / "chapters/sinusoidal.md", PAGE])
    entries["eq-frequencies"].number, entries["eq-norm"].number = "1.2", "2.1"
    return Book(entries)


def render_text(text: str, book: Book, page: Path = PAGE) -> str:
    """Return the Markdown of a text that passed its check, as if it were that page."""
    uri = page.relative_to(DOCS).as_posix()
    return render_page(Source(uri, page, text, Report()), book)


def test_reference_to_an_equation_shows_its_number(book):
    assert render_text("See [eq-norm][].", book) == (
        'See [(2.1)](#eq-norm "Norm, the length of a row"){ .eq }.'
    )


def test_reference_leads_to_an_equation_on_another_page(book):
    assert render_text("[eq-frequencies][]", book) == (
        '[(1.2)](sinusoidal.md#eq-frequencies "Frequencies"){ .eq }'
    )


def test_text_of_a_reference_may_have_code_and_formulas(book):
    assert render_text("[the `norm` of $d$][eq-norm]", book).startswith("[the `norm` of $d$](#")


def test_verification_has_a_mark_and_a_link_to_the_register(book):
    card = (
        "/// statement | N\n    attrs: {{id: eq-norm}}\n///\n"
        "/// implementation\n///\n/// verification{}\n"
    )
    mark = '<span class="checked">checked on every build</span>\n'
    entry = "\n[In the register](../reference/equations.md#entry-eq-norm){ .entry }\n"

    assert render_text(card.format("") + "///\n", book).partition("/// verification")[2] == (
        f" | Verification {mark}{entry}///\n"
    )
    assert f"/// verification | Verification: By hand {mark}" in render_text(
        card.format(" | By hand") + "///\n", book
    )


def test_lines_of_the_package_are_named(book):
    block = "/// package{}\n[`posenc.inv_freq`][]\n///\n"

    assert render_text(block.format(" | fifty digits"), book) == block.format(
        " | In the package: fifty digits"
    )
    assert render_text(block.format(""), book) == block.format(" | In the package")


def test_verifications_and_collapsed_sessions_name_their_domains(book):
    session = "```pycon\n>>> gap(f, g, d=even(8), p=real(1))\n0.0\n```\n"
    card = (
        "/// statement | N\n    attrs: {id: eq-norm}\n\n$d$\n///\n"
        f"/// proof\nWhy:\n\n{session}///\n/// verification\n{session}///\n"
    )
    domain = '<span class="domain">Checked for even *d* from 2 to 8.</span>'

    proof, verification = render_text(card, book).split("/// verification")

    assert verification.splitlines()[0].endswith(domain)
    assert proof.partition("//// proof")[2] == (
        "\nWhy:\n\n/// details | Each line against the next, checked on every build "
        f"{domain}\n    type: steps\n\n{session.rstrip()}\n///\n\n////\n"
    )


def test_references_to_names_of_the_package_are_left_to_mkdocstrings(book):
    text = "See [`posenc.inv_freq`][] and `[eq-norm][]`."

    assert render_text(text, book) == text


def test_statement_has_its_number_before_its_title(book):
    text = "/// statement | Length of a row\n    attrs: {id: eq-norm}\n\n$$\nx\n$$\n///\n"

    assert render_text(text, book).startswith("/// statement | [2.1](#eq-norm){ .number ")


FIGURE = """\
=== "Tab"

    ```{.python .figure #fig-a alt="The message." caption="Of $x$."}
    from matplotlib.figure import Figure
    figure = Figure(figsize=(3, 2))
    _ = figure.subplots().plot([1, 2])
    figure
    ```

See [fig-a][].
"""


@pytest.fixture
def figure_page(tmp_path, monkeypatch):
    """Return a page with a figure, in a temporary folder for the pages."""
    monkeypatch.setattr(page_markdown, "DOCS", tmp_path)
    (tmp_path / "page.md").write_text(FIGURE, "utf-8")
    return tmp_path / "page.md"


def test_figure_has_two_themes_size_caption_and_code(figure_page, book):
    lines = render_page(
        page_markdown.read_source(figure_page, check_page(figure_page), book), book
    ).splitlines()

    assert lines[2:4] == [
        f"    ![The message.](assets/figures/page/fig-a-{theme}.svg#only-{theme})"
        "{ loading=lazy width=288 height=192 }"
        for theme in ("light", "dark")
    ]
    assert "    Of $x$." in lines
    assert lines[-1] == "See [Figure 1](#fig-a)."
    assert "    figure = Figure(figsize=(3, 2))" in lines


def test_unchecked_page_lacks_only_the_sizes_of_its_drawings(figure_page, book):
    done, waiting = (
        render_page(page_markdown.read_source(figure_page, report, book), book)
        for report in (check_page(figure_page), None)
    )

    assert done.count(" width=288 height=192 ") == 2
    assert waiting == done.replace(" width=288 height=192 ", " ")


def test_unchecked_verification_is_marked_as_not_checked(book):
    card = "/// statement | N\n    attrs: {id: eq-norm}\n///\n/// verification\n///\n"
    done, waiting = (
        render_page(Source("chapters/relative.md", PAGE, card, report), book)
        for report in (Report(), None)
    )

    assert ' <span class="checked">checked on every build</span>' in done
    assert ' <span class="checked waiting">not checked yet</span>' in waiting
    assert "checked on every build" not in waiting


def test_comments_for_checks_are_removed(book):
    text = "- a <!-- check: 1 == 1 -->\n<!-- check: (2\n== 2) -->\n- b\n  <!-- example: 9 -->\n"

    assert render_text(text, book) == "- a\n- b\n"
    assert render_text("`<!-- check: 1 -->` is a check.", book) == "`<!-- check: 1 -->` is a check."


def test_register_lists_all_equations(book):
    text = render_text("<!-- equations -->", book, DOCS / "reference/equations.md")

    assert text.count("\n### (") == len(book.entries)
    assert "### (2.1) Norm, the length of a row { #entry-eq-norm }" in text
    assert "[`posenc/tables/statistics.py`](api/tables.md#tables_statistics)" in text
    assert "[stated and verified](../chapters/relative.md#eq-norm)" in text
    assert "\nImplemented in [`posenc/tables/statistics.py`]" in text
    book.entries["eq-norm"].equation.implementations.clear()
    assert "\nProved line by line; [stated and verified]" in render_text(
        "<!-- equations -->", book, DOCS / "reference/equations.md"
    )


def test_failures_are_shown_as_text(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```pycon\n>>> '<b>'\n'<i>'\n```\n", "utf-8")

    box = render_failures(page, check_page(page).failures)

    assert "Failures on this page: 1" in box
    assert "page.md:2\n" in box
    assert "&lt;b&gt;" in box
