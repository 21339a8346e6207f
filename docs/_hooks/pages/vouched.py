"""What nothing computes: somebody who read it against its page vouches for it.

Numbers are computed, and so is what compares, relates or sets a condition: other rules see to
that. What remains tells what a thing is, who did it, how it feels to use. No code can show that,
so somebody reads it, asks of each word whether it is so, looks up what cannot be seen on the page,
and vouches for it with `docs/_hooks/vouch.py`; so with each displayed formula outside of a
statement. And code that runs may check less than it seems to: how strong a card is, is measured,
but a session that compares a thing with itself in disguise is seen by who reads it, and vouches
that it would fail if the page were wrong. What is kept, in `vouched/`, a file for each page, is a
digest of each sentence and each session, so that a changed one is read again, and neither a word
nor a comparison can slip in unread.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sybil import Document, Region

from engine.complaints import afterthought
from engine.fences import fences, without_fences
from engine.formulas import DISPLAY
from engine.places import DOCS, named
from engine.scripts import labs
from engine.sentences import BLOCK, Sentence, paragraphs
from pages import compared, evidence

KEPT = Path(__file__).with_name("vouched")
# What tells how the book is made, or comes from docstrings.
APART = (DOCS / "contributing", DOCS / "reference/api", DOCS / "reference/authors.md")


def pages() -> list[Path]:
    """Return the pages whose sentences are read."""
    found = sorted([*DOCS.rglob("*.md"), *labs()])
    return [page for page in found if not any(page.is_relative_to(one) for one in APART)]


def file(page: Path) -> Path:
    """Return where it is kept what somebody vouches for on a page."""
    return KEPT / page.relative_to(DOCS).with_suffix(".json")


def kept(page: Path) -> set[str]:
    """Return the digests of what somebody vouches for."""
    return set(json.loads(file(page).read_text("utf-8"))) if file(page).is_file() else set()


def keep(page: Path, digests: Iterable[str]) -> None:
    """Keep what somebody vouches for: a line for each, so that two authors seldom meet."""
    file(page).parent.mkdir(parents=True, exist_ok=True)
    file(page).write_text(json.dumps(sorted(set(digests)), indent=0) + "\n", "utf-8")


def left() -> list[Path]:
    """Return the files of pages that are gone, or not read."""
    return sorted({*KEPT.rglob("*.json")} - {*map(file, pages())})


def digest(sentence: Sentence) -> str:
    """Return what is kept of a sentence."""
    return hashlib.sha256(sentence.text.encode()).hexdigest()[:12]


def told(document: Document) -> Iterator[Sentence]:
    """Yield all of a page that is read: what its words say, and what its code checks."""
    yield from said(document)
    yield from checked(document)


def checked(document: Document) -> Iterator[Sentence]:
    """Yield the sessions of a page, and the cells of a lab; a figure has a rule of its own."""
    for fence in fences(document.text):
        if fence.language == "pycon" or ("cell" in fence.classes and "figure" not in fence.classes):
            yield Sentence(fence.start, fence.source.rstrip())


def said(document: Document) -> Iterator[Sentence]:
    """Yield the sentences, rows and displayed formulas of a page that nothing else shows."""
    text = document.text
    shown = {one.start for rule in (compared, evidence) for one in rule.claiming(document)}
    tables = Path(document.path) in compared.BESIDE  # which are shown whole there
    for paragraph in paragraphs(text):
        row = Sentence(paragraph.start, paragraph.text)
        parts = {"text": paragraph.sentences, "row": () if tables else (row,)}
        for one in parts.get(paragraph.kind, ()):
            if one.start not in shown and compared.LETTER.search(one.text):
                written = text[one.start : one.start + len(one.text)]
                yield Sentence(one.start, written.rstrip())
    outside = without_fences(text)
    stated = [block.span() for block in BLOCK.finditer(outside) if block["kind"] == "statement"]
    for formula in DISPLAY.finditer(outside):
        if not any(start < formula.start() < end for start, end in stated):
            yield Sentence(formula.start(), formula["tex"].strip())


Told = Callable[[Document], Iterator[Sentence]]
ASKED: dict[Told, str] = {
    said: "nobody vouches for this: ask of each word whether it is so",
    checked: "nobody vouches for this code: ask of each comparison whether it would fail if what "
    "the page says were false, and whether it is tried on all of that",
}


def unread(document: Document, told: Told = told) -> Iterator[Sentence]:
    """Yield what nobody vouches for."""
    known = kept(Path(document.path))
    return (sentence for sentence in told(document) if digest(sentence) not in known)


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each sentence and each session of a page that nobody vouches for."""
    if Path(document.path) in pages():
        command = f"uv run python docs/_hooks/vouch.py {named(document.path)}"
        for told, ask in ASKED.items():
            for one in unread(document, told):
                yield afterthought(document, one.start, f"{ask}, then run {command}")
