"""Comparison of numbers: equal up to half a unit of the last digit that a page shows.

`0.84` on a page agrees with every number that rounds to it, from 0.835 to 0.845.
`1.` has no digit after the point: NumPy prints only whole numbers like this, so it is exact.
"""

import doctest
import re
from decimal import Decimal

# Digits inside a word, a version or 0x1.8p+0 are text and not a number.
NUMBER = re.compile(
    r"(?<![\w.])[+-]?(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])"
)


class NumberChecker(doctest.OutputChecker):
    """Compare expected with actual output: text exactly, numbers to the digits expected."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Return whether the output is as expected, up to digits that the page doesn't show."""
        return super().check_output(want, replace_equal_numbers(want, got), optionflags)


def replace_equal_numbers(want: str, got: str) -> str:
    """Return the actual output, with each number that agrees written as in the expected output."""
    expected = NUMBER.findall(want)
    if len(expected) != len(NUMBER.findall(got)):
        return got
    remaining = iter(expected)

    def replace(actual: re.Match[str]) -> str:
        number = next(remaining)
        return number if numbers_agree(number, actual[0]) else actual[0]

    return NUMBER.sub(replace, got)


def numbers_agree(want: str, got: str) -> bool:
    """Return whether got is within half a unit of the last digit of want."""
    mantissa, _, exponent = want.lower().partition("e")
    _, point, fraction = mantissa.partition(".")
    last_digit = Decimal(1).scaleb(int(exponent or 0) - len(fraction))
    exact = point and not fraction
    return abs(Decimal(want) - Decimal(got)) <= (0 if exact else last_digit / 2)
