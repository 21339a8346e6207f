"""Call a rotation as models do: with one token, a few tokens, batches and heads.

The probe has seen all positions in one call. Code that caches tables, or that treats heads and
sequences apart, may be wrong only in calls of another shape.

Letters in this module
    B  sequences    L  positions       M  a matrix for each position
    H  heads        d  head_dim
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core.rounding import round_to
from posenc.judging import precision
from posenc.judging.comparison import Comparison
from posenc.judging.differences import Block, compare_blocks
from posenc.judging.rotations.calls import AXES, PLAIN, SIZES, Axes, Caller

Values = NDArray[np.float64]
Positions = NDArray[np.int64]
Expect = Callable[[Positions], tuple[Values, Values]]  # M and its limits, (..., d, d) each


@dataclass(frozen=True)
class Call:
    """A call with random vectors (B, H, L, d) at positions (B, L), compared at some tokens."""

    words: str
    axes: Axes
    heads: int
    positions: Positions
    tokens: Positions


def compare_calls(
    given: Caller, reference: Caller | None, expect: Expect, rows: Positions, last: bool
) -> Comparison | None:
    """Return the comparison of the first call that differs, or None if none does.

    `rows` are positions that `expect` knows. With `last`, each call has the last of them: what is
    expected depends on how many positions there are.
    """
    rng = np.random.default_rng(0)
    for call in _list_calls(given, rows, last):
        b, length = call.positions.shape
        x = rng.uniform(-1, 1, (b, call.heads, length, given.head_dim))
        x = round_to(x, given.dtype)
        comparison = _compare_call(given, reference, expect, call, x)
        if not comparison.equal:
            return comparison
    return None


def _list_calls(caller: Caller, rows: Positions, last: bool) -> Iterator[Call]:
    """Yield the calls that a function is asked to answer."""
    axes, end = caller.axes, int(rows[-1])
    whole = _make_call(f"with {end + 1} tokens", axes, np.arange(end + 1), rows)
    yield replace(whole, tokens=rows)
    if caller.takes_positions:
        for p in (end,) if last else (end, 1, int(rows[len(rows) // 2]), 0):
            yield _make_call(f"with one token, at position {p}", axes, np.array([p]), rows)
        few = [end - 2, end - 1, end] if last else [1, 2, 3]
        for three in (few, [end, 0, 2]) if end > 2 else ():
            words = f"with 3 tokens, at positions {', '.join(map(str, three))}"
            yield _make_call(words, axes, np.array(three), rows)
    elif not last:
        for count in (1, 3):
            tokens = np.arange(min(count, end + 1))
            yield _make_call(f"with {_count_tokens(len(tokens))}", axes, tokens, rows)
    if caller.takes_positions:  # otherwise nothing shows which axis the function takes for them
        yield from _list_calls_with_heads(caller, rows)


def _list_calls_with_heads(caller: Caller, rows: Positions) -> Iterator[Call]:
    """Yield calls with further axes, those that the function takes."""
    for axes in AXES[1:]:
        if axes == caller.axes or not caller.accepts(axes):
            continue
        for _, _, length in SIZES:
            positions = rows[np.linspace(len(rows) - 1, 0, length).astype(np.int64)]
            yield _make_call(f"with {_count_tokens(len(positions))}", axes, positions, rows)


def _make_call(words: str, axes: Axes, positions: Positions, rows: Positions) -> Call:
    """Return a call at these positions of the first sequence, and at others of the next."""
    length = len(positions)
    tokens = np.arange(length)
    if axes == PLAIN:
        return Call(words, axes, 1, positions[np.newaxis], tokens)
    b, h, _ = next((size for size in SIZES if size[2] == length), SIZES[0])
    b = b if len(axes.order) == 4 else 1
    places = np.tile(positions, (b, 1))
    if axes.rows and length <= len(rows):  # positions of its own for each sequence
        shift = 2 * np.arange(b)[:, np.newaxis]
        places = rows[(np.searchsorted(rows, positions) + shift) % len(rows)]
    sizes = ", ".join(map(str, axes.arrange(np.empty((b, h, length, 1))).shape[:-1]))
    return Call(f"{words}, x of shape ({sizes}, d) as {axes.words}", axes, h, places, tokens)


def _count_tokens(count: int) -> str:
    return "one token" if count == 1 else f"{count} tokens"


def _compare_call(
    given: Caller, reference: Caller | None, expect: Expect, call: Call, x: Values
) -> Comparison:
    """Compare what a call returns with what is expected there."""
    found = given.call_heads(x, call.positions, call.axes)[:, :, call.tokens]
    wanted = _call_reference(reference, call, x) if reference is not None else None
    x, positions = x[:, :, call.tokens], call.positions[:, call.tokens]
    matrices, limit = expect(positions)
    if wanted is None:
        wanted = _rotate(matrices, x)
    dtype = precision.choose_coarser(given.dtype, given.returned)
    bound = precision.bound_vector_error(x, matrices[:, np.newaxis], limit[:, np.newaxis], dtype)
    if call.axes == PLAIN:
        block = Block(found[0, 0], wanted[0, 0], bound[0, 0], positions[0])
    else:
        block = Block(found, wanted, bound, np.arange(len(found)))
    comparison = replace(compare_blocks([block], dtype), call=call.words)
    if comparison.equal:
        return comparison
    wrong = np.asarray((abs(found - wanted) > bound).any(axis=(2, 3)))
    explanation = _explain_call(found, x, positions, expect, dtype, wrong)
    return replace(comparison, explanation=explanation)


def _call_reference(reference: Caller, call: Call, x: Values) -> Values:
    """Return vectors (B, H, tokens, d) as a reference function rotates them."""
    if call.axes == reference.axes or reference.accepts(call.axes):
        result = reference.call_heads(x, call.positions, call.axes)
    else:
        rows = zip(x, call.positions, strict=True)
        result = np.array([[reference.call(head, p) for head in heads] for heads, p in rows])
    return result[:, :, call.tokens]


def _rotate(matrices: Values, x: Values) -> Values:
    """Return vectors (B, H, L, d) multiplied by matrices (B, L, d, d)."""
    return np.asarray(np.einsum("blij,bhlj->bhli", matrices, x))


def _explain_call(
    found: Values,
    x: Values,
    positions: Positions,
    expect: Expect,
    dtype: str,
    wrong: NDArray[np.bool_],
) -> str | None:
    """Return what explains the wrong vectors of a call, in words, or None."""
    heads, sequences = (
        _name_some("head", wrong.any(axis=0)),
        _name_some("sequence", wrong.any(axis=1)),
    )
    where = f" in {heads}" if heads else ""
    if np.array_equal(found[wrong], x[wrong]):
        return f"nothing is rotated{where}"
    for cause, vectors, places in _list_causes(x, positions, dtype):
        try:
            matrices, limit = expect(places)
        except KeyError:  # positions at which a function was not measured
            continue
        limit = precision.bound_vector_error(
            vectors, matrices[:, np.newaxis], limit[:, np.newaxis], dtype
        )
        if (abs(found - _rotate(matrices, vectors)) <= limit)[wrong].all():
            return cause + where
    return f"only in {heads or sequences}" if heads or sequences else None


def _list_causes(
    x: Values, positions: Positions, dtype: str
) -> Iterator[tuple[str, Values, Positions]]:
    """Yield causes in words, with the vectors and the positions that would be rotated."""
    counted = np.tile(np.arange(positions.shape[1]), (len(positions), 1))
    yield "every token gets position 0", x, np.zeros_like(positions)
    yield "positions aren't used, tokens are counted from 0 in each call", x, counted
    yield "positions are counted on from that of the first token", x, positions[:, :1] + counted
    yield "positions are those of the first sequence", x, np.tile(positions[:1], (len(x), 1))
    for narrow in ("float32", "float16", "bfloat16"):
        if precision.UNITS[narrow] > precision.UNITS[dtype]:
            yield f"vectors are rounded to {narrow}", round_to(x, narrow), positions


def _name_some(name: str, wrong: Any) -> str:
    """Return which of several heads or sequences are wrong, or "" for all of them."""
    some = np.flatnonzero(wrong)
    return (
        ""
        if len(some) == len(wrong)
        else f"{name}{'s' * (len(some) > 1)} {', '.join(map(str, some))}"
    )
