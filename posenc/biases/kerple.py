"""KERPLE: a learned power or logarithm of the distance, subtracted from the scores.

Letters in this module
    H         heads                         p, q      positions of a query and of a key
    L_q, L_k  queries and keys              n         distance |q - p|
    r_1, r_2  how much and how fast a bias falls
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.biases.alibi import FORMS, Form, offsets
from posenc.core import checks
from posenc.core.memory import check_memory
from posenc.core.underflow import ignore_underflow

Kind = Literal["log", "power"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@ignore_underflow
def kerple_bias(
    r1: ArrayLike,
    r2: ArrayLike,
    q_len: int,
    k_len: int | None = None,
    *,
    kind: Kind = "log",
    form: Form = "causal",
) -> NDArray[np.float64]:
    """Return the bias that KERPLE adds to the scores of each head.

    Args:
        r1: How much the bias falls, logits, shape (H,), each above 0; H at least 1.
        r2: Shape (H,), each above 0: how fast, per position, for `"log"`; an exponent of at
            most 2 for `"power"`.
        q_len: Queries L_q, at least 0.
        k_len: Keys L_k, at least `q_len`; None for as many as queries. The queries are the
            last L_q of the L_k positions, as in `causal_mask`.
        kind: `"log"` for -r1 * log(1 + r2 * n), `"power"` for -r1 * n**r2.
        form: `"causal"` hides later keys; `"symmetric"` shows them, as in `alibi_bias`.

    Returns:
        Shape (H, L_q, L_k), float64, logits, at most 0: 0 where p = q, and -inf above it in
        the causal form.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `r1` and `r2` differ in shape, have no number, or one that is not finite
            and above 0, or a power above 2, or one so large that a bias overflows; a length
            is too small; a name is unknown.

    Source:
        Chi et al. 2022, arXiv:2205.09921v2, section 4. Deviation: the symmetric form.

    Examples:
        >>> from posenc import alibi_bias, alibi_slopes, kerple_bias
        >>> kerple_bias([1.0], [1.0], 1, 4).round(3)
        array([[[-1.386, -1.099, -0.693,  0.   ]]])
        >>> lines = kerple_bias(alibi_slopes(8), [1.0] * 8, 1, 5, kind="power")
        >>> float(abs(lines - alibi_bias(8, 1, 5)).max()) < 1e-14
        True
    """
    amounts, rates = (
        checks.finite(name, value, ndim=1) for name, value in (("r1", r1), ("r2", r2))
    )
    if amounts.shape != rates.shape or not len(rates):
        raise ValueError(
            "r1 and r2 must hold one number for each head, "
            f"got shapes {amounts.shape} and {rates.shape}"
        )
    if not (amounts > 0).all() or not (rates > 0).all():
        raise ValueError(f"r1 and r2 must be above 0, got {min(amounts.min(), rates.min())}")
    q_len = checks.integer("q_len", q_len, least=0)
    k_len = checks.key_length(k_len, q_len)
    kind, form = checks.choice("kind", kind, KINDS), checks.choice("form", form, FORMS)
    if kind == "power" and rates.max() > 2:
        raise ValueError(f"r2 must be at most 2 for kind='power', got {rates.max()}")
    check_memory("the bias", len(rates), q_len, k_len)
    with np.errstate(over="ignore", under="ignore"):  # refused by name below
        # --8<-- [start:kerple]
        k = offsets(q_len, k_len)
        much, fast = amounts[:, np.newaxis, np.newaxis], rates[:, np.newaxis, np.newaxis]
        fall = np.log1p(fast * abs(k)) if kind == "log" else np.power(abs(k), fast)
        bias = 0 - much * fall
        # --8<-- [end:kerple]
    checks.finite("the bias from r1 and r2", bias)
    return np.where((k > 0) & (form == "causal"), -np.inf, bias)
