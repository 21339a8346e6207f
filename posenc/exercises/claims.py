"""A claim that a lab makes: it holds, or a message has what was found and what was expected."""

import reprlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def verify(
    claim: str,
    found: Any,
    expected: Any = None,
    *,
    within: float = 0.0,
    above: ArrayLike | None = None,
    below: ArrayLike | None = None,
) -> None:
    """Print that a claim is true, or raise an error with what was found and expected, and where.

    Args:
        claim: What is claimed, in a few words, "each row is that of task 4".
        found: A value, or an array of numbers of any shape.
        expected: What `found` must be: the same value, or numbers of the same shape. Leave it
            out if you give `above` or `below`.
        within: The largest difference that two numbers may have, at least 0.
        above: What each number found must be greater than.
        below: What each number found must be less than.

    Returns:
        None; a claim that is true is printed.

    Raises:
        AssertionError: The claim is not true. The message has the first entry that differs, its
            index, and how many differ.
        ValueError: `within` is negative or no number; or there is nothing to compare with.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import exercises
        >>> exercises.verify("two pairs", len([1.0, 0.01]), 2)
        true: two pairs
        >>> try:
        ...     exercises.verify("each pair", [1.0, 0.1], [1.0, 0.01], within=1e-9)
        ... except AssertionError as error:
        ...     print(error)
        not yet true: each pair
          at index 1: found 0.1, expected 0.01 within 1e-09
    """
    if not within >= 0:
        raise ValueError(f"within must be at least 0, got within={within!r}")
    bounded = above is not None or below is not None
    if bounded == (expected is not None):
        raise ValueError("give either expected, or above or below")
    problem = _find_bounds(found, above, below) if bounded else _compare(found, expected, within)
    if problem:
        raise AssertionError(f"not yet true: {claim}\n  {problem}")
    print("true:", claim)


def _compare(found: Any, expected: Any, within: float) -> str:
    """Return where two values differ, or an empty string."""
    right, mine = _read_numbers(expected), _read_numbers(found)
    if right is None:
        same = mine is None and type(found) is type(expected) and found == expected
        return "" if same else f"found {reprlib.repr(found)}, expected {reprlib.repr(expected)}"
    if mine is None:
        return f"found {reprlib.repr(found)}, expected {_describe(right)}"
    if mine.shape != right.shape:
        return f"found {_describe(mine)}, expected {_describe(right)}"
    with np.errstate(invalid="ignore"):  # the difference of two infinities, which are equal
        near = (mine == right) | (abs(mine * 1.0 - right * 1.0) <= within)
    allowed = f" within {within:g}" if within else ""
    return _locate(mine, near, lambda index: f"expected {_show(right[index])}{allowed}")


def _find_bounds(found: Any, above: ArrayLike | None, below: ArrayLike | None) -> str:
    """Return which number is beyond a bound, or an empty string."""
    mine = _read_numbers(found)
    if mine is None:
        return f"found {reprlib.repr(found)}, expected numbers"
    if above is not None:
        low = np.broadcast_to(above, mine.shape)
        if problem := _locate(
            mine, mine > low, lambda index: f"expected above {_show(low[index])}"
        ):
            return problem
    if below is not None:
        top = np.broadcast_to(below, mine.shape)
        return _locate(mine, mine < top, lambda index: f"expected below {_show(top[index])}")
    return ""


def _locate(mine: NDArray[Any], holds: NDArray[np.bool_], expect: Any) -> str:
    """Return the first entry that doesn't hold, with its index and the number of all of these."""
    if np.all(holds):
        return ""
    wrong = np.argwhere(~np.asarray(holds))
    index = tuple(map(int, wrong[0]))
    where = f"at index {', '.join(map(str, index))}: " if index else ""
    count = f"\n  {len(wrong)} of {mine.size} entries differ" if len(wrong) > 1 else ""
    return f"{where}found {_show(mine[index])}, {expect(index)}{count}"


def _read_numbers(value: Any) -> NDArray[Any] | None:
    """Return a value as an array of numbers, or None if it isn't one."""
    if isinstance(value, str | dict | set | type) or value is None:
        return None
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    return array if array.dtype.kind in "biufc" else None


def _describe(array: NDArray[Any]) -> str:
    return f"numbers of shape {array.shape}" if array.ndim else f"the number {_show(array[()])}"


def _show(number: Any) -> str:
    return str(number.item())
