"""What `python -m benchmarks.mutations` rests on: a change is put in place, and noticed or not."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import mutations
from benchmarks.mutations import Mutant, Place
from browser import mutants
from browser.mutants import Fault, Lines
from check.paths import DOCS, ROOT

FILE, FUNCTION = "posenc/relative/contextual.py", "cope_positions"
TESTS = ROOT / "tests/package/relative/test_contextual.py"


def place(line: int = 0, occurrence: int = 0, file: str = FILE) -> Place:
    return Place(file, line, FUNCTION, "by hand", occurrence, DOCS / "chapters/offsets.md", "")


def by_hand(asked: Place) -> Fault | None:
    """Return a function that is told from the one in its place, or one that is not."""
    text = (ROOT / asked.file).read_text("utf-8")
    lines = Lines(asked.file, 1, text.count("\n"))
    wrong = [f for f in mutants.of(lines) if f.function == FUNCTION and "1.001" in f.now]
    same = mutants.compiled(ast.parse(text), str(ROOT / asked.file), FUNCTION)
    assert same
    return wrong[-1] if asked.occurrence else Fault(asked.file, 0, "", "", FUNCTION, same)


def judged() -> tuple[dict[int, str], dict[int, str]]:
    """Return what a page and a file of tests notice, of no change and of one."""
    vars(mutations)["changed"] = by_hand  # in a process of its own
    asked = {number: place(occurrence=number) for number in (0, 1)}
    page = mutations.by_page(asked[0].page, {mutations.START: asked})
    tests = mutations.by_tests({1: (asked[1], [TESTS])})  # which has to hold without a change
    return page, tests


def test_a_wrong_return_is_noticed_and_none_is_not(alone: Callable[..., Any]) -> None:
    page, tests = alone(judged)
    assert page == {0: "survived", 1: "value"}
    assert tests == {1: "failed"}


def test_a_sample_is_always_the_same_and_has_its_share_of_each_file() -> None:
    known = [place(line, file=file) for file in "ab" for line in range(300 if file == "a" else 100)]
    sample = mutations.drawn(known, 40)
    assert sample == mutations.drawn(known, 40)
    assert len(set(sample)) == 40
    assert sum(one.file == "a" for one in sample) == 30


def test_shares_have_the_interval_of_wilson() -> None:
    # Wilson 1927: at both ends lie shares from which what was seen is z standard errors away.
    for noticed, of in ((0, 10), (9, 10), (180, 200), (200, 200)):
        low, high = (end / 100 for end in mutations.interval(noticed, of))
        for end in (low, high):
            assert abs((end - noticed / of) ** 2 - 1.959964**2 * end * (1 - end) / of) < 1e-15
        assert low <= noticed / of <= high + 1e-15


def test_a_change_without_effect_counts_only_while_it_has_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    changes = [Mutant(place(), "a", "b", "value", "survived") for _ in range(4)]
    changes.append(Mutant(place(), "c", "d", "survived", "survived"))
    listed = tmp_path / "equivalent.toml"
    monkeypatch.setattr(mutations, "EQUIVALENT", listed)
    listed.write_text("")
    shares = [line["measured"] for line in mutations.results(changes, 9)]
    assert shares == [9, 5, 0, 80, 80, 0, 80, 80]
    same = f'file = "{FILE}"\nfunction = "{FUNCTION}"\nwas = "c"\nnow = "d"\nreason = "is one"\n'
    listed.write_text(f"[[equivalent]]\n{same}")
    shares = [line["measured"] for line in mutations.results(changes, 9)]
    assert shares == [9, 5, 1, 100, 100, 0, 100, 100]
    assert [row["why"] for row in mutations.survivors(changes)] == ["is one"]


def test_the_tests_of_a_module_judge_first_and_those_of_other_folders_do_not() -> None:
    judges = mutations.nearest(Mutant(place(), "", ""))
    assert judges[0] == TESTS
    assert judges[-1].name == "test_refused_arguments.py"
    assert {file.parent for file in judges[:-1]} == {TESTS.parent}
    assert TESTS.with_name("test_xpos.py") not in judges  # does not rest on it
