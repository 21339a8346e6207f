"""What each page gives to functions, as it was measured last, and whether that is less now.

`engine/given.py` counts in how many prompts of a page an argument has been negative, large, a row
unlike the next one, and so on. What came of it is kept with the book, in
`docs/reference/given.json`, by all that it rests on; `measure.py` in `docs/_hooks` keeps it, and a
test counts two pages a day again. A count that is lower than it has been needs a reason there.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sybil import Document, Region

from engine import given, scripts
from engine.complaints import afterthought
from engine.dependencies import Package
from engine.given import Kinds
from engine.places import DOCS, named
from pages import blind
from pages.records import recorded

STORED = DOCS / "reference/given.json"
REMEDY = 'give as much, or write a "reason" in docs/reference/given.json'


@dataclass(frozen=True)
class Record:
    """What is known of the arguments on a page."""

    key: str  # of all that it rests on
    most: Kinds = field(default_factory=dict)  # in how many prompts each has been, at most
    less: list[dict[str, Any]] = field(default_factory=list)  # arguments that are given less now


def pages() -> list[Path]:
    """Return the pages and labs that call functions."""
    return [*blind.pages(), *scripts.labs()]


def stored() -> dict[str, Record]:
    """Return what is known of each page, by its path."""
    return recorded(STORED, Record)


def measured(document: Document, package: Package) -> Record:
    """Return what a page gives, and where that is less than it has been; reasons stay."""
    before = stored().get(named(document.path), Record(""))
    now = given.given(document)
    reasons = {json.dumps([one["argument"], one["kinds"]]): one for one in before.less}
    less = [reasons.get(json.dumps([*one.values()]), one) for one in fallen(before.most, now)]
    return Record(blind.key(document.text, package), _most(before.most, now), less)


def _most(before: Kinds, now: Kinds) -> Kinds:
    found: Kinds = {}
    for argument in sorted({*before, *now}):
        had, has = before.get(argument, {}), now.get(argument, {})
        kinds = sorted({*had, *has})
        found[argument] = {kind: max(had.get(kind, 0), has.get(kind, 0)) for kind in kinds}
    return found


def fallen(before: Kinds, now: Kinds) -> Iterator[dict[str, Any]]:
    """Yield each argument of which some kinds are in fewer prompts, with how many these are."""
    for argument, kinds in before.items():
        found = now.get(argument, {})
        fewer = {kind: found.get(kind, 0) for kind in kinds if found.get(kind, 0) < kinds[kind]}
        if fewer:
            yield {"argument": argument, "kinds": fewer}


def parse(document: Document, package: Package) -> Iterator[Region]:
    """Yield a complaint for each argument that a page gives less of, as it was measured last.

    A page that has changed since is not judged here: a test has it measured again.
    """
    record = stored().get(named(document.path))
    if record and record.key == blind.key(document.text, package):
        for said in wrong(record):
            yield afterthought(document, len(document.text), said)


def wrong(record: Record) -> Iterator[str]:
    """Yield what a page gives less of, where no reason is given."""
    for one in record.less:
        if "reason" not in one:
            most = record.most[one["argument"]]
            told = (f"{kind} in {n} prompts, not {most[kind]}" for kind, n in one["kinds"].items())
            yield f"{one['argument']} is {', '.join(told)}; {REMEDY}"
