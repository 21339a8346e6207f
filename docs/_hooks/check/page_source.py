"""Text of pages: reading it, its front matter, its outline, and caching what rules find in it."""

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
    """Return the text of a page without a byte order mark; for a lab, its script as Markdown."""
    text = path.read_text("utf-8-sig")
    return lab_source.convert_script(text).text if lab_source.is_lab(path) else text


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Return the front matter of a page, and the text after it.

    Front matter that is not valid YAML is returned as part of the text.
    """
    match = FRONT_MATTER.match(text)
    fields = parse_yaml(match["yaml"]) if match else None
    return (dict(fields), text[match.end() :].lstrip("\n")) if match and fields else ({}, text)


def get_front_matter(text: str) -> dict[str, Any]:
    """Return the front matter of a page."""
    return split_front_matter(text)[0]


@lru_cache(maxsize=256)
def parse_yaml(text: str) -> dict[str, Any] | None:
    """Return a YAML mapping, shared between callers; None if the text is not one."""
    import yaml  # here, since Python in a browser doesn't have it

    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        return None
    return value if isinstance(value, dict) else None


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file, shared between callers."""
    return _parse_toml(path.read_text("utf-8"))


@lru_cache(maxsize=64)
def _parse_toml(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


# Lines that an outline keeps: headings, blocks, fences, documented names, tables, attributes.
STRUCTURE = re.compile(r"#|/// |///$|```|~~~|::: |\||[ \t]+\w+: ")
# Of any other line, an outline keeps links, references, attributes and tags.
TARGETS = re.compile(
    r"\]\([^()\n]*\)|\[[^\[\]\n]*\]\[[^\[\]\n]*\]|\{ ?[#.:][^{}\n]*\}|<[a-z/][^<>\n]*>"
)


def read_outline(page: Path) -> str:
    """Return the outline of a page: all that checks of other pages may depend on.

    It has no sentences and no code, so that editing these doesn't outdate the other pages.
    """
    return make_outline(read_page(page))


@lru_cache(maxsize=256)
def make_outline(text: str) -> str:
    """Return the outline of a page from its text."""
    match = FRONT_MATTER.match(text)
    start = match.end() if match else 0
    lines = zip(text[start:].split("\n"), keep_prose(text)[start:].split("\n"), strict=True)
    outline = (
        line.rstrip() if STRUCTURE.match(line) else " ".join(TARGETS.findall(prose))
        for line, prose in lines
    )
    return text[:start] + "\n".join(filter(None, outline))


def cache_by_text(parse: Parser) -> Parser:
    """Return a parser that caches its regions by the path and the text of the document.

    The parser must not depend on anything else except its keyword arguments. Each call returns
    new regions, because evaluating one may change it.
    """

    @lru_cache(maxsize=256)
    def find_regions(path: str, text: str, **others: Hashable) -> tuple[CachedRegion, ...]:
        regions = parse(Document(text, path), **others)
        return tuple((r.start, r.end, r.parsed, r.evaluator, {**r.lexemes}) for r in regions)

    @wraps(parse)
    def parse_cached(document: Document, **others: Hashable) -> Iterator[Region]:
        for region in find_regions(str(document.path), document.text, **others):
            start, end, parsed, evaluator, lexemes = region
            yield Region(start, end, parsed, evaluator, {**lexemes})

    return parse_cached
