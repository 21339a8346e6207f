"""The texts of pages: how one is read, and what follows from it alone is found out once."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any

from sybil import Document, Region

from engine import scripts

Parser = Callable[[Document], Iterable[Region]]
Found = tuple[int, int, Any, Callable[..., Any] | None]

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?\n)(?:---|\.\.\.)[ \t]*\n", re.DOTALL)


def read(path: Path) -> str:
    """Return the text of a page, without the mark that some editors put before it.

    A lab is a script; its text is the Markdown that it stands for.
    """
    text = path.read_text("utf-8-sig")
    return scripts.read(text).text if scripts.is_lab(path) else text


def split(text: str) -> tuple[dict[str, Any], str]:
    """Return the front matter of a page, and what stands behind it.

    What cannot be read as YAML is no front matter here; the check of the page says so.
    """
    match = FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    import yaml  # here, as Python in a browser lacks it

    try:
        said = yaml.safe_load(match["yaml"])
    except yaml.YAMLError:
        return {}, text
    return (said, text[match.end() :].lstrip("\n")) if isinstance(said, dict) else ({}, text)


@lru_cache(maxsize=256)
def front(text: str) -> dict[str, Any]:
    """Return the front matter of a page, to be looked at only."""
    return split(text)[0]


def by_text(parse: Parser) -> Parser:
    """Make a parser remember; it may look at nothing but the path and the text of its document.

    Regions are made anew, since whoever evaluates one may leave something with it.
    """

    @lru_cache(maxsize=256)
    def found(path: str, text: str) -> tuple[Found, ...]:
        regions = parse(Document(text, path))
        return tuple((r.start, r.end, r.parsed, r.evaluator) for r in regions)

    @wraps(parse)
    def remembering(document: Document) -> Iterator[Region]:
        for start, end, parsed, evaluator in found(str(document.path), document.text):
            yield Region(start, end, parsed, evaluator)

    return remembering
