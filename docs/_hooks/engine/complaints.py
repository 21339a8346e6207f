"""Complaints: examples that fail whatever happens, since their text alone is wrong."""

from collections.abc import Iterable
from difflib import get_close_matches

from sybil import Document, Example, Region


def complaint(position: int, message: str) -> Region:
    """Return a region, empty and at a position of the page, that fails with the message."""
    return Region(position, position, message, complain)


def afterthought(document: Document, position: int, message: str) -> Region:
    """Return a complaint of a position that comes after all else that is wrong with a page.

    What is kept beside a page, in a list, no longer fits a page that is broken: the page is told
    first.
    """
    region = complaint(len(document.text), message)
    region.lexemes["line"] = document.text.count("\n", 0, position) + 1
    return region


def complain(example: Example) -> str:
    """Fail."""
    message: str = example.parsed
    return message


def perhaps(word: str, choices: Iterable[str]) -> str:
    """Return what may have been meant by a word, as the end of a message, if anything is near."""
    by_lower = {choice.lower(): choice for choice in sorted(choices)}
    near = get_close_matches(word.lower(), by_lower, n=2, cutoff=0.6)
    return f"; perhaps {' or '.join(by_lower[name] for name in near)}" if near else ""
