"""Sentences that nothing computes: somebody who read each against its page vouches for it.

Numbers are computed, and so is what compares, relates or sets a condition: other rules see to
that. What remains tells what a thing is, who did it, how it feels to use. No code can show that,
so somebody reads it, asks of each word whether it is so, looks up what cannot be seen on the page,
and vouches for it with `docs/_hooks/vouch.py`; so with each displayed formula outside of a
statement. What is kept, in `vouched.json`, is a digest of the sentence, so that a changed one is
read again, and a word cannot slip in unread.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from sybil import Document, Region

from engine.complaints import afterthought
from engine.fences import without_fences
from engine.formulas import DISPLAY
from engine.places import DOCS, named
from engine.scripts import labs
from engine.sentences import BLOCK, Sentence, paragraphs
from engine.texts import read
from pages import compared, evidence

KEPT = Path(__file__).with_name("vouched.json")
# What tells how the book is made, or comes from docstrings.
APART = (DOCS / "contributing", DOCS / "reference/api", DOCS / "reference/authors.md")


def pages() -> list[Path]:
    """Return the pages whose sentences are read."""
    found = sorted([*DOCS.rglob("*.md"), *labs()])
    return [page for page in found if not any(page.is_relative_to(one) for one in APART)]


def kept() -> dict[str, list[str]]:
    """Return the digests of what somebody vouches for, by page."""
    digests: dict[str, list[str]] = json.loads(read(KEPT))
    return digests


def keep(digests: dict[str, list[str]]) -> None:
    """Keep what somebody vouches for: a line for each, so that two authors seldom meet."""
    KEPT.write_text(json.dumps(digests, indent=0, sort_keys=True) + "\n", "utf-8")


def digest(sentence: Sentence) -> str:
    """Return what is kept of a sentence."""
    return hashlib.sha256(sentence.text.encode()).hexdigest()[:12]


def told(document: Document) -> Iterator[Sentence]:
    """Yield the sentences, rows and displayed formulas of a page that nothing else shows."""
    text = document.text
    shown = {one.start for rule in (compared, evidence) for one in rule.claiming(document)}
    tables = Path(document.path) in compared.BESIDE  # which are shown whole there
    for paragraph in paragraphs(text):
        row = Sentence(paragraph.start, paragraph.text)
        said = {"text": paragraph.sentences, "row": () if tables else (row,)}
        for one in said.get(paragraph.kind, ()):
            if one.start not in shown and compared.LETTER.search(one.text):
                written = text[one.start : one.start + len(one.text)]
                yield Sentence(one.start, written.rstrip())
    outside = without_fences(text)
    stated = [block.span() for block in BLOCK.finditer(outside) if block["kind"] == "statement"]
    for formula in DISPLAY.finditer(outside):
        if not any(start < formula.start() < end for start, end in stated):
            yield Sentence(formula.start(), formula["tex"].strip())


def unread(document: Document) -> Iterator[Sentence]:
    """Yield what nobody vouches for."""
    known = set(kept().get(named(document.path), ()))
    return (sentence for sentence in told(document) if digest(sentence) not in known)


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each sentence of a page that nobody vouches for."""
    if Path(document.path) in pages():
        for sentence in unread(document):
            said = "nobody vouches for this: ask of each word whether it is so, then run"
            command = f"uv run python docs/_hooks/vouch.py {named(document.path)}"
            yield afterthought(document, sentence.start, f"{said} {command}")
