"""A difference that is held below a tolerance without its absolute value is refused."""

import pytest
from sybil import Document

from engine import one_sided
from tests.checking import check

HELPERS = """>>> import math
>>> import numpy as np
>>> def mean(d, b=1):
...     return d + b
>>> def error(d):
...     return mean(d) / d - 1
>>> apart = a - b
>>> rounding = 2**-53
>>> sizes = abs(a - b)
>>> reached = share(mean, error, d=whole(9))
"""
ONE_SIDED = [
    "mean(d) / (2 * d) - 1 < 5 / 70",
    "a - b < 1e-12",
    "(a - b) <= 1e-12",
    "1e-12 > a - b",
    "-1e-12 < a - b",
    "float(a - b) < 1e-12",
    "(a - b).max() < 1e-12",
    "max(x - y for x, y in pairs) < 1e-12",
    "all(x - y < 1e-12 for x, y in pairs)",
    "np.subtract(a, b).max() < 1e-12",
    "((a - b) / b).mean() < 1e-12",
    "(a - b) * (c + d) < 1e-12",
    "-(a - b) < 1e-12",
    "abs(a) - abs(b) < 1e-12",
    "a - b < 2**-53 * n",
    "a - b < 4 * rounding * abs(b)",
    "a - b < rounding",
    "apart < 1e-12",
    "apart[3] < 1e-12",
    "error(d) < 5 / 70",
    "math.log(a / b) < 1e-9",
    "mean(d) / (2 * d) < 1 + 5 / 70",
    "a <= b + 1e-12",
    "a <= b * (1 + 1e-12)",
    "a / b > 1 - 1e-12",
    "a > b - 1e-12",
    "a - b < 1e-12 < c",
]
BOTH_SIDES = [
    "abs(a - b) < 1e-12",
    "abs(a - b).max() < 1e-12",
    "np.linalg.norm(a - b) < 1e-12",
    "math.dist(a, b) < 1e-12",
    "((a - b) ** 2).sum() < 1e-12",
    "(a - b) * (a - b) < 1e-12",
    "sizes < 1e-12",
    "abs(error(d)) < 5 / 70",
    "max(steps) - min(steps) < 1e-12",
    "-1e-12 < a - b < 1e-12",
    "1e-12 > a - b > -1e-12",
    "1 - 1e-12 < reached < 1 + 1e-12",
    "0.9 < reached <= 1 + 1e-12",
    "reached <= 1 + 1e-12",
    "a < 1e-12",
    "a < b",
    "a < b * (1 - 1e-12)",
    "a > b * (1 + 1e-12)",
    "a - b < 7",
    "q - p < window",
    "long > short - 0.1",  # a tenth worse, at most
    "gap(mean, error, d=whole(9)) < 2**-52 + 2**-53",
    "1 - 2**-53 == b",
]


def said(prompt: str) -> list[str]:
    text = f"# T\n\n```pycon\n{HELPERS}>>> {prompt}\nTrue\n```\n"
    return [region.parsed for region in one_sided.parse(Document(text, "page.md"))]


@pytest.mark.parametrize("claim", ONE_SIDED)
def test_a_tolerance_that_opens_one_side_is_refused(claim):
    (message,) = said(f"bool({claim})")

    assert "is true of what is far below as well" in message


@pytest.mark.parametrize("claim", BOTH_SIDES)
def test_what_holds_both_sides_or_has_no_tolerance_is_none(claim):
    assert said(f"bool({claim})") == []


def test_it_is_seen_within_functions_claims_and_cells(tmp_path):
    hidden = "def held(a, b):\n...     off = a - b\n...     return off < 1e-12"
    arguments = "def held(apart):\n...     return apart < 1e-12"

    assert len(said(hidden)) == 1
    assert said(arguments) == []
    assert len(said("everywhere(lambda a, b: a - b < 1e-12, a=real(9), b=real(9))")) == 1
    file = tmp_path / "page.md"
    file.write_text("# T\n\n```python\nassert 0 - 9 * 9 - len([]) < 1e-12\n```\n", "utf-8")
    ((line, message),) = [(one.line, one.message) for one in check(file).failures]
    assert (line, "take an absolute value" in message) == (3, True)
