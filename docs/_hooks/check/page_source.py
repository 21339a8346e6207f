"""The texts of pages: how one is read, and what follows from it alone is found out once."""

import re
import tomllib
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any

from sybil import Document, Region

from check import lab_source
from check.fences import keep_prose

Parser = Callable[..., Iterable[Region]]
CachedRegion = tuple[int, int, Any, Callable[..., Any] | None, dict[str, Any]]

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?\n)(?:---|\.\.\.)[ \t]*\n", re.DOTALL)


def read_page(path: Path) -> str:
    """Return the text of a page, without the mark that some editors put before it.

    A lab is a script; its text is the Markdown that it stands for.
    """
    text = path.read_text("utf-8-sig")
    return lab_source.convert_script(text).text if lab_source.is_lab(path) else text


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Return the front matter of a page, and what stands behind it.

    What cannot be read as YAML is no front matter here; the check of the page says so.
    """
    match = FRONT_MATTER.match(text)
    said = parse_yaml(match["yaml"]) if match else None
    return (dict(said), text[match.end() :].lstrip("\n")) if match and said else ({}, text)


@lru_cache(maxsize=256)
def parse_yaml(text: str) -> dict[str, Any] | None:
    """Return what YAML says, to be looked at only, if it can be read and names things."""
    import yaml  # here, as Python in a browser lacks it

    try:
        said = yaml.safe_load(text)
    except yaml.YAMLError:
        return None
    return said if isinstance(said, dict) else None


# Lines of an outline: headings, blocks, fences, documented names, tables, attributes.
STRUCTURE = re.compile(r"#|/// |///$|```|~~~|::: |\||[ \t]+\w+: ")
# Of any other line: where a link leads, a reference, attributes, a tag.
TARGETS = re.compile(
    r"\]\([^()\n]*\)|\[[^\[\]\n]*\]\[[^\[\]\n]*\]|\{ ?[#.:][^{}\n]*\}|<[a-z/][^<>\n]*>"
)


def read_outline(page: Path) -> str:
    """Return all that other pages may know of a page: not its sentences, and not its code.

    What is found about a page depends on the outlines of the others, so an edited sentence
    concerns its own page only.
    """
    return make_outline(read_page(page))


@lru_cache(maxsize=256)
def make_outline(text: str) -> str:
    """Return the outline of a page, given its text."""
    match = FRONT_MATTER.match(text)
    start = match.end() if match else 0
    lines = zip(text[start:].split("\n"), keep_prose(text)[start:].split("\n"), strict=True)
    kept = (
        line.rstrip() if STRUCTURE.match(line) else " ".join(TARGETS.findall(said))
        for line, said in lines
    )
    return text[:start] + "\n".join(filter(None, kept))


def get_front_matter(text: str) -> dict[str, Any]:
    """Return the front matter of a page."""
    return split_front_matter(text)[0]


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a file of TOML says, to be looked at only."""
    return _toml(path.read_text("utf-8"))


@lru_cache(maxsize=64)
def _toml(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


def cache_by_text(parse: Parser) -> Parser:
    """Make a parser remember; it may look at nothing but the path and the text of its document.

    And at whatever else it is given: a text, or what never changes, such as the package as it
    stands on disk at one time. Regions are made anew, since whoever evaluates one may leave
    something with it.
    """

    @lru_cache(maxsize=256)
    def found(path: str, text: str, **others: Hashable) -> tuple[CachedRegion, ...]:
        regions = parse(Document(text, path), **others)
        return tuple((r.start, r.end, r.parsed, r.evaluator, {**r.lexemes}) for r in regions)

    @wraps(parse)
    def remembering(document: Document, **others: Hashable) -> Iterator[Region]:
        for one in found(str(document.path), document.text, **others):
            start, end, parsed, evaluator, lexemes = one
            yield Region(start, end, parsed, evaluator, {**lexemes})

    return remembering
