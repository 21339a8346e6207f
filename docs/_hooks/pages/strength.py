"""How strong each card is, as it was last measured, and whether that is still so.

Measuring takes too long for a build, so what came of it is kept with the book, in
`docs/reference/strength.json`, by all that it rests on: the code of the page up to the card,
what that rests on of the package, and the lines that the card shows. `measure.py` in
`docs/_hooks` keeps it; a test measures a part of the cards again. How many relations a card
holds is read off its page, and does not fall below what it was; likewise how strict its bounds are.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from sybil import Document, Region

from engine import faults, relations, statements, strength, strictness
from engine.cache import sources
from engine.complaints import afterthought, complaint
from engine.dependencies import Package
from engine.places import DOCS
from engine.strictness import Strictness
from engine.texts import read
from pages.records import recorded

STORED = DOCS / "reference/strength.json"
OWN, PAGE = 0.8, 0.95  # of the faults that matter: noticed by a card itself, and by its page
FAULT = ("file", "function", "was", "now")  # what a reason is of
RELATION, WRONG = ("relation",), ("wrong", "relations")
REMEDY = (
    "compare what the statement says, show the lines that compute it, or give a reason in "
    "docs/reference/strength.json; then uv run python docs/_hooks/measure.py"
)


@dataclass(frozen=True)
class Record:
    """The strength of a card."""

    key: str  # of what it rests on
    noticed: int  # by the card itself
    faults: int  # that say something
    unnoticed: list[dict[str, Any]] = field(default_factory=list)  # with a reason, if one is known
    hollow: list[dict[str, Any]] = field(default_factory=list)  # relations that cannot fail
    seen: dict[str, int] = field(default_factory=dict)  # by how many relations each fault, at most
    fell: list[dict[str, Any]] = field(default_factory=list)  # faults that fewer notice now
    relations: int = 0  # that it has held, at most
    missed: int | None = None  # of the faults that matter, at least, so far
    fewer: dict[str, str] = field(default_factory=dict)  # why it may hold so many relations
    strictness: Strictness = field(default_factory=Strictness)  # as close as it has looked
    weaker: dict[str, str] = field(default_factory=dict)  # why it may be so much less strict

    @property
    def misses(self) -> int:
        """Return how many of the faults that matter to the statement it does not notice itself."""
        return sum("reason" not in fault for fault in self.unnoticed)

    @property
    def matter(self) -> int:
        """Return how many faults matter to the statement: all but those with a reason."""
        return self.faults - sum("reason" in fault for fault in self.unnoticed)

    @property
    def by_page(self) -> int:
        """Return how many of these the card or the rest of its page notices."""
        missed = ("reason" not in fault and not fault["elsewhere"] for fault in self.unnoticed)
        return self.matter - sum(missed)

    def __str__(self) -> str:
        """Return it as a card says it."""
        return f"{self.noticed} of {self.faults} faults noticed"


def stored() -> dict[str, Record]:
    """Return what is known of each card, by its id."""
    return recorded(STORED, _record)


def _record(strictness: dict[str, Any], **others: Any) -> Record:
    """Return what is kept of a card; JSON has lists for tuples."""
    for name in ("bounds", "floors"):
        strictness[name] = tuple(strictness.get(name, ()))
    tried = {letter: tuple(one) for letter, one in strictness.pop("tried", {}).items()}
    return Record(**others, strictness=Strictness(**strictness, tried=tried))


@lru_cache(maxsize=256)  # asked for by the check of a page, and by all that tells of it
def keys(text: str, package: Package) -> dict[str, str]:
    """Return what the strength of each card of a page rests on, as a digest.

    To be looked at only.
    """
    found = {}
    for card in statements.cards(text):
        shown = "\n".join(lines.text() for lines in faults.shown(card.support.text))
        until = text[: text.index("\n", card.verification.end)]
        code = sources(until)
        said = json.dumps([code, package.digest(code), shown])
        found[card.id] = hashlib.sha256(said.encode()).hexdigest()[:16]
    return found


def parse(document: Document, package: Package) -> Iterator[Region]:
    """Yield a complaint for each card that notices too little, as it was measured last.

    A card that has changed since is not judged here, but for what it holds, and how strictly: a
    test has it measured again.
    """
    known, found = stored(), keys(document.text, package)
    held, strict = relations.of_cards(document.text), strictness.of_cards(document.text)
    for card in statements.cards(document.text):
        if card.id in known:
            record = known[card.id]
            for said in (fallen(record, held[card.id]), loosened(record, strict[card.id])):
                if said:
                    yield afterthought(document, card.verification.end, f"{card.id} {said}")
    records = {name: known[name] for name, key in found.items() if name in known}
    records = {name: record for name, record in records.items() if record.key == found[name]}
    for card in statements.cards(document.text):
        if card.id in records and (said := weak(records[card.id])):
            yield complaint(card.verification.start, f"{card.id} {said}; {REMEDY}")
    matter = sum(record.matter for record in records.values())
    noticed = sum(record.by_page for record in records.values())
    if noticed < PAGE * matter:
        said = f"{noticed} of the {matter} faults that matter, below {PAGE:.0%}"
        yield complaint(0, f"the cards of this page and the rest of it notice {said}; {REMEDY}")


def fallen(record: Record, held: int) -> str:
    """Return whether a card holds fewer relations than it has held, and nothing says why."""
    if held >= record.relations or str(held) in record.fewer:
        return ""
    return (
        f"compares {held} things, and has compared {record.relations}; compare what is missing, or "
        f'write in docs/reference/strength.json "fewer": {{"{held}": "why that is enough"}}'
    )


def loosened(record: Record, strict: Strictness) -> str:
    """Return in what a card is less strict than it has been, if nothing says why."""
    for said in strict.weaker(record.strictness):
        if said not in record.weaker:
            return (
                f"{said}; be as strict, or write in docs/reference/strength.json "
                f'"weaker": {{"{said}": "why that is enough"}}'
            )
    return ""


def weak(record: Record) -> str:
    """Return in what a card is too weak, if it is."""
    if not record.faults:
        return "cannot be told from one that checks nothing: no fault in its lines says anything"
    if not record.noticed:
        return f"notices none of {record.faults} faults in the lines that it shows"
    if record.noticed < OWN * record.matter:
        return (
            f"notices {record.noticed} of the {record.matter} faults that matter, below {OWN:.0%}"
        )
    for fault in record.unnoticed:
        if fault.get("file") == "" and "reason" not in fault:  # of the statement, not of a file
            return f"does not notice its own statement made wrong: {fault['now']}"
    for one in record.hollow:
        if "reason" not in one:
            return f"holds a relation that can hardly fail: {one['relation']}: {one['why']}"
    for one in record.fell:
        if "reason" not in one:
            by = f"by {one['relations']} of its relations, and has done so by"
            return f"notices {one['wrong']} {by} {record.seen[one['wrong']]}"
    if record.missed is not None and record.misses > record.missed:
        return f"misses {record.misses} faults, and has missed no more than {record.missed}"
    return ""


def measured(document: Document, package: Package) -> Iterator[tuple[str, Record]]:
    """Yield each card of a page with its strength; reasons that were given stay."""
    before, known = stored(), keys(document.text, package)
    held, strict = relations.of_cards(document.text), strictness.of_cards(document.text)
    for one in strength.measured(document):
        old = before.get(one.id, Record("", 0, 0))
        new = Record(
            key=known[one.id],
            noticed=one.found["noticed"],
            faults=one.faults,
            unnoticed=_with_reasons(one.unnoticed, old.unnoticed, FAULT),
            hollow=_with_reasons(one.hollow, old.hollow, RELATION),
            seen=_most(one, old.seen),
            fell=_with_reasons(fell(one, old.seen), old.fell, WRONG),
            relations=max(held[one.id], old.relations),
            fewer=old.fewer,
            weaker=old.weaker,
            strictness=_strictest(old.strictness, strict[one.id]),
        )
        least = new.misses if old.missed is None else min(old.missed, new.misses)
        yield one.id, replace(new, missed=least)


def _most(one: strength.Strength, before: dict[str, int]) -> dict[str, int]:
    """Return how many relations have noticed each fault that there still is, at most."""
    most = {name: max(one.seen.get(name, 0), before.get(name, 0)) for name in one.tried}
    return {name: number for name, number in most.items() if number}


def fell(one: strength.Strength, before: dict[str, int]) -> list[dict[str, Any]]:
    """Return the faults that fewer relations of a card notice than did, and how many still do."""
    found = {name: one.seen.get(name, 0) for name in one.tried}
    return [
        {"wrong": name, "relations": number}
        for name, number in found.items()
        if number < before.get(name, 0)
    ]


def _strictest(old: Strictness, new: Strictness) -> Strictness:
    """Return how close a card has looked: as it does now, if that is not less."""
    return old if any(new.weaker(old)) else new


def _with_reasons(
    found: list[dict[str, Any]], before: list[dict[str, Any]], what: tuple[str, ...]
) -> list[dict[str, Any]]:
    """Return what was found, with the reasons that were given, wherever its line has moved."""
    reasons = {
        tuple(one[part] for part in what): {"reason": one["reason"]}
        for one in before
        if "reason" in one
    }
    return [one | reasons.get(tuple(one[part] for part in what), {}) for one in found]


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
