"""General English: what proselint says of the pages, but for what is not ours."""

import re

import pytest
from proselint.checks import __register__
from proselint.config import DEFAULT, Config
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

from engine.places import DOCS, ROOT, named
from engine.scripts import labs
from engine.sentences import CODE, FORMULA
from engine.texts import read
from pages import english

PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md")), *labs()]
JUDGED = sorted(map(named, PAGES))

# Switched off: what a page's Markdown or its formulas make of a check, and what is taste.
OFF = (
    "archaism",  # takes "for every" for "for ever"
    "dates_times",  # takes a range of numbers for one of years
    "lexical_illusions",  # "x and x and": formulas; a word twice is a habit of our own
    "misc.but",  # a paragraph may begin with But
    "typography",  # quotation marks are straight
)
CONFIG = Config(
    max_errors=DEFAULT["max_errors"], checks=DEFAULT["checks"] | dict.fromkeys(OFF, False)
)


@pytest.fixture(scope="module", autouse=True)
def _checks():
    """Let proselint know its checks; it asks for that once."""
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(__register__)


def said(text: str) -> str:
    """Return the sentences of a page, a line each, with a word for each formula."""
    lines = (text for _, text in english.said(text, quoting=True))
    return re.sub(f"{CODE}+|{FORMULA}+", "x", "\n".join(lines))


def complaints(text: str) -> list[str]:
    """Return what proselint says of a page."""
    file = LintFile("page", said(text))
    found = file.lint(CONFIG)
    return [
        f"{file.content[slice(*one.check_result.span)]!r}: {one.check_result.message}"
        for one in found
    ]


@pytest.mark.parametrize("page", JUDGED)
def test_reads_as_english(page):
    assert complaints(read(ROOT / page)) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "It is what it is, at the end of the day.",
        "It leverages synergy.",
        "The proof is irregardless of that.",
        "We give an exact same copy.",
    ],
)
def test_what_is_no_english_is_seen(sentence):
    assert complaints(f"# A page\n\n{sentence}\n")


def test_code_and_formulas_are_not_read():
    assert complaints("`irregardless` and $irregardless$\n\n```text\nirregardless\n```\n") == []
