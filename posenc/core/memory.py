"""Refuse an array that is larger than the memory of this machine, before it is made."""

import math
import os
import sys
from functools import cache

from posenc.core import checks


@cache
def machine_memory() -> int:
    """Return the memory of this machine in bytes, or what it can address if that is unknown."""
    try:
        return min(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), sys.maxsize)
    except (AttributeError, ValueError, OSError):  # no POSIX, as Windows and browsers
        return sys.maxsize


def check_memory(what: str, *shape: int, itemsize: int = 8) -> None:
    """Refuse an array that does not fit into the memory of this machine."""
    # An axis counts by itself, too: an empty result needs a vector along each other axis.
    needed = max(math.prod(shape), *shape) * itemsize
    if needed > machine_memory():
        sizes = ", ".join(checks.describe_value(size) for size in shape)
        raise ValueError(
            f"{what} must fit into the memory of this machine, {machine_memory():.1e} bytes, got"
            f" the shape ({sizes})"
        )
