"""Results that are too small for float64 are 0."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Call = TypeVar("Call", bound=Callable[..., Any])


def ignore_underflow(function: Call) -> Call:
    """Let a function return 0 for what is too small, even if NumPy is set to raise an error."""
    return np.errstate(under="ignore")(function)
