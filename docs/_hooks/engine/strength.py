"""The strength of a card: how many faults its own verification notices.

Faults are put into the lines that it shows, and into the statement itself, where both its sides
are compared. A page is run as ever. Before the verification of a card, the process forks for
each fault: the fork puts it in place, runs the card's own prompts with the comparison that all
pages have, and then what is left of the page. A fault is noticed where an answer is another or
an assertion fails. One that makes the code crash says nothing of the check, and is not counted.

Then each relation of the verification is judged alone, as `engine/relations.py` says. And it is
counted how many of them notice a fault, a function that `engine/mirrored.py` has turned round, or
one with a single entry wrong, since what one of them sees hides that another has stopped to look;
and how many notice that what they hold below something has become larger. A relation that comes
to no function at all is told: it may hold of the point that was drawn, and of nothing else.
"""

import ast
import doctest
import os
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

from sybil import Document, Example
from sybil.example import SybilFailure

from engine import comparisons, examples, faults, relations, sessions, statements
from engine.checks import reset
from engine.comparisons import Altered
from engine.faults import Fault
from engine.mirrored import Mirrored, mirrored
from engine.relations import Larger, Moved, Watch, Watched
from engine.statements import Card
from engine.witnesses import Helpers

RUN = (sessions.evaluate, examples.python)
PATIENCE = 10  # seconds that a card, or the rest of its page, may take with a fault in place
WHOLE = 120  # seconds that all relations of a card may take

BLIND = "no wrong entry of what it compares is noticed"
ALONE = "it compares nothing that a function computes"
NOTICED, PAGE, CRASHED, SURVIVED = "noticed", "page", "crashed", "survived"

Wrong = Fault | Mirrored | Moved | Larger


@dataclass
class Strength:
    """What came of the faults of one card."""

    id: str
    found: dict[str, int] = field(default_factory=lambda: {NOTICED: 0, PAGE: 0, SURVIVED: 0})
    unnoticed: list[dict[str, Any]] = field(default_factory=list)
    hollow: list[dict[str, Any]] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)  # faults of which it is counted who notices
    seen: dict[str, int] = field(default_factory=dict)  # by how many relations, where by any

    @property
    def faults(self) -> int:
        """Return how many say something."""
        return sum(self.found.values())


def measured(document: Document) -> Iterator[Strength]:
    """Yield the strength of each card of a page, which has to hold."""
    cards = list(statements.cards(document.text))
    reset(document.namespace)
    run, helpers = [e for e in document if e.region.evaluator in RUN], Helpers()
    for number, example in enumerate(run):
        while cards and example.region.start >= cards[0].start:
            card, rest = cards.pop(0), run[number:]
            own = [e for e in rest if e.region.start < card.verification.end]
            for prompt in _prompts(own):
                helpers.learn(ast.parse(prompt.region.parsed.source))
            strength = _strength(card, own, rest[len(own) :])
            strength.hollow = [*hollow(own, helpers)]
            reached = _reached(own, helpers)
            wrong: list[Wrong] = [*_shown(card), *_constants(card)]
            larger = map(Larger, relations.TIMES)
            tried = _named([*wrong, *mirrored(reached), *moved(reached), *larger])
            strength.tried, strength.seen = [*tried], seen(own, helpers, tried)
            yield strength
        for prompt in _prompts([example]):
            helpers.learn(ast.parse(prompt.region.parsed.source))
        failed = outcome([example])
        assert failed is None, f"{document.path}:{example.line}: the page does not hold"


def _strength(card: Card, own: list[Example], rest: list[Example]) -> Strength:
    strength = Strength(card.id)
    stated = [fault for one in _prompts(own) for fault in comparisons.altered(one.region.parsed)]
    put: list[Fault | Altered] = [*_shown(card), *stated]
    for fault in put:
        came = in_fork(fault, own, rest)
        if came == CRASHED and isinstance(fault, Altered):
            raise RuntimeError(f"{card.id}: {fault} cannot be compared")
        if came == CRASHED:
            continue
        strength.found[came] += 1
        if came != NOTICED:
            strength.unnoticed.append({**fault.told(), "elsewhere": came == PAGE})
    return strength


def _shown(card: Card) -> Sequence[Fault]:
    """Return the faults that are put into the lines of a card."""
    every = [fault for lines in faults.shown(card.support.text) for fault in faults.of(lines)]
    return faults.spread(every)


def _constants(card: Card) -> Sequence[Fault]:
    """Return the constants with a name in the lines of a card, each made wrong."""
    shown = faults.shown(card.support.text)
    return faults.spread([fault for lines in shown for fault in faults.of(lines, faults.constants)])


def _reached(own: list[Example], helpers: Helpers) -> list[str]:
    """Return the functions of the package that a card comes to."""
    trees = [ast.parse(prompt.region.parsed.source) for prompt in _prompts(own)]
    return sorted(set[str]().union(*map(helpers.reached, trees)))


def moved(functions: Iterable[str]) -> Iterator[Moved]:
    """Yield functions with one entry wrong, which a card that looks at a part may never see."""
    for function, place in product(functions, relations.PLACES):
        yield Moved(function, "more", place)


def _named(put: Iterable[Wrong]) -> dict[str, Wrong]:
    """Return faults by what they do; of those that do the same, the second and so on by number."""
    found, times = dict[str, Wrong](), Counter[str]()
    for fault in put:
        times[str(fault)] += 1
        number = times[str(fault)]
        found[f"{fault} ({number})" if number > 1 else str(fault)] = fault
    return found


