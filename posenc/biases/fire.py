"""FIRE: a learned function of a distance relative to the query's position.

Letters in this module
    H  heads                 p, q  positions of a query and of a key    n  distance |q - p|
    L_q, L_k  queries, keys  c     how soon the logarithm bends         T  threshold, in positions
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.biases.alibi import offsets
from posenc.core import checks
from posenc.core.memory import check_memory
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def fire_bias(
    function: Callable[[NDArray[np.float64]], Any],
    q_len: int,
    k_len: int | None = None,
    *,
    c: float,
    threshold: float,
) -> NDArray[np.float64]:
    """Return the bias that FIRE adds to scores: a learned function of the relative distance.

    Args:
        function: f: takes an array (L_q, L_k) of numbers z in [0, 1], and returns logits,
            real and finite, of that shape, or of one with more axes in front, such as
            heads. In the paper it is a small network.
        q_len: Queries L_q, at least 0.
        k_len: Keys L_k, at least `q_len`; None for as many as queries. The queries are the
            last L_q of the L_k positions, as in `causal_mask`.
        c: How soon the logarithm bends, per position, above 0.
        threshold: T, in positions, above 0: for queries up to T, distances are relative to T.

    Returns:
        Shape (..., L_q, L_k), float64, logits: f(z), z = log(1 + c n) / log(1 + c max(T, p))
        for the distance n = p - q of earlier keys and p = q, and -inf for later keys.

    Raises:
        TypeError: `function` is not callable or returns no real numbers, a length is not an
            integer, or `c` or `threshold` not a real number.
        ValueError: `function` returns another shape or what is not finite, a length is too
            small, or `c`, `threshold` or a product of `c` with it or with a position is not
            finite and above 0.

    Source:
        Li et al. 2023, arXiv:2310.04418v2, as FIRE. Deviation: any function instead of
        the network; positions are counted from 0.

    Examples:
        >>> from posenc import fire_bias
        >>> fire_bias(lambda z: 1 - z, 1, 4, c=1.0, threshold=3.0).round(3)
        array([[0.   , 0.208, 0.5  , 1.   ]])
    """
    checks.function("function", function)
    q_len = checks.integer("q_len", q_len, least=0)
    k_len = checks.key_length(k_len, q_len)
    c, threshold = checks.above_zero("c", c), checks.above_zero("threshold", threshold)
    check_memory("the bias", q_len, k_len)
    checks.above_zero("c * threshold", c * threshold)
    checks.above_zero("c * k_len", c * max(1, k_len))
    # --8<-- [start:fire]
    k = offsets(q_len, k_len)
    p = np.arange(k_len - q_len, k_len)[:, np.newaxis]
    z = np.log1p(c * np.maximum(-k, 0)) / np.log1p(c * np.maximum(threshold, p))
    # --8<-- [end:fire]
    learned = checks.matrices("function(z)", function(z))
    if learned.shape[-2:] != z.shape:
        raise ValueError(
            f"function(z) must have {z.shape} as its last axes, got shape {learned.shape}"
        )
    return np.where(k > 0, -np.inf, learned)
