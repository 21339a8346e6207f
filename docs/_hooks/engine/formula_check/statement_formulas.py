"""Each card of a page, its formulas read and computed at points of its domain."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache

from mpmath import mp

from engine import comparisons
from engine.formula_check.evaluate import Scope, define, holds, key, shown
from engine.formula_check.notation import NOTATION
from engine.formula_check.parse import Chain, Indexed, Name, Unread, chains
from engine.formula_check.sample_points import drawn, letters
from engine.formulas import DISPLAY, INLINE, mathml
from engine.places import DOCS, PACKAGE
from engine.statements import IDENTIFIER, Block, blocks
from engine.texts import toml

POINTS = 10
ABOUT = ("unread", "digest")  # what the register says of a card beside its letters
DIGITS = 40
CRASHES = (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError)
WIDTH = re.compile(r"\bd\b")  # of a model, where there is one beside that of a head

# What a letter is drawn from where a card does not say: as the book uses it.
USUAL = {
    "d": "even(32)",
    "d_k": "even(32)",
    "b": "above(1, 10**6)",
    "i": "whole(int(WIDTH) // 2 - 1, least=0)",
    "p": "real(1000)",
    "q": "real(1000)",
    "k": "real(1000)",
}


Letters = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Reading:
    """What came of the formulas of a card."""

    held: int = 0  # relations, at all points
    defined: bool = False  # something that nothing is compared with
    wrong: str = ""  # which does not hold, and where
    unread: str = ""  # what was not understood


REGISTER = DOCS / "reference/formula_letters.toml"


def register() -> dict[str, dict[str, str]]:
    """Return what the register says of cards whose formulas need more than their domain."""
    return toml(REGISTER)


@dataclass
class Stated:
    """A statement of a page, with what its card compares."""

    id: str
    block: Block
    domains: list[dict[str, str]]  # of its comparisons; those of the verification come first
    proof: Block | None = None  # that leads to it

    @property
    def domain(self) -> dict[str, str]:
        """Return the first domain that is named for each letter."""
        return {name: text for one in reversed(self.domains) for name, text in one.items()}


def stated(text: str) -> Iterator[Stated]:
    """Yield the statements of a page; a proof behind a verification leads to the next one."""
    found: Stated | None = None
    proof: Block | None = None
    leading: list[dict[str, str]] = []
    verified = False
    for block in blocks(text):
        if block.kind == "statement":
            if found:
                yield found
            name = IDENTIFIER.search(block.text)
            found = Stated(name[1], block, leading, proof) if name else None
            proof, leading, verified = None, [], False
        elif block.kind == "proof" and (verified or not found):
            proof, leading = block, [*leading, *domains(block.text)]
        elif found:
            verified |= block.kind == "verification"
            found.domains[:0] = domains(block.text)
    if found:
        yield found


def digest(statement: str) -> str:
    """Return a digest of the formulas that a statement displays, whatever their spaces."""
    tex = ["".join(match["tex"].split()) for match in DISPLAY.finditer(statement)]
    return hashlib.sha256("\n".join(tex).encode()).hexdigest()[:12]


def domains(text: str) -> list[dict[str, str]]:
    """Return what each comparison of a text draws its letters from."""
    return [
        letters(comparison.domain)
        for source in comparisons.sources_in(text)
        for comparison in comparisons.found(source)
    ]


def reading(statement: str, own: Mapping[str, str], draws: Mapping[str, str]) -> Reading:
    """Read the formulas of a statement and compute them.

    Letters are drawn from what the register says, or the card's own comparisons, or as usual.
    Where the register says that a part is not to be understood, the rest is computed.
    """
    asks = any(PACKAGE.name in text for text in draws.values())  # of code that may be edited
    read = _reading.__wrapped__ if asks else _reading
    return read(statement, tuple(own.items()), tuple(draws.items()))


@lru_cache(maxsize=512)  # the same card is read for its page, its strength, and each breakage
def _reading(statement: str, drawing: Letters, register: Letters) -> Reading:
    own, draws = dict(drawing), dict(register)
    known = {name: text for name, text in draws.items() if name not in ABOUT}
    try:
        displayed = [*displayed_in(statement, lenient="unread" in draws)]
    except Unread as said:
        return Reading(unread=str(said))
    explained = [*explained_in(statement, displayed)]
    letters = letters_of([*explained, *displayed])
    letters -= {one.sides[0].text for one in explained if isinstance(one.sides[0], Name)}
    width = "d_k" if "d_k" in statement and not WIDTH.search(statement) else "d"
    held: Counter[Chain] = Counter()
    try:
        with mp.workdps(DIGITS):
            for point in drawn(ordered(known, own, letters, width), POINTS):
                scope = Scope(point, NOTATION)
                try:
                    held += held_in(explained, displayed, scope, lenient="unread" in draws)
                except AssertionError as said:
                    at = ", ".join(f"{name} = {shown(value)}" for name, value in point.items())
                    return Reading(wrong=f"{said} at {at}")
    except Unread as said:
        return Reading(unread=str(said))
    except CRASHES as error:
        return Reading(unread=f"{type(error).__name__}: {error}")
    never = [chain for chain in displayed if chain.condition and not held[chain]]
    if never and "unread" not in draws:
        return Reading(unread="the condition of a formula is never met where it is tried")
    if "unread" not in draws and _unused(displayed, held):
        return Reading(defined=True)
    return Reading(held=held.total())


def _unused(displayed: list[Chain], held: Counter[Chain]) -> bool:
    """Return whether something is defined that no relation uses, and no other definition."""
    used, waiting = [chain for chain in displayed if held[chain]], {*displayed}
    while used:
        waiting -= {*used}
        there = letters_of(used)
        used = [chain for chain in waiting if letters_of(chain.sides[0]) & there]
    return bool(waiting)


def displayed_in(statement: str, *, lenient: bool) -> Iterator[Chain]:
    """Yield the formulas that a text displays; those that cannot be read are left out, or not."""
    for match in DISPLAY.finditer(statement):
        try:
            yield from [*chains(mathml(match["tex"], display=True))]
        except Unread:
            if not lenient:
                raise


def explained_in(statement: str, displayed: list[Chain]) -> Iterator[Chain]:
    """Yield what the sentences define; behind the formulas, what those do not define themselves."""
    first = DISPLAY.search(statement)
    if first is None:
        return
    defined = {name for chain in displayed for name in letters_of(chain.sides[0])}
    yield from _definitions(statement[: first.start()])
    for one in _definitions(statement[first.start() :]):
        if not letters_of(one.sides[0]) & defined:
            yield one


def ordered(
    draws: Mapping[str, str], own: Mapping[str, str], there: set[str], width: str
) -> dict[str, str]:
    """Return what each letter is drawn from; what others rest on comes first."""
    if width == "d_k" and "d" in own:  # the width of a head is d in a session
        own = {width if name == "d" else name: text for name, text in own.items()}
    own = {name: text for name, text in own.items() if name in there and text != "seed()"}
    usual = {name: text for name, text in USUAL.items() if name in there or name in (width, "b")}
    every = {**usual, **own, **draws}
    first = [name for name in (width, "b", *own) if name not in draws]
    order = dict.fromkeys([*first, *draws, *every])
    return {name: every[name].replace("WIDTH", width) for name in order}


def letters_of(trees: object) -> set[str]:
    """Return the names in trees, with the index that is part of a name."""
    if isinstance(trees, Indexed):
        if key(trees) == "d_k":
            return {"d_k"}
        return {key(trees)} | letters_of(trees.base) | letters_of(trees.indices)
    if isinstance(trees, Name):
        return {trees.text}
    if is_dataclass(trees):
        return letters_of([getattr(trees, one.name) for one in fields(trees)])
    if isinstance(trees, list | tuple):
        return {name for tree in trees for name in letters_of(tree)}
    return set()


def _definitions(statement: str) -> Iterator[Chain]:
    """Yield what the sentences around the formulas define: with $k = p - q$."""
    for match in INLINE.finditer(DISPLAY.sub("", statement)):
        try:
            said = [*chains(mathml(match["tex"], display=False))]
        except (Unread, ValueError):
            continue
        if len(said) == 1 and said[0].relations[:1] == ("=",):
            yield said[0]


def held_in(
    explained: list[Chain], displayed: list[Chain], scope: Scope, *, lenient: bool
) -> Counter[Chain]:
    """Return how many relations hold in each formula; one that waits for another comes later."""
    for chain in explained:
        with suppress(Unread, TypeError):  # words between formulas need not make sense as one
            define(chain.sides[0], chain.sides[1], scope)
    held: Counter[Chain] = Counter()
    waiting = [*displayed]
    while waiting:
        later = []
        for chain in waiting:
            try:
                held[chain] += holds(chain, scope)
            except Unread as said:
                later.append((chain, said))
        if len(later) == len(waiting):
            if lenient:
                break
            raise later[0][1]
        waiting = [chain for chain, _ in later]
    return held
