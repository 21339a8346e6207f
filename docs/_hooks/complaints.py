"""Complaints: examples that fail whatever happens, since their text alone is wrong."""

from sybil import Example, Region


def complaint(position: int, message: str) -> Region:
    """Return a region, empty and at a position of the page, that fails with the message."""
    return Region(position, position, message, complain)


def complain(example: Example) -> str:
    """Fail."""
    message: str = example.parsed
    return message
