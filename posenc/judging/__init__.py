"""Judging: what a table, a rotation or a bias is, and where it differs from what was meant.

`identify` takes an array or a function and names its conventions; `compare` holds it against
those that were meant. Both compute what they name anew and compare it entry by entry, within
what the dtype allows; what fits none of them is said to be unknown.
"""

from posenc.judging.comparing import compare as compare
from posenc.judging.comparison import Comparison
from posenc.judging.identifying import identify as identify
from posenc.judging.identity import Identity

__all__ = ["Comparison", "Identity"]  # `compare` and `identify` are names of `posenc`
