"""Rule for references and links: each must lead to an equation, a figure, a name or a place.

[eq-norm][]   [the norm][eq-norm]   [`posenc.inv_freq`][]   [text](page.md#anchor)
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from os.path import relpath
from pathlib import Path

from markdown.extensions.toc import slugify
from sybil import Document, Example, Region

from check import cards, formulas, lab_source
from check.fences import find_fences, keep_prose
from check.package import is_public
from check.page_source import read_outline
from check.paths import DOCS
from check.problems import make_problem, suggest

REFERENCE = re.compile(r"(?<![\]\\])\[(?P<text>[^\[\]\n]*)\]\[(?P<target>[^\[\]\n]*)\]")
INCOMPLETE = re.compile(r"(?<!\])\[`?(?:eq-|fig-|posenc\.)[^\[\]\n]*\](?![\[(:])")
LINK = re.compile(r"\]\((?P<target>[^()\s]+)")
GOLDEN_FILES = DOCS / "assets/golden"  # made by the build, so MkDocs checks links to these
HEADING = re.compile(r"^#{1,6} *(?P<text>[^\n]*?)(?: \{ ?#(?P<id>[\w-]+) ?\})?$", re.MULTILINE)
EXPLICIT_ID = re.compile(r"attrs: \{id: (?P<id>[\w-]+)[,}]|\{[^}\n]*#(?P<brace>[\w-]+)[^}\n]*\}")


def read_target(match: re.Match[str]) -> str:
    """Return what a reference leads to: its second bracket, or else its text."""
    return match["target"] or match["text"].strip("`")


def find_equation_pages() -> dict[str, list[Path]]:
    """Return the id of each equation of the book and the pages that state it."""
    pages: dict[str, list[Path]] = {}
    for page in sorted(DOCS.rglob("*.md")):
        for equation in cards.find_equations(page, read_outline(page)):
            pages.setdefault(equation.id, []).append(page)
    return pages


@lru_cache(maxsize=256)
def list_anchors(text: str) -> set[str]:
    """Return the ids on a page that a link can lead to."""
    prose = keep_prose(text)
    headings = {match["id"] or slugify(match["text"], "-") for match in HEADING.finditer(prose)}
    explicit = {match["id"] or match["brace"] for match in EXPLICIT_ID.finditer(prose)}
    fences = {fence.attributes["id"] for fence in find_fences(text) if "id" in fence.attributes}
    return headings | explicit | fences


def make_locator(text: str) -> Callable[[int], str]:
    """Return a function from a position on a page to the id of its equation or heading."""
    anchors = [
        (block.start, name[1])
        for block in cards.find_blocks(text)
        if block.kind == "statement" and (name := cards.IDENTIFIER.search(block.text))
    ]
    for match in HEADING.finditer(keep_prose(text)):
        anchors.append((match.start(), match["id"] or slugify(match["text"], "-")))
    anchors.sort()
    starts = [start for start, _ in anchors]
    return lambda position: anchors[i - 1][1] if (i := bisect(starts, position)) else "top"


def parse(
    document: Document, ids: Callable[[], dict[str, list[Path]]] = find_equation_pages
) -> Iterator[Region]:
    """Yield each reference and each link of a page.

    `ids` returns the pages that state each equation; a build computes them only once.
    """
    text = formulas.blank_formulas(keep_prose(document.text))
    equations = ids()
    figures = {
        fence.attributes.get("id")
        for fence in find_fences(document.text)
        if "figure" in fence.classes
    }
    page = Path(document.path)
    for equation in cards.find_equations(page, document.text):
        for other in set(equations.get(equation.id, [])) - {page}:
            message = f"{other.name} already has the id {equation.id}; give this statement another"
            yield make_problem(equation.start, message)

    def check_reference(example: Example) -> str | None:
        name: str = example.parsed
        if name in equations or name in figures:
            return None
        if name.partition(".")[0] == "posenc":
            return None if is_public(name) else f"unknown name {name}: it is not public in posenc"
        similar = get_close_matches(name, equations, cutoff=0.5) or ["eq-…, fig-… or posenc.…"]
        return f"unknown reference {name!r}; perhaps {' or '.join(similar)}"

    def check_link(example: Example) -> str | None:
        return explain_broken_link(example.parsed, page, document.text)

    # Empty regions, since the text of a reference may have a formula, which is a region, too.
    for match in REFERENCE.finditer(text):
        yield Region(match.start(), match.start(), read_target(match), check_reference)
    for match in INCOMPLETE.finditer(text):
        message = f"{match[0]} is an incomplete reference; write {match[0]}[]"
        yield make_problem(match.start(), message)
    for match in LINK.finditer(text):
        yield Region(*match.span("target"), match["target"], check_link)


def explain_broken_link(link: str, page: Path, text: str) -> str | None:
    """Return an error message if a link of a page leads nowhere."""
    if link.startswith(("https://", "mailto:")):
        return None
    if "://" in link or link.startswith("/"):
        return (
            f"the link {link} is neither https nor relative; "
            "write https://…, or the path from this page, as in ../reference/notation.md"
        )
    path, _, anchor = link.partition("#")
    target = lab_source.find_source((page.parent / path).resolve()) if path else page
    if GOLDEN_FILES in target.parents:
        return None
    if not target.exists():
        pages = (relpath(other, page.parent) for other in DOCS.rglob("*.md"))
        return f"the link {link} leads to no file{suggest(path, pages)}"
    anchors = list_anchors(text if target == page else read_outline(target)) if anchor else set()
    if anchor and anchor not in anchors:
        return (
            f"the link {link} leads to no heading or id of {target.name}; "
            f"to give one to a heading, write {{ #{anchor} }} after it{suggest(anchor, anchors)}"
        )
    return None
