"""Complaints: examples that fail whatever happens, since their text alone is wrong."""

from collections.abc import Iterable
from difflib import get_close_matches

from sybil import Example, Region


def make_problem(position: int, message: str) -> Region:
    """Return a region, empty and at a position of the page, that fails with the message."""
    return Region(position, position, message, _report_problem)


def _report_problem(example: Example) -> str:
    """Fail."""
    message: str = example.parsed
    return message


def suggest(word: str, choices: Iterable[str]) -> str:
    """Return what may have been meant by a word, as the end of a message, if anything is near."""
    by_lower = {choice.lower(): choice for choice in sorted(choices)}
    near = get_close_matches(word.lower(), by_lower, n=2, cutoff=0.6)
    return f"; perhaps {' or '.join(by_lower[name] for name in near)}" if near else ""
