"""References: an equation by its id, a name of the package, a place in another page.

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
GOLDEN_FILES = DOCS / "assets/golden"  # by the build, in which MkDocs follows links to it
HEADING = re.compile(r"^#{1,6} *(?P<text>[^\n]*?)(?: \{ ?#(?P<id>[\w-]+) ?\})?$", re.MULTILINE)
EXPLICIT_ID = re.compile(r"attrs: \{id: (?P<id>[\w-]+)[,}]|\{[^}\n]*#(?P<brace>[\w-]+)[^}\n]*\}")


def read_target(match: re.Match[str]) -> str:
    """Return what a reference points at: its second bracket, or else its text."""
    return match["target"] or match["text"].strip("`")


def find_equation_pages() -> dict[str, list[Path]]:
    """Return the id of each equation of the book and the pages that state it."""
    found: dict[str, list[Path]] = {}
    for page in sorted(DOCS.rglob("*.md")):
        for equation in cards.find_equations(page, read_outline(page)):
            found.setdefault(equation.id, []).append(page)
    return found


@lru_cache(maxsize=256)
def list_anchors(text: str) -> set[str]:
    """Return the places in a page that a link can point at."""
    said = keep_prose(text)
    named = {match["id"] or slugify(match["text"], "-") for match in HEADING.finditer(said)}
    given = {match["id"] or match["brace"] for match in EXPLICIT_ID.finditer(said)}
    return named | given | {f.attributes["id"] for f in find_fences(text) if "id" in f.attributes}


def make_locator(text: str) -> Callable[[int], str]:
    """Return a function that says where on a page a position is: at which equation, or heading."""
    found = [(block.start, name[1]) for block, name in _find_statements(text)]
    for match in HEADING.finditer(keep_prose(text)):
        found.append((match.start(), match["id"] or slugify(match["text"], "-")))
    found.sort()
    starts = [start for start, _ in found]
    return lambda position: found[place - 1][1] if (place := bisect(starts, position)) else "top"


def _find_statements(text: str) -> Iterator[tuple[cards.Block, re.Match[str]]]:
    for block in cards.find_blocks(text):
        name = cards.IDENTIFIER.search(block.text)
        if block.kind == "statement" and name:
            yield block, name


def parse(
    document: Document, ids: Callable[[], dict[str, list[Path]]] = find_equation_pages
) -> Iterator[Region]:
    """Yield each reference and each link of a page.

    `ids` gives those of all equations, of which a build needs to be told no more than once.
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
            taken = f"the id {equation.id} is taken in {other.name}; give this statement another"
            yield make_problem(equation.start, taken)

    def lookup(example: Example) -> str | None:
        name: str = example.parsed
        if name in equations or name in figures:
            return None
        if name.partition(".")[0] == "posenc":
            return None if is_public(name) else f"unknown name {name}: it is not public in posenc"
        near = get_close_matches(name, equations, cutoff=0.5) or ["eq-…, fig-… or posenc.…"]
        return f"unknown reference {name!r}; perhaps {' or '.join(near)}"

    def follow(example: Example) -> str | None:
        return explain_broken_link(example.parsed, page, document.text)

    # Regions without an extent, since there may be a formula in the text of a reference.
    for match in REFERENCE.finditer(text):
        yield Region(match.start(), match.start(), read_target(match), lookup)
    for match in INCOMPLETE.finditer(text):
        yield make_problem(match.start(), f"{match[0]} is no reference yet; write {match[0]}[]")
    for match in LINK.finditer(text):
        yield Region(*match.span("target"), match["target"], follow)


def explain_broken_link(link: str, page: Path, text: str) -> str | None:
    """Return why a link of a page leads nowhere, if it does."""
    if link.startswith(("https://", "mailto:")):
        return None
    if "://" in link or link.startswith("/"):
        return (
            f"the link {link} is neither https nor relative; "
            "write https://…, or the way from this page, as in ../reference/notation.md"
        )
    path, _, anchor = link.partition("#")
    there = lab_source.find_source((page.parent / path).resolve()) if path else page
    if GOLDEN_FILES in there.parents:
        return None
    if not there.exists():
        pages = (relpath(other, page.parent) for other in DOCS.rglob("*.md"))
        return f"the link {link} leads to no file{suggest(path, pages)}"
    if anchor and anchor not in (
        known := list_anchors(text if there == page else read_outline(there))
    ):
        return (
            f"the link {link} leads to no heading or id of {there.name}; "
            f"a heading gets one from {{ #{anchor} }} behind it{suggest(anchor, known)}"
        )
    return None
