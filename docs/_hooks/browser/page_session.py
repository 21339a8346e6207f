"""A page that runs where it is read: each answer as it comes, with a fault or a change in place.

What an example is, what is compared with what, and where a failure lies is the engine's, as in
the tests and in the build. A worker of the browser calls this, so all that goes out is JSON.
"""

import json
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from sybil import Document, Example, Region
from sybil.example import SybilFailure

from browser import edits, mutants, named_mistakes
from browser.edits import Edit, RefusedError
from browser.mutants import Fault
from browser.named_mistakes import Breakage
from check import cards, code_blocks, doctests, page_check, problems
from check.cards import Card
from check.page_source import read_page

LACKING = ("matplotlib", "jax", "scipy", "optax", "tqdm", "dask", "distributed")
LONGEST = 4000  # characters of a message; who prints in a loop has a page left
MEMORY = "no memory is left: a browser gives Python 2 to 4 GB at most"
HELD, FAILED, ELSEWHERE = "held", "failed", "elsewhere"


@dataclass
class Outcome:
    """What came of one example."""

    card: str  # in which it stands, or nothing
    line: int
    source: str
    answer: str  # as the page has it
    came: str
    message: str  # where it failed
    seconds: float


def runnable(document: Document) -> Iterator[Region]:
    """Yield the code of a page but for its figures: a browser comes without Matplotlib.

    And what is wrong with a session that was changed: all others are known to be right.
    """
    kinds = (doctests.evaluate, code_blocks.run_python, problems.report_problem)
    return (region for region in code_blocks.parse(document) if region.evaluator in kinds)


class Running:
    """One page, its cards, and the faults of their lines."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        path = Path(page)
        self.path, self.text = path, read_page(path)
        self.cards: list[Card]
        self.document: Document
        self.changed: dict[str, str] = {}  # modules, by their file
        self._parse(self.text)
        self.faults: dict[str, list[Fault]] = {}

    def _parse(self, text: str) -> None:
        self.document = Document(text, str(self.path))
        for region in runnable(self.document):
            self.document.add(region)
        self.cards = list(cards.find_cards(text))

    def edit(self, told: str) -> str:
        """Take what a reader has changed, for all runs to come, or return why not."""
        changes = [Edit(**one) for one in json.loads(told)]
        self.changed = {}
        own = [one for one in changes if self.path.as_posix().endswith(f"/{one.page}")]
        try:
            self._parse(edits.page(self.text, own))
            sources = edits.sources(changes)
            with edits.in_place(sources):
                self.changed = sources
        except RefusedError as error:
            self._parse(self.text)
            return json.dumps(str(error))
        return json.dumps("")

    def card(self, example: Example) -> str:
        """Return the card in whose proof or verification an example stands."""
        start = example.region.start
        for card in self.cards:
            if card.start <= start < card.verification.end:
                return card.id
        return ""

    def examples(self, card: str = "", fault: int | None = None, of: str = "") -> str:
        """Return how many examples `run` runs."""
        return json.dumps(len(self._planned(card, self._wrong(card, fault, of))))

    def broken(self, card: str) -> str:
        """Return its named mistakes, then other faults of its lines."""
        return json.dumps([fault.told() for fault in self._faults(card)])

    def named(self, card: str) -> str:
        """Return its breakages alone, which come first among its faults."""
        return json.dumps([breakage.told() for breakage in self._breakages(card)])

    def run(self, card: str = "", fault: int | None = None, of: str = "") -> Iterator[str]:
        """Yield what comes of each example, to the end of a card or of the page.

        With a fault of the lines of a card, that is put in place before its own examples run; a
        breakage before all, and of the whole page only that runs which can notice it.
        """
        self._parse(self.document.text)
        page_check.reset_state(self.document.namespace)
        wrong = self._wrong(card, fault, of)
        with edits.in_place(self.changed), restored(wrong):
            put = False
            for example in self._planned(card, wrong):
                reached = isinstance(wrong, Breakage) or self.card(example) == (of or card)
                if wrong and not put and reached:
                    wrong.put(self.document.namespace)
                    put = True
                yield json.dumps(asdict(self._outcome(example)))

    def _wrong(self, card: str, fault: int | None, of: str) -> Fault | None:
        if fault is None:
            return None
        named = self._breakages(of or card)
        return named[fault] if fault < len(named) else self._faults(of or card)[fault]

    def _planned(self, card: str, wrong: Fault | None) -> list[Example]:
        run = self._upto(card)
        if card or not isinstance(wrong, Breakage):
            return run
        return [*named_mistakes.noticing(run, wrong, self.cards)]

    def _upto(self, card: str) -> list[Example]:
        ends = [one.verification.end for one in self.cards if one.id == card]
        end = ends[0] if ends else len(self.document.text)
        return [example for example in self.document if example.region.start < end]

    def _breakages(self, card: str) -> list[Breakage]:
        (one,) = (found for found in self.cards if found.id == card)
        return [*named_mistakes.of(one, self.path.stem)]

    def _faults(self, card: str) -> list[Fault]:
        if card not in self.faults:
            (one,) = (found for found in self.cards if found.id == card)
            found = [f for lines in mutants.shown(one.support.text) for f in mutants.of(lines)]
            self.faults[card] = [*self._breakages(card), *mutants.spread(found)]
        return self.faults[card]

    def _outcome(self, example: Example) -> Outcome:
        parsed = example.region.parsed
        begun = time.perf_counter()
        came, message = HELD, ""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                example.evaluate()
        except SybilFailure as failure:
            came, message = FAILED, failure.result.strip()
        except (Exception, SystemExit) as error:
            came, message = FAILED, page_check.format_error(error)
        if came == FAILED and any(f"No module named '{name}" in message for name in LACKING):
            came = ELSEWHERE
        if "MemoryError" in message:
            message += f"\n{MEMORY}"
        if len(message) > LONGEST:
            message = f"{message[:LONGEST]}\n… and {len(message) - LONGEST} characters more"
        return Outcome(
            card=self.card(example),
            line=example.line,
            source=getattr(parsed, "source", "").rstrip(),
            answer=getattr(parsed, "want", "").rstrip(),
            came=came,
            message=message,
            seconds=time.perf_counter() - begun,
        )


@contextmanager
def restored(fault: Fault | None) -> Iterator[None]:
    """Put a function back as it was, whatever fault it was given."""
    function = mutants.function(fault.file, fault.function) if fault else None
    before = function.__code__ if function else None
    try:
        yield
    finally:
        if function and before:
            function.__code__ = before
            mutants.forget()
