"""General English: what proselint and a few patterns find in pages, docstrings and comments."""

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

# Switched off: what a page's Markdown or its formulas make of a check, and what is taste.
OFF = (
    "archaism",  # takes "for every" for "for ever"
    "dates_times",  # takes a range of numbers for one of years
    "lexical_illusions",  # "x and x and": formulas
    "misc.but",  # a paragraph may begin with But
    "typography",  # quotation marks are straight
)
CONFIG = Config(
    max_errors=DEFAULT["max_errors"], checks=DEFAULT["checks"] | dict.fromkeys(OFF, False)
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
    """Register the checks of proselint, once."""
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(__register__)


def visible_text(text: str) -> str:
    """Return the sentences of a page, captions included, with a word for each formula."""
    captions = [
        f.attributes.get(kind, "") for f in find_fences(text) for kind in ("alt", "caption")
    ]
    said = FRONT_MATTER.sub("", keep_prose(text))
    for formula in (DISPLAY, INLINE):
        said = formula.sub("x", said)
    lines = [line for line in ADDRESS.sub("", said).split("\n") if line.strip()]
    return "\n".join([*lines, *captions])  # one paragraph, as one may begin with But


def comments_and_docstrings(module: Path) -> Iterator[str]:
    """Yield the prose of a module."""
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


def complaints(text: str) -> list[str]:
    """Return what proselint and the patterns find in the prose of a page."""
    file = LintFile("page", visible_text(text))
    found = file.lint(CONFIG)
    return find_habits(file.content) + [
        f"{file.content[slice(*one.check_result.span)]!r}: {one.check_result.message}"
        for one in found
    ]


@pytest.mark.parametrize("page", PAGES, ids=path_from_root)
def test_page_reads_as_english(page):
    assert complaints(read_page(page)) == []


@pytest.mark.parametrize("module", MODULES, ids=path_from_root)
def test_docstrings_and_comments_read_as_english(module):
    assert find_habits("\n".join(comments_and_docstrings(module))) == []


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
def test_bad_english_is_found(sentence):
    assert complaints(f"# A page\n\n{sentence}\n")


def test_code_and_formulas_are_not_read():
    assert complaints("`irregardless` and $irregardless$\n\n```text\nirregardless\n```\n") == []
