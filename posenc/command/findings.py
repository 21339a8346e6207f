"""Which laws a function keeps: one that makes a table, rotates vectors, or makes a bias.

Letters in this module
    L  positions (seq_len)    H  heads
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from posenc import laws
from posenc.judging.kinds import Setup, choose_arrays
from posenc.judging.rotations.calls import Caller

Judged = Literal["table", "rotary", "bias"]


class Judgement(NamedTuple):
    """A finding, and of which head, where there are heads."""

    finding: laws.Finding
    head: int | None = None


def of(function: Callable[..., Any], judged: Judged, setup: Setup) -> list[Judgement]:
    """Return what the laws find of a function."""
    if judged == "table":
        return [Judgement(found) for found in laws.check(function, setup.seq_len)]
    if judged == "bias":
        return _of_bias(function, setup.seq_len)
    rotate = _take_tensors(function, setup)

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        return np.asarray(rotate(x, p)) @ np.asarray(rotate(y, q)).T

    return [
        Judgement(law(score, setup.seq_len, head_dim=setup.head_dim))
        for law in (laws.equal_offsets, laws.cached_equals_full, laws.sees_position)
    ]


def _take_tensors(function: Callable[..., Any], setup: Setup) -> Callable[..., Any]:
    """Return a rotation of NumPy arrays, also if the function takes PyTorch tensors."""
    if choose_arrays(function, setup) == "numpy":
        return function
    caller = Caller("rotate(x, positions)", function, setup)

    def rotate(x: Any, positions: Any) -> Any:
        return caller.call(x, positions).astype(np.float32)

    return rotate


def _of_bias(bias: Callable[[int], Any], seq_len: int) -> list[Judgement]:
    """Return what the laws find of the head of a bias that is furthest from keeping each.

    A bias that depends only on the key keeps them, because softmax ignores a constant of a row.
    """
    heads = np.asarray(bias(seq_len))
    if heads.shape[-2:] != (seq_len, seq_len) or heads.ndim not in (2, 3) or not heads.size:
        raise ValueError(
            f"bias({seq_len}) must have shape (H, {seq_len}, {seq_len}) or"
            f" ({seq_len}, {seq_len}), got shape {heads.shape}"
        )
    each = heads[np.newaxis] if heads.ndim == 2 else heads
    scores = [lambda x, p, y, q, head=head: head[np.ix_(p, q)] for head in each]
    equal = [laws.equal_offsets(score, seq_len, ignore_row_constants=True) for score in scores]
    seen = [laws.sees_position(score, seq_len) for score in scores]
    worst = max(range(len(each)), key=lambda head: equal[head].measured / equal[head].limit)
    blind = min(range(len(each)), key=lambda head: seen[head].measured / seen[head].limit)
    named = heads.ndim == 3
    return [
        Judgement(equal[worst], worst if named else None),
        Judgement(seen[blind], blind if named else None),
    ]
