"""Laws of scores: how they depend on the positions of query and key.

Letters in this module
    L  positions (seq_len)    p, q  positions of a query and of a key
    k  offset q - p           d     channels of a query and of a key (head_dim)
    S  scores of all queries with all keys
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.laws.dropout import refuse_dropout
from posenc.laws.finding import HALF, LEAST, Finding, Table, ratio

Positions = NDArray[np.int64]
Score = Callable[[Table, Positions, Table, Positions], ArrayLike]


# bfloat16 has three bits less than float16.
BFLOAT16 = 8


def equal_offsets(
    score: Score,
    seq_len: int = 512,
    *,
    head_dim: int = 64,
    limit: float | None = None,
    ignore_row_constants: bool = False,
) -> Finding:
    """Test whether the score of the same contents depends only on the offset.

    Args:
        score: The function to judge: takes queries (m, d), their positions (m,), keys
            (n, d), their positions (n,), contents in float64 and positions in int64;
            returns scores of shape (m, n), real, finite or -inf, of one head, also in
            bfloat16. It includes all that is done to contents, positions and scores.
        seq_len: L, at least 16. Positions are 0 to L - 1, for queries and for keys. Whole
            numbers in float16 are exact up to 2048, so a larger L finds what breaks there.
        head_dim: d, at least 1: the channels that the function expects.
        limit: Above 0. None: `2**-8`, which leaves room for queries, keys and scores that
            are rounded to float16, or `2**-5` where scores come in bfloat16.
        ignore_row_constants: Whether a constant may be added to each row of scores, as in
            a bias that depends only on the key: it doesn't change the softmax. The score at
            k = 0 is then subtracted from each row, and must be finite.

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
    seq_len, head_dim = _arguments(score, seq_len, head_dim, limit)
    ignore = checks.boolean("ignore_row_constants", ignore_row_constants)
    scores, factor = _one_pair(score, seq_len, head_dim)
    limit = 4 * HALF * factor if limit is None else float(limit)
    largest = _largest(scores)
    if ignore:
        here = scores.diagonal()
        if not np.isfinite(here).all():
            raise ValueError(
                "score must be finite at k = 0 to compare rows up to a constant, got"
                f" {here[~np.isfinite(here)][0]}"
            )
        scores = scores - here[:, np.newaxis]
    spread, where = -1.0, (0, 0, 0, 0)
    for k in range(1 - seq_len, seq_len):
        same = scores.diagonal(k)  # those of the offset k, p rising
        low, high = int(same.argmin()), int(same.argmax())
        apart = 0.0 if same[low] == same[high] else float(same[high] - same[low])
        if apart > spread:
            first = max(0, -k)  # the smallest p with a key at p + k
            p, q = first + low, first + high
            spread, where = apart, (p, p + k, q, q + k)
    measured = ratio(spread, largest)
    return Finding("equal_offsets", measured <= limit, measured, limit, where)


def sees_position(
    score: Score, seq_len: int = 512, *, head_dim: int = 64, limit: float | None = None
) -> Finding:
    """Test whether attention can distinguish keys by their positions.

    Args:
        score: The function to judge, as in `equal_offsets`.
        seq_len: L, at least 16. Positions are 0 to L - 1.
        head_dim: d, at least 1.
        limit: Above 0. None: `2**-8`, more than the effect of rounding to float16, or
            `2**-5` where scores come in bfloat16.

    Returns:
        A `Finding`. One query and one key, drawn with a fixed seed, are put at all
        positions. `measured` is the largest finite score of a row less the smallest, for
        the row where that is most, over the largest finite score, by size; 0 where all
        are 0. `where` is (p, q, q'), the row, and the keys with the smallest and the
        largest score. The law holds where `measured` is above `limit`. A mask alone does
        not count, since entries of -inf are ignored. Nor does a constant of a whole
        row, since it doesn't change the softmax.

    Raises:
        TypeError: As in `equal_offsets`.
        ValueError: As in `equal_offsets`.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import apply_rotary, laws
        >>> def rotary(x, p, y, q):
        ...     return apply_rotary(x, p) @ apply_rotary(y, q).T
        >>> laws.sees_position(rotary).holds
        True
        >>> laws.sees_position(lambda x, p, y, q: x @ y.T + p[:, None]).holds
        False
    """
    seq_len, head_dim = _arguments(score, seq_len, head_dim, limit)
    scores, factor = _one_pair(score, seq_len, head_dim)
    limit = 4 * HALF * factor if limit is None else float(limit)
    seen = np.isfinite(scores)
    low, high = np.where(seen, scores, np.inf), np.where(seen, scores, -np.inf)
    spread = np.where(seen.any(axis=1), high.max(axis=1) - low.min(axis=1), 0.0)
    p = int(spread.argmax())
    measured = ratio(float(spread[p]), _largest(scores))
    where = (p, int(low[p].argmin()), int(high[p].argmax()))
    return Finding("sees_position", measured > limit, measured, limit, where)


