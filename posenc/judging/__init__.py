"""Judge a table, a rotation or a bias: which encoding it is, and how it differs from another.

`identify` names the conventions of an array or a function; `compare` compares it with those that
were meant. Both compute what they name themselves and compare it entry by entry, within what the
dtype allows; anything else is unknown. `tables`, `rotations` and `biases` judge their own kind.
"""

from posenc.judging.comparing import compare as compare
from posenc.judging.comparison import Comparison
from posenc.judging.identifying import identify as identify
from posenc.judging.identity import Identity

__all__ = ["Comparison", "Identity"]  # `compare` and `identify` are names of `posenc`
