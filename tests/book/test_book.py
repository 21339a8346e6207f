"""What every page, every public name and every file of the book must have."""

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
NAMES = [*(f"posenc.{name}" for name in posenc.__all__)]
NAMES += [f"posenc.exercises.{name}" for name in posenc.exercises.__all__]
NAMES += [f"posenc.experiments.{name}" for name in posenc.experiments.__all__]
NAMES += [f"posenc.golden.{name}" for name in posenc.golden.__all__]
NAMES += [f"posenc.laws.{name}" for name in posenc.laws.__all__]
NAMES += [f"posenc.plots.{name}" for name in posenc.plots.__all__]

SECTIONS = ["Args", "Returns", "Raises", "Source", "Examples"]


def public(name: str) -> Any:
    package, _, attribute = name.rpartition(".")
    return getattr(sys.modules[package], attribute)


def test_no_python_escapes():
    """Find prompts and fences line by line, and ask which of them the engine runs."""
    escaped = []
    runs = Sybil(parsers=[code_blocks.parse], patterns=["*.md"], path=str(ROOT))
    for page in PAGES:
        run = {example.line for example in runs.parse(page)}
        shown = False  # inside a fence of four backticks, which shows Markdown
        for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
            code = line.strip()
            shown ^= code.startswith("````")
            prompt = code.startswith(">>>")
            fence = code.startswith(("```py", "```Py", "```{.py")) and code != "```pycon"
            if (prompt or fence) and not shown and number not in run:
                escaped.append(f"{path_from_root(page)}:{number} is never run: {line!r}")

    assert escaped == []


def test_front_matter():
    wrong = []
    for page in [*PAGES[1:], *LABS]:
        front = meta.get_data(read_page(page))[1]
        described = len(front.get("description", ""))
        if not front.get("title") or not 40 <= described <= 200:  # what a search engine shows
            wrong.append((path_from_root(page), front.get("title"), described))

    assert wrong == []


def test_every_displayed_formula_of_a_chapter_is_on_a_card_or_in_a_proof():
    """So each is held against something."""
    wrong = {}
    for page in CHAPTERS:
        text = page.read_text("utf-8")
        found = cards.find_blocks(text)
        shown_on = [block.text for block in found if block.kind in ("statement", "proof")]
        on_cards = sum(len(DISPLAY.findall(card)) for card in shown_on)
        shown = len(DISPLAY.findall(blank_fences(text)))
        if not shown == on_cards > 0:
            wrong[path_from_root(page)] = f"{shown} formulas, {on_cards} on cards and in proofs"

    assert wrong == {}


def test_a_chapter_ends_with_its_four_sections_and_answers_what_it_asks():
    last = ["Pitfalls", "Check yourself", "Exercises", "Further reading"]
    wrong = []
    for page in CHAPTERS:
        text = page.read_text("utf-8")
        headings = [h.strip() for h in re.findall(r"^## ([^\n{]+)", text, re.MULTILINE)]
        _, *answers = text.split("\n/// answer\n")
        if headings[-4:] != last:
            wrong.append(f"{path_from_root(page)} ends with {headings[-4:]}")
        if len(answers) < 5:
            wrong.append(
                f"{path_from_root(page)} has {len(answers)} answers, and five are asked for"
            )
        if not cards.find_equations(page, text):
            wrong.append(f"{path_from_root(page)} states nothing")
        for answer in answers:
            if ">>> " not in answer.partition("\n///\n")[0]:
                wrong.append(f"{path_from_root(page)}: not verified: {answer[:60]!r}")

    assert wrong == []


def test_all_pages_are_in_nav():
    assert len(CHAPTERS) >= 20
    assert sorted(nav.PAGES) == sorted(
        page.relative_to(ROOT / "docs").with_suffix(".md").as_posix()
        for page in [*PAGES[1:], *LABS]
    )


def test_a_number_of_an_equation_has_one_pair_of_brackets():
    """Its number comes with brackets."""
    doubled = [
        path_from_root(page) for page in [*PAGES, *LABS] if "([eq-" in page.read_text("utf-8")
    ]

    assert doubled == []


def test_code_fits_its_column():
    """84 characters fit beside the table of contents; an include is as wide as its lines."""
    wide = [
        f"{path_from_root(page)}: {line}"
        for page in [*PAGES, *LABS]
        for fence in find_fences(read_page(page))
        for line in shown(fence.source).splitlines()
        if len(line) > 84 and not line.startswith(("# --8<--", "```{"))
    ]

    assert wide == []


def shown(source: str) -> str:
    """Return the code of a fence, or of the last file that it includes lines of."""
    for include in INCLUDE.finditer(source):
        if not (ROOT / include["path"]).is_file():  # of a recipe, which shows it
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
        thing = public(name)
        found = re.findall(r"^(\w+):$", inspect.getdoc(thing) or "", re.MULTILINE)
        if is_dataclass(thing) or (inspect.isclass(thing) and issubclass(thing, tuple)):
            # Its fields are its arguments.
            found = ["Args" if section == "Attributes" else section for section in found]
        expected = [section for section in SECTIONS if section in found or section != "Returns"]
        have = [section for section in found if section in SECTIONS]
        if have != (expected if inspect.isclass(thing) else SECTIONS):
            wrong.append(f"{name} has {have}")
        if (entries := api.count(f"\n::: {name}\n")) != 1:
            wrong.append(f"{name} has {entries} entries on the API pages")

    assert wrong == []


def test_the_examples_of_every_public_name_answer_and_run_on_their_own():
    wrong = []
    for name in NAMES:
        prompts = doctest.DocTestParser().get_examples(inspect.getdoc(public(name)) or "")
        answers = any(example.want for example in prompts)
        if not answers or not prompts[0].source.startswith(("import ", "from ")):
            wrong.append(name)

    assert wrong == []


def test_docstrings_are_collected():
    wrong = []
    for module in sorted((ROOT / "posenc").rglob("*.py")):
        prompts = re.findall(r"^ +>>> ", module.read_text("utf-8"), re.MULTILINE)
        if (found := len(list(DOCSTRINGS.parse(module)))) != len(prompts):
            wrong.append(f"{path_from_root(module)}: {found} examples of {len(prompts)}")
        if not DOCSTRINGS.should_parse(module):
            wrong.append(f"{path_from_root(module)} is not among the patterns")

    assert wrong == []


def test_the_font_has_every_character_of_the_formulas():
    """A missing one would come from whatever font the reader's machine has."""
    have = {chr(point) for point in fonts.list_code_points()}
    lacking = []
    for page in PAGES[1:]:
        text = keep_prose(page.read_text("utf-8"))
        for pattern, display in ((DISPLAY, True), (INLINE, False)):
            for match in pattern.finditer(text):
                mathml = formulas.convert_to_mathml(match["tex"], display=display)
                if missing := set(unescape(re.sub(r"<[^>]+>", "", mathml))) - have:
                    lacking.append(f"{path_from_root(page)}: {missing} in {match['tex']}")

    assert lacking == []


def test_the_font_has_every_character_of_headings_and_leads():
    have = {chr(point) for point in fonts.list_code_points()}
    lacking = []
    for page in PAGES[1:]:
        text = formulas.blank_formulas(keep_prose(page.read_text("utf-8")))
        for match in re.finditer(r"^##? [^\n]*|(?:[^\n]+\n)+(?=\{ \.lead \})", text, re.MULTILINE):
            if missing := set(match[0]) - have - {"\n"}:
                lacking.append(f"{path_from_root(page)}: {missing} in {match[0]}")

    assert lacking == []
