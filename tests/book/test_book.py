"""Requirements for all pages, public names and modules."""

import doctest
import inspect
import re
import sys
from dataclasses import is_dataclass
from html import unescape
from typing import Any

from mkdocs.utils import meta
from sybil import Sybil

import posenc
import posenc.exercises
import posenc.experiments
import posenc.golden
import posenc.laws
import posenc.plots
from check import cards, code_blocks, formulas
from check.fences import INCLUDE, blank_fences, find_fences, keep_prose
from check.formulas import DISPLAY, INLINE
from check.page_source import read_page
from check.paths import ROOT, path_from_root
from render.rules import DOCSTRINGS
from tests import nav
from website import fonts

CHAPTERS = sorted((ROOT / "docs/chapters").glob("*.md"))
LABS = sorted((ROOT / "docs/labs").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = (
    posenc,
    posenc.analysis,
    posenc.batches,
    posenc.costs,
    posenc.counting,
    posenc.exercises,
    posenc.experiments,
    posenc.geometry,
    posenc.golden,
    posenc.judging,
    posenc.laws,
    posenc.plots,
)
NAMES = [f"{module.__name__}.{name}" for module in MODULES for name in module.__all__]

SECTIONS = ["Args", "Returns", "Raises", "Source", "Examples"]


def get_public_object(name: str) -> Any:
    package, _, attribute = name.rpartition(".")
    return getattr(sys.modules[package], attribute)


def test_all_python_code_is_run():
    """Find prompts and fences line by line, and compare them with the examples that are run."""
    skipped = []
    runs = Sybil(parsers=[code_blocks.parse], patterns=["*.md"], path=str(ROOT))
    for page in PAGES:
        run = {example.line for example in runs.parse(page)}
        is_markdown = False  # inside a fence with four backticks
        for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
            code = line.strip()
            is_markdown ^= code.startswith("````")
            prompt = code.startswith(">>>")
            fence = code.startswith(("```py", "```Py", "```{.py")) and code != "```pycon"
            if (prompt or fence) and not is_markdown and number not in run:
                skipped.append(f"{path_from_root(page)}:{number} is not run: {line!r}")

    assert skipped == []


def test_front_matter():
    wrong = []
    for page in [*PAGES[1:], *LABS]:
        front = meta.get_data(read_page(page))[1]
        described = len(front.get("description", ""))
        if not front.get("title") or not 40 <= described <= 200:  # what a search engine shows
            wrong.append((path_from_root(page), front.get("title"), described))

    assert wrong == []


def test_every_displayed_formula_of_a_chapter_is_in_a_statement_or_proof():
    wrong = {}
    for page in CHAPTERS:
        text = page.read_text("utf-8")
        blocks = [b.text for b in cards.find_blocks(text) if b.kind in ("statement", "proof")]
        in_blocks = sum(len(DISPLAY.findall(block)) for block in blocks)
        total = len(DISPLAY.findall(blank_fences(text)))
        if not total == in_blocks > 0:
            wrong[path_from_root(page)] = f"{total} formulas, {in_blocks} in statements and proofs"

    assert wrong == {}


def test_chapters_end_with_four_sections_and_verify_their_answers():
    last = ["Pitfalls", "Check yourself", "Exercises", "Further reading"]
    wrong = []
    for page in CHAPTERS:
        text = page.read_text("utf-8")
        headings = [h.strip() for h in re.findall(r"^## ([^\n{]+)", text, re.MULTILINE)]
        _, *answers = text.split("\n/// answer\n")
        if headings[-4:] != last:
            wrong.append(f"{path_from_root(page)} ends with {headings[-4:]}")
        if len(answers) < 5:
            wrong.append(f"{path_from_root(page)} has {len(answers)} answers instead of at least 5")
        if not cards.find_equations(page, text):
            wrong.append(f"{path_from_root(page)} has no statement")
        for answer in answers:
            if ">>> " not in answer.partition("\n///\n")[0]:
                wrong.append(f"{path_from_root(page)}: answer without a session: {answer[:60]!r}")

    assert wrong == []


def test_all_pages_are_in_nav():
    assert len(CHAPTERS) >= 20
    assert sorted(nav.PAGES) == sorted(
        page.relative_to(ROOT / "docs").with_suffix(".md").as_posix()
        for page in [*PAGES[1:], *LABS]
    )


def test_references_to_equations_are_not_in_brackets():
    """The number that replaces the reference has brackets of its own."""
    doubled = [
        path_from_root(page) for page in [*PAGES, *LABS] if "([eq-" in page.read_text("utf-8")
    ]

    assert doubled == []


def test_code_has_at_most_84_characters_per_line():
    """That is the width of the column."""
    wide = [
        f"{path_from_root(page)}: {line}"
        for page in [*PAGES, *LABS]
        for fence in find_fences(read_page(page))
        for line in expand_includes(fence.source).splitlines()
        if len(line) > 84 and not line.startswith(("# --8<--", "```{"))
    ]

    assert wide == []


def expand_includes(source: str) -> str:
    """Return the code of a fence, or the lines that it includes."""
    for include in INCLUDE.finditer(source):
        if not (ROOT / include["path"]).is_file():  # an example in a how-to page
            continue
        text = (ROOT / include["path"]).read_text("utf-8")
        lines = text.partition(f"[start:{include['section']}]\n")[2]
        source = inspect.cleandoc("\n" + lines.partition(f"[end:{include['section']}]")[0])
    return source


def test_every_public_name_is_documented_once():
    assert len(NAMES) > 150
    api = "".join(
        page.read_text("utf-8") for page in sorted((ROOT / "docs/reference/api").glob("*.md"))
    )
    wrong = []
    for name in NAMES:
        public_object = get_public_object(name)
        found = re.findall(r"^(\w+):$", inspect.getdoc(public_object) or "", re.MULTILINE)
        if is_dataclass(public_object) or (
            inspect.isclass(public_object) and issubclass(public_object, tuple)
        ):
            # Its fields are its arguments.
            found = ["Args" if section == "Attributes" else section for section in found]
        expected = [section for section in SECTIONS if section in found or section != "Returns"]
        actual = [section for section in found if section in SECTIONS]
        if actual != (expected if inspect.isclass(public_object) else SECTIONS):
            wrong.append(f"{name} has {actual}")
        if (entries := api.count(f"\n::: {name}\n")) != 1:
            wrong.append(f"{name} has {entries} entries on the API pages")

    assert wrong == []


def test_examples_of_public_names_have_output_and_their_own_imports():
    wrong = []
    for name in NAMES:
        prompts = doctest.DocTestParser().get_examples(
            inspect.getdoc(get_public_object(name)) or ""
        )
        answers = any(example.want for example in prompts)
        if not answers or not prompts[0].source.startswith(("import ", "from ")):
            wrong.append(name)

    assert wrong == []


def test_all_examples_in_docstrings_are_collected():
    wrong = []
    for module in sorted((ROOT / "posenc").rglob("*.py")):
        prompts = re.findall(r"^ +>>> ", module.read_text("utf-8"), re.MULTILINE)
        if (count := len(list(DOCSTRINGS.parse(module)))) != len(prompts):
            wrong.append(f"{path_from_root(module)}: {count} examples of {len(prompts)}")
        if not DOCSTRINGS.should_parse(module):
            wrong.append(f"{path_from_root(module)} is not among the patterns")

    assert wrong == []


def test_the_font_has_every_character_of_the_formulas():
    """Browsers take missing characters from another font."""
    available = {chr(point) for point in fonts.list_code_points()}
    missing_characters = []
    for page in PAGES[1:]:
        text = keep_prose(page.read_text("utf-8"))
        for pattern, display in ((DISPLAY, True), (INLINE, False)):
            for match in pattern.finditer(text):
                mathml = formulas.convert_to_mathml(match["tex"], display=display)
                if missing := set(unescape(re.sub(r"<[^>]+>", "", mathml))) - available:
                    missing_characters.append(
                        f"{path_from_root(page)}: {missing} in {match['tex']}"
                    )

    assert missing_characters == []


def test_the_font_has_every_character_of_headings_and_leads():
    available = {chr(point) for point in fonts.list_code_points()}
    missing_characters = []
    for page in PAGES[1:]:
        text = formulas.blank_formulas(keep_prose(page.read_text("utf-8")))
        for match in re.finditer(r"^##? [^\n]*|(?:[^\n]+\n)+(?=\{ \.lead \})", text, re.MULTILINE):
            if missing := set(match[0]) - available - {"\n"}:
                missing_characters.append(f"{path_from_root(page)}: {missing} in {match[0]}")

    assert missing_characters == []
