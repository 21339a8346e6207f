"""Prompts judged as the verification of a card is, on a page of their own."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sybil import Example

from engine import strength
from engine.witnesses import Helpers
from tests.checking import parser

Found = TypeVar("Found")


def judged(
    folder: Path, page: str, said: tuple[str, ...], judge: Callable[[list[Example], Helpers], Found]
) -> Found:
    """Return what is found of some prompts behind a page, in a process that may fork.

    They hold, before and after.
    """
    file = folder / "page.md"
    file.write_text(f"{page}{''.join(said)}```\n", "utf-8")
    run = [one for one in parser().parse(file) if one.region.evaluator in strength.RUN]
    helpers = Helpers()
    for one in run:
        helpers.learn(ast.parse(one.region.parsed.source))
    before, own = run[: -len(said)], run[-len(said) :]
    assert strength.outcome(before) is None
    found = judge(own, helpers)
    assert strength.outcome(own) is None
    return found
