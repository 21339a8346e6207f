"""Formulas as they stand: each statement is computed from what is displayed.

Where the reader of formulas understands one, it has to hold; where it does not, the register
`docs/reference/readings.toml` says why, with a digest of the formula, so that a change of it is
seen by somebody who holds it against its verification. A formula within a line has to hold where
it speaks of the notation alone.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sybil import Document, Region

from engine.complaints import complaint
from engine.readings import cards, ends, inline


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each formula that does not hold as the page has it."""
    if Path(document.path).parent.name != "chapters":
        return
    for place, said in inline.wrong(document.text):
        yield complaint(place, said)
    stated = list(cards.stated(document.text))
    ids = [one.id for one in stated]
    for one in stated:
        # What is no LaTeX, and an id that is taken, are complained of where they stand.
        with suppress(ValueError):
            if ids.count(one.id) == 1 and (said := wrong(one, cards.register().get(one.id, {}))):
                yield complaint(one.block.start, f"{one.id}: {said}")


def wrong(one: cards.Stated, draws: dict[str, str]) -> str:
    """Return what is wrong with the formulas of a statement, if anything."""
    found = cards.reading(one.block.text, one.domain, draws)
    if found.wrong:
        return f"the formula as it is displayed does not hold: {found.wrong}"
    if found.unread:
        return (
            f"the formula cannot be computed as it is displayed ({found.unread}); say what its "
            "letters are in docs/reference/readings.toml, or why it cannot: unread, and digest"
        )
    digest = cards.digest(one.block.text)
    if "unread" in draws and draws.get("digest") != digest:
        return (
            "a formula that cannot be computed has changed; hold it against its verification, "
            f'and write digest = "{digest}" in docs/reference/readings.toml'
        )
    if end := ends.elsewhere(one, draws):
        return f"the proof ends with {end}"
    if found.defined:
        return (
            "the formula defines something, and nothing is compared with it; give what the "
            "package computes in docs/reference/readings.toml"
        )
    return ""
