"""Compare: a table, a rotation or a bias against the one that was meant."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.biases.alibi import alibi_slopes, offsets
from posenc.biases.t5 import relative_position_bucket
from posenc.core import checks
from posenc.core.memory import check_memory
from posenc.judging import (
    alibi,
    arrays,
    biases,
    explanations,
    grids,
    identifying,
    precision,
    references,
    rotations,
)
from posenc.judging.comparison import Comparison
from posenc.judging.identity import Identity

Values = NDArray[np.float64]

# Rows of a table that are compared at a time.
ROWS = 2**18

# A bias or a grid of at most so many numbers is looked at whole, to explain a difference.
MOVED = 2**22


@dataclass(frozen=True)
class Block:
    """Entries that are compared: numbers, those of the reference, limits, where they begin."""

    given: Values
    wanted: Values
    limit: Values
    begin: NDArray[np.int64]  # index on the first axis of each row of the block


@np.errstate(over="ignore", under="ignore", invalid="ignore")  # then nothing agrees
def compare(
    thing: Any,  # whatever library its arrays are of
    reference: Any,
    *,
    kind: identifying.Kind | None = None,
    seq_len: int = identifying.SEQ_LEN,
    head_dim: int = identifying.HEAD_DIM,
    dtype: str = "float32",
    ignore_row_constants: bool = False,
) -> Comparison:
    """Return whether a table, a rotation or a bias is the one that was meant.

    Args:
        thing: An array or a function, as in `identify`: a table (L, d) or
            `encode(seq_len)`, a rotation `turn(x, positions)`, a bias (H, L_q, L_k) or
            `bias(seq_len)`. Its last queries are those of the last keys.
        reference: What it should be. A name: the tables `"sinusoidal"`,
            `"tensor2tensor"`, `"fairseq"`; the rotations `"rotary"`, `"gpt-j"`,
            `"llama"`, `"llama3"`, `"llama3.1"`, `"gpt-neox"`; the biases `"alibi"`,
            `"alibi-symmetric"`, `"t5"`, `"t5-decoder"`, the last two whatever was learned
            in their 32 buckets. Or a config of Hugging Face, as for `rope_parameters`; or
            another array of the same shape; or another function of the same kind.
        kind: As in `identify`; None: what the reference is, if it has a name.
        seq_len: L, at least 2: how many positions functions are asked for.
        head_dim: d, at least 2: how wide the vectors are that a function turns.
        dtype: Of the vectors that a function turns, as in `identify`.
        ignore_row_constants: Whether a bias may have a constant added in each row, which
            softmax does not see.

    Returns:
        A `Comparison`, true where everything agrees. All entries of a table or a bias are
        compared, a table in blocks, so that a large one needs little memory; a rotation at
        some 50 positions. An entry may differ by what follows from its dtype and its
        angle: angles of float32, float16 and bfloat16 may be computed in float32, those
        of float64 may not. Between two arrays that are no sinusoids and no grid of them,
        by three roundings of each. The explanation is what `identify` finds, held against
        the reference.

    Raises:
        TypeError: `thing` or `reference` is none of these.
        ValueError: A name is unknown, two shapes differ, a shape does not fit the
            reference, or another argument is refused as in `identify`.

    Source:
        Definition of this book; limits as in `identify`. `"llama3.1"` is the
        configuration of Llama 3.1 8B with `head_dim` channels.

    Examples:
        >>> import numpy as np
        >>> import posenc
        >>> def turn(x, positions):  # as Meta's code pairs channels
        ...     return posenc.apply_rotary(x, positions, base=500000.0)
        >>> print(posenc.compare(turn, "llama3").explanation)
        interleaved layout in place of half layout
        >>> bool(posenc.compare(turn, lambda x, p: posenc.apply_rotary(x, p, base=5e5)))
        True
    """
    if kind is not None:
        checks.choice("kind", kind, identifying.KINDS)
    seq_len = checks.integer("seq_len", seq_len, least=2)
    head_dim = checks.integer("head_dim", head_dim, least=2)
    check_memory("what a function returns", seq_len, head_dim)
    checks.choice("dtype", dtype, ("float64", "float32", "float16"))
    constants = checks.boolean("ignore_row_constants", ignore_row_constants)
    if isinstance(reference, str | Mapping):
        known = references.named(reference, head_dim)
        if isinstance(known, references.Turn):
            return _turn(thing, known, kind, seq_len, head_dim, dtype)
        wanted_kind = "table" if isinstance(known, references.Table) else "bias"
        _agree(kind, wanted_kind, reference)
        given = _array("thing", thing, seq_len)
        if isinstance(known, references.Table):
            return _table(given.bare(), known)
        return _bias(given, known, constants)
    if callable(reference) and not hasattr(reference, "__array__"):
        if identifying.taken(reference, kind) == "rotary":
            return _turn(thing, reference, kind, seq_len, head_dim, dtype)
        reference = reference(seq_len)
    wanted = arrays.take("reference", reference).bare()
    is_bias = kind == "bias" or (kind is None and len(wanted.shape) == 3)
    given = _array("thing", thing, wanted.shape[-2] if is_bias else wanted.shape[0]).bare()
    if given.shape != wanted.shape:
        raise ValueError(
            f"thing must have the shape of reference, got {given.shape} and {wanted.shape}"
        )
    return _arrays_alike(given, wanted, constants and is_bias)


def _agree(kind: str | None, wanted: str, reference: object) -> None:
    if kind not in (None, wanted):
        raise ValueError(f"kind must be {wanted!r} for reference={reference!r}, got kind={kind!r}")


def _array(name: str, thing: Any, seq_len: int) -> arrays.Given:
    """Return an array, or what a function returns for a number of positions."""
    if callable(thing) and not hasattr(thing, "__array__"):
        if identifying.arguments(thing) > 1:
            raise ValueError(
                f"{name} must be an array, or a function of one argument, where it is held against"
                f" an array, got a function of {identifying.arguments(thing)} arguments"
            )
        return arrays.returned(name, thing, seq_len)
    return arrays.take(name, thing)


def _dtype(given: arrays.Given) -> str:
    return given.dtype if given.dtype in precision.UNITS else "float64"


def _table(given: arrays.Given, known: references.Table) -> Comparison:
    """Compare a table with sinusoids, block by block."""
    if len(given.shape) != 2:
        raise ValueError(f"thing must be a table (L, d), got shape {given.shape}")
    length, d = given.shape
    checks.even("d", d)
    dtype = precision.narrowest(given.rows(arrays.some_rows(length, d)), given.dtype)
    angles = precision.angles_for(dtype)

    def blocks() -> Iterator[Block]:
        step = max(1, ROWS // d)
        for first in range(0, length, step):
            numbers = np.arange(first, min(first + step, length))
            wanted, error = known.rows(numbers, d, angles)
            limit = precision.entry_limit(wanted, error, dtype, angles, known.scale)
            yield Block(given.rows(slice(first, first + step)), wanted, limit, numbers)

    verdict = _held(blocks(), dtype)
    if verdict.equal:
        return verdict
    found = identifying.of_array(given, "table")
    return replace(verdict, explanation=explanations.between(found, known.identity()))


def _turn(
    thing: Any, reference: Any, kind: str | None, seq_len: int, head_dim: int, dtype: str
) -> Comparison:
    """Compare a rotation with a known one, or with another function."""
    _agree(kind, "rotary", reference if isinstance(reference, str) else "a rotation")
    checks.function("thing", thing)
    if isinstance(reference, references.Turn) and 2 * len(reference.inv_freq) > head_dim:
        raise ValueError(
            f"head_dim must be at least {2 * len(reference.inv_freq)}, the channels that the"
            f" reference turns, got head_dim={head_dim}"
        )
    told = identifying.arguments(thing) != 1
    seen = rotations.probe("thing(x, positions)", thing, seq_len, head_dim, dtype, told)
    wanted, limit, target = _wanted_turn(reference, seen, seq_len, head_dim, dtype)
    verdict = _held(iter([Block(seen.matrices, wanted, limit, seen.rows)]), seen.numbers)
    if verdict.equal and (seen.follows or not target.follows):
        return verdict
    if verdict.equal:  # at 0 to L - 1, but it does not look at the positions
        seen = rotations.probe(
            "thing(x, positions)", thing, seq_len, head_dim, dtype, told, backwards=True
        )
        seen = replace(seen, rows=seq_len - 1 - seen.rows)
        wanted, limit, _ = _wanted_turn(reference, seen, seq_len, head_dim, dtype, backwards=True)
        verdict = _held(iter([Block(seen.matrices, wanted, limit, seen.rows)]), seen.numbers)
    said = explanations.between(rotations.identify_turn(seen), rotations.identify_turn(target))
    return replace(verdict, explanation=said)


def _wanted_turn(
    reference: Any,
    seen: rotations.Probe,
    seq_len: int,
    head_dim: int,
    dtype: str,
    *,
    backwards: bool = False,
) -> tuple[Values, Values, rotations.Probe]:
    """Return the matrices of a reference, their limits, and what was seen of it."""
    if isinstance(reference, references.Turn):
        angles = precision.angles_for(seen.numbers)
        wanted, error = reference.matrices(seen.rows, head_dim, angles)
        limit = precision.entry_limit(wanted, error, seen.numbers, angles, reference.factor)
        return wanted, limit, rotations.exact(wanted, seen.rows)
    told = identifying.arguments(reference) != 1
    other = rotations.probe(
        "reference(x, positions)", reference, seq_len, head_dim, dtype, told, backwards=backwards
    )
    # The fastest pair is the least certain, and which pair an entry has is not known here.
    turns = rotations.identify_turn(other).kind == "rotary" or backwards
    rate = np.ones(1) if turns else np.zeros(1)
    limit = np.zeros_like(other.matrices)
    for name in (seen.numbers, other.numbers):
        of = precision.angles_for(name)
        error = precision.angle_error(seen.rows.astype(np.float64), rate, of)
        limit += precision.entry_limit(other.matrices, error[:, :, np.newaxis], name, of, 2.0)
    return other.matrices, limit, other


def _bias(
    given: arrays.Given, known: references.Alibi | references.T5, constants: bool
) -> Comparison:
    """Compare a bias with ALiBi or with T5's buckets."""
    given = identifying.three_axes(given)
    if len(given.shape) != 3 or given.shape[1] > given.shape[2]:
        raise ValueError(
            "thing must be a bias (H, L_q, L_k) with at least as many keys as queries,"
            f" got shape {given.shape}"
        )
    dtype = _dtype(given)
    verdict = _bias_as(given, known, constants, dtype)
    if not verdict.equal:  # float32 numbers in an array of float64 are judged as float32
        shown = given.rows(slice(0, 1))
        narrow = precision.narrowest(shown[shown > biases.HIDDEN], dtype)
        if narrow != dtype and (again := _bias_as(given, known, constants, narrow)).equal:
            return again
    if verdict.equal:
        return verdict
    found = identifying.of_array(given, "bias")
    return replace(verdict, explanation=explanations.of_bias(found, known))


