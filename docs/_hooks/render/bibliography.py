"""The bibliography: add to each paper the pages that cite it."""

import re
from collections.abc import Iterator
from os.path import relpath
from pathlib import Path

from sybil import Document, Region

from check.fences import keep_prose
from check.page_source import get_front_matter, read_outline
from check.paths import DOCS
from check.problems import make_problem
from render.text_edits import Edit

BIBLIOGRAPHY = DOCS / "reference/bibliography.md"

HEADING = re.compile(r"^## ", re.MULTILINE)
PAPER = re.compile(
    r"^## [^\n]+ \{ #(?P<id>[a-z]+\d{4}) \}\n\n(?P<entry>(?!#)[^\n]+\n(?:[^\n]+\n)*)",
    re.MULTILINE,
)
CITATION_LINK = re.compile(r"bibliography\.md#(?P<id>\w+)[) ]")


def find_citing_pages() -> dict[str, list[tuple[Path, str]]]:
    """Return the pages that link to each paper's entry, with their titles, by the paper's id."""
    pages: dict[str, list[tuple[Path, str]]] = {}
    for page in sorted(DOCS.rglob("*.md")):
        text = read_outline(page)
        title = get_front_matter(text).get("title", page.stem)
        for paper in {match["id"] for match in CITATION_LINK.finditer(keep_prose(text))}:
            pages.setdefault(paper, []).append((page, title))
    return pages


def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each malformed entry and for each paper that no page cites."""
    if Path(document.path) != BIBLIOGRAPHY:
        return
    citing_pages = find_citing_pages()
    papers = {paper.start(): paper["id"] for paper in PAPER.finditer(document.text)}
    for heading in HEADING.finditer(document.text):
        paper = papers.get(heading.start())
        if paper is None:
            yield make_problem(
                heading.start(),
                "the entry of a paper needs a heading that ends with { #name2001 }, an empty line, "
                "and a paragraph",
            )
        elif paper not in citing_pages:
            remedy = f"link to it, …/bibliography.md#{paper}, or remove it"
            yield make_problem(heading.start(), f"no page cites {paper}; {remedy}")


def link_citing_pages(bibliography: str) -> Iterator[Edit]:
    """Yield the edits that list the citing pages under each entry."""
    citing_pages = find_citing_pages()
    for paper in PAPER.finditer(bibliography):
        links = [
            f"[{title}]({relpath(page, BIBLIOGRAPHY.parent)})"
            for page, title in citing_pages.get(paper["id"], [])
        ]
        if links:
            line = f"\nCited in: {', '.join(links)}.\n{{ .provenance }}\n"
            yield paper.end(), paper.end(), line
