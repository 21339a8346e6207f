"""Outlines: they contain what rules need from other pages, and rules read nothing else."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from check import cards, page_check, page_source, references
from check.fences import keep_prose
from check.page_source import get_front_matter, make_outline, read_page
from check.paths import DOCS, path_from_root
from render import api, bibliography, rules, sources

# What rules read from other pages, as functions of the text.
READERS: dict[str, Callable[[str], object]] = {
    "front": get_front_matter,
    "ids": lambda text: [one.id for one in cards.find_equations(DOCS, text)],
    "anchors": references.list_anchors,
    "papers": lambda text: bibliography.CITATION_LINK.findall(keep_prose(text)),
    "modules": lambda text: [(each.id, each.names) for each in api.find_sections(DOCS, text)],
    "sources": lambda text: {
        number: [(section.title, section.reason) for section in source.sections]
        for number, source in sources.read_texts(text).items()
    },
}
# Pages whose rules read other pages.
READING_PAGES = (
    "chapters/rotary.md",
    "contributing/writing.md",
    "reference/bibliography.md",
    "reference/conventions.md",
    "reference/experiments.md",
    "reference/sources.md",
)


@pytest.mark.parametrize("name", READERS)
def test_outline_contains_what_rules_need(name):
    reader = READERS[name]

    for page in sorted(DOCS.rglob("*.md")):
        assert reader(make_outline(read_page(page))) == reader(read_page(page)), path_from_root(
            page
        )


TEXT = """\
---
title: Turns
---

# Turns

A turn, [as shown](other.md#turns), keeps $|x|$.

1. Once, `[x](no.md#where)`. {#once}

| head | cell |
| :-- | --: |

/// statement | A turn
    attrs: {id: eq-turn}

It is even.

$$
2 + 2 = 4
$$
///

```pycon
>>> 2 + 2
4
```
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A turn, [as", "No turn at all, [but"),
        ("$|x|$", "$|y|$"),
        ("Once", "Twice"),
        ("It is even", "It is odd"),
        ("2 + 2 = 4", "2 + 2 = 5"),
        (">>> 2 + 2", ">>> 2 * 2"),
    ],
)
def test_edits_of_sentences_and_code_leave_the_outline_unchanged(old, new):
    assert make_outline(TEXT.replace(old, new)) == make_outline(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: Turns", "title: Waves"),
        ("# Turns", "# Waves"),
        ("other.md#turns", "other.md#waves"),
        ("{#once}", "{#twice}"),
        ("cell", "other"),
        ("eq-turn", "eq-wave"),
    ],
)
def test_edits_of_titles_links_ids_and_tables_change_the_outline(old, new):
    assert make_outline(TEXT.replace(old, new)) != make_outline(TEXT)


def restrict_reader(page: Path) -> Callable[[Path], str]:
    """Return a function that reads this page and raises an error for any other."""

    def read_own(path: Path) -> str:
        if path != page:
            raise AssertionError(
                f"for {path_from_root(page)} a rule reads {path_from_root(path)}, "
                "but it may only read its outline"
            )
        return page_source.read_page(path)

    return read_own


@pytest.fixture
def confine(monkeypatch):
    """Return a function that keeps the rules of a page from reading all of another page."""
    users = [
        module
        for name, module in sys.modules.items()
        if name.partition(".")[0] in ("check", "formula_check", "render")
        and getattr(module, "read_page", None) is read_page
    ]
    users.remove(page_source)

    def confine(page: Path) -> None:
        for module in users:
            monkeypatch.setattr(module, "read_page", restrict_reader(page))

    return confine


def evaluate(page: Path) -> None:
    """Evaluate all rules of a page that run no code."""
    for example in rules.build_page_rules(references.find_equation_pages).parse(page):
        if example.region.evaluator not in page_check.RUNS_CODE:
            example.evaluate()


@pytest.mark.parametrize("name", READING_PAGES)
def test_rules_read_only_the_outlines_of_other_pages(confine, name):
    confine(DOCS / name)

    evaluate(DOCS / name)
