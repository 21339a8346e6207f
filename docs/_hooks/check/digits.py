"""How close is close enough: half a unit of the last digit that a page shows.

`0.84` on a page stands for every number that rounds to it, 0.835 to 0.845.
`1.` has no digit after the point: NumPy prints it for whole numbers alone, so it is exact.
"""

import doctest
import re
from decimal import Decimal

# A number stands alone: what is part of a word, a version or 0x1.8p+0 is text.
NUMBER = re.compile(
    r"(?<![\w.])[+-]?(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])"
)


class NumberChecker(doctest.OutputChecker):
    """Compare what is printed with what is written: text exactly, numbers by their digits."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Return whether got is want, up to digits that want does not show."""
        return super().check_output(want, adopt_written(want, got), optionflags)


def adopt_written(want: str, got: str) -> str:
    """Return got, with each number that agrees with its counterpart in want put as there."""
    written = NUMBER.findall(want)
    if len(written) != len(NUMBER.findall(got)):
        return got
    counterparts = iter(written)

    def put(printed: re.Match[str]) -> str:
        number = next(counterparts)
        return number if numbers_agree(number, printed[0]) else printed[0]

    return NUMBER.sub(put, got)


def numbers_agree(want: str, got: str) -> bool:
    """Return whether got lies within half a unit of the last digit of want."""
    mantissa, _, exponent = want.lower().partition("e")
    _, point, fraction = mantissa.partition(".")
    last_digit = Decimal(1).scaleb(int(exponent or 0) - len(fraction))
    exact = point and not fraction
    return abs(Decimal(want) - Decimal(got)) <= (0 if exact else last_digit / 2)
