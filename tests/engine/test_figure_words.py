"""Numbers in the words of a figure are those that it draws."""

from collections.abc import Sequence

import pytest

from engine import figure_words
from engine.fences import fences
from engine.figure_data import HEAD

FIGURE = """```{{.python .figure #fig-x alt="{alt}" caption="{caption}"}}
width = 0.25
```
"""


def data(
    kind: str = "bar",
    values: Sequence[float] = (0.557, 0.002),
    panel: str = "1",
    label: str = "bars 1",
) -> str:
    rows = [f"{panel},{kind},{label},{x},{y},{y}" for x, y in enumerate(values)]
    return "\n".join([",".join(HEAD), *rows, ""])


def said(alt: str, numbers: str, caption: str = "Bars.", sessions: Sequence[str] = ()) -> list[str]:
    (figure,) = fences(FIGURE.format(alt=alt, caption=caption))
    return [*figure_words.unfounded(figure, numbers, sessions)]


@pytest.mark.parametrize(
    "alt",
    [
        "From 0.56 to 0.002.",
        "Bars of width 0.25.",
        "About ±0.557, in 3 layers.",
        "The session has 7.5, and 8 is whole.",
    ],
)
def test_what_is_drawn_or_shown_may_be_said(alt):
    assert said(alt, data(), sessions=[">>> f(1)\n7.4999\n"]) == []


@pytest.mark.parametrize("number", ["0.65", "0.558", "−0.56", "±0.1"])
def test_what_is_not_drawn_may_not(number):
    (wrong,) = said(f"From {number} on.", data())

    assert wrong == f"the alt says {number}, and neither the figure nor a session does"


def test_a_caption_is_held_to_it_too():
    assert said("Bars.", data(), caption="Up to 0.65.") == [
        "the caption says 0.65, and neither the figure nor a session does"
    ]


@pytest.mark.parametrize(("kind", "founded"), [("line", False), ("pixel", False), ("bar", True)])
def test_a_curve_does_not_show_each_number_that_it_passes(kind, founded):
    values = [0.5 + i / 100 for i in range(40)]

    assert said("From 0.50 to 0.89.", data(kind, values)) == []
    assert (said("It passes 0.61.", data(kind, values)) == []) is founded


def test_titles_and_names_count():
    assert said("Twice 0.71.", data(panel="product 0.71")) == []
    assert said("Twice 0.71.", data(label="slope 0.71")) == []


def test_of_a_blank_nothing_is_known():
    assert said("From 0.65 on.", "") == []
