"""From the text of a page to the Markdown that is built."""

from pathlib import Path

import pytest

from engine.checks import Report
from engine.places import ROOT
from engine.statements import register
from pages.rendering import Book, failed, render
from tests.checking import check

PAGE = ROOT / "docs/chapters/relative.md"


@pytest.fixture(scope="module")
def entries():
    return register([ROOT / "docs/chapters/sinusoidal.md", PAGE])


def rendered(text: str, entries, page: Path = PAGE, report: Report | None = None) -> str:
    return render(page, text, report or Report(), Book(entries), "../figures")


def test_an_equation_is_linked_by_its_number(entries):
    assert rendered("See [eq-norm][].", entries) == (
        'See [(2.1)](#eq-norm "Length of a row"){ .eq }.'
    )


def test_an_equation_of_another_page_is_linked_from_here(entries):
    assert rendered("[eq-frequencies][]", entries) == (
        '[(1.2)](sinusoidal.md#eq-frequencies "Frequencies"){ .eq }'
    )


def test_the_text_of_a_reference_is_kept_with_its_code_and_formulas(entries):
    assert rendered("[the `norm` of $d$][eq-norm]", entries).startswith("[the `norm` of $d$](#")


def test_a_verification_bears_a_mark_that_leads_to_the_entry_of_its_equation(entries):
    card = (
        "/// statement | N\n    attrs: {{id: eq-norm}}\n///\n"
        "/// implementation\n///\n/// verification{}\n"
    )
    mark = "[checked on every build](../reference/equations.md#entry-eq-norm){ .checked }\n"

    assert rendered(card.format("") + "///\n", entries).partition("/// verification")[2] == (
        f" | Verification {mark}///\n"
    )
    assert f"/// verification | By hand {mark}" in rendered(
        card.format(" | By hand") + "///\n", entries
    )


def test_names_of_the_package_are_left_for_the_reference_page(entries):
    text = "See [`posenc.inv_freq`][] and `[eq-norm][]`."

    assert rendered(text, entries) == text


def test_a_statement_has_its_number_before_its_name(entries):
    text = "/// statement | Length of a row\n    attrs: {id: eq-norm}\n\n$$\nx\n$$\n///\n"

    assert rendered(text, entries).startswith("/// statement | [2.1](#eq-norm){ .number ")


def test_a_figure_comes_in_two_themes_with_size_caption_and_code(tmp_path, entries):
    page = tmp_path / "page.md"
    text = (
        '=== "Tab"\n\n'
        '    ```{.python .figure #fig-a alt="The message." caption="Of $x$."}\n'
        "    from matplotlib.figure import Figure\n"
        "    figure = Figure(figsize=(3, 2))\n"
        "    _ = figure.subplots().plot([1, 2])\n"
        "    figure\n"
        "    ```\n\n"
        "See [fig-a][].\n"
    )
    page.write_text(text, "utf-8")

    lines = rendered(text, entries, page, check(page)).splitlines()

    assert lines[2:4] == [
        f"    ![The message.](../figures/fig-a-{theme}.svg#only-{theme})"
        "{ loading=lazy width=288 height=192 }"
        for theme in ("light", "dark")
    ]
    assert "    Of $x$." in lines
    assert lines[-1] == "See [Figure 1](#fig-a)."
    assert "    figure = Figure(figsize=(3, 2))" in lines


def test_the_page_of_equations_lists_them_all(entries):
    page = ROOT / "docs/reference/equations.md"

    text = rendered("<!-- equations -->", entries, page)

    assert text.count("\n### (") == len(entries)
    assert "### (2.1) Length of a row { #entry-eq-norm }" in text
    assert "[`posenc/added/analysis.py`](api/analysis.md#analysis)" in text
    assert "[stated and verified](../chapters/relative.md#eq-norm)" in text


def test_what_failed_is_shown_as_text(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```pycon\n>>> '<b>'\n'<i>'\n```\n", "utf-8")

    box = failed(page, check(page).failures)

    assert "1 of its examples failed" in box
    assert "page.md:2\n" in box
    assert "&lt;b&gt;" in box
