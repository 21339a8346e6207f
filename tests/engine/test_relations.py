"""Each relation of a verification can fail by itself, and leaves out few cases."""

import ast
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from engine import relations, strength
from engine.relations import Larger, Moved
from engine.witnesses import Helpers
from tests.engine.verifications import judged

PAGE = """# T

```pycon
>>> import math
>>> import numpy as np
>>> import posenc
>>> from posenc.proofs import everywhere, gap, share, whole
>>> def row(p):
...     return posenc.sinusoidal_at(p, 8)
>>> def plain(p):
...     angles = [p * 10000 ** (-i / 4) for i in range(4)]
...     return np.array([f(a) for a in angles for f in (math.sin, math.cos)])
>>> def near(p):
...     difference = abs(row(p) - plain(p))
...     return difference.max() < 1e-14
```

```pycon
"""


def hollow(folder: Path, *said: str) -> list[tuple[str, str]]:
    """Return the relations of some prompts that can hardly fail, in a process that may fork."""
    found = judged(folder, PAGE, said, lambda own, names: [*strength.hollow(own, names)])
    return [(one["relation"], one["why"]) for one in found]


def everywhere(claim: str) -> str:
    """Return a prompt with a claim of every position."""
    return f">>> everywhere(lambda p: bool({claim}), p=whole(100))\nTrue\n"


@pytest.mark.parametrize(
    "claim",
    [
        "abs(row(p) - plain(p)).max() < 1e-14",
        "abs(row(p) - plain(p)).sum() < 1e-13",
        "np.allclose(row(p), plain(p), rtol=0, atol=1e-14)",
        "(abs(row(p) - plain(p)) < 1e-14).all()",
        "p == 3 or abs(row(p) - plain(p)).max() < 1e-14",
        "all(abs(a - b) < 1e-14 for a, b in zip(row(p), plain(p)))",
        "all(row(-p)[1::2] == row(p)[1::2])",
    ],
)
def test_a_relation_that_one_wrong_entry_breaks_stands(tmp_path, alone, claim):
    assert alone(hollow, tmp_path, everywhere(claim)) == []


@pytest.mark.parametrize(
    "claim",
    [
        "abs(row(p) - plain(p)).min() < 1e-14",
        "np.median(abs(row(p) - plain(p))) < 1e-14",
        "sorted(abs(row(p) - plain(p)))[1] < 1e-14",
        "(abs(row(p) - plain(p)) < 1e-14).any()",
        "any(abs(a - b) < 1e-14 for a, b in zip(row(p), plain(p)))",
        "abs(row(p) - plain(p)).max() < 1e300",
    ],
)
def test_one_that_a_wrong_entry_leaves_true_is_hollow(tmp_path, alone, claim):
    ((relation, why),) = alone(hollow, tmp_path, everywhere(claim))

    assert relation == ast.unparse(ast.parse(f"bool({claim})"))
    assert why == strength.BLIND


def test_each_thing_that_a_claim_says_is_judged_alone(tmp_path, alone):
    blind = "len(row(p)) == 8"
    said = f">>> everywhere(\n...     lambda p: near(p) and {blind}, p=whole(9))\nTrue\n"

    assert alone(hollow, tmp_path, said) == [(blind, strength.BLIND)]


def test_a_claim_may_be_a_function_of_the_card(tmp_path, alone):
    made = (
        ">>> def least(p):\n"
        "...     apart = abs(row(p) - plain(p))\n"
        "...     return apart.{}() < 1e-14\n"
    )
    said = ">>> everywhere(least, p=whole(9))\nTrue\n"

    assert alone(hollow, tmp_path, made.format("max"), said) == []
    found = alone(hollow, tmp_path, made.format("min"), said)
    assert found == [("apart.min() < 1e-14", strength.BLIND)]


def test_sides_of_a_comparison_may_hide_the_least(tmp_path, alone):
    apart = "abs(row(p) - plain(p)).{}()"
    said = f">>> gap(lambda p: {apart}, lambda p: 0.0, p=whole(9)) < 1e-14\nTrue\n"

    assert alone(hollow, tmp_path, said.format("max")) == []
    ((_, why),) = alone(hollow, tmp_path, said.format("min"))
    assert why == strength.BLIND


def test_where_the_package_is_not_asked_the_helpers_of_the_page_are_wrong(tmp_path, alone):
    said = everywhere("abs(plain(-p)[::2] + plain(p)[::2]).{}() < 1e-14")

    assert alone(hollow, tmp_path, said.format("max")) == []
    assert len(alone(hollow, tmp_path, said.format("min"))) == 1


def test_one_that_comes_to_no_function_says_nothing(tmp_path, alone):
    said = everywhere("(p < 3) == (p + 1 < 4)")

    assert [why for _, why in alone(hollow, tmp_path, said)] == [strength.ALONE]


