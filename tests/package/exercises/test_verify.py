"""`verify`: what it accepts, and what it says about everything else."""

import numpy as np
import pytest

from posenc.exercises import verify

TRUE = [
    (2, {"expected": 2}),
    ([1, 2], {"expected": (1.0, 2.0)}),
    ([0.1 + 0.2, -np.inf], {"expected": [0.3, -np.inf], "within": 1e-15}),
    (True, {"expected": True}),
    (np.dtype("float32"), {"expected": np.dtype("float32")}),
    ("half", {"expected": "half"}),
    ([0.5, 0.7], {"above": 0.4, "below": 1}),
    ([1, 2], {"above": [0, 1]}),
]

# What is found, the arguments, and the message.
FALSE = [
    (3, {"expected": 2}, "found 3, expected 2"),
    ([1, 0, 5], {"expected": [1, 2, 3]},
     "at index 1: found 0, expected 2\n  2 of 3 entries differ"),
    ([[1, 2], [3, 4.5]], {"expected": [[1, 2], [3, 4]], "within": 0.1},
     "at index 1, 1: found 4.5, expected 4 within 0.1"),
    (np.nan, {"expected": 1}, "found nan, expected 1"),
    ([1, 2], {"expected": [1, 2, 3]},
     "found numbers of shape (2,), expected numbers of shape (3,)"),
    (None, {"expected": 1}, "found None, expected the number 1"),
    ([1, [2]], {"expected": [1, 2]}, "found [1, [2]], expected numbers of shape (2,)"),
    ("half", {"expected": "interleaved"}, "found 'half', expected 'interleaved'"),
    (1, {"expected": "half"}, "found 1, expected 'half'"),
    ([0.5, 0.2], {"above": 0.4}, "at index 1: found 0.2, expected above 0.4"),
    (np.nan, {"above": 0}, "found nan, expected above 0"),
    (1, {"above": 0, "below": 1}, "found 1, expected below 1"),
    ("half", {"below": 1}, "found 'half', expected numbers"),
]  # fmt: skip


@pytest.mark.parametrize(("found", "arguments"), TRUE)
def test_a_true_claim_is_printed(found, arguments, capsys):
    verify("all is well", found, **arguments)

    assert capsys.readouterr().out == "true: all is well\n"


@pytest.mark.parametrize(("found", "arguments", "message"), FALSE)
def test_a_false_claim_names_what_was_found_and_expected_and_where(found, arguments, message):
    with pytest.raises(AssertionError) as raised:
        verify("all is well", found, **arguments)

    assert str(raised.value) == f"not yet true: all is well\n  {message}"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"expected": 1, "within": -1}, "within must be at least 0, got within=-1"),
        ({}, "give either expected, or above or below"),
        ({"expected": 1, "above": 0}, "give either expected, or above or below"),
    ],
)
def test_a_claim_needs_something_to_compare_with(arguments, message):
    with pytest.raises(ValueError, match=message):
        verify("all is well", 1, **arguments)
