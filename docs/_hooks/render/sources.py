"""Mirrors: which sections of the source texts a chapter tells anew.

A chapter says so in its front matter, for each text the title of the section and the
place on the page:

    mirrors:
      "004":
        "The Core Equations": the-formula

The page of sources lists the sections of every text in tables, one row each. What chapters
mirror gets its links there; what none does needs a reason in the second column.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from os.path import relpath
from pathlib import Path
from typing import Any

from sybil import Document, Region

from check import references
from check.page_source import get_front_matter, read_outline
from check.paths import DOCS
from check.problems import make_problem, suggest

SOURCES = DOCS / "reference/sources.md"
ERRATA = DOCS / "reference/errata.md"  # what is wrong in them

TEXT = re.compile(r"^## (?P<title>.+?) \{ #text-(?P<number>\d{3}) \}$", re.MULTILINE)
ROW = re.compile(r"^\| (?P<section>.+?) +\|(?P<where>.*)\|$", re.MULTILINE)


@dataclass
class Section:
    """A section of a source text: its row on the page of sources."""

    title: str
    reason: str  # why no chapter has it, or nothing
    start: int  # of the row
    cell: tuple[int, int]  # of its second column


@dataclass
class Text:
    """A source text and its sections, by title."""

    title: str
    sections: dict[str, Section] = field(default_factory=dict)
    doubles: list[Section] = field(default_factory=list)


@lru_cache(maxsize=4)
def read_texts(sources: str) -> dict[str, Text]:
    """Return the source texts by number, as the page of sources lists them."""
    found: dict[str, Text] = {}
    headings = list(TEXT.finditer(sources))
    ends = [*(heading.start() for heading in headings), len(sources)][1:]
    for heading, end in zip(headings, ends, strict=True):
        text = found[heading["number"]] = Text(heading["title"])
        rows = list(ROW.finditer(sources, heading.end(), end))
        for row in rows[2:]:  # behind the head and its line
            title, reason = row["section"].strip().replace(r"\|", "|"), row["where"].strip()
            section = Section(title, reason, row.start(), row.span("where"))
            text.doubles += [section] * (title in text.sections)
            text.sections.setdefault(title, section)
    return found


def read_mirrors(page: str) -> Any:
    """Return what a page says that it mirrors: text, section, anchor."""
    return get_front_matter(page).get("mirrors", {})


def find_mirroring_pages() -> dict[tuple[str, str], list[tuple[Path, str, str]]]:
    """Return for each section of a text the pages that have it, their titles, and where."""
    found: dict[tuple[str, str], list[tuple[Path, str, str]]] = {}
    for page in sorted((DOCS / "chapters").glob("*.md")):
        text = read_outline(page)
        title = get_front_matter(text).get("title", page.stem)
        for number, section, anchor in list_mirrors(read_mirrors(text)):
            found.setdefault((number, section), []).append((page, title, anchor))
    return found


def list_mirrors(mirrors: Any) -> Iterator[tuple[str, str, str]]:
    """Yield text, section and anchor of a front matter that has the form asked for."""
    for number, sections in mirrors.items() if isinstance(mirrors, dict) else ():
        for section, anchor in sections.items() if isinstance(sections, dict) else ():
            yield str(number), str(section), str(anchor)


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for what is mirrored from nowhere, or is nowhere mirrored."""
    if Path(document.path) == SOURCES:
        yield from check_sources_page(document.text)
        return
    mirrors = read_mirrors(document.text)
    wanted = "mirrors is a mapping: text, title of the section, anchor on this page"
    if not isinstance(mirrors, dict) or not all(isinstance(m, dict) for m in mirrors.values()):
        yield make_problem(0, wanted)
        return
    listed, anchors = read_texts(read_outline(SOURCES)), references.list_anchors(document.text)
    for number, section, anchor in list_mirrors(mirrors):
        place = max(document.text.find(section), 0)
        if number not in listed or section not in listed[number].sections:
            near = suggest(section, listed[number].sections if number in listed else ())
            yield make_problem(
                place, f"{SOURCES.name} has no section {section!r} of text {number}{near}"
            )
        if anchor not in anchors:
            yield make_problem(
                place, f"{section!r}: no place #{anchor} on this page{suggest(anchor, anchors)}"
            )


def check_sources_page(sources: str) -> Iterator[Region]:
    """Yield a complaint for each section with neither a chapter nor a reason, or with both."""
    have = find_mirroring_pages()
    for number, text in read_texts(sources).items():
        for double in text.doubles:
            yield make_problem(double.start, f"{double.title!r} of text {number} is listed twice")
        for section in text.sections.values():
            if not section.reason and (number, section.title) not in have:
                yield make_problem(
                    section.start,
                    f"no chapter mirrors {section.title!r}, and no reason is given; "
                    "name it in a chapter's front matter, or write why in the second column",
                )
            if section.reason and (number, section.title) in have:
                where = have[number, section.title][0][0].name
                yield make_problem(section.start, f"{where} mirrors {section.title!r}: no reason")


def link_mirroring_pages(sources: str) -> Iterator[tuple[int, int, str]]:
    """Yield the second column of each row that chapters fill: start, end, and what to put there."""
    have = find_mirroring_pages()
    for number, text in read_texts(sources).items():
        for section in text.sections.values():
            if places := have.get((number, section.title)):
                said = ", ".join(
                    f"[{escape_title(title)}]({relpath(page, SOURCES.parent)}#{anchor})"
                    for page, title, anchor in places
                )
                yield *section.cell, f" {said} "


def escape_title(title: str) -> str:
    """Return a title for the text of a link, whose brackets and bars mean themselves."""
    return re.sub(r"[\[\]|]", r"\\\g<0>", title)


def render_mirrors_box(page: Path, text: str) -> str:
    """Return the foot of a chapter: which sections it tells anew, text by text."""
    links: dict[str, list[str]] = {}
    for number, section, anchor in list_mirrors(read_mirrors(text)):
        links.setdefault(number, []).append(f"[{escape_title(section)}](#{anchor})")
    if not links:
        return ""
    way, listed = relpath(SOURCES, page.parent), read_texts(read_outline(SOURCES))
    lines = ["", "", "/// details | What this chapter mirrors", "    type: mirrors", ""]
    lines += [f"Sections of the [source texts]({way}) that are told anew here:", ""]
    for number, sections in links.items():
        name = listed[number].title if number in listed else number
        lines.append(f"- [{name}]({way}#text-{number}) ({number}): {'; '.join(sections)}")
    return "\n".join([*lines, "///", ""])
