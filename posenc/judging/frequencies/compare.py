"""Compare rotary frequencies on their own, `inv_freq`, with a config or with other ones."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posenc.core.rounding import round_to
from posenc.judging.arrays import Array
from posenc.judging.comparison import Comparison
from posenc.judging.differences import Block, compare_blocks
from posenc.judging.frequencies import limits
from posenc.judging.frequencies.identify import name_frequencies
from posenc.judging.frequencies.pairs import describe_pairs
from posenc.judging.frequencies.readings import list_readings
from posenc.judging.references import Rotation

Values = NDArray[np.float64]


def compare_with_rotation(given: Array, reference: Rotation, head_dim: int) -> Comparison:
    """Compare frequencies (d/2,) with those of a known rotation."""
    given = given.drop_unit_axes().check_finite()
    ours, theirs = given.read_all(), reference.inv_freq
    if ours.shape != theirs.shape:
        raise ValueError(
            f"thing must have {len(theirs)} frequencies, one for each rotated pair of the"
            f" reference, got shape {given.shape}"
        )
    dtype = limits.choose_dtype(given)
    comparison = _compare(ours, theirs, limits.bound_frequency_error(theirs, dtype), dtype)
    if comparison.equal:
        return comparison
    return replace(comparison, explanation=_explain(ours, reference, head_dim, dtype))


def compare_frequencies(given: Array, wanted: Array) -> Comparison:
    """Compare frequencies (d/2,) with other ones of the same shape."""
    given, wanted = given.check_finite(), wanted.check_finite()
    ours, theirs = given.read_all(), wanted.read_all()
    dtype = limits.choose_dtype(given)
    limit = limits.bound_frequency_error(theirs, dtype)
    limit = limit + limits.bound_frequency_error(theirs, limits.choose_dtype(wanted))
    comparison = _compare(ours, theirs, limit, dtype)
    if comparison.equal:
        return comparison
    one, other = (name_frequencies(of.read_all(), dtype) for of in (given, wanted))
    explanation = None
    if one and other and one != other:
        explanation = f"{one} instead of {other.removeprefix('base ')}"
    return replace(comparison, explanation=explanation or describe_pairs(ours, theirs, limit))


def _compare(ours: Values, theirs: Values, limit: Values, dtype: str) -> Comparison:
    return compare_blocks([Block(ours, theirs, limit, np.arange(len(theirs)))], dtype)


def _explain(ours: Values, reference: Rotation, head_dim: int, dtype: str) -> str | None:
    """Return what explains other frequencies than those of a rotation, in words."""

    def explains(frequencies: Values, dtype: str = dtype) -> bool:
        limit = limits.bound_frequency_error(frequencies, dtype)
        return bool((abs(ours - frequencies) <= limit).all())

    for narrow in ("bfloat16", "float16"):
        rounded = np.array_equal(round_to(ours, narrow), ours)
        if rounded and explains(reference.inv_freq, narrow):
            return f"frequencies rounded to {narrow}"
    cause = find_cause(explains, reference, ours, head_dim)
    off = limits.bound_frequency_error(reference.inv_freq, dtype)
    return cause or describe_pairs(ours, reference.inv_freq, off)


def find_cause(
    explains: Callable[[Values], bool], reference: Rotation, measured: Values, head_dim: int
) -> str | None:
    """Return the first wrong reading of the reference whose frequencies explain all numbers."""
    if reference.settings is None:
        return None
    readings = list_readings(reference.settings, measured, head_dim, reference.seq_len)
    return next((cause for cause, frequencies, _ in readings if explains(frequencies)), None)
