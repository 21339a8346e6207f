"""Laws of scores: what a query and a key may know of their positions.

Letters in this module
    L  positions (seq_len)    p, q  positions of a query and of a key
    k  offset q - p           d     channels of a query and of a key (head_dim)
    S  scores of all queries with all keys
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.laws._finding import HALF, LEAST, Finding, Table, ratio

Positions = NDArray[np.int64]
Score = Callable[[Table, Positions, Table, Positions], ArrayLike]


def equal_offsets(
    score: Score, seq_len: int = 512, *, head_dim: int = 64, limit: float = 4 * HALF
) -> Finding:
    """Judge whether the score of the same contents depends on the offset alone.

    Args:
        score: The function to judge: takes queries (m, d), their positions (m,), keys
            (n, d), their positions (n,), contents in float64 and positions in int64;
            returns scores of shape (m, n), real, finite or -inf, of one head. Whatever
            is done to contents, to positions or to the scores, is done inside.
        seq_len: L, at least 16. Positions are 0 to L - 1, for queries and for keys. Whole
            numbers in float16 are exact up to 2048, so a larger L finds what breaks there.
        head_dim: d, at least 1: as many channels as the function expects.
        limit: Above 0. The default, 2**-8, leaves room for queries, keys and scores that
            are rounded to float16.

    Returns:
        A `Finding`. One query and one key, drawn with a fixed seed, are put at all
        positions. `measured` is the largest score less the smallest with the same
        offset, for the k where that is most, over the largest finite score, by size; inf
        where some of them are -inf and others are not; 0 where all are 0. `where` is
        (p, q, p', q'): the pair with the smallest score, then that with the largest. The
        law holds where `measured` is at most `limit`.

    Raises:
        TypeError: `score` is not callable or returns no real numbers, or another
            argument has the wrong type.
        ValueError: An argument is out of its range, or what `score` returns has
            another shape, or is NaN or +inf.

    Source:
        Definition of this book, after Su et al. 2021, arXiv:2104.09864v5, equation 11.

    Examples:
        >>> from posenc import apply_rotary, laws, sinusoidal_at
        >>> def rotary(x, p, y, q):
        ...     return apply_rotary(x, p) @ apply_rotary(y, q).T
        >>> laws.equal_offsets(rotary).holds
        True
        >>> def added(x, p, y, q):
        ...     return (x + sinusoidal_at(p, 64)) @ (y + sinusoidal_at(q, 64)).T
        >>> laws.equal_offsets(added).holds
        False
    """
    seq_len, head_dim, limit = _arguments(score, seq_len, head_dim, limit)
    query, key = np.random.default_rng(0).normal(size=(2, 1, head_dim))
    positions = np.arange(seq_len)
    x, y = np.repeat(query, seq_len, axis=0), np.repeat(key, seq_len, axis=0)
    scores = _ask(score, x, positions, y, positions)
    spread, where = -1.0, (0, 0, 0, 0)
    for k in range(1 - seq_len, seq_len):
        same = scores.diagonal(k)  # those of the offset k, p rising
        low, high = int(same.argmin()), int(same.argmax())
        apart = 0.0 if same[low] == same[high] else float(same[high] - same[low])
        if apart > spread:
            first = max(0, -k)  # the smallest p with a key at p + k
            p, q = first + low, first + high
            spread, where = apart, (p, p + k, q, q + k)
    measured = ratio(spread, _largest(scores))
    return Finding("equal_offsets", measured <= limit, measured, limit, where)


def cached_equals_full(
    score: Score, seq_len: int = 512, *, head_dim: int = 64, limit: float = HALF
) -> Finding:
    """Judge whether decoding token by token gives the scores of the whole sequence.

    Args:
        score: The function to judge, as in `equal_offsets`. It is called 2L + 1 times:
            with all queries and all keys, then with each key alone, then with each
            query alone.
        seq_len: L, at least 16. Positions are 0 to L - 1. A function that treats long
            sequences in another way shows that beyond its length, and not before.
        head_dim: d, at least 1.
        limit: Above 0. The default, 2**-10, is what rounding both scores to float16
            can do.

    Returns:
        A `Finding`. L queries and L keys are drawn with a fixed seed. Key q alone meets
        the queries at q and later, as one that is computed once and kept; query p alone
        meets the keys up to p, as one that has just come. `measured` is the largest
        difference between such a score and that of the whole sequence, over the largest
        finite score of those pairs, by size; inf where only one of the two is -inf.
        `where` is (p, q). The law holds where `measured` is at most `limit`.

    Raises:
        TypeError: As in `equal_offsets`.
        ValueError: As in `equal_offsets`.

    Source:
        Definition of this book. Keys after the query, q > p, are not looked at.

    Examples:
        >>> import numpy as np
        >>> from posenc import apply_rotary, laws
        >>> def rotary(x, p, y, q):
        ...     return apply_rotary(x, p) @ apply_rotary(y, q).T
        >>> laws.cached_equals_full(rotary, 64).holds
        True
        >>> def restarted(x, p, y, q):
        ...     return rotary(x, np.arange(len(x)), y, np.arange(len(y)))
        >>> laws.equal_offsets(restarted, 64).holds, laws.cached_equals_full(restarted, 64).holds
        (True, False)
    """
    seq_len, head_dim, limit = _arguments(score, seq_len, head_dim, limit)
    x, y = np.random.default_rng(0).normal(size=(2, seq_len, head_dim))
    p = np.arange(seq_len)
    full = np.tril(_ask(score, x, p, y, p))
    by_key, by_query = np.zeros_like(full), np.zeros_like(full)
    for j in range(seq_len):
        only = slice(j, j + 1)
        by_key[j:, only] = _ask(score, x[j:], p[j:], y[only], p[only])
        by_query[only, : j + 1] = _ask(score, x[only], p[only], y[: j + 1], p[: j + 1])
    differences = np.maximum(_apart(by_key, full), _apart(by_query, full))
    row, column = divmod(int(differences.argmax()), seq_len)
    measured = ratio(float(differences[row, column]), _largest(full))
    return Finding("cached_equals_full", measured <= limit, measured, limit, (row, column))


def _arguments(
    score: object, seq_len: object, head_dim: object, limit: object
) -> tuple[int, int, float]:
    """Return the numbers, once all arguments of a law of scores are in order."""
    if not callable(score):
        raise TypeError(f"score must be callable, got score={score!r}")
    length = checks.integer("seq_len", seq_len, least=LEAST)
    channels = checks.integer("head_dim", head_dim, least=1)
    return length, channels, checks.above_zero("limit", limit)


def _ask(score: Score, x: Table, p: Positions, y: Table, q: Positions) -> Table:
    """Return the scores that a function gives, once they have the right shape.

    It gets copies: it may work in place.
    """
    scores = score(x.copy(), p.copy(), y.copy(), q.copy())
    name = f"score of {len(x)} queries and {len(y)} keys"
    table = checks.logits(name, scores)
    if table.shape != (len(x), len(y)):
        raise ValueError(f"{name} must have shape ({len(x)}, {len(y)}), got shape {table.shape}")
    return table


def _apart(some: Table, others: Table) -> Table:
    """Return how far scores are apart; two of -inf are equal."""
    differ = some != others
    return abs(np.subtract(some, others, out=np.zeros_like(some), where=differ))


def _largest(scores: Table) -> float:
    """Return the size of the largest finite score."""
    return float(abs(scores[np.isfinite(scores)]).max(initial=0))
