"""Compare arrays bit by bit."""

from typing import Any

from numpy.typing import NDArray


def assert_same_bits(found: NDArray[Any], expected: NDArray[Any]) -> None:
    """Assert that two arrays hold the same bits, so that -0.0 is not 0.0.

    The arrays aren't in the assertion: pytest would compare their bytes line by line, which takes
    minutes for large arrays, and half an hour where CI is set.
    """
    same = found.tobytes() == expected.tobytes()
    assert same, f"other bits: got {found!r}, expected {expected!r}"
