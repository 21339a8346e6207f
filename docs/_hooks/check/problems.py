"""Problems that a rule finds in the text of a page, as Sybil examples that always fail."""

from collections.abc import Iterable
from difflib import get_close_matches

from sybil import Example, Region


def make_problem(position: int, message: str) -> Region:
    """Return an empty region at a position of the page that fails with the message."""
    return Region(position, position, message, report_problem)


def report_problem(example: Example) -> str:
    """Return the message of a problem, which makes its example fail."""
    message: str = example.parsed
    return message


def suggest(word: str, choices: Iterable[str]) -> str:
    """Return "; perhaps …" with the choices most similar to a word, or "" if none is similar."""
    by_lower = {choice.lower(): choice for choice in sorted(choices)}
    near = get_close_matches(word.lower(), by_lower, n=2, cutoff=0.6)
    return f"; perhaps {' or '.join(by_lower[name] for name in near)}" if near else ""
