"""Run a page in the reader's browser: as it is, with a mutant, or with the reader's edits.

Examples, comparisons and messages are those of `check`, as in the tests and in the build. The
worker in the browser calls `PageSession`, so every result is JSON.
"""

import json
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from sybil import Document, Example, Region
from sybil.example import SybilFailure

from browser import edits, mutants, named_mistakes
from browser.edits import Edit, RefusedError
from browser.mutants import Mutant
from browser.named_mistakes import NamedMistake
from check import cards, code_blocks, doctests, page_check, problems
from check.cards import Card
from check.page_source import read_page

NOT_IN_BROWSER = ("matplotlib", "jax", "scipy", "optax", "tqdm", "dask", "distributed")
MESSAGE_LIMIT = 4000  # characters; a print in a loop must not fill the page
OUT_OF_MEMORY = "out of memory: a browser gives Python 2 to 4 GB at most"
PASSED, FAILED, UNAVAILABLE = "passed", "failed", "unavailable"


@dataclass
class Outcome:
    """The outcome of one example."""

    card: str  # the id of its card, or nothing
    line: int
    source: str
    answer: str  # as printed on the page
    status: str
    message: str  # of a failure
    seconds: float


def find_runnable_regions(document: Document) -> Iterator[Region]:
    """Yield the code of a page without its figures, since browsers get no Matplotlib.

    Problems are included, since an edited session may have some.
    """
    kinds = (doctests.evaluate, code_blocks.run_python, problems.report_problem)
    return (region for region in code_blocks.parse(document) if region.evaluator in kinds)


class PageSession:
    """One page, with its cards and their mutants."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        self.path, self.text = Path(page), read_page(Path(page))
        self.cards: list[Card]
        self.document: Document
        self.modules: dict[str, str] = {}  # the sources that the reader has edited, by file
        self.mutants: dict[str, list[Mutant]] = {}
        self._parse(self.text)

    def _parse(self, text: str) -> None:
        self.document = Document(text, str(self.path))
        for region in find_runnable_regions(self.document):
            self.document.add(region)
        self.cards = list(cards.find_cards(text))

    def apply_edits(self, json_edits: str) -> str:
        """Apply the reader's edits to all later runs; return why they are refused, or nothing."""
        all_edits = [Edit(**edit) for edit in json.loads(json_edits)]
        self.modules = {}
        own = [edit for edit in all_edits if self.path.as_posix().endswith(f"/{edit.page}")]
        try:
            self._parse(edits.edit_sessions(self.text, own))
            modules = edits.edit_modules(all_edits)
            with edits.apply_modules(modules):
                self.modules = modules
        except RefusedError as error:
            self._parse(self.text)
            return json.dumps(str(error))
        return json.dumps("")

    def find_card(self, example: Example) -> str:
        """Return the id of the card that an example is in, from its proof to its verification."""
        for card in self.cards:
            if card.start <= example.region.start < card.verification.end:
                return card.id
        return ""

    def count_examples(
        self, card: str = "", mutant: int | None = None, mutant_card: str = ""
    ) -> str:
        """Return how many examples `run` runs with the same arguments."""
        chosen = self._choose_mutant(card, mutant, mutant_card)
        return json.dumps(len(self._select_examples(card, chosen)))

    def list_mutants(self, card: str) -> str:
        """Return the mutants of the lines that a card shows, named mistakes first."""
        return self._list_changes(card, self._make_mutants(card))

    def list_named_mistakes(self, card: str) -> str:
        """Return the named mistakes of a card; they have the first numbers among its mutants."""
        return self._list_changes(card, self._make_mistakes(card))

    def _list_changes(self, card: str, found: Sequence[Mutant]) -> str:
        """Return mutants, each with its change of the lines that the card shows."""
        page, own = f"chapters/{self.path.name}", self._get_card(card)
        return json.dumps(
            [
                {**mutant.to_dict(), **asdict(edits.express_mutant(mutant, own, page))}
                for mutant in found
            ]
        )

    def run(
        self, card: str = "", mutant: int | None = None, mutant_card: str = ""
    ) -> Iterator[str]:
        """Run the page to the end of a card, or all of it, and yield the outcome of each example.

        A mutant is one of `mutant_card`, or else of the card. Up to a card, it is applied before
        the first example of its card runs. Of the whole page, it is applied before the first
        example, and only those run that can notice it.
        """
        self._parse(self.document.text)
        page_check.reset_state(self.document.namespace)
        chosen = self._choose_mutant(card, mutant, mutant_card)
        with edits.apply_modules(self.modules), restore_function(chosen):
            waiting = chosen
            for example in self._select_examples(card, chosen):
                in_card = self.find_card(example) == (mutant_card or card)
                if waiting and (in_card or not card):
                    waiting.apply()
                    waiting = None
                yield json.dumps(asdict(self._run_example(example)))

    def _choose_mutant(self, card: str, number: int | None, mutant_card: str) -> Mutant | None:
        if number is None:
            return None
        mistakes = self._make_mistakes(mutant_card or card)
        if number < len(mistakes):  # faster than making all mutants
            return mistakes[number]
        return self._make_mutants(mutant_card or card)[number]

    def _select_examples(self, card: str, mutant: Mutant | None) -> list[Example]:
        ends = [each.verification.end for each in self.cards if each.id == card]
        end = ends[0] if ends else len(self.document.text)
        examples = [example for example in self.document if example.region.start < end]
        if card or mutant is None:
            return examples
        return [*named_mistakes.select_affected(examples, mutant, self.cards)]

    def _get_card(self, name: str) -> Card:
        return next(card for card in self.cards if card.id == name)

    def _make_mistakes(self, card: str) -> list[NamedMistake]:
        return [*named_mistakes.make_mistakes(self._get_card(card), self.path.stem)]

    def _make_mutants(self, card: str) -> list[Mutant]:
        if card not in self.mutants:
            blocks = mutants.find_shown_lines(self._get_card(card).support.text)
            generated = [mutant for lines in blocks for mutant in mutants.make_mutants(lines)]
            spread = mutants.spread_evenly(generated)
            self.mutants[card] = [*self._make_mistakes(card), *spread]
        return self.mutants[card]

    def _run_example(self, example: Example) -> Outcome:
        parsed = example.region.parsed
        start = time.perf_counter()
        status, message = PASSED, ""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                example.evaluate()
        except SybilFailure as failure:
            status, message = FAILED, failure.result.strip()
        except (Exception, SystemExit) as error:
            status, message = FAILED, page_check.format_error(error)
        if any(f"No module named '{name}" in message for name in NOT_IN_BROWSER):
            status = UNAVAILABLE
        return Outcome(
            card=self.find_card(example),
            line=example.line,
            source=getattr(parsed, "source", "").rstrip(),
            answer=getattr(parsed, "want", "").rstrip(),
            status=status,
            message=shorten_message(message),
            seconds=time.perf_counter() - start,
        )


def shorten_message(message: str) -> str:
    """Return a message that fits the page, with a hint if memory ran out."""
    if "MemoryError" in message:
        message += f"\n{OUT_OF_MEMORY}"
    if len(message) > MESSAGE_LIMIT:
        message = f"{message[:MESSAGE_LIMIT]}\n… and {len(message) - MESSAGE_LIMIT} characters more"
    return message


@contextmanager
def restore_function(mutant: Mutant | None) -> Iterator[None]:
    """Restore the code of a mutant's function at the end."""
    if mutant is None:
        yield
        return
    function = mutants.get_function(mutant.file, mutant.function)
    code = function.__code__
    try:
        yield
    finally:
        function.__code__ = code
        mutants.clear_caches()
