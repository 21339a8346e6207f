"""Breakages: mistakes that somebody makes in good faith, each with the cards that it turns red.

They are in `docs/reference/named_mistakes.toml`, by chapter: the card whose lines are changed, a
title in readers' words, what stands there once and what replaces it, and the cards of the page that
fall. File, line and function follow from that. A breakage is in place from the first line of its
page on, and a prompt whose answer cannot notice it is not run.
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
from browser.mutants import Fault
from check import doctests
from check.cards import Card
from check.package import find_dependents
from check.page_source import read_toml
from check.paths import DOCS, ROOT

STORED = DOCS / "reference/named_mistakes.toml"


@dataclass(frozen=True)
class Breakage(Fault):
    """A function with a mistake that has a name; `was` and `now` are whole lines."""

    title: str
    red: tuple[str, ...]  # the cards of the page that fall


def stored() -> dict[str, list[dict[str, Any]]]:
    """Return what is said of the breakages of each chapter, by its name."""
    return read_toml(STORED)


def listed() -> dict[str, list[dict[str, Any]]]:
    """Return what a page says of its breakages: card, title, and which of the card's it is."""
    found: dict[str, list[dict[str, Any]]] = {}
    for chapter, entries in stored().items():
        numbers: dict[str, Iterator[int]] = {}
        found[f"chapters/{chapter}.md"] = [
            {
                "card": said["card"],
                "title": said["title"],
                "number": next(numbers.setdefault(said["card"], count())),
            }
            for said in entries
        ]
    return found


def of(card: Card, chapter: str) -> Iterator[Breakage]:
    """Yield the breakages of a card of a chapter; ValueError says which cannot be put in place."""
    for said in stored().get(chapter, ()):
        if said["card"] == card.id:
            yield _made(card, said)


def _made(card: Card, said: dict[str, Any]) -> Breakage:
    shown = mutants.shown(card.support.text)
    places = {
        (lines.file, lines.first, match.start())
        for lines in shown
        for match in re.finditer(re.escape(said["was"]), lines.text())
    }
    if len(places) != 1:
        raise ValueError(f"{card.id} shows {said['was']!r} {len(places)} times, not once")
    ((file, first, place),) = places
    text = (ROOT / file).read_text("utf-8")
    before = "".join(text.splitlines(keepends=True)[: first - 1])
    start = len(before) + place
    end = start + len(said["was"])
    changed = text[:start] + said["now"] + text[end:]
    line = text.count("\n", 0, start) + 1
    name = _around(mutants.parsed(text), line)
    sound, code = (
        mutants.compiled(mutants.parsed(one), str(ROOT / file), name) for one in (text, changed)
    )
    if code is None or code == sound:
        raise ValueError(f"{card.id}: {said['now']!r} changes nothing in {name or file}")
    return Breakage(
        file=file,
        line=line,
        was=_lines(text, start, end),
        now=_lines(changed, start, start + len(said["now"])),
        function=name,
        code=code,
        title=said["title"],
        red=tuple(said["red"]),
    )


def _around(tree: ast.Module, line: int) -> str:
    """Return the function in which a line stands."""
    for node, name in mutants.functions(tree):
        if node.lineno <= line <= (node.end_lineno or 0):  # type: ignore[attr-defined]
            return name
    return ""


def _lines(text: str, start: int, end: int) -> str:
    """Return the whole lines of a part of a text, at the margin."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return dedent(text[first : last if last >= 0 else None])


def noticing(run: Iterable[Example], breakage: Breakage, cards: list[Card]) -> Iterator[Example]:
    """Yield what has to run of a page to see which cards fail.

    An expression binds nothing: it is left out unless it is in a card and uses a name that
    depends on the broken function. Names are compared without their modules, so too much may run,
    but not too little.
    """
    run = list(run)
    touched = find_dependents(breakage.function.partition(".")[0])
    parts = [part for example in run for part in _parts(_source(example))]
    size = 0
    while len(touched) > size:
        size = len(touched)
        for used, bound in parts:
            if used & touched:
                touched |= bound
    for example in run:
        within = any(card.start <= example.region.start < card.verification.end for card in cards)
        if not _only_answers(example) or (within and _used(_source(example)) & touched):
            yield example


def _source(example: Example) -> str:
    source: str = example.region.parsed.source
    return source


def _only_answers(example: Example) -> bool:
    """Return whether an example is an expression with an answer."""
    if example.region.evaluator is not doctests.evaluate or not example.region.parsed.want:
        return False
    return all(isinstance(node, ast.Expr) for node in ast.parse(_source(example)).body)


def _used(source: str) -> set[str]:
    return set[str]().union(*(used for used, _ in _parts(source)))


def _parts(source: str) -> Iterator[tuple[set[str], set[str]]]:
    """Yield the names that code uses, and those that it binds or changes; each import alone."""
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
            bound |= {inner.id for inner in ast.walk(node.value) if isinstance(inner, ast.Name)}
    yield used, bound
