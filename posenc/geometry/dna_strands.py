"""DNA strands: the reverse complement of a sequence, and queries and keys that respect it.

Letters in this module
    L  bases in a sequence    p  position of a base, from 0    d  channels, in pairs
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.layouts import LAYOUTS, Layout, pair_channels

COMPLEMENTS = {"A": "T", "C": "G", "G": "C", "T": "A", "N": "N"}


def reverse_complement(sequence: str) -> str:
    """Return the same piece of DNA as read from the other strand.

    Args:
        sequence: L letters out of A, C, G, T and N (unknown), upper case.

    Returns:
        L letters: at position p the partner of the letter at L - 1 - p, where A pairs
        with T, C with G, and N stays.

    Raises:
        TypeError: `sequence` is not a string.
        ValueError: A letter is none of the five.

    Source:
        Watson-Crick pairing. Deviation: none; of the letters for mixtures of bases,
        only N is supported.

    Examples:
        >>> from posenc.geometry import reverse_complement
        >>> reverse_complement("ATGGC")
        'GCCAT'
    """
    if not isinstance(sequence, str):
        raise TypeError(f"sequence must be a string, got {type(sequence).__name__}")
    for p, letter in enumerate(sequence):
        if letter not in COMPLEMENTS:
            raise ValueError(f"sequence must hold A, C, G, T and N, got {letter!r} at position {p}")
    return "".join(COMPLEMENTS[letter] for letter in reversed(sequence))


def mirror_pairs(x: ArrayLike, *, layout: Layout = "interleaved") -> NDArray[Any]:
    """Return vectors with the two channels of every pair exchanged.

    This mirrors a pair and so reverses its rotation. If the query and the key of each token
    are the mirrored ones of its partner, rotary scores are the same on both strands. As a
    permutation, it commutes with activations and with norms that have no weights.

    Args:
        x: Shape (..., d), float16, float32 or float64, finite, d even, at least 2.
        layout: `"interleaved"` or `"half"`: channels 2i and 2i + 1, or i and i + d/2,
            are a pair, as in `apply_rotary`.

    Returns:
        Shape and dtype of `x`, exact: the pair (a, b) becomes (b, a).

    Raises:
        TypeError: `x` does not hold floats, or `layout` is not a string.
        ValueError: `x` has another dtype, has no axis or is not finite, or d is odd or 0,
            or `layout` is unknown.

    Source:
        Own; it reverses the rotations of Su et al. 2021, arXiv:2104.09864v5, section 3.2.2.

    Examples:
        >>> from posenc.geometry import mirror_pairs
        >>> mirror_pairs([1.0, 2.0, 3.0, 4.0]).tolist()
        [2.0, 1.0, 4.0, 3.0]
    """
    array = checks.floats("x", x)
    checks.float_dtype("x.dtype", array.dtype)
    if array.ndim == 0:
        raise ValueError("x must have at least 1 axis, got shape ()")
    checks.finite("x", array)
    d = checks.even("x.shape[-1]", array.shape[-1])
    layout = checks.choice("layout", layout, LAYOUTS)
    # --8<-- [start:mirror]
    first, second = pair_channels(d, layout)
    mirrored = np.empty_like(array)
    mirrored[..., first], mirrored[..., second] = array[..., second], array[..., first]
    return mirrored
    # --8<-- [end:mirror]
