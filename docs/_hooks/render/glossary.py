"""The glossary: terms of the field, linked where a chapter first uses them.

Each term is a heading of the page of the glossary, with the id `term-…`. Its front matter
lists for each the words that stand for it in the running text; a term without any is only
looked up there. Of a chapter, the first such word becomes a link, quietly underlined, whose
preview is the first paragraph of the entry: not in a title, a box of an equation, a link,
code, or the lines in large type at the head. Every further one is left alone.
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

GLOSSARY = DOCS / "reference/glossary.md"

ENTRY = re.compile(r"^## (?P<title>[^\n]+?) \{ #term-(?P<id>[\w-]+) \}$", re.MULTILINE)
HEADING = re.compile(r"^## ", re.MULTILINE)
LEAD = re.compile(r"\A.*?^\{ \.lead \}$", re.MULTILINE | re.DOTALL)
UNLINKABLE = re.compile(
    r"!?\[[^\[\]\n]*\](?:\([^)\n]*\)|\[[^\[\]\n]*\])"  # a link, a reference
    r"|^#[^\n]*|^///[^\n]*|^ +attrs:[^\n]*|^\*\*[^*\n]+\*\*"  # what is a title
    r"|\{[^{}\n]*\}|<[^<>\n]+>",
    re.MULTILINE,
)


def read_terms(glossary: str) -> dict[str, list[str]]:
    """Return the words that stand for each term, as the front matter has them."""
    terms: Any = get_front_matter(glossary).get("terms", {})
    return {str(term): [str(word) for word in said] for term, said in terms.items()}


@lru_cache(maxsize=8)
def compile_patterns(glossary: str) -> dict[str, re.Pattern[str]]:
    """Return what finds each term that is to be found."""
    return {
        term: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, said))})(?!\w)", re.IGNORECASE)
        for term, said in read_terms(glossary).items()
        if said
    }


def link_terms(page: Path, text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the first use of each term of a chapter, and the link to put in its place."""
    if page.parent != DOCS / "chapters":
        return
    way = relpath(GLOSSARY, page.parent)
    for start, end, term in find_first_uses(text, read_outline(GLOSSARY)):
        yield start, end, f"[{text[start:end]}]({way}#term-{term}){{ .term }}"


@lru_cache(maxsize=256)
def find_first_uses(text: str, glossary: str) -> tuple[tuple[int, int, str], ...]:
    """Return where a chapter first uses each term, and which term that is."""
    running, taken = mask_unlinkable_text(text), list[tuple[int, int, str]]()
    for term, pattern in compile_patterns(glossary).items():
        for found in pattern.finditer(running):
            start, end = found.span()
            if all(end <= other[0] or other[1] <= start for other in taken):
                taken.append((start, end, term))
                break
    return tuple(taken)


def mask_unlinkable_text(text: str) -> str:
    """Return a chapter with all blanked out that is no running text."""
    for pattern in (LEAD, cards.BLOCK):
        text = pattern.sub(lambda match: blank_out(match[0]), text)
    return UNLINKABLE.sub(
        lambda match: blank_out(match[0]), formulas.blank_formulas(keep_prose(text))
    )


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each term without an entry, and each entry out of order."""
    if Path(document.path) != GLOSSARY:
        return
    listed, entries = read_terms(document.text), list(ENTRY.finditer(document.text))
    there = [entry["id"] for entry in entries]
    starts = {entry.start() for entry in entries}
    for heading in HEADING.finditer(document.text):
        if heading.start() not in starts:
            yield make_problem(heading.start(), "a term is a heading that ends in { #term-name }")
    for entry in entries:
        if entry["id"] not in listed:
            yield make_problem(
                entry.start(), f"{entry['id']} is missing from the terms at the head"
            )
    for term in listed.keys() - set(there):
        yield make_problem(0, f"the term {term} has no entry; write ## … {{ #term-{term} }}")
    for before, after in pairwise(entries):
        if before["title"].lower() > after["title"].lower():
            yield make_problem(after.start(), f"{after['title']} stands after {before['title']}")
