"""Prompts: the answer was written first, and what is printed must agree with it."""

import doctest
from collections.abc import Iterator

from sybil import Document, Example, Region
from sybil.evaluators.doctest import DocTestEvaluator, DocTestRunner
from sybil.parsers.abstract.doctest import DocTestStringParser

from check.digits import NumberChecker
from check.isolation import Printed
from check.problems import make_problem

UNCOVERED = (
    "a line that no prompt covers; write <BLANKLINE> for an empty line of output, "
    "and put a comment behind code"
)


class Runner(DocTestRunner):
    """Sybil's runner, with numbers compared at half a unit of the last digit shown."""

    def __init__(self) -> None:
        super().__init__(optionflags=doctest.DONT_ACCEPT_TRUE_FOR_1)
        self._checker = NumberChecker()
        self._fakeout = Printed()


evaluate = DocTestEvaluator()
evaluate.runner = Runner()
find_examples = DocTestStringParser(evaluate)


def parse_session(source: str, line_starts: list[int], path: str) -> Iterator[Region]:
    """Yield one region for each prompt of a session, and a complaint for each other line.

    `line_starts` says where each line of the session stands on the page, and what follows.
    """
    try:
        regions = list(find_examples(source, path))
    except ValueError as error:  # a prompt without a space, an inconsistent indent
        yield make_problem(line_starts[0], f"{error}; a prompt is '>>> ' or '... '")
        return
    covered: set[int] = set()
    for region in regions:
        example = region.parsed
        lines = example.source.count("\n") + example.want.count("\n")
        covered.update(range(example.lineno, example.lineno + lines))
        region.start = line_starts[example.lineno]
        region.end = line_starts[example.lineno + lines] - 1
        if example.options:
            yield make_problem(region.start, "a doctest directive switches a check off; remove it")
        else:
            yield region
    for number, line in enumerate(source.split("\n")):
        if line.strip() and number not in covered:
            yield make_problem(line_starts[number], UNCOVERED)


def parse_docstring(document: Document) -> Iterator[Region]:
    """Yield the prompts of one docstring, and complaints for what is switched off in it.

    Each docstring runs in a namespace of its own.
    """

    def first(example: Example) -> str:
        example.namespace.clear()
        return evaluate(example)

    for fence in ("```", "~~~"):
        if fence in document.text:
            yield make_problem(document.text.index(fence), "a docstring shows code as prompts")
    for number, region in enumerate(find_examples(document.text, document.path)):
        if number == 0:
            region.evaluator = first
        if region.parsed.options:
            yield make_problem(region.start, "a doctest directive switches a check off; remove it")
        else:
            yield region
