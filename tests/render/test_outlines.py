"""Outlines: all that rules find out about another page stands in it, and they see no more."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from check import cards, page_check, page_source, references
from check.fences import keep_prose
from check.page_source import get_front_matter, make_outline, read_page
from check.paths import DOCS, path_from_root
from render import api, bibliography, rules, sources

# What rules ask of other pages, each as a function of the text.
ASKED: dict[str, Callable[[str], object]] = {
    "front": get_front_matter,
    "ids": lambda text: [one.id for one in cards.find_equations(DOCS, text)],
    "anchors": references.list_anchors,
    "papers": lambda text: bibliography.CITATION_LINK.findall(keep_prose(text)),
    "modules": lambda text: [(one.id, one.names) for one in api.find_sections(DOCS, text)],
    "sources": lambda text: {
        number: [(one.title, one.reason) for one in said.sections.values()]
        for number, said in sources.read_texts(text).items()
    },
}
# Those whose rules look at others, and some of which others ask.
LOOKING = (
    "chapters/rotary.md",
    "contributing/writing.md",
    "reference/bibliography.md",
    "reference/conventions.md",
    "reference/experiments.md",
    "reference/sources.md",
)


@pytest.mark.parametrize("what", ASKED)
def test_an_outline_tells_of_each_page_what_is_asked_of_it(what):
    asked = ASKED[what]

    for page in sorted(DOCS.rglob("*.md")):
        assert asked(make_outline(read_page(page))) == asked(read_page(page)), path_from_root(page)


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
def test_what_paragraphs_say_is_not_in_it(old, new):
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
def test_what_other_pages_may_know_is_in_it(old, new):
    assert make_outline(TEXT.replace(old, new)) != make_outline(TEXT)


def nothing_else(page: Path) -> Callable[[Path], str]:
    """Return what reads a page, and refuses to read another one."""

    def read_own(path: Path) -> str:
        if path != page:
            raise AssertionError(
                f"for {path_from_root(page)} a rule reads {path_from_root(path)}, "
                "of which it may know the outline"
            )
        return page_source.read_page(path)

    return read_own


@pytest.fixture
def confine(monkeypatch):
    """Return a function that lets no module of the house read all of another page."""
    users = [
        module
        for name, module in sys.modules.items()
        if name.partition(".")[0] in ("check", "formula_check", "render")
        and getattr(module, "read_page", None) is read_page
    ]
    users.remove(page_source)

    def confine(page: Path) -> None:
        for module in users:
            monkeypatch.setattr(module, "read_page", nothing_else(page))

    return confine


def evaluate(page: Path) -> None:
    """Evaluate all of a page that runs no code."""
    for example in rules.build_page_rules(references.find_equation_pages).parse(page):
        if example.region.evaluator not in page_check.RUNS_CODE:
            example.evaluate()


@pytest.mark.parametrize("name", LOOKING)
def test_no_rule_reads_all_of_another_page(confine, name):
    confine(DOCS / name)

    evaluate(DOCS / name)
