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
from check.fences import fences, prose
from check.package import is_public
from check.page_source import outline_of
from check.paths import DOCS
from check.problems import complaint, perhaps

REFERENCE = re.compile(r"(?<![\]\\])\[(?P<text>[^\[\]\n]*)\]\[(?P<target>[^\[\]\n]*)\]")
HALF = re.compile(r"(?<!\])\[`?(?:eq-|fig-|posenc\.)[^\[\]\n]*\](?![\[(:])")
LINK = re.compile(r"\]\((?P<target>[^()\s]+)")
MADE = DOCS / "assets/golden"  # by the build, in which MkDocs follows links to it
HEADING = re.compile(r"^#{1,6} *(?P<text>[^\n]*?)(?: \{ ?#(?P<id>[\w-]+) ?\})?$", re.MULTILINE)
GIVEN = re.compile(r"attrs: \{id: (?P<id>[\w-]+)[,}]|\{[^}\n]*#(?P<brace>[\w-]+)[^}\n]*\}")


def target(match: re.Match[str]) -> str:
    """Return what a reference points at: its second bracket, or else its text."""
    return match["target"] or match["text"].strip("`")


def equation_ids() -> dict[str, list[Path]]:
    """Return the id of each equation of the book and the pages that state it."""
    found: dict[str, list[Path]] = {}
    for page in sorted(DOCS.rglob("*.md")):
        for equation in cards.equations(page, outline_of(page)):
            found.setdefault(equation.id, []).append(page)
    return found


@lru_cache(maxsize=256)
def anchors(text: str) -> set[str]:
    """Return the places in a page that a link can point at."""
    said = prose(text)
    named = {match["id"] or slugify(match["text"], "-") for match in HEADING.finditer(said)}
    given = {match["id"] or match["brace"] for match in GIVEN.finditer(said)}
    return named | given | {f.attributes["id"] for f in fences(text) if "id" in f.attributes}


def places_in(text: str) -> Callable[[int], str]:
    """Return a function that says where on a page a position is: at which equation, or heading."""
    found = [(block.start, name[1]) for block, name in _cards(text)]
    for match in HEADING.finditer(prose(text)):
        found.append((match.start(), match["id"] or slugify(match["text"], "-")))
    found.sort()
    starts = [start for start, _ in found]
    return lambda position: found[place - 1][1] if (place := bisect(starts, position)) else "top"


def _cards(text: str) -> Iterator[tuple[cards.Block, re.Match[str]]]:
    for block in cards.blocks(text):
        name = cards.IDENTIFIER.search(block.text)
        if block.kind == "statement" and name:
            yield block, name


def parse(
    document: Document, ids: Callable[[], dict[str, list[Path]]] = equation_ids
) -> Iterator[Region]:
    """Yield each reference and each link of a page.

    `ids` gives those of all equations, of which a build needs to be told no more than once.
    """
    text = formulas.without_formulas(prose(document.text))
    equations = ids()
    figures = {
        fence.attributes.get("id") for fence in fences(document.text) if "figure" in fence.classes
    }
    page = Path(document.path)
    for equation in cards.equations(page, document.text):
        for other in set(equations.get(equation.id, [])) - {page}:
            taken = f"the id {equation.id} is taken in {other.name}; give this statement another"
            yield complaint(equation.start, taken)

    def lookup(example: Example) -> str | None:
        name: str = example.parsed
        if name in equations or name in figures:
            return None
        if name.partition(".")[0] == "posenc":
            return None if is_public(name) else f"unknown name {name}: it is not public in posenc"
        near = get_close_matches(name, equations, cutoff=0.5) or ["eq-…, fig-… or posenc.…"]
        return f"unknown reference {name!r}; perhaps {' or '.join(near)}"

    def follow(example: Example) -> str | None:
        return broken(example.parsed, page, document.text)

    # Regions without an extent, since there may be a formula in the text of a reference.
    for match in REFERENCE.finditer(text):
        yield Region(match.start(), match.start(), target(match), lookup)
    for match in HALF.finditer(text):
        yield complaint(match.start(), f"{match[0]} is no reference yet; write {match[0]}[]")
    for match in LINK.finditer(text):
        yield Region(*match.span("target"), match["target"], follow)


def broken(link: str, page: Path, text: str) -> str | None:
    """Return why a link of a page leads nowhere, if it does."""
    if link.startswith(("https://", "mailto:")):
        return None
    if "://" in link or link.startswith("/"):
        return (
            f"the link {link} is neither https nor relative; "
            "write https://…, or the way from this page, as in ../reference/notation.md"
        )
    path, _, anchor = link.partition("#")
    there = lab_source.source((page.parent / path).resolve()) if path else page
    if MADE in there.parents:
        return None
    if not there.exists():
        pages = (relpath(other, page.parent) for other in DOCS.rglob("*.md"))
        return f"the link {link} leads to no file{perhaps(path, pages)}"
    if anchor and anchor not in (known := anchors(text if there == page else outline_of(there))):
        return (
            f"the link {link} leads to no heading or id of {there.name}; "
            f"a heading gets one from {{ #{anchor} }} behind it{perhaps(anchor, known)}"
        )
    return None
