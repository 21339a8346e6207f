"""checks: what every public function refuses alike."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from posenc import LearnedPositionalEncoding, PositionalEmbedding, attention
from posenc.analysis import score_terms
from posenc.costs import table_bytes
from posenc.counting import clock_hands

CALLS: dict[str, Callable[[Any], Any]] = {
    "X": LearnedPositionalEncoding(5, 2).forward,
    "token_ids": PositionalEmbedding(5, 5, 2).forward,
    "seconds": clock_hands,
    "W_Q": lambda value: score_terms([[1.0]], [[1.0]], value, [[1.0]]),
    "mask": lambda value: attention([[1.0]], [[1.0]], [[1.0]], mask=value),
}


@pytest.mark.parametrize("name", CALLS)
def test_rows_of_different_lengths_are_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be an array: .* inhomogeneous shape"):
        CALLS[name]([[1, 2], [3]])


@pytest.mark.parametrize("name", CALLS)
def test_a_mask_is_not_dropped(name: str) -> None:
    with pytest.raises(TypeError, match=f"^{name} must not be a masked array"):
        CALLS[name](np.ma.masked_array([[1, 2]], mask=[[False, True]]))


@pytest.mark.parametrize("dtype", [None, {"names": ["a"]}, "quadruple", 8])
def test_what_is_no_dtype(dtype: Any) -> None:
    with pytest.raises(TypeError) as refusal:
        table_bytes(1, 1, dtype)

    assert (
        str(refusal.value)
        == f"dtype must be a NumPy dtype, such as np.float32, got dtype={dtype!r}"
    )