def larger(folder: Path, *said: str) -> dict[str, int]:
    """Return how many relations notice that what they hold below something is larger."""
    tried = {f"{times:g}": Larger(times) for times in relations.TIMES}
    return judged(folder, PAGE, said, lambda own, names: strength.seen(own, names, tried))


@pytest.mark.parametrize(
    ("claim", "noticed"),
    [
        ("abs(row(p)).max() <= 1", {"1.01", "1.1", "2", "10"}),
        ("1 >= abs(row(p)).max()", {"1.01", "1.1", "2", "10"}),
        ("abs(row(p)).max() <= 1 + 0.5", {"2", "10"}),
        ("abs(row(p)).max() < 20 > 1", set()),
        ("0 < abs(row(p)).max() < 5", {"10"}),
        ("(abs(row(p)) <= 1).all()", {"1.01", "1.1", "2", "10"}),
        ("-abs(row(p)).max() <= -0.5", {"2", "10"}),
        ("abs(row(p) - plain(p)).max() < 2e-15", set()),
        ("row(p).tolist() <= [3]", set()),
    ],
)
def test_a_margin_that_grows_is_seen(tmp_path, alone, claim, noticed):
    assert alone(larger, tmp_path, everywhere(claim)) == dict.fromkeys(noticed, 1)


@pytest.mark.parametrize(
    ("claim", "share"),
    [
        ("abs(row(p) - plain(p)).max() < 1e-14 or abs(p) > 30", ""),
        ("abs(row(p) - plain(p)).max() < 1e-14 or abs(p) < 99", "93%"),
        ("all(row(p)[i] < 2 or i < 7 for i in range(8))", "88%"),
        ("not 5 < p < 9 or abs(row(p) - plain(p)).max() < 1e-14", "97%"),
        ("all(abs(row(p)[i] - plain(p)[i]) < 1e-14 for i in range(8) if i % 4 == 1)", "75%"),
        ("all(abs(row(p)[i] - plain(p)[i]) < 1e-14 for i in range(8) if i % 4)", ""),
    ],
)
def test_what_leaves_out_most_cases_is_refused(tmp_path, alone, claim, share):
    found = [why for _, why in alone(hollow, tmp_path, everywhere(claim)) if "leaves" in why]

    assert found == ([f"leaves out {share} of its cases"] if share else [])


@pytest.mark.parametrize(
    ("source", "held"),
    [
        ("gap(f, g, p=whole(9)) == 0", 1),
        ("0.9 < share(f, g, p=whole(9)) <= 1", 2),
        ("gap(lambda p: [f(p), g(p)], h, p=whole(9)) == 0", 2),
        ("0.9 < share(h, lambda p: np.array([f(p), g(p), 1]), p=whole(9)) <= 1", 4),
        ("gap(both, h, p=whole(9)) == 0", 2),
        ("steps(f, '=', g, '<=', h, p=whole(9))", 2),
        ("everywhere(lambda p: f(p) == 1 and g(p) == 2, p=whole(9))", 2),
        ("everywhere(lambda p: all(a < b < c for a, b, c in f(p)), p=whole(9))", 2),
        ("everywhere(claimed, p=whole(9))", 2),
        ("everywhere(unknown, p=whole(9))", 1),
        ("f(2), g(3) == 4", 2),
        ("f(2)", 1),
        ("reached = share(f, g, p=whole(9))", 0),
    ],
)
def test_relations_are_counted(source, held):
    helpers = Helpers()
    helpers.learn(ast.parse("def claimed(p):\n    return bool(f(p) and g(p))"))
    helpers.learn(ast.parse("def both(p):\n    return f(p), g(p)"))

    assert relations.counted(ast.parse(source), helpers) == held


class Pair(NamedTuple):
    """Two results with names."""

    cos: Any
    sin: Any


def plain(found: Any) -> Any:
    """Return what was made wrong, without arrays."""
    if isinstance(found, dict):
        return {name: plain(one) for name, one in found.items()}
    if isinstance(found, Pair):
        return tuple(map(plain, found))
    return found.tolist() if isinstance(found, np.ndarray) else found


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        (np.array([1.0, 2.0, 3.0]), [3.0, 2.0, 3.0]),
        (np.array([True, True]), [False, True]),
        ([1, 2], [3, 2]),
        ({"mean": 1.0, "all": np.zeros(2)}, {"mean": 3.0, "all": [1.0, 0.0]}),
        (Pair(np.zeros(1), np.ones(1)), ([1.0], [3.0])),
        ("half", "half"),
        (4, 9),
    ],
)
def test_one_entry_of_a_result_is_made_wrong(value, wrong):
    found = Moved("f", "more", "first").moved(value)

    assert type(found) is type(value)
    assert plain(found) == wrong
