"""Check the English of pages with proselint, and of docstrings and comments with a few patterns."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from proselint.checks import __register__
from proselint.config import DEFAULT, Config
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

from check.fences import find_fences, keep_prose
from check.formulas import DISPLAY, INLINE
from check.lab_source import list_labs
from check.page_source import FRONT_MATTER, read_page
from check.paths import DOCS, PACKAGE, ROOT, path_from_root

PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md")), *list_labs()]
MODULES = sorted([*PACKAGE.rglob("*.py"), *(DOCS / "_hooks").rglob("*.py")])

# Checks that misread Markdown or formulas, or that are a matter of taste.
DISABLED = (
    "archaism",  # takes "for every" for "for ever"
    "dates_times",  # takes a range of numbers for one of years
    "lexical_illusions",  # "x and x and": formulas
    "misc.but",  # a paragraph may begin with But
    "typography",  # quotation marks are straight
)
CONFIG = Config(
    max_errors=DEFAULT["max_errors"], checks=DEFAULT["checks"] | dict.fromkeys(DISABLED, False)
)
PATTERNS = {
    "a word twice": r"\b(?!had |that )([a-z]{2,}) \1\b",
    "an idle word; leave it out": r"\b(?:very|simply|obviously|clearly|basically|of course)\b",
    "praise; let the reader see it": (
        r"\b(?:amazing|awesome|cutting-edge|delv(?:e|es|ing)|effortless(?:ly)?|game-chang\w+"
        r"|groundbreaking|incredibl[ey]|revolutionary|seamless(?:ly)?|stunning(?:ly)?)\b"
    ),
}
ADDRESS = re.compile(r"\]\([^)]*\)|\]\[[^\]\n]*\]|\{ ?[#.:][^{}\n]*\}|<[^<>\n]+>")


@pytest.fixture(scope="module", autouse=True)
def _checks():
    """Register the checks of proselint."""
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(__register__)


def extract_prose(text: str) -> str:
    """Return the sentences and captions of a page, with an x for each formula."""
    captions = [
        f.attributes.get(kind, "") for f in find_fences(text) for kind in ("alt", "caption")
    ]
    prose = FRONT_MATTER.sub("", keep_prose(text))
    for formula in (DISPLAY, INLINE):
        prose = formula.sub("x", prose)
    lines = [line for line in ADDRESS.sub("", prose).split("\n") if line.strip()]
    return "\n".join([*lines, *captions])  # a single paragraph


def extract_comments(module: Path) -> Iterator[str]:
    """Yield the docstrings and comments of a module."""
    tree = ast.parse(module.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""
    with tokenize.open(module) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.string


def find_habits(text: str) -> list[str]:
    """Return the discouraged phrases of a text, each with advice."""
    return [
        f"{match[0]!r}: {advice}"
        for advice, pattern in PATTERNS.items()
        for match in re.finditer(pattern, text, re.IGNORECASE)
    ]


def find_problems(text: str) -> list[str]:
    """Return what proselint and the patterns find in the prose of a page."""
    file = LintFile("page", extract_prose(text))
    results = [result.check_result for result in file.lint(CONFIG)]
    return find_habits(file.content) + [
        f"{file.content[slice(*result.span)]!r}: {result.message}" for result in results
    ]


@pytest.mark.parametrize("page", PAGES, ids=path_from_root)
def test_page_has_no_discouraged_phrases(page):
    assert find_problems(read_page(page)) == []


@pytest.mark.parametrize("module", MODULES, ids=path_from_root)
def test_module_has_no_discouraged_phrases(module):
    assert find_habits("\n".join(extract_comments(module))) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "It is what it is, at the end of the day.",
        "It leverages synergy.",
        "The proof is irregardless of that.",
        "We give an exact same copy.",
        "This is the the table.",
        "This is obviously so.",
    ],
)
def test_discouraged_phrases_are_found(sentence):
    assert find_problems(f"# A page\n\n{sentence}\n")


def test_code_and_formulas_are_ignored():
    assert find_problems("`irregardless` and $irregardless$\n\n```text\nirregardless\n```\n") == []
