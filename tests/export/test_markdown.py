"""Pages as plain Markdown: complete, and without the extensions of this site."""

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


def render(text: str, book: Book) -> str:
    """Return the text of a page as plain Markdown."""
    page = render_page(PAGE, f"# Title\n\n{text}", book, link_to_plain_page)
    return page.removeprefix("# Title\n\n")


def test_every_displayed_formula_is_unchanged(texts):
    for page, path in ALL.items():
        formulas = [match[0] for match in DISPLAY.finditer(keep_prose(read_page(path)))]
        start = 0
        for formula in formulas:
            assert formula.strip() in texts[page][start:], f"{page}: {formula}"
            start = texts[page].index(formula.strip(), start) + 1
    assert "\\lVert \\mathrm{PE}_p \\rVert = \\sqrt{d/2}" in texts["reference/equations.md"]


def test_every_inline_formula_is_unchanged(texts):
    for page, path in ALL.items():
        text = DISPLAY.sub("", keep_prose(read_page(path)))
        for formula in INLINE.finditer(text):
            assert formula[0] in texts[page], f"{page}: {formula[0]}"


def test_a_formula_that_looks_like_markup_is_unchanged(book):
    text = r"At $x^{.5}$, $f[a](b)$ and $A[i][j]$."

    assert render(text, book) == f"{text}\n"


def test_no_syntax_of_extensions_remains(texts):
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


def test_every_session_is_unchanged(texts):
    for page, path in ALL.items():
        for fence in find_fences(read_page(path)):
            if fence.language == "pycon":
                assert fence.source in texts[page], page


def test_every_public_name_has_its_signature(texts):
    book = "\n".join(texts.values())
    for name in posenc.__all__:
        assert f"### `posenc.{name}`\n\n```python\n" in book
    assert "def inv_freq(" in book


def test_a_block_begins_with_its_kind_number_and_name(book):
    text = "/// statement | Length of $x$\n    attrs: {id: eq-norm}\n\nFor all.\n///\n"

    assert render(text, book).startswith(
        f"**Equation {book.entries['eq-norm'].number} (Length of $x$).**\n"
    )
    assert render("/// pitfall | `a` or b\nNo.\n///", book) == "**Pitfall: `a` or b.**\nNo.\n"
    assert render("/// answer\nYes.\n///", book) == "**Answer.**\nYes.\n"
    assert render("/// solution\nYes.\n///", book) == "**Solution.**\nYes.\n"
    assert render(
        "//// explorer | Why?\n    attrs: {id: explore-x}\n\n/// note\na\n///\n////\n", book
    ) == ("**Explore: Why?**\n\n**Note.**\na\n")


def test_a_reference_shows_its_number_and_links_the_plain_page(book):
    here, there = book.entries["eq-norm"].number, book.entries["eq-frequencies"].number

    assert render("See [eq-norm][].", book) == f"See ({here}).\n"
    assert render("[eq-frequencies][]", book) == f"[({there})](sinusoidal.md#eq-frequencies)\n"
    assert (
        render("[the norm][eq-norm], [`posenc.inv_freq`][]", book)
        == "the norm, `posenc.inv_freq`\n"
    )
    assert render("`[eq-norm][]`", book) == "`[eq-norm][]`\n"


def test_a_figure_becomes_its_drawing_its_caption_and_its_code(book):
    header = '{.python .figure #fig-a alt="The message." caption="Of $x$."}'
    text = f"```{header}\nimport posenc\n```\n\n[fig-a][]"

    assert render(text, book) == (
        "![The message.](../assets/figures/chapters/relative/fig-a-light.svg)\n\n"
        "**Figure 1.** Of $x$.\n\n```python\nimport posenc\n```\n\nFigure 1\n"
    )


def test_an_include_becomes_the_code_below_the_path_of_its_file():
    code = read_included_code("posenc/tables/relative_position.py", "gram")

    assert code.startswith("# posenc/tables/relative_position.py\nreturn table @ table.T")
    assert "8<" not in code


def test_a_page_without_a_heading_gets_its_title_as_heading(book):
    assert (
        render_page(PAGE, "---\ntitle: Name\n---\n\nText.", book, link_to_plain_page)
        == "# Name\n\nText.\n"
    )


def test_a_stub_has_no_bodies_and_no_private_names():
    source = '''\
class A:
    """Doc."""

    def f(self, x: int = 1) -> int:
        """Do."""'''

    assert stubs.extract_stubs(f"{source}\n        return x\n\n\ndef _g(): ...\n") == {"A": source}
