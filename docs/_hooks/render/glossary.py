"""The glossary: link each term to its entry where a chapter first uses it.

Each term has a heading with the id `term-…` on the page Notation, whose front matter
lists the words that a term has in running text; a term without words gets no links. Titles,
cards, existing links, code and the lead of a chapter aren't linked.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from os.path import relpath
from pathlib import Path
from typing import Any

from sybil import Document, Region

from check import cards, formulas
from check.fences import blank_out, keep_prose
from check.page_source import get_front_matter, read_outline
from check.paths import DOCS
from check.problems import make_problem
from render.text_edits import Edit

GLOSSARY = DOCS / "reference/notation.md"

ENTRY = re.compile(r"^### (?P<title>[^\n]+?) \{ #term-(?P<id>[\w-]+) \}$", re.MULTILINE)
HEADING = re.compile(r"^### ", re.MULTILINE)
LEAD = re.compile(r"\A.*?^\{ \.lead \}$", re.MULTILINE | re.DOTALL)
UNLINKABLE = re.compile(
    r"!?\[[^\[\]\n]*\](?:\([^)\n]*\)|\[[^\[\]\n]*\])"  # links and references
    r"|^#[^\n]*|^///[^\n]*|^ +attrs:[^\n]*|^\*\*[^*\n]+\*\*"  # titles
    r"|\{[^{}\n]*\}|<[^<>\n]+>",
    re.MULTILINE,
)


def read_terms(glossary: str) -> dict[str, list[str]]:
    """Return the words for each term, from the front matter of the glossary."""
    terms: Any = get_front_matter(glossary).get("terms", {})
    return {str(term): [str(word) for word in words] for term, words in terms.items()}


@lru_cache(maxsize=8)
def compile_patterns(glossary: str) -> dict[str, re.Pattern[str]]:
    """Return a pattern for each term that has words."""
    return {
        term: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)
        for term, words in read_terms(glossary).items()
        if words
    }


def link_terms(page: Path, text: str) -> Iterator[Edit]:
    """Yield the edits that turn the first use of each term in a chapter into a link."""
    if page.parent != DOCS / "chapters":
        return
    url = relpath(GLOSSARY, page.parent)
    for start, end, term in find_first_uses(text, read_outline(GLOSSARY)):
        yield start, end, f"[{text[start:end]}]({url}#term-{term}){{ .term }}"


@lru_cache(maxsize=256)
def find_first_uses(text: str, glossary: str) -> tuple[tuple[int, int, str], ...]:
    """Return start, end and term of each first use in a chapter; uses don't overlap."""
    masked, uses = mask_unlinkable_text(text), list[tuple[int, int, str]]()
    for term, pattern in compile_patterns(glossary).items():
        for match in pattern.finditer(masked):
            start, end = match.span()
            if all(end <= use_start or use_end <= start for use_start, use_end, _ in uses):
                uses.append((start, end, term))
                break
    return tuple(uses)


def mask_unlinkable_text(text: str) -> str:
    """Return a chapter in which everything except running text is replaced by spaces."""
    for pattern in (LEAD, cards.BLOCK):
        text = pattern.sub(lambda match: blank_out(match[0]), text)
    return UNLINKABLE.sub(
        lambda match: blank_out(match[0]), formulas.blank_formulas(keep_prose(text))
    )


def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each term without an entry, and for each entry out of order."""
    if Path(document.path) != GLOSSARY:
        return
    terms, entries = read_terms(document.text), list(ENTRY.finditer(document.text))
    starts = {entry.start() for entry in entries}
    for heading in HEADING.finditer(document.text):
        if heading.start() not in starts:
            yield make_problem(heading.start(), "a term's heading must end with { #term-name }")
    for entry in entries:
        if entry["id"] not in terms:
            message = f"{entry['id']} is missing from terms in the front matter"
            yield make_problem(entry.start(), message)
    for term in terms.keys() - {entry["id"] for entry in entries}:
        yield make_problem(0, f"the term {term} has no entry; add ### … {{ #term-{term} }}")
    for before, after in pairwise(entries):
        if before["title"].lower() > after["title"].lower():
            message = f"{after['title']} comes after {before['title']}; sort the entries by title"
            yield make_problem(after.start(), message)
