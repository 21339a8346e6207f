"""The strength of a card: how many faults in the lines that it shows its own verification notices.

A page is run as ever. Before the verification of a card, the process forks for each fault: the
fork puts it in place, runs the card's own prompts with the comparison that all pages have, and
then what is left of the page. A fault is noticed where an answer is another or an assertion
fails. One that makes the code crash says nothing of the check, and is not counted.
"""

import os
import signal
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sybil import Document, Example
from sybil.example import SybilFailure

from engine import examples, faults, sessions, statements
from engine.checks import reset
from engine.faults import Fault

RUN = (sessions.evaluate, examples.python)
PATIENCE = 10  # seconds that the rest of a page may take with a fault in place

NOTICED, PAGE, CRASHED, SURVIVED = "noticed", "page", "crashed", "survived"


@dataclass
class Strength:
    """What came of the faults of one card."""

    id: str
    found: dict[str, int] = field(default_factory=lambda: {NOTICED: 0, PAGE: 0, SURVIVED: 0})
    unnoticed: list[dict[str, Any]] = field(default_factory=list)

    @property
    def faults(self) -> int:
        """Return how many say something."""
        return sum(self.found.values())


def measured(document: Document) -> Iterator[Strength]:
    """Yield the strength of each card of a page, which has to hold."""
    cards = list(statements.cards(document.text))
    reset(document.namespace)
    run = [example for example in document if example.region.evaluator in RUN]
    for number, example in enumerate(run):
        while cards and example.region.start >= cards[0][2].start:
            name, implementation, verification = cards.pop(0)
            end = verification.start + len(verification.text)
            rest = run[number:]
            own = [e for e in rest if e.region.start < end]
            yield _strength(name, implementation.text, own, rest[len(own) :])
        wrong = outcome([example])
        assert wrong is None, f"{document.path}:{example.line}: the page does not hold"


def _strength(name: str, shown: str, own: list[Example], rest: list[Example]) -> Strength:
    strength = Strength(name)
    every = [fault for lines in faults.shown(shown) for fault in faults.of(lines)]
    for fault in faults.spread(every):
        came = in_fork(fault, own, rest)
        if came == CRASHED:
            continue
        strength.found[came] += 1
        if came != NOTICED:
            said = {key: value for key, value in vars(fault).items() if key != "code"}
            strength.unnoticed.append({**said, "elsewhere": came == PAGE})
    return strength


def in_fork(fault: Fault, own: list[Example], rest: list[Example]) -> str:
    """Return who notices a fault first; one that makes code endless is noticed."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException), os.fdopen(writes, "w", buffering=1) as pipe:
            signal.alarm(PATIENCE)
            fault.put()
            for said in _judged(own, rest):
                print(said, file=pipe)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as pipe:
        told = pipe.read().split()
    _, status = os.waitpid(child, 0)
    if not told and not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM):
        raise RuntimeError(f"{fault.function}: {fault.was} -> {fault.now} could not be judged")
    return told[-1] if told else NOTICED


def _judged(own: list[Example], rest: list[Example]) -> Iterator[str]:
    """Yield what is known of a fault when the card has run, and when all of the page has."""
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
