"""Read the named mistakes: plausible errors in the package, each with the cards that it fails.

They are in `docs/reference/named_mistakes.toml`, by chapter: the card whose lines are changed, a
title in the reader's words, a text that these lines contain once, the text that replaces it, and
the cards of the page that fail.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from textwrap import dedent
from typing import Any

from sybil import Example

from browser import mutants
from browser.mutants import Mutant
from check import doctests
from check.cards import Card
from check.package import find_dependents
from check.page_source import read_toml
from check.paths import DOCS, ROOT

MISTAKES = DOCS / "reference/named_mistakes.toml"


@dataclass(frozen=True)
class NamedMistake(Mutant):
    """A function with a mistake that has a name; `was` and `now` are whole lines."""

    title: str = ""
    red: tuple[str, ...] = ()  # the cards of the page that fail


def read_mistakes() -> dict[str, list[dict[str, Any]]]:
    """Return the entries of the file, by chapter."""
    return read_toml(MISTAKES)


def list_mistakes() -> dict[str, list[dict[str, Any]]]:
    """Return for each page the card, the title and the number in its card of each mistake."""
    mistakes: dict[str, list[dict[str, Any]]] = {}
    for chapter, entries in read_mistakes().items():
        counters: dict[str, Iterator[int]] = {}
        mistakes[f"chapters/{chapter}.md"] = [
            {
                "card": entry["card"],
                "title": entry["title"],
                "number": next(counters.setdefault(entry["card"], count())),
            }
            for entry in entries
        ]
    return mistakes


def make_mistakes(card: Card, chapter: str) -> Iterator[NamedMistake]:
    """Yield the mistakes of a card; raise ValueError if an entry doesn't fit the package."""
    for entry in read_mistakes().get(chapter, ()):
        if entry["card"] == card.id:
            yield _make_mistake(card, entry)


def _make_mistake(card: Card, entry: dict[str, Any]) -> NamedMistake:
    matches = {
        (lines.file, lines.first, match.start())
        for lines in mutants.find_shown_lines(card.support.text)
        for match in re.finditer(re.escape(entry["was"]), lines.read())
    }
    if len(matches) != 1:
        raise ValueError(f"{card.id} shows {entry['was']!r} {len(matches)} times, not once")
    ((file, first, offset),) = matches
    text = (ROOT / file).read_text("utf-8")
    start = len("".join(text.splitlines(keepends=True)[: first - 1])) + offset
    end = start + len(entry["was"])
    changed_text = text[:start] + entry["now"] + text[end:]
    line = text.count("\n", 0, start) + 1
    name = _find_function(mutants.parse_module(text), line)
    original, code = (
        mutants.compile_function(mutants.parse_module(each), str(ROOT / file), name)
        for each in (text, changed_text)
    )
    if code is None or code == original:
        raise ValueError(f"{card.id}: {entry['now']!r} changes nothing in {name or file}")
    return NamedMistake(
        file=file,
        line=line,
        was=_get_whole_lines(text, start, end),
        now=_get_whole_lines(changed_text, start, start + len(entry["now"])),
        function=name,
        code=code,
        start=start,
        end=end,
        replacement=entry["now"],
        title=entry["title"],
        red=tuple(entry["red"]),
    )


def _find_function(tree: ast.Module, line: int) -> str:
    """Return the name of the function that contains a line."""
    for node, name in mutants.list_functions(tree):
        if node.lineno <= line <= (node.end_lineno or 0):
            return name
    return ""


def _get_whole_lines(text: str, start: int, end: int) -> str:
    """Return the lines that a part of a text is in, dedented."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return dedent(text[first : last if last >= 0 else None])


def select_affected(
    examples: Iterable[Example], mistake: Mutant, cards: list[Card]
) -> Iterator[Example]:
    """Yield the examples of a page that have to run to see which cards fail.

    A prompt that binds no name only runs if it is in a card and uses a name that depends on the
    mistaken function. Names are compared without their modules, so too many may run, but never
    too few.
    """
    examples = list(examples)
    affected = find_dependents(mistake.function.partition(".")[0])
    names = [pair for example in examples for pair in _list_names(_get_source(example))]
    size = 0
    while len(affected) > size:
        size = len(affected)
        for used, bound in names:
            if used & affected:
                affected |= bound
    for example in examples:
        in_card = any(card.start <= example.region.start < card.verification.end for card in cards)
        if not _is_expression(example) or (in_card and _list_used_names(example) & affected):
            yield example


def _get_source(example: Example) -> str:
    source: str = example.region.parsed.source
    return source


def _is_expression(example: Example) -> bool:
    """Return whether an example only has expressions, with an answer."""
    if example.region.evaluator is not doctests.evaluate or not example.region.parsed.want:
        return False
    return all(isinstance(node, ast.Expr) for node in ast.parse(_get_source(example)).body)


def _list_used_names(example: Example) -> set[str]:
    return set[str]().union(*(used for used, _ in _list_names(_get_source(example))))


def _list_names(source: str) -> Iterator[tuple[set[str], set[str]]]:
    """Yield the names that code uses and those that it binds or changes, for each import alone."""
    used, bound = set[str](), set[str]()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name, ctx=context):
                used.add(name)
                if isinstance(context, ast.Store):
                    bound.add(name)
            case ast.Attribute(attr=name):
                used.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.alias(name=name, asname=other):
                yield {*name.split(".")}, {other or name.partition(".")[0]}
            case _:
                pass
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            bound |= {child.id for child in ast.walk(node.value) if isinstance(child, ast.Name)}
    yield used, bound
