"""However an array lies in memory, what is summed up of it has the same bits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import posenc

Array = NDArray[Any]

Q, K, V = np.random.default_rng(0).normal(size=(3, 2, 37, 24))
REAL = np.arange(37) % 5 != np.arange(2)[:, None]

SUMS: dict[str, tuple[Callable[..., Any], tuple[Array, ...]]] = {
    "softmax": (posenc.softmax, (Q,)),
    "softmax, first axis": (lambda x: posenc.softmax(x, axis=0), (Q,)),
    "attention_weights": (posenc.attention_weights, (Q, K)),
    "attention": (posenc.attention, (Q, K, V)),
    "attention, grouped": (
        lambda *given: posenc.attention(*given, enable_gqa=True),
        (np.stack([Q, -Q], axis=1), K[:, None], V[:, None]),
    ),
    "relative_scores": (posenc.relative_scores, (Q, K, V[0])),
    "masked_mean": (lambda x: posenc.masked_mean(x, REAL), (Q,)),
    "encoding_statistics": (lambda x: [*posenc.encoding_statistics(x).values()], (Q[0],)),
    "pe_similarity_by_distance": (posenc.pe_similarity_by_distance, (Q[0],)),
    "dot_product_distance": (posenc.dot_product_distance, (Q[0],)),
    "fit_linear": (posenc.fit_linear, (Q[0], V[0])),
}

LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "columns": np.asfortranarray,
    "apart": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x: x[..., ::-1].copy()[..., ::-1],
    "from the end": lambda x: x[::-1].copy()[::-1],
}


def bits(answer: Any) -> bytes:
    """Return the bytes of an answer, or of all of them."""
    if isinstance(answer, list | tuple):
        return b"".join(map(bits, answer))
    return np.asarray(answer).tobytes()


@pytest.mark.parametrize("lies", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(("function", "given"), SUMS.values(), ids=SUMS)
def test_the_bits_are_those_of_an_array_row_by_row(
    function: Callable[..., Any], given: tuple[Array, ...], lies: Callable[[Array], Array]
) -> None:
    expected = bits(function(*given))

    assert bits(function(*map(lies, given))) == expected