def cached_equals_full(
    score: Score,
    seq_len: int = 512,
    *,
    head_dim: int = 64,
    limit: float | None = None,
    samples: int | None = None,
) -> Finding:
    """Test whether decoding token by token gives the scores of the whole sequence.

    Args:
        score: The function to judge, as in `equal_offsets`. It is called 2L + 1 times,
            or 2·samples + 1 times: with all queries and all keys, then with each single
            key, then with each single query.
        seq_len: L, at least 16. Positions are 0 to L - 1. If a function treats long
            sequences differently, L must be longer than its limit.
        head_dim: d, at least 1.
        limit: Above 0. None: `2**-10`, which allows for rounding both scores to float16,
            or `2**-7` where scores come in bfloat16.
        samples: At least 4: how many single positions are tested, the first and the
            last among them, the others drawn with a fixed seed. None: all.

    Returns:
        A `Finding`. L queries and L keys are drawn with a fixed seed. Each key q is
        scored with the queries at q and later, as a cached key; each query p with the
        keys up to p, as the latest token. `measured` is the largest
        difference between such a score and that of the whole sequence, over the largest
        finite score of those pairs, by size; inf where only one of the two is -inf.
        `where` is (p, q). The law holds where `measured` is at most `limit`.

    Raises:
        TypeError: As in `equal_offsets`.
        ValueError: As in `equal_offsets`.

    Source:
        Definition of this book. Keys after the query, q > p, are ignored.

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
    seq_len, head_dim = _arguments(score, seq_len, head_dim, limit)
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, seq_len, head_dim))
    p = np.arange(seq_len)
    looked_at = p
    if samples is not None:
        number = min(checks.integer("samples", samples, least=4), seq_len)
        between = rng.choice(p[1:-1], size=number - 2, replace=False)
        looked_at = np.sort(np.concatenate([[0, seq_len - 1], between]))
    scores, factor = _ask(score, x, p, y, p)
    limit = HALF * factor if limit is None else float(limit)
    full = np.tril(scores)
    by_key, by_query = full.copy(), full.copy()
    for j in looked_at:
        only = slice(j, j + 1)
        by_key[j:, only] = _ask(score, x[j:], p[j:], y[only], p[only])[0]
        by_query[only, : j + 1] = _ask(score, x[only], p[only], y[: j + 1], p[: j + 1])[0]
    differences = np.maximum(_apart(by_key, full), _apart(by_query, full))
    row, column = divmod(int(differences.argmax()), seq_len)
    measured = ratio(float(differences[row, column]), _largest(full))
    return Finding("cached_equals_full", measured <= limit, measured, limit, (row, column))


def _arguments(score: object, seq_len: object, head_dim: object, limit: object) -> tuple[int, int]:
    """Return the checked arguments of a law of scores."""
    checks.function("score", score)
    length = checks.integer("seq_len", seq_len, least=LEAST)
    channels = checks.integer("head_dim", head_dim, least=1)
    if limit is not None:
        checks.above_zero("limit", limit)
    return length, channels


def _one_pair(score: Score, seq_len: int, head_dim: int) -> tuple[Table, int]:
    """Return the scores of one query and one key at all positions, and a factor for rounding."""
    query, key = np.random.default_rng(0).normal(size=(2, 1, head_dim))
    positions = np.arange(seq_len)
    x, y = np.repeat(query, seq_len, axis=0), np.repeat(key, seq_len, axis=0)
    return _ask(score, x, positions, y, positions)


def _ask(score: Score, x: Table, p: Positions, y: Table, q: Positions) -> tuple[Table, int]:
    """Return the scores that a function returns, if they have the right shape.

    With them comes how many times coarser than float16 they are. The function gets copies, since it
    may work in place.
    """
    scores: Any = score(x.copy(), p.copy(), y.copy(), q.copy())
    factor = 1
    if str(getattr(scores, "dtype", "")) == "bfloat16":  # which NumPy does not know for a float
        scores, factor = np.asarray(scores).astype(np.float32), BFLOAT16
    name = f"score of {len(x)} queries and {len(y)} keys"
    table = checks.logits(name, scores)
    if table.shape != (len(x), len(y)):
        raise ValueError(f"{name} must have shape ({len(x)}, {len(y)}), got shape {table.shape}")
    refuse_dropout(name, table, lambda: np.asarray(score(x.copy(), p, y.copy(), q)))
    return table, factor


def _apart(some: Table, others: Table) -> Table:
    """Return the differences of scores; two of -inf are equal."""
    differ = some != others
    return abs(np.subtract(some, others, out=np.zeros_like(some), where=differ))


def _largest(scores: Table) -> float:
    """Return the size of the largest finite score."""
    return float(abs(scores[np.isfinite(scores)]).max(initial=0))
