"""Edits of a text: what is inserted into a page, or replaced on it, before it is converted."""

from collections.abc import Iterable

Edit = tuple[int, int, str]  # start, end, and the text that replaces what is between them


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits applied; their positions are those in the original text."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
