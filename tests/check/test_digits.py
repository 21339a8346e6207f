"""Comparison of numbers: half a unit of the last digit shown."""

import pytest

from check.digits import NumberChecker


@pytest.mark.parametrize(
    ("want", "got", "verdict"),
    [
        ("0.84", "0.8449", True),
        ("0.84", "0.8451", False),
        ("0.84", "0.835", True),
        ("0.2", "0.1", False),  # one unit off, which Sybil's NUMBER option accepts
        ("-0.42", "-0.41614683654", True),
        ("-0.42", "0.42", False),
        ("1e-13", "1.4e-13", True),
        ("1e-13", "1.6e-13", False),
        ("1.5e-13", "1.54e-13", True),
        ("1.5e-13", "1.56e-13", False),
        ("1.5e3", "1549.0", True),
        ("1.5e3", "1551.0", False),
        ("1.", "1.", True),
        ("1.", "1.0", True),
        ("1.", "0.9", False),  # NumPy prints only whole numbers as 1.
        ("0.", "-0.", True),
        ("32", "32", True),
        ("32", "32.0", False),
        ("32", "33", False),
        (".5", "0.5", True),
        ("[0.84, 0.54]", "[0.8414709, 0.5403023]", True),
        ("[0.84, 0.54]", "[0.5403023, 0.8414709]", False),
        ("[0.84, 0.54]", "[0.8414709, 0.5403023, 0.1]", False),
        ("nan", "0.5", False),
        ("inf", "inf", True),
        ("x = 0.84", "y = 0.84", False),
        ("posenc 0.1.2", "posenc 0.14.2", False),  # a version is not a number
        ("'0x1.0p+0'", "'0x1.04p+0'", False),
        ("'a1e9'", "'a5e8'", False),
        ("...", "0.84", False),  # no ellipsis
    ],
)
def test_numbers_agree_within_half_a_unit_of_the_last_digit(want, got, verdict):
    assert NumberChecker().check_output(f"{want}\n", f"{got}\n", 0) is verdict
