"""What follows from the text of a page alone: a text is read once."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, wraps
from typing import Any

from mkdocs.utils import meta
from sybil import Document, Region

Parser = Callable[[Document], Iterable[Region]]
Found = tuple[int, int, Any, Callable[..., Any] | None]


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


@lru_cache(maxsize=256)
def front(text: str) -> dict[str, Any]:
    """Return the front matter of a page, to be looked at only."""
    return meta.get_data(text)[1]
