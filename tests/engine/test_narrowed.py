"""What a page gives to functions is counted, so a page that draws less than it did is seen."""

import re
from pathlib import Path

import pytest

from engine import given
from engine.given import difference, kinds
from pages.given import Record, fallen, wrong
from tests.checking import parser

PAGE = """\
# T

```pycon
>>> import numpy as np
>>> import posenc
>>> def drawn(rng):
...     return rng.integers(-50, 50, size=4)
>>> def turned(position, layout):
...     x = np.arange(8.0)
...     return posenc.apply_rotary(x, position, layout=layout)
>>> rng = np.random.default_rng(0)
>>> all(len(turned(int(p), "half")) == 8 for p in drawn(rng))
True
>>> posenc.apply_rotary(np.ones((2, 4)), [0, 1]).shape
(2, 4)
>>> def halves(x):
...     return x / 2
>>> from posenc.proofs import gap, whole
>>> gap(lambda p: halves(p), lambda p: p / 2, p=whole(50)) == 0
True
>>> assert (halves(np.ones(3)) < 1).all()
>>> posenc.attention(np.eye(3), np.eye(3), np.eye(3), mask=np.tri(3, dtype=bool)).shape
(3, 3)
```
"""

# What the page gives, made less: what stands there, what comes in its place, what is missed.
NARROWER = [
    ("rng.integers(-50, 50,", "rng.integers(0, 50,", "turned(position)", "negative"),
    ("rng.integers(-50, 50,", "rng.integers(-5, 5,", "turned(position)", "tens"),
    ("rng.integers(-50, 50, size=4)", "np.full(4, -50)", "turned(position)", "several"),
    ("int(p)", "int(p) * 1e-17", "turned(position)", "several"),  # by rounding alone
    ("[0, 1]", "[0, 0]", "apply_rotary(positions)", "varies along axis 0"),
    ('"half"', '"interleaved"', "turned(layout)", "half"),
    ("np.tri(3, dtype=bool)", "np.ones((3, 3), bool)", "attention(mask)", "some False"),
    ("whole(50)", "whole(5)", "gap 0(p)", "tens"),
    ("p / 2, p=whole(50)", "p // 2, p=whole(50)", "gap 1()", "no whole number"),
    ("x / 2", "x // 2", "halves()", "no whole number"),
    ("< 1).all()", "< 1).all", "assert(it)", "True"),
    ("np.eye(3), mask", "np.ones((3, 3)), mask", "attention(V)", "zero"),
]


LAB = """\
# ---
# title: "L"
# description: "A lab."
# question: Is it so?
# minutes: 1
# ---

# %% [markdown]
# # L

# %%
import numpy as np

def table(d):
    return np.ones((3, d))

# %%
assert table(4).shape == (3, 4)
"""


def gives(folder: Path, text: str, name: str = "page.md") -> given.Kinds:
    page = folder / name
    page.parent.mkdir(exist_ok=True)
    page.write_text(text, "utf-8")
    return given.given(parser().parse(page))


@pytest.mark.parametrize(("was", "now", "argument", "kind"), NARROWER)
def test_a_page_that_draws_less_is_told_what_is_missing(tmp_path, alone, was, now, argument, kind):
    assert was in PAGE
    before = alone(gives, tmp_path, PAGE)
    less = list(fallen(before, alone(gives, tmp_path, PAGE.replace(was, now))))

    found = {one["argument"]: one["kinds"] for one in less}
    assert kind in found[argument], found
    said = "\n".join(wrong(Record("", before, less)))
    assert re.search(rf"^{re.escape(argument)} is .*{kind} in 0 prompts, not ", said, re.MULTILINE)
    assert list(wrong(Record("", before, [{**one, "reason": "a reason"} for one in less]))) == []


def test_a_page_that_gives_more_gives_no_less(tmp_path, alone):
    before = alone(gives, tmp_path, PAGE)
    more = PAGE.replace("(-50, 50", "(-5000, 5000")

    assert list(fallen(before, before)) == []
    assert list(fallen(before, alone(gives, tmp_path, more))) == []


def test_a_lab_is_counted_like_a_page_but_for_what_it_trains(tmp_path, alone):
    trains = LAB.replace("import numpy", "from posenc.experiments import model\nimport numpy")

    assert "positive" in alone(gives, tmp_path, LAB, "labs/lab.py")["table(d)"]
    assert list(alone(gives, tmp_path, trains, "labs/lab.py")) == ["assert(it)"]


KINDS = [
    (None, "None"),
    (True, "True"),
    ("half", "half"),
    ("a sentence of some words", "text"),
    (0, "zero"),
    (-0.5, "negative, no whole number"),
    (3 - 1e-12, "positive"),  # but for rounding
    (-1e-15, "zero"),
    ([0.1 + 0.2, 0.3], "no whole number, positive, steps zero"),
    (2**53, "far, millions, positive, tens, thousands"),
    (float("inf"), "not finite"),
    ([1, 1], "positive, steps zero"),
    (range(3), "positive, steps positive, varies along axis 0, zero"),
    (1j, "complex positive, complex zero"),
    (len, "builtin_function_or_method"),
]


@pytest.mark.parametrize(("value", "found"), KINDS, ids=repr)
def test_an_argument_is_of_these_kinds(value, found):
    assert ", ".join(sorted(kinds(value))) == found


def test_what_two_arguments_are_apart_is_known_where_they_have_one_shape():
    assert difference(3, 5) == {"negative"}
    assert difference([1, 2], [1, 2]) == {"alike"}
    assert difference([1, 2], [1, 3]) == {"unlike"}
    assert difference([1, 2], 3) == set()
    assert difference("a", 3) == set()
