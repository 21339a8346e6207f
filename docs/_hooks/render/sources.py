"""Mirrors: the sections of the source texts that a chapter covers.

The front matter of a chapter lists them by text, with the title of the section and the anchor in
the chapter:

    mirrors:
      "004":
        "The Core Equations": the-formula

The page of sources has a table for each text, with a row for each section. A row gets links to
the chapters that mirror the section; if there are none, its second column must give a reason.
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
from render.text_edits import Edit

SOURCES = DOCS / "reference/sources.md"

TEXT = re.compile(r"^## (?P<title>.+?) \{ #text-(?P<number>\d{3}) \}$", re.MULTILINE)
ROW = re.compile(r"^\| (?P<section>.+?) +\|(?P<reason>.*)\|$", re.MULTILINE)


@dataclass
class Section:
    """A section of a source text, and its row on the page of sources."""

    title: str
    reason: str  # for leaving it out; may be empty
    start: int  # of the row
    cell: tuple[int, int]  # start and end of the second column


@dataclass
class Text:
    """A source text and its sections, as the page of sources lists them."""

    title: str
    sections: list[Section] = field(default_factory=list)

    @property
    def section_titles(self) -> list[str]:
        """Return the titles of the sections, in order."""
        return [section.title for section in self.sections]


@lru_cache(maxsize=4)
def read_texts(sources: str) -> dict[str, Text]:
    """Return the source texts by number, from the page of sources."""
    texts: dict[str, Text] = {}
    headings = list(TEXT.finditer(sources))
    ends = [*(heading.start() for heading in headings), len(sources)][1:]
    for heading, end in zip(headings, ends, strict=True):
        rows = list(ROW.finditer(sources, heading.end(), end))[2:]  # without the table head
        texts[heading["number"]] = Text(heading["title"], [_read_row(row) for row in rows])
    return texts


def _read_row(row: re.Match[str]) -> Section:
    title = row["section"].strip().replace(r"\|", "|")
    return Section(title, row["reason"].strip(), row.start(), row.span("reason"))


def read_mirrors(page: str) -> Any:
    """Return the mirrors in the front matter of a page; they may be malformed."""
    return get_front_matter(page).get("mirrors", {})


def find_mirroring_pages() -> dict[tuple[str, str], list[tuple[Path, str, str]]]:
    """Return path, title and anchor of the pages that mirror each section of each text."""
    pages: dict[tuple[str, str], list[tuple[Path, str, str]]] = {}
    for page in sorted((DOCS / "chapters").glob("*.md")):
        text = read_outline(page)
        title = get_front_matter(text).get("title", page.stem)
        for number, section, anchor in list_mirrors(read_mirrors(text)):
            pages.setdefault((number, section), []).append((page, title, anchor))
    return pages


def list_mirrors(mirrors: Any) -> Iterator[tuple[str, str, str]]:
    """Yield text, section and anchor of each well-formed mirror."""
    for number, sections in mirrors.items() if isinstance(mirrors, dict) else ():
        for section, anchor in sections.items() if isinstance(sections, dict) else ():
            yield str(number), str(section), str(anchor)


def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each wrong mirror of a chapter, or row on the page of sources."""
    if Path(document.path) == SOURCES:
        yield from check_sources_page(document.text)
        return
    mirrors = read_mirrors(document.text)
    if not isinstance(mirrors, dict) or not all(isinstance(m, dict) for m in mirrors.values()):
        yield make_problem(0, "mirrors must map texts to sections, and those to anchors")
        return
    texts, anchors = read_texts(read_outline(SOURCES)), references.list_anchors(document.text)
    for number, section, anchor in list_mirrors(mirrors):
        start = max(document.text.find(section), 0)
        titles = texts[number].section_titles if number in texts else []
        if section not in titles:
            message = f"{SOURCES.name} lists no section {section!r} of text {number}"
            yield make_problem(start, message + suggest(section, titles))
        if anchor not in anchors:
            message = f"{section!r}: the page has no anchor #{anchor}"
            yield make_problem(start, message + suggest(anchor, anchors))


def check_sources_page(sources: str) -> Iterator[Region]:
    """Yield a problem for each row that is a duplicate, or needs a chapter or a reason."""
    mirroring_pages = find_mirroring_pages()
    for number, text in read_texts(sources).items():
        titles = set()
        for section in text.sections:
            pages = mirroring_pages.get((number, section.title), [])
            if section.title in titles:
                message = f"text {number} lists {section.title!r} twice; remove one row"
                yield make_problem(section.start, message)
            elif section.reason and pages:
                name = pages[0][0].name
                message = f"{name} mirrors {section.title!r}; remove the reason in this row"
                yield make_problem(section.start, message)
            elif not section.reason and not pages:
                yield make_problem(
                    section.start,
                    f"no chapter mirrors {section.title!r}; add it to the front matter of a "
                    "chapter, or give a reason in the second column",
                )
            titles.add(section.title)


def link_mirroring_pages(sources: str) -> Iterator[Edit]:
    """Yield the edits that fill the rows of mirrored sections with links to the chapters."""
    mirroring_pages = find_mirroring_pages()
    for number, text in read_texts(sources).items():
        for section in text.sections:
            links = [
                f"[{escape_title(title)}]({relpath(page, SOURCES.parent)}#{anchor})"
                for page, title, anchor in mirroring_pages.get((number, section.title), [])
            ]
            if links:
                yield *section.cell, f" {', '.join(links)} "


def escape_title(title: str) -> str:
    """Return a title with backslashes before its brackets and bars, for the text of a link."""
    return re.sub(r"[\[\]|]", r"\\\g<0>", title)


def render_mirrors_box(page: Path, text: str) -> str:
    """Return the collapsed box at the end of a chapter that lists the sections it mirrors."""
    links: dict[str, list[str]] = {}
    for number, section, anchor in list_mirrors(read_mirrors(text)):
        links.setdefault(number, []).append(f"[{escape_title(section)}](#{anchor})")
    if not links:
        return ""
    url, texts = relpath(SOURCES, page.parent), read_texts(read_outline(SOURCES))
    lines = ["", "", "/// details | What this chapter mirrors", "    type: mirrors", ""]
    lines += [f"This chapter covers these sections of the [source texts]({url}):", ""]
    for number, sections in links.items():
        title = texts[number].title if number in texts else number
        lines.append(f"- [{title}]({url}#text-{number}) ({number}): {'; '.join(sections)}")
    return "\n".join([*lines, "///", ""])
