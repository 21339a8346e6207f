"""The bibliography: which pages cite each paper, from their links to its place there."""

import re
from collections.abc import Iterator
from os.path import relpath
from pathlib import Path

from sybil import Document, Region

from check.fences import keep_prose
from check.page_source import get_front_matter, read_outline
from check.paths import DOCS
from check.problems import make_problem

BIBLIOGRAPHY = DOCS / "reference/bibliography.md"

HEADING = re.compile(r"^## ", re.MULTILINE)
PAPER = re.compile(
    r"^## [^\n]+ \{ #(?P<id>[a-z]+\d{4}) \}\n\n(?P<entry>(?!#)[^\n]+\n(?:[^\n]+\n)*)",
    re.MULTILINE,
)
CITATION_LINK = re.compile(r"bibliography\.md#(?P<id>\w+)[) ]")


def find_citing_pages() -> dict[str, list[tuple[Path, str]]]:
    """Return for each paper the pages that cite it, with their titles."""
    found: dict[str, list[tuple[Path, str]]] = {}
    for page in sorted(DOCS.rglob("*.md")):
        text = read_outline(page)
        title = get_front_matter(text).get("title", page.stem)
        for paper in dict.fromkeys(
            match["id"] for match in CITATION_LINK.finditer(keep_prose(text))
        ):
            found.setdefault(paper, []).append((page, title))
    return found


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each paper that no page cites."""
    if Path(document.path) == BIBLIOGRAPHY:
        have = find_citing_pages()
        papers = {paper.start(): paper["id"] for paper in PAPER.finditer(document.text)}
        for heading in HEADING.finditer(document.text):
            if heading.start() not in papers:
                wanted = "a heading that ends in { #name2001 }, an empty line, and a paragraph"
                yield make_problem(heading.start(), f"a paper is {wanted}")
            elif papers[heading.start()] not in have:
                paper = papers[heading.start()]
                remedy = f"link to it, …/bibliography.md#{paper}, or remove it"
                yield make_problem(heading.start(), f"no page cites {paper}; {remedy}")


def link_citing_pages(bibliography: str) -> Iterator[tuple[int, int, str]]:
    """Yield what to put behind each entry: where it starts and ends, and the pages that cite it."""
    have = find_citing_pages()
    for paper in PAPER.finditer(bibliography):
        said = ", ".join(
            f"[{title}]({relpath(page, BIBLIOGRAPHY.parent)})"
            for page, title in have.get(paper["id"], [])
        )
        yield paper.end(), paper.end(), f"\nCited in: {said}.\n{{ .provenance }}\n" if said else ""
