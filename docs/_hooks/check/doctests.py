"""Prompts of sessions and docstrings: what they print must agree with the expected output."""

import doctest
from collections.abc import Iterator

from sybil import Document, Example, Region
from sybil.evaluators.doctest import DocTestEvaluator, DocTestRunner
from sybil.parsers.abstract.doctest import DocTestStringParser

from check.digits import NumberChecker
from check.isolation import Printed
from check.problems import make_problem

NO_PROMPT = (
    "this line belongs to no prompt; write <BLANKLINE> for an empty line of output, "
    "and put a comment after code"
)
DIRECTIVE = "a doctest directive turns a check off; remove it"


class Runner(DocTestRunner):
    """Sybil's runner, with numbers compared to half a unit of the last digit shown."""

    def __init__(self) -> None:
        super().__init__(optionflags=doctest.DONT_ACCEPT_TRUE_FOR_1)
        self._checker = NumberChecker()
        self._fakeout = Printed()


evaluate = DocTestEvaluator()
evaluate.runner = Runner()
find_examples = DocTestStringParser(evaluate)


def parse_session(source: str, line_starts: list[int], path: str) -> Iterator[Region]:
    """Yield a region for each prompt of a session, and a problem for each line outside a prompt.

    `line_starts` has the position on the page of each line, and of the line after the last.
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
        yield _refuse_directive(region)
    for number, line in enumerate(source.split("\n")):
        if line.strip() and number not in covered:
            yield make_problem(line_starts[number], NO_PROMPT)


def parse_docstring(document: Document) -> Iterator[Region]:
    """Yield the prompts of a docstring, which run in a namespace of their own."""

    def evaluate_first(example: Example) -> str:
        example.namespace.clear()
        return evaluate(example)

    for fence in ("```", "~~~"):
        if fence in document.text:
            message = "a docstring has code as prompts, not in a fence"
            yield make_problem(document.text.index(fence), message)
    for number, region in enumerate(find_examples(document.text, document.path)):
        if number == 0:
            region.evaluator = evaluate_first
        yield _refuse_directive(region)


def _refuse_directive(region: Region) -> Region:
    return make_problem(region.start, DIRECTIVE) if region.parsed.options else region
