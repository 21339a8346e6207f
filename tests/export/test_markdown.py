"""A page as plain Markdown: all that it says, nothing that only this site's engine reads."""

import re

import pytest

import posenc
from check.cards import number_equations
from check.fences import find_fences, keep_prose
from check.formulas import DISPLAY, INLINE
from check.page_source import read_page
from check.paths import ROOT
from export import stubs
from export.markdown import read_included_code, render_page
from export.publish import link_to_plain_page
from render import backlinks
from render.page_markdown import Book
from tests.nav import FILES as ALL

PAGE = ROOT / "docs/chapters/relative.md"


@pytest.fixture(scope="module")
def book():
    pages = list(ALL.values())
    return Book(number_equations(pages), pages=pages, uses=backlinks.find_uses(pages))


@pytest.fixture(scope="module")
def texts(book):
    """Return every page of the book as plain Markdown."""
    return {
        page: render_page(path, read_page(path), book, link_to_plain_page)
        for page, path in ALL.items()
    }


def said(text: str, book: Book, way=link_to_plain_page) -> str:
    """Return what becomes of the text of a page that has a title."""
    return render_page(PAGE, f"# Title\n\n{text}", book, way).removeprefix("# Title\n\n")


def test_every_displayed_formula_is_there_whole(texts):
    for page, path in ALL.items():
        formulas = [match[0] for match in DISPLAY.finditer(keep_prose(read_page(path)))]
        place = 0
        for formula in formulas:
            assert formula.strip() in texts[page][place:], f"{page}: {formula}"
            place = texts[page].index(formula.strip(), place) + 1
    assert "\\lVert \\mathrm{PE}_p \\rVert = \\sqrt{d/2}" in texts["reference/equations.md"]


def test_every_formula_in_a_line_is_there_whole(texts):
    for page, path in ALL.items():
        text = DISPLAY.sub("", keep_prose(read_page(path)))
        for formula in INLINE.finditer(text):
            assert formula[0] in texts[page], f"{page}: {formula[0]}"


def test_what_looks_like_markup_in_a_formula_is_kept(book):
    text = r"At $x^{.5}$, $f[a](b)$ and $A[i][j]$."

    assert said(text, book) == f"{text}\n"


def test_nothing_is_left_that_only_the_engine_reads(texts):
    for page in ALL:
        text = keep_prose(texts[page])
        text = DISPLAY.sub("", text)
        text = INLINE.sub("", text)
        assert not re.search(r"^\s*///|^---\n|^::: |\{ ?[.#:]|-8<-|\]\[|<!--|</?div", text, re.M), (
            page
        )
        for fence in find_fences(texts[page]):
            assert not fence.classes, page
            assert not fence.attributes, page


def test_every_session_is_there_as_it_stands_on_the_page(texts):
    for page, path in ALL.items():
        for fence in find_fences(read_page(path)):
            if fence.language == "pycon":
                assert fence.source in texts[page], page


def test_every_public_name_is_told_with_its_signature(texts):
    told = "\n".join(texts.values())
    for name in posenc.__all__:
        assert f"### `posenc.{name}`\n\n```python\n" in told
    assert "def inv_freq(" in told


def test_a_block_begins_with_its_kind_number_and_name(book):
    text = "/// statement | Length of $x$\n    attrs: {id: eq-norm}\n\nFor all.\n///\n"

    assert said(text, book).startswith(
        f"**Equation {book.entries['eq-norm'].number} (Length of $x$).**\n"
    )
    assert said("/// pitfall | `a` or b\nNo.\n///", book) == "**Pitfall: `a` or b.**\nNo.\n"
    assert said("/// answer\nYes.\n///", book) == "**Answer.**\nYes.\n"
    assert said("/// solution\nYes.\n///", book) == "**Solution.**\nYes.\n"
    assert said(
        "//// explorer | Why?\n    attrs: {id: explore-x}\n\n/// note\na\n///\n////\n", book
    ) == ("**Explore: Why?**\n\n**Note.**\na\n")


def test_a_reference_says_its_number_and_leads_to_the_plain_page(book):
    here, there = book.entries["eq-norm"].number, book.entries["eq-frequencies"].number

    assert said("See [eq-norm][].", book) == f"See ({here}).\n"
    assert said("[eq-frequencies][]", book) == f"[({there})](sinusoidal.md#eq-frequencies)\n"
    assert (
        said("[the norm][eq-norm], [`posenc.inv_freq`][]", book) == "the norm, `posenc.inv_freq`\n"
    )
    assert said("`[eq-norm][]`", book) == "`[eq-norm][]`\n"


def test_a_figure_is_its_drawing_its_caption_and_its_code(book):
    header = '{.python .figure #fig-a alt="The message." caption="Of $x$."}'
    text = f"```{header}\nimport posenc\n```\n\n[fig-a][]"

    assert said(text, book) == (
        "![The message.](../assets/figures/chapters/relative/fig-a-light.svg)\n\n"
        "**Figure 1.** Of $x$.\n\n```python\nimport posenc\n```\n\nFigure 1\n"
    )


def test_an_include_is_the_code_and_its_file():
    code = read_included_code("posenc/added/relative_position.py", "gram")

    assert code.startswith("# posenc/added/relative_position.py\nreturn table @ table.T")
    assert "8<" not in code


def test_a_page_without_a_heading_gets_its_title(book):
    assert (
        render_page(PAGE, "---\ntitle: Name\n---\n\nText.", book, link_to_plain_page)
        == "# Name\n\nText.\n"
    )


def test_a_name_is_told_without_its_insides():
    source = '''\
class A:
    """Doc."""

    def f(self, x: int = 1) -> int:
        """Do."""'''

    assert stubs.extract_stubs(f"{source}\n        return x\n\n\ndef _g(): ...\n") == {"A": source}
