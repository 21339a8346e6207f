"""Which answers of each page are blind, as it was measured last, and whether that is still so.

`engine/blind.py` measures, which takes too long for a build, so what came of it is kept with the
book, in `docs/reference/blind.json`, by all that it rests on: the code of the page, and what that
rests on of the package. `measure.py` in `docs/_hooks` keeps it; a test measures one page a day
again. An answer that may be blind stands in `blind.toml`, with the reason.
"""

import ast
import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sybil import Document, Region

from engine import blind, statements, trees
from engine.blind import Blind
from engine.cache import sources
from engine.complaints import afterthought, complaint
from engine.dependencies import Package
from engine.places import DOCS, ROOT, named
from engine.texts import read, toml
from engine.witnesses import prompts
from pages.records import recorded

STORED = DOCS / "reference/blind.json"
MAY_BE = Path(__file__).with_name("blind.toml")
HOOKS = Path(__file__).parent.parent
HOME = DOCS / "reference/authors.md"  # where an entry of no page is complained of


@dataclass(frozen=True)
class Record:
    """What is known of the answers of a page."""

    key: str  # of all that it rests on
    judged: int = 0
    blind: tuple[Blind, ...] = ()


@dataclass(frozen=True)
class Allowed:
    """An answer that may be blind."""

    page: str
    prompt: str
    why: str


def stored() -> dict[str, Record]:
    """Return what is known of each page, by its path."""
    return recorded(STORED, _record)


def _record(key: str, judged: int, blind: list[dict[str, Any]]) -> Record:
    return Record(key, judged, tuple(Blind(**one) for one in blind))


def pages() -> list[Path]:
    """Return the pages of the book that show a session outside of cards."""
    book = (page for page in sorted(DOCS.rglob("*.md")) if HOOKS not in page.parents)
    return [page for page in book if any(_outside(read(page)))]


def allowed() -> list[Allowed]:
    """Return the answers that may be blind."""
    return [Allowed(**entry) for entry in toml(MAY_BE).get("answer", [])]


@lru_cache(maxsize=64)  # asked for by the check of a page, and by the test of its figure
def key(text: str, package: Package) -> str:
    """Return what the answers of a page rest on, as a digest."""
    code, outside = sources(text), [source for _, source in _outside(text)]
    said = json.dumps([code, outside, package.digest(code)])
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _outside(text: str) -> Iterator[tuple[int, str]]:
    """Yield the prompts of a page that no card holds, each with its place."""
    cards = [(card.start, card.verification.end) for card in statements.cards(text)]
    for place, source in prompts(text):
        if not any(start <= place < end for start, end in cards):
            yield place, source


def alternatives(text: str) -> Iterator[tuple[int, str]]:
    """Yield the prompts that no card holds and of which the answer says *or*, with their places."""
    for place, source in _outside(text):
        with suppress(SyntaxError):  # complained of where the prompt is run
            body = trees.tree(source).body
            said = [node for node in body if isinstance(node, ast.Expr | ast.Assert)]
            if any(isinstance(part, ast.Or) for node in said for part in trees.nodes(node)):
                yield place, source


def _first(prompt: str) -> str:
    return prompt.partition("\n")[0]


def measured(document: Document, package: Package) -> Record:
    """Return which answers of a page are blind."""
    judged = sum(prompt.judged for prompt in blind.prompts(document))
    return Record(key(document.text, package), judged, tuple(blind.blind(document)))


def parse(document: Document, package: Package) -> Iterator[Region]:
    """Yield a complaint for each answer of a page that is blind, as it was measured last.

    A page that has changed since is not judged here: a test has it measured again.
    """
    page, text = named(document.path), document.text
    if page == named(HOME):
        for entry in allowed():
            if not (ROOT / entry.page).is_file():
                said = f"{MAY_BE.name}: no page {entry.page!r}; remove the entry"
                yield afterthought(document, 0, said)
    for place, source in alternatives(text):
        said = "holds where one of its alternatives does; say each by itself"
        yield complaint(place, f"{_first(source)} {said}")
    record = stored().get(page)
    if record and record.key == key(text, package):
        for place, said in wrong(text, page, record):
            yield afterthought(document, place, said)


def wrong(text: str, page: str, record: Record) -> Iterator[tuple[int, str]]:
    """Yield each answer that is blind without a reason, and each entry that no answer needs."""
    reasons = {one.prompt.strip(): one for one in allowed() if one.page == page}
    places = {source: place for place, source in prompts(text)}
    for one in record.blind:
        if one.prompt.strip() not in reasons:
            remedy = f"compare all of it with something else, or give a reason in {MAY_BE.name}"
            yield places.get(one.prompt, 0), f"{_first(one.prompt)} {one.said}; {remedy}"
    blinds = {one.prompt.strip() for one in record.blind}
    for prompt in reasons.keys() - blinds:
        yield len(text), f"{MAY_BE.name}: {prompt!r} is not blind, or gone; remove the entry"