def _bias_as(
    given: arrays.Given, known: references.Alibi | references.T5, constants: bool, dtype: str
) -> Comparison:
    """Compare a bias as one of some dtype, a head at a time."""
    n_heads, n_queries, n_keys = given.shape
    k = offsets(n_queries, n_keys)
    slopes = alibi_slopes(n_heads)

    def blocks() -> Iterator[Block]:
        for h in range(n_heads):
            values = given.rows(np.array([h]))[0]
            if isinstance(known, references.T5):
                wanted = _t5_like(values, k, known.bidirectional)
                limit = np.zeros_like(wanted)
                hidden = np.zeros(k.shape, dtype=bool)
                if not known.bidirectional:
                    hidden = (k > 0) & (values <= biases.HIDDEN)
            else:
                wanted = -slopes[h] * abs(k)
                hidden = (k > 0) & (known.form == "causal")
                limit = alibi.allowed_error(_finite(values), wanted, n_heads, dtype)
            if constants:
                own = abs(_finite(_own(values, k)))  # is rounded, and taken off
                values, wanted = _without_constants(values, k), _without_constants(wanted, k)
                limit = 2 * limit + 3 * precision.UNITS[dtype] * (abs(_finite(values)) + own)
            low = values <= biases.HIDDEN
            wanted = np.where(hidden, np.where(low, values, -np.inf), wanted)
            yield Block(values[np.newaxis], wanted[np.newaxis], limit[np.newaxis], np.array([h]))

    return _held(blocks(), dtype)


