"""How strong each card is, as it was last measured, and whether that is still so.

Measuring takes too long for a build, so what came of it is kept with the book, in
`docs/reference/strength.json`, by all that it rests on: the code of the page up to the card,
what that rests on of the package, and the lines that the card shows. `measure.py` in
`docs/_hooks` keeps it; a test measures a part of the cards again.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from sybil import Document

from engine import faults, statements, strength
from engine.cache import sources
from engine.dependencies import Package
from engine.places import DOCS
from engine.texts import read

STORED = DOCS / "reference/strength.json"


@dataclass(frozen=True)
class Record:
    """The strength of a card."""

    key: str  # of what it rests on
    noticed: int  # by the card itself
    faults: int  # that say something
    unnoticed: list[dict[str, Any]] = field(default_factory=list)  # with a reason, if one is known

    def __str__(self) -> str:
        """Return it as a card says it."""
        return f"{self.noticed} of {self.faults} faults noticed"


def stored() -> dict[str, Record]:
    """Return what is known of each card, by its id."""
    return _stored(STORED.read_text("utf-8")) if STORED.exists() else {}


@lru_cache(maxsize=2)
def _stored(text: str) -> dict[str, Record]:
    return {name: Record(**record) for name, record in json.loads(text).items()}


def keys(text: str, package: Package) -> dict[str, str]:
    """Return what the strength of each card of a page rests on, as a digest."""
    found = {}
    for name, implementation, verification in statements.cards(text):
        shown = "\n".join(lines.text() for lines in faults.shown(implementation.text))
        until = text[: text.index("\n///", verification.start + 3) + 4]
        code = sources(until)
        said = json.dumps([code, package.digest(code), shown])
        found[name] = hashlib.sha256(said.encode()).hexdigest()[:16]
    return found


def measured(document: Document, package: Package) -> Iterator[tuple[str, Record]]:
    """Yield each card of a page with its strength; reasons that were given stay."""
    before, known = stored(), keys(document.text, package)
    for one in strength.measured(document):
        reasons = {
            _fault(fault): fault["reason"]
            for fault in (before[one.id].unnoticed if one.id in before else [])
            if "reason" in fault
        }
        unnoticed = [
            {**fault, **({"reason": reasons[_fault(fault)]} if _fault(fault) in reasons else {})}
            for fault in one.unnoticed
        ]
        yield one.id, Record(known[one.id], one.found["noticed"], one.faults, unnoticed)


def _fault(fault: dict[str, Any]) -> tuple[str, ...]:
    """Return a fault wherever its line has moved."""
    return fault["file"], fault["function"], fault["was"], fault["now"]


def changed(pages: Iterable[Path], package: Package) -> list[Path]:
    """Return the pages with a card whose strength is not known, or no longer."""
    known = stored()
    return [
        page
        for page in pages
        if any(
            name not in known or known[name].key != key
            for name, key in keys(read(page), package).items()
        )
    ]
