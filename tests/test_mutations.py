"""The mutation benchmark applies changes, and sees whether pages and tests notice them."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import mutations
from benchmarks.mutations import Mutation, Trial
from browser import mutants
from browser.mutants import Mutant, SourceLines
from check.paths import DOCS, ROOT

FILE, FUNCTION = "posenc/biases/cope.py", "cope_positions"
TESTS = ROOT / "tests/package/biases/test_cope.py"


def mutation(line: int = 0, occurrence: int = 0, file: str = FILE) -> Mutation:
    page = DOCS / "chapters/offsets.md"
    return Mutation(file, line, FUNCTION, "by hand", occurrence, page, "")


def make_mutant_by_hand(asked: Mutation) -> Mutant | None:
    """Return a mutant with a wrong result for occurrence 1, and the same function for 0."""
    text = (ROOT / asked.file).read_text("utf-8")
    lines = SourceLines(asked.file, 1, text.count("\n"))
    wrong = [
        mutant
        for mutant in mutants.make_mutants(lines)
        if mutant.function == FUNCTION and "1.001" in mutant.now
    ]
    same = mutants.compile_function(ast.parse(text), str(ROOT / asked.file), FUNCTION)
    assert same
    return wrong[-1] if asked.occurrence else Mutant(asked.file, 0, "", "", FUNCTION, same)


def judge_by_hand() -> tuple[dict[int, str], dict[int, str]]:
    """Return the verdicts of a page and a file of tests on no change and on one."""
    vars(mutations)["make_mutant"] = make_mutant_by_hand  # in a process of its own
    changes = {number: mutation(occurrence=number) for number in (0, 1)}
    page = mutations.judge_on_page(changes[0].page, {mutations.PAGE_START: changes})
    tests = mutations.judge_with_pytest({1: (changes[1], [TESTS])})
    return page, tests


def test_a_wrong_result_is_noticed_and_no_change_is_not(alone: Callable[..., Any]) -> None:
    page, tests = alone(judge_by_hand)
    assert page == {0: "survived", 1: "value"}
    assert tests == {1: "failed"}


def test_a_sample_is_fixed_and_has_the_same_share_of_each_file() -> None:
    mixed = [
        mutation(line, file=file) for file in "ab" for line in range(300 if file == "a" else 100)
    ]
    sample = mutations.draw_sample(mixed, 40)
    assert sample == mutations.draw_sample(mixed, 40)
    assert len(set(sample)) == 40
    assert sum(each.file == "a" for each in sample) == 30


def test_intervals_of_shares_are_those_of_wilson() -> None:
    # Wilson 1927: at both ends are the shares from which the observed one is z standard errors.
    for noticed, total in ((0, 10), (9, 10), (180, 200), (200, 200)):
        low, high = (end / 100 for end in mutations.compute_interval(noticed, total))
        for end in (low, high):
            variance = end * (1 - end) / total
            assert abs((end - noticed / total) ** 2 - 1.959964**2 * variance) < 1e-15
        assert low <= noticed / total <= high + 1e-15


def test_a_survivor_is_not_counted_if_it_is_listed_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    trials = [Trial(mutation(), "a", "b", "value", "survived") for _ in range(4)]
    trials.append(Trial(mutation(), "c", "d", "survived", "survived"))
    equivalent = tmp_path / "equivalent.toml"
    monkeypatch.setattr(mutations, "EQUIVALENT", equivalent)
    equivalent.write_text("")
    shares = [line["measured"] for line in mutations.summarize(trials, 9)]
    assert shares == [9, 5, 0, 80, 80, 0, 80, 80]
    entry = f'file = "{FILE}"\nfunction = "{FUNCTION}"\nwas = "c"\nnow = "d"\nreason = "is one"\n'
    equivalent.write_text(f"[[equivalent]]\n{entry}")
    shares = [line["measured"] for line in mutations.summarize(trials, 9)]
    assert shares == [9, 5, 1, 100, 100, 0, 100, 100]
    assert [row["why"] for row in mutations.list_survivors(trials)] == ["is one"]


def test_tests_of_the_same_folder_that_use_a_function_judge_it() -> None:
    files = mutations.find_tests(mutation())
    assert files[0] == TESTS
    assert files[-1].name == "test_refused_arguments.py"
    assert {file.parent for file in files[:-1]} == {TESTS.parent}
    assert TESTS.with_name("test_xpos.py") not in files  # it doesn't use the function