def seen(own: list[Example], helpers: Helpers, tried: Mapping[str, Wrong]) -> dict[str, int]:
    """Return how many relations of a card notice each fault, for those that some do."""
    watched, watch = relations.taken_apart(_parsed(own), helpers)
    found = dict[str, int]()
    for name, fault in tried.items():
        watch.asked = {*range(len(watch.parts))}
        said, _ = forked(partial(_soon, _watched(own, watched, watch, fault)), WHOLE)
        if number := len(set(said)):
            found[name] = number
    return found


def _soon(found: Iterator[int]) -> Iterator[int]:
    """Yield what is found until a fault that makes code endless has computed for long enough.

    Computing is counted, not time: what is found before is the same on a machine that is busy.
    """
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    yield from found


def in_fork(fault: Fault | Altered, own: list[Example], rest: list[Example]) -> str:
    """Return who notices a fault first; one that makes code endless is noticed."""
    told, endless = forked(lambda: _judged(fault, own, rest), PATIENCE)
    if not told and not endless:
        raise RuntimeError(f"{fault} could not be judged")
    return told[-1] if told else NOTICED


def forked(judged: Callable[[], Iterable[object]], patience: int) -> tuple[list[str], bool]:
    """Return what is said in a fork, line by line, and whether it had to be stopped."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException), os.fdopen(writes, "w", buffering=1) as pipe:
            signal.alarm(patience)
            for said in judged():
                print(said, file=pipe)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as pipe:
        told = pipe.read().splitlines()
    _, status = os.waitpid(child, 0)
    return told, os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM


def _prompts(run: Iterable[Example]) -> list[Example]:
    return [example for example in run if example.region.evaluator is sessions.evaluate]


def _parsed(own: Iterable[Example]) -> list[doctest.Example]:
    return [one.region.parsed for one in _prompts(own)]


def hollow(own: list[Example], helpers: Helpers) -> Iterator[dict[str, Any]]:
    """Yield the relations of a card that hold while entries of what they compare are wrong.

    Then those that leave most cases to an alternative, or out.
    """
    watched, watch = relations.taken_apart(_parsed(own), helpers)
    left = {number for number, part in enumerate(watch.parts) if part.functions}
    of = Counter(name for number in left for name in watch.parts[number].functions)
    names = [name for name, _ in of.most_common()]
    for place, way, name in product(relations.PLACES, relations.WAYS, names):
        asked = {number for number in left if name in watch.parts[number].functions}
        if asked:
            watch.asked = asked
            moved = Moved(name, way, place)
            said, _ = forked(partial(_watched, own, watched, watch, moved), WHOLE)
            left -= {*map(int, said)}
    for number in sorted(left):
        yield {"relation": watch.parts[number].text, "why": BLIND}
    for part in watch.parts:
        if not part.functions:
            yield {"relation": part.text, "why": ALONE}
    if watch.excuses:
        watch.asked = {*range(len(watch.parts))}
        (failed, *excuses), _ = forked(partial(_excused, own, watched, watch), WHOLE)
        assert failed == "[]", f"relations {failed} fail where nothing is wrong"
        for excuse in excuses:
            share, _, text = excuse.partition(" ")
            yield {"relation": text, "why": f"leaves out {share} of its cases"}


def _watched(
    own: list[Example], watched: list[Watched], watch: Watch, wrong: Wrong | None = None
) -> Iterator[int]:
    """Run a card, and yield each relation that fails when its prompt has run.

    Of the prompts that only answer, those run that watch what is asked.
    """
    namespace, sources = own[0].namespace, iter(watched)
    namespace[relations.WATCH] = watch
    for example in own:
        if example.region.evaluator is sessions.evaluate:
            source = next(sources)
            if source.answers and not source.parts & watch.asked:
                continue
            example.region.parsed.source = source.source
        if wrong:
            wrong.put(namespace)
        with suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            example.evaluate()
        yield from watch.fallen()
        if not watch.asked:
            return


def _excused(own: list[Example], watched: list[Watched], watch: Watch) -> Iterator[str]:
    """Run a card as it is, and yield which relations fail, and then what leaves out too much."""
    yield str([*_watched(own, watched, watch)])
    for text, share in watch.most_excused():
        yield f"{share:.0%} {text}".replace("\n", " ")


def _judged(fault: Fault | Altered, own: list[Example], rest: list[Example]) -> Iterator[str]:
    """Yield what is known of a fault when the card has run, and when all of the page has."""
    fault.put(own[0].namespace if own else {})
    for examples_of, whose in ((own, NOTICED), (rest, PAGE)):
        if error := outcome(examples_of):
            by_value = isinstance(error, SybilFailure | AssertionError)
            yield whose if by_value else CRASHED if whose is NOTICED else SURVIVED
            return
        yield SURVIVED


def outcome(run: list[Example]) -> Exception | None:
    """Return the first thing that goes wrong in some examples."""
    for example in run:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                example.evaluate()
        except SybilFailure as failure:
            crashed = "Traceback (most recent call last)" in failure.result
            asserted = "AssertionError" in failure.result
            return RuntimeError(failure.result) if crashed and not asserted else failure
        except Exception as error:
            return error
    return None