def _finite(values: Values) -> Values:
    return np.where(np.isfinite(values), values, 0.0)


def _without_constants(values: Values, k: NDArray[np.int64]) -> Values:
    """Return a bias with what each row has at its own position, k = 0, taken off."""
    return np.asarray(values - _own(values, k))


def _own(values: Values, k: NDArray[np.int64]) -> Values:
    """Return what each row has at its own position, k = 0, as a column."""
    rows, columns = np.nonzero(k == 0)
    return np.asarray(values[rows, columns][:, np.newaxis])


def _t5_like(values: Values, k: NDArray[np.int64], both: bool) -> Values:
    """Return the bias that has, in each bucket, what the given one has there first."""
    buckets = relative_position_bucket(k, bidirectional=both)
    nearest_first = np.argsort(abs(k), axis=None, kind="stable")
    ids, at = np.unique(buckets.ravel()[nearest_first], return_index=True)
    of_each = np.zeros(int(ids.max()) + 1)
    of_each[ids] = values.ravel()[nearest_first[at]]
    return np.asarray(of_each[buckets])


def _arrays_alike(given: arrays.Given, wanted: arrays.Given, constants: bool) -> Comparison:
    """Compare two arrays of one shape."""
    found = target = Identity("unknown")
    if len(wanted.shape) == 2:
        target = identifying.of_array(wanted, None)
    table = references.like(target)
    grid = None
    whole = math.prod(wanted.shape) <= MOVED
    if table is None and len(wanted.shape) == 2 and whole:
        grid = grids.read(wanted.all(), _dtype(wanted))

    def limit(values: Values, numbers: NDArray[np.int64]) -> Values:
        total = np.zeros_like(values)
        for of in (given, wanted):
            dtype = _dtype(of)
            angles = precision.angles_for(dtype)
            if table is not None:
                exact, error = table.rows(numbers, values.shape[1], angles)
                total += precision.entry_limit(exact, error, dtype, angles, table.scale)
                continue
            of_grid = None if grid is None else grid.limit(numbers, values.shape[1], dtype)
            if of_grid is None:
                of_grid = 3 * precision.UNITS[dtype] * abs(_finite(values))
                of_grid += precision.TINY[dtype]
            total += of_grid
        return total

    def blocks() -> Iterator[Block]:
        step = max(1, ROWS // max(1, int(np.prod(wanted.shape[1:]))))
        for first in range(0, wanted.shape[0], step):
            ours, theirs = (of.rows(slice(first, first + step)) for of in (given, wanted))
            numbers = np.arange(first, first + len(theirs))
            allowed = limit(theirs, numbers)
            if constants:
                k = offsets(*wanted.shape[-2:])
                ours, theirs = (
                    np.array([_without_constants(head, k) for head in of]) for of in (ours, theirs)
                )
                allowed = 3 * np.array([head + _own(head, k) for head in allowed])
            yield Block(ours, theirs, allowed, numbers)

    verdict = _held(blocks(), given.dtype)
    if verdict.equal:
        return verdict
    if len(given.shape) == 2:
        found = identifying.of_array(given, None)
        if found.kind == target.kind == "sinusoidal":
            return replace(verdict, explanation=explanations.between(found, target))
        both = given.all(), wanted.all(), _dtype(given), _dtype(wanted)
        said = explanations.moved(*both) or (grids.between(*both) if whole else None)
        return replace(verdict, explanation=said or found.cause)
    if len(given.shape) == 3 and whole:
        said = explanations.moved_bias(given.all(), wanted.all(), _dtype(given), _dtype(wanted))
        return replace(verdict, explanation=said)
    return verdict


def _held(blocks: Iterator[Block], dtype: str) -> Comparison:
    """Return the verdict on all entries."""
    first: tuple[tuple[int, ...], float, float] | None = None
    most, at, allowed, compared = -1.0, None, 0.0, 0
    for block in blocks:
        compared += block.given.size
        with np.errstate(invalid="ignore"):
            apart = np.where(block.given == block.wanted, 0.0, abs(block.given - block.wanted))
        apart = np.where(np.isnan(apart), np.inf, apart)
        beyond = apart > block.limit
        if first is None and beyond.any():
            index = tuple(int(number) for number in np.argwhere(beyond)[0])
            place = (int(block.begin[index[0]]), *index[1:])
            first = place, float(block.given[index]), float(block.wanted[index])
            most = -1.0
        weighed = np.where(beyond, apart, -1.0) if first is not None else apart
        worst = np.unravel_index(int(weighed.argmax()), apart.shape) if apart.size else None
        if worst is not None and float(weighed[worst]) > most:
            most, allowed = float(weighed[worst]), float(block.limit[worst])
            at = (int(block.begin[worst[0]]), *(int(number) for number in worst[1:]))
    if first is None:
        return Comparison(True, None, None, None, max(most, 0.0), at, allowed, dtype, compared)
    return Comparison(False, first[0], first[1], first[2], most, at, allowed, dtype, compared)
