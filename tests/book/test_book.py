"""What every page, every public name and every file of the book must have."""

import doctest
import inspect
import re
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from mkdocs.utils import meta

import posenc
import posenc.exercises
import posenc.experiments
import posenc.laws
import posenc.plots
from engine import formulas, statements
from engine.fences import INCLUDE, fences, prose, without_fences
from engine.formulas import DISPLAY, INLINE
from engine.places import ROOT
from engine.texts import read
from pages.rules import DOCSTRINGS
from tests import nav
from tests.checking import parser
from website import fonts

CHAPTERS = sorted((ROOT / "docs/chapters").glob("*.md"))
LABS = sorted((ROOT / "docs/labs").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [*(f"posenc.{name}" for name in posenc.__all__)]
NAMES += [f"posenc.exercises.{name}" for name in posenc.exercises.__all__]
NAMES += [f"posenc.experiments.{name}" for name in posenc.experiments.__all__]
NAMES += [f"posenc.laws.{name}" for name in posenc.laws.__all__]
NAMES += [f"posenc.plots.{name}" for name in posenc.plots.__all__]

SECTIONS = ["Args", "Returns", "Raises", "Source", "Examples"]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def public(name: str) -> Any:
    package, _, attribute = name.rpartition(".")
    return getattr(sys.modules[package], attribute)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_no_python_escapes(page):
    """Find prompts and fences line by line, and ask which of them the engine runs."""
    text = page.read_text("utf-8")
    run = {example.line for example in parser().parse(page)}
    shown = False  # inside a fence of four backticks, which shows Markdown
    for number, line in enumerate(text.splitlines(), start=1):
        code = line.strip()
        shown ^= code.startswith("````")
        prompt = code.startswith(">>>")
        fence = code.startswith(("```py", "```Py", "```{.py")) and code != "```pycon"
        if (prompt or fence) and not shown:
            assert number in run, f"{named(page)}:{number} is never run: {line!r}"


@pytest.mark.parametrize("page", [*PAGES[1:], *LABS], ids=named)
def test_front_matter(page):
    front = meta.get_data(read(page))[1]

    assert front["title"]
    assert 40 <= len(front["description"]) <= 200  # what a search engine shows


@pytest.mark.parametrize("page", CHAPTERS, ids=named)
def test_every_displayed_formula_is_on_a_card(page):
    """So each has its implementation and its verification."""
    text = page.read_text("utf-8")
    cards = [block.text for block in statements.blocks(text) if block.kind == "statement"]
    shown = DISPLAY.findall(without_fences(text))

    assert len(shown) == sum(len(DISPLAY.findall(card)) for card in cards) > 0


@pytest.mark.parametrize("page", CHAPTERS, ids=named)
def test_a_chapter(page):
    text = page.read_text("utf-8")
    headings = re.findall(r"^## ([^\n{]+)", text, re.MULTILINE)

    last = ["Pitfalls", "Check yourself", "Exercises", "Further reading"]
    assert [h.strip() for h in headings[-4:]] == last
    assert text.count("\n/// answer\n") >= 5
    assert list(statements.equations(page, text)), "a chapter states something"
    for answer in text.split("\n/// answer\n")[1:]:
        assert ">>> " in answer.partition("\n///\n")[0], f"not verified: {answer[:60]!r}"


def test_all_pages_are_in_nav():
    assert sorted(nav.PAGES) == sorted(
        page.relative_to(ROOT / "docs").with_suffix(".md").as_posix()
        for page in [*PAGES[1:], *LABS]
    )


@pytest.mark.parametrize("page", [*PAGES, *LABS], ids=named)
def test_a_number_of_an_equation_has_one_pair_of_brackets(page):
    assert "([eq-" not in page.read_text("utf-8"), "its number comes with brackets"


@pytest.mark.parametrize("page", [*PAGES, *LABS], ids=named)
def test_code_fits_its_column(page):
    """84 characters fit beside the table of contents; an include is as wide as its lines."""
    for fence in fences(read(page)):
        source = fence.source
        for include in INCLUDE.finditer(source):
            if not (ROOT / include["path"]).is_file():  # of a recipe, which shows it
                continue
            text = (ROOT / include["path"]).read_text("utf-8")
            lines = text.partition(f"[start:{include['section']}]\n")[2]
            source = inspect.cleandoc("\n" + lines.partition(f"[end:{include['section']}]")[0])
        for line in source.splitlines():
            if not line.startswith(("# --8<--", "```{")):
                assert len(line) <= 84, f"{named(page)}: {line}"


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_documented(name):
    thing = public(name)
    doc = inspect.getdoc(thing) or ""
    found = re.findall(r"^(\w+):$", doc, re.MULTILINE)
    if inspect.isclass(thing) and issubclass(thing, tuple):  # its fields are its arguments
        found = ["Args" if section == "Attributes" else section for section in found]
    expected = [section for section in SECTIONS if section in found or section != "Returns"]

    assert [section for section in found if section in SECTIONS] == (
        expected if inspect.isclass(thing) else SECTIONS
    )
    pages = (ROOT / "docs/reference/api").glob("*.md")
    assert sum(page.read_text("utf-8").count(f"\n::: {name}\n") for page in pages) == 1


@pytest.mark.parametrize("name", NAMES)
def test_an_example_runs_on_its_own(name):
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(public(name)) or "")

    assert any(example.want for example in examples)
    assert examples[0].source.startswith(("import ", "from "))


def test_docstrings_are_collected():
    for module in (ROOT / "posenc").rglob("*.py"):
        prompts = re.findall(r"^ +>>> ", module.read_text("utf-8"), re.MULTILINE)
        assert len(list(DOCSTRINGS.parse(module))) == len(prompts), named(module)
        assert DOCSTRINGS.should_parse(module), f"{named(module)} is not among the patterns"


def test_the_font_has_every_character_of_the_formulas():
    """A missing one would come from whatever font the reader's machine has."""
    have = {chr(point) for point in fonts.characters()}
    for page in PAGES[1:]:
        text = page.read_text("utf-8")
        for pattern, display in ((DISPLAY, True), (INLINE, False)):
            for match in pattern.finditer(prose(text)):
                mathml = formulas.mathml(match["tex"], display=display)
                missing = set(unescape(re.sub(r"<[^>]+>", "", mathml))) - have
                assert not missing, f"{named(page)}: {missing} in {match['tex']}"


def test_the_font_has_every_character_of_headings_and_leads():
    have = {chr(point) for point in fonts.characters()}
    for page in PAGES[1:]:
        text = formulas.without_formulas(prose(page.read_text("utf-8")))
        for match in re.finditer(r"^##? [^\n]*|(?:[^\n]+\n)+(?=\{ \.lead \})", text, re.MULTILINE):
            missing = set(match[0]) - have - {"\n"}
            assert not missing, f"{named(page)}: {missing} in {match[0]}"
