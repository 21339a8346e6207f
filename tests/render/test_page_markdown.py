"""From the text of a page to the Markdown that is built."""

from pathlib import Path

import pytest

from check.cards import number_equations
from check.page_check import Report
from check.paths import DOCS
from render import page_markdown
from render.page_markdown import Book, Source, render_failures, render_page
from tests.checking import check

PAGE = DOCS / "chapters/relative.md"


@pytest.fixture(scope="module")
def book():
    """Return a book of two chapters, in which two equations have numbers of ours."""
    entries = number_equations([DOCS / "chapters/sinusoidal.md", PAGE])
    entries["eq-frequencies"].number, entries["eq-norm"].number = "1.2", "2.1"
    return Book(entries)


def rendered(text: str, book: Book, page: Path = PAGE) -> str:
    """Return what becomes of a text that has been checked, and stands where a page does."""
    uri = page.relative_to(DOCS).as_posix()
    return render_page(Source(uri, page, text, Report()), book)


def test_an_equation_is_linked_by_its_number(book):
    assert rendered("See [eq-norm][].", book) == (
        'See [(2.1)](#eq-norm "Norm, the length of a row"){ .eq }.'
    )


def test_an_equation_of_another_page_is_linked_from_here(book):
    assert rendered("[eq-frequencies][]", book) == (
        '[(1.2)](sinusoidal.md#eq-frequencies "Frequencies"){ .eq }'
    )


def test_the_text_of_a_reference_is_kept_with_its_code_and_formulas(book):
    assert rendered("[the `norm` of $d$][eq-norm]", book).startswith("[the `norm` of $d$](#")


def test_a_verification_bears_a_mark_and_leads_to_the_entry_of_its_equation(book):
    card = (
        "/// statement | N\n    attrs: {{id: eq-norm}}\n///\n"
        "/// implementation\n///\n/// verification{}\n"
    )
    mark = '<span class="checked">checked on every build</span>\n'
    entry = "\n[In the register](../reference/equations.md#entry-eq-norm){ .entry }\n"

    assert rendered(card.format("") + "///\n", book).partition("/// verification")[2] == (
        f" | Verification {mark}{entry}///\n"
    )
    assert f"/// verification | Verification: By hand {mark}" in rendered(
        card.format(" | By hand") + "///\n", book
    )


def test_a_verification_says_what_it_was_tried_for_and_a_proof_folds_its_sessions(book):
    session = "```pycon\n>>> gap(f, g, d=even(8), p=real(1))\n0.0\n```\n"
    card = (
        "/// statement | N\n    attrs: {id: eq-norm}\n///\n"
        f"/// proof\nWhy:\n\n{session}///\n/// verification\n{session}///\n"
    )
    tried = '<span class="domain">Tried for *d* even, 2 to 8; *p* real, −1 to 1.</span>'

    proof, verification = rendered(card, book).split("/// verification")

    assert verification.splitlines()[0].endswith(tried)
    assert proof.partition("//// proof")[2] == (
        "\nWhy:\n\n/// details | Each line against the next, checked on every build "
        f"{tried}\n    type: steps\n\n{session.rstrip()}\n///\n\n////\n"
    )


def test_names_of_the_package_are_left_for_the_reference_page(book):
    text = "See [`posenc.inv_freq`][] and `[eq-norm][]`."

    assert rendered(text, book) == text


def test_a_statement_has_its_number_before_its_name(book):
    text = "/// statement | Length of a row\n    attrs: {id: eq-norm}\n\n$$\nx\n$$\n///\n"

    assert rendered(text, book).startswith("/// statement | [2.1](#eq-norm){ .number ")


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
def drawn(tmp_path, monkeypatch):
    """Return a page with a figure, in a folder in the place of the book's."""
    monkeypatch.setattr(page_markdown, "DOCS", tmp_path)
    (tmp_path / "page.md").write_text(FIGURE, "utf-8")
    return tmp_path / "page.md"


def test_a_figure_comes_in_two_themes_with_size_caption_and_code(drawn, book):
    lines = render_page(page_markdown.read_source(drawn, check(drawn), book), book).splitlines()

    assert lines[2:4] == [
        f"    ![The message.](assets/figures/page/fig-a-{theme}.svg#only-{theme})"
        "{ loading=lazy width=288 height=192 }"
        for theme in ("light", "dark")
    ]
    assert "    Of $x$." in lines
    assert lines[-1] == "See [Figure 1](#fig-a)."
    assert "    figure = Figure(figsize=(3, 2))" in lines


def test_a_page_that_is_not_checked_yet_differs_by_the_sizes_of_its_drawings(drawn, book):
    done, waiting = (
        render_page(page_markdown.read_source(drawn, report, book), book)
        for report in (check(drawn), None)
    )

    assert done.count(" width=288 height=192 ") == 2
    assert waiting == done.replace(" width=288 height=192 ", " ")


def test_nothing_is_called_checked_before_it_was(book):
    card = "/// statement | N\n    attrs: {id: eq-norm}\n///\n/// verification\n///\n"
    done, waiting = (
        render_page(Source("chapters/relative.md", PAGE, card, report), book)
        for report in (Report(), None)
    )

    assert ' <span class="checked">checked on every build</span>' in done
    assert ' <span class="checked waiting">not checked yet</span>' in waiting
    assert "checked on every build" not in waiting


def test_checks_and_examples_of_a_sentence_are_not_shown(book):
    text = "- a <!-- check: 1 == 1 -->\n<!-- check: (2\n== 2) -->\n- b\n  <!-- example: 9 -->\n"

    assert rendered(text, book) == "- a\n- b\n"
    assert rendered("`<!-- check: 1 -->` is a check.", book) == "`<!-- check: 1 -->` is a check."


def test_the_page_of_equations_lists_them_all(book):
    text = rendered("<!-- equations -->", book, DOCS / "reference/equations.md")

    assert text.count("\n### (") == len(book.entries)
    assert "### (2.1) Norm, the length of a row { #entry-eq-norm }" in text
    assert "[`posenc/added/analysis.py`](api/analysis.md#analysis)" in text
    assert "[stated and verified](../chapters/relative.md#eq-norm)" in text
    assert "\nImplemented in [`posenc/added/analysis.py`]" in text
    book.entries["eq-norm"].equation.implementations.clear()
    assert "\nProved line by line; [stated and verified]" in rendered(
        "<!-- equations -->", book, DOCS / "reference/equations.md"
    )


def test_what_failed_is_shown_as_text(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```pycon\n>>> '<b>'\n'<i>'\n```\n", "utf-8")

    box = render_failures(page, check(page).failures)

    assert "1 of its examples failed" in box
    assert "page.md:2\n" in box
    assert "&lt;b&gt;" in box
