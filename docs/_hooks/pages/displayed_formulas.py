"""Formulas as they stand: each statement is computed from what is displayed.

Where the reader of formulas understands one, it has to hold; where it does not, the register
`docs/reference/formula_letters.toml` says why, with a digest of the formula, so that a change of it is
seen by somebody who holds it against its verification. A formula within a line has to hold where
it speaks of the notation alone.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from sybil import Document, Region

from engine.cache import Cache, digest
from engine.complaints import complaint
from engine.formula_check import inline_formulas, proof_ends, statement_formulas
from engine.places import PACKAGE

# As they were when this process began, like the engine in what is kept of a page.
READERS = digest([Path(__file__), *Path(statement_formulas.__file__).parent.glob("*.py")])


def parse(document: Document, cache: Cache | None = None) -> Iterator[Region]:
    """Yield a complaint for each formula that does not hold as the page has it."""
    if Path(document.path).parent.name != "chapters":
        return
    find = partial(complaints, document.text)
    found = cache.once("read", rests_on(document.text, cache), find) if cache else find()
    for place, said in found:
        yield complaint(place, said)


def rests_on(text: str, cache: Cache) -> str:
    """Return what the formulas of a page rest on, the register and what that names among it."""
    register = statement_formulas.register()
    named = [
        draws
        for one in statement_formulas.stated(text)
        for draws in register.get(one.id, {}).values()
    ]
    package = cache.rests_on([f"import {PACKAGE.name}", f"{PACKAGE.name}.proofs", *named])
    return repr((READERS, package, register, text))


def complaints(text: str) -> list[tuple[int, str]]:
    """Return where formulas do not hold, and what is wrong with each."""
    found = [*inline_formulas.wrong(text)]
    stated = list(statement_formulas.stated(text))
    ids = [one.id for one in stated]
    for one in stated:
        # What is no LaTeX, and an id that is taken, are complained of where they stand.
        with suppress(ValueError):
            if ids.count(one.id) == 1 and (
                said := wrong(one, statement_formulas.register().get(one.id, {}))
            ):
                found.append((one.block.start, f"{one.id}: {said}"))
    return found


def wrong(one: statement_formulas.Stated, draws: dict[str, str]) -> str:
    """Return what is wrong with the formulas of a statement, if anything."""
    found = statement_formulas.reading(one.block.text, one.domain, draws)
    if found.wrong:
        return f"the formula as it is displayed does not hold: {found.wrong}"
    if found.unread:
        return (
            f"the formula cannot be computed as it is displayed ({found.unread}); say what its "
            "letters are in docs/reference/formula_letters.toml, or why it cannot: unread, and digest"
        )
    digest = statement_formulas.digest(one.block.text)
    if "unread" in draws and draws.get("digest") != digest:
        return (
            "a formula that cannot be computed has changed; hold it against its verification, "
            f'and write digest = "{digest}" in docs/reference/formula_letters.toml'
        )
    if end := proof_ends.elsewhere(one, draws):
        return f"the proof ends with {end}"
    if found.defined:
        return (
            "the formula defines something, and nothing is compared with it; give what the "
            "package computes in docs/reference/formula_letters.toml"
        )
    return ""
