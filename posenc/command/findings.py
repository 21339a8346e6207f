"""Which laws a function keeps: one that makes a table, turns vectors, or makes a bias.

Letters in this module
    L  positions (seq_len)    H  heads
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from posenc import laws

Judged = Literal["table", "rotary", "bias"]

SEQ_LEN = 512  # as the laws have it, if they are not told


class Judgement(NamedTuple):
    """A finding, and of which head, where there are heads."""

    finding: laws.Finding
    head: int | None = None


def of(function: Callable[..., Any], judged: Judged) -> list[Judgement]:
    """Return what the laws find of a function."""
    if judged == "table":
        return [Judgement(found) for found in laws.check(function)]
    if judged == "bias":
        return _of_bias(function)

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        return np.asarray(function(x, p)) @ np.asarray(function(y, q)).T

    return [
        Judgement(law(score))
        for law in (laws.equal_offsets, laws.cached_equals_full, laws.sees_position)
    ]


def _of_bias(bias: Callable[[int], Any]) -> list[Judgement]:
    """Return what the laws find of the head of a bias that is furthest from keeping each.

    A bias that depends on the key alone keeps them: a constant of a row is not seen by softmax.
    """
    heads = np.asarray(bias(SEQ_LEN))
    if heads.shape[-2:] != (SEQ_LEN, SEQ_LEN) or heads.ndim not in (2, 3) or not heads.size:
        raise ValueError(
            f"bias({SEQ_LEN}) must have shape (H, {SEQ_LEN}, {SEQ_LEN}) or"
            f" ({SEQ_LEN}, {SEQ_LEN}), got shape {heads.shape}"
        )
    each = heads[np.newaxis] if heads.ndim == 2 else heads
    scores = [lambda x, p, y, q, head=head: head[np.ix_(p, q)] for head in each]
    equal = [laws.equal_offsets(score, SEQ_LEN, ignore_row_constants=True) for score in scores]
    seen = [laws.sees_position(score, SEQ_LEN) for score in scores]
    worst = max(range(len(each)), key=lambda head: equal[head].measured / equal[head].limit)
    blind = min(range(len(each)), key=lambda head: seen[head].measured / seen[head].limit)
    named = heads.ndim == 3
    return [
        Judgement(equal[worst], worst if named else None),
        Judgement(seen[blind], blind if named else None),
    ]
