"""What chapters say of larger and smaller, and of conditions, holds as it is listed."""

import ast
import copy
import warnings
from collections.abc import Iterator

import pytest

from engine.places import DOCS
from pages import compared
from pages.compared import Shown

CHAPTERS = sorted((DOCS / "chapters").glob("*.md"))
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.Gt,
    ast.Gt: ast.Lt,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def turned(expression: str) -> Iterator[str]:
    """Yield an expression with one of its signs of comparison turned round, each in its turn."""
    tree = ast.parse(f"(\n{expression}\n)", mode="eval")
    for number, node in enumerate(ast.walk(tree)):
        for place, sign in enumerate(node.ops if isinstance(node, ast.Compare) else []):
            changed = copy.deepcopy(tree)
            copied = [*ast.walk(changed)][number]
            assert isinstance(copied, ast.Compare)
            copied.ops[place] = TURNED[type(sign)]()
            yield ast.unparse(changed)


def falls(expression: str) -> bool:
    """Return whether an expression no longer holds; one that cannot be computed does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compared.false(Shown(holds=expression))
        except (ArithmeticError, IndexError, TypeError, ValueError):
            return True


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.stem)
def test_what_shows_the_sentences_of_a_chapter_holds_and_can_fail(chapter):
    entries = compared.listed(chapter)

    assert entries
    assert [entry.sentence for entry in entries if compared.false(entry)] == []
    for entry in entries:
        ways = [*turned(entry.holds or entry.broken)] if entry.holds or entry.broken else []
        assert not ways or any(map(falls, ways)), f"nothing makes this false: {entry}"


def test_each_list_is_of_a_chapter():
    stems = {chapter.stem for chapter in CHAPTERS}

    assert {file.stem for file in compared.FOLDER.iterdir()} <= stems


def test_a_comparison_that_is_turned_round_falls_and_a_truism_does_not():
    assert [*map(falls, turned("all(x < 1 for x in (0, 0.5))"))] == [True]
    assert [*map(falls, turned("all(x < 1 for x in ())"))] == [False]
    assert [*map(falls, turned("1 < 2 or 2 < 3"))] == [False, False]
