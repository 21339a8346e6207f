"""Turns: which rotation a function makes of queries and keys.

A rotation is linear, so the unit vectors show all of it: as many calls as channels, each
with one vector at all positions, give the matrix of every position.

Letters in this module
    L  positions      d  channels of a head (head_dim)    r  channels that turn
    M  a matrix for each position that is looked at, (rows, d, d)
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core.layouts import LAYOUTS, convert_layout, pair_channels
from posenc.judging import arrays, precision, rotation_mistakes, tables, waves
from posenc.judging.identity import Identity, conventions
from posenc.laws.dropout import refuse_dropout

Values = NDArray[np.float64]
Turn = Callable[..., Any]


@dataclass(frozen=True)
class Probe:
    """What a function made of the unit vectors."""

    matrices: Values  # M
    rows: NDArray[np.int64]
    dtype: str
    numbers: str
    adds: bool  # whether it moves the zero vector
    follows: bool  # whether it looks at the positions that it is given
    keeps: bool = False  # whether it looks at those that it was given in an earlier call


def probe(
    name: str,
    turn: Turn,
    seq_len: int,
    head_dim: int,
    dtype: str,
    told: bool,
    *,
    backwards: bool = False,
) -> Probe:
    """Return what a function `turn(x, positions)`, or `turn(x)` if not `told`, does.

    With `backwards` the first vector has the last position.
    """
    near = 2 ** np.arange(max(1, seq_len.bit_length()))
    rows = np.unique(np.concatenate([near - 1, near, near + 1, np.linspace(0, seq_len - 1, 24)]))
    rows = rows[rows < seq_len].astype(np.int64)
    rows = np.union1d(np.arange(min(4, seq_len)), rows)
    matrices = np.empty((len(rows), head_dim, head_dim))
    came = dtype

    def turned(x: Values, positions: NDArray[np.int64]) -> arrays.Given:
        handed = x.astype(dtype)
        given = turn(handed, positions.copy()) if told else turn(handed)
        result = arrays.take(f"what {name} returns", given).bare()
        if result.shape != x.shape:
            raise ValueError(
                f"{name} must return the shape {x.shape} of its x, got shape {result.shape}"
            )
        return result.finite()

    positions = np.arange(seq_len)[:: -1 if backwards else 1]
    for channel in range(head_dim):
        unit = np.zeros((seq_len, head_dim))
        unit[:, channel] = 1
        result = turned(unit, positions)
        matrices[:, :, channel], came = result.rows(rows), result.dtype
    adds = bool(turned(np.zeros((seq_len, head_dim)), positions).all().any())
    ones = np.ones((seq_len, head_dim))
    forwards = turned(ones, positions).all()
    refuse_dropout(name, forwards, lambda: turned(ones, positions).all())
    follows = not told or not np.array_equal(forwards, turned(ones, positions[::-1]).all())
    keeps = False
    if not follows and seq_len > 2:  # a length that is new to it, then, and other positions
        other = turned(ones[1:], positions[1:]).all()
        keeps = not np.array_equal(other, forwards[:-1])
    numbers = precision.narrowest(matrices, came)
    return Probe(matrices, rows, came, numbers, adds, follows, keeps)


def exact(matrices: Values, rows: NDArray[np.int64]) -> Probe:
    """Return a probe of a rotation whose matrices are known."""
    return Probe(matrices, rows, "float64", "float64", adds=False, follows=True)


def identify_turn(seen: Probe) -> Identity:
    """Return what rotation was seen."""
    about = {"dtype": seen.dtype, "numbers": seen.numbers, "rows": len(seen.rows)}
    unknown = Identity("unknown", **about)  # type: ignore[arg-type]
    if seen.adds:
        return replace(unknown, cause="vectors have something added to them and are not turned")
    if np.array_equal(seen.matrices, np.broadcast_to(seen.matrices[0], seen.matrices.shape)):
        return replace(unknown, cause="every position gives the same; nothing is turned")
    if not seen.follows:
        said = "the positions that are handed in are not used; rows are counted from 0 in each call"
        if seen.keeps:
            said = "positions are not those that are handed in: some of an earlier call were kept"
        return replace(unknown, cause=said)
    best: Identity | None = None
    for writes_half in (False, True):
        matrices = seen.matrices
        if writes_half:  # outputs back to where the inputs stood
            if matrices.shape[1] % 2:
                break
            channels = np.arange(matrices.shape[1])
            order = convert_layout(channels, source="half", target="interleaved")
            matrices = matrices[:, order]
        found = _of_matrices(matrices, seen, about)
        if found is not None and found.kind != "unknown":
            if writes_half:
                note = "Pairs are read side by side and written half by half."
                found = replace(found, notes=(*found.notes, note))
            return found
        best = best or found
    cause = rotation_mistakes.of_matrices(seen.matrices, seen.rows, seen.numbers)
    return replace(best or unknown, cause=cause or _clamped(seen))


def _clamped(seen: Probe) -> str | None:
    """Return that positions stop growing, in words, if the last ones are turned alike."""
    same = (seen.matrices == seen.matrices[-1]).all(axis=(1, 2))
    last = len(same) - int(np.argmin(same[::-1]))
    if same.all() or not 2 < last < len(same) - 1:
        return None
    head = replace(seen, matrices=seen.matrices[: last + 1], rows=seen.rows[: last + 1])
    # Rows between those that are looked at may be the first that is too large.
    for row in range(int(seen.rows[last - 1]) + 1, int(seen.rows[last]) + 1):
        rows = np.append(seen.rows[:last], row)
        if identify_turn(replace(head, rows=rows)).kind == "rotary":
            return f"all vectors from {row} on are turned alike: positions are clamped to {row}"
    return None


def _of_matrices(matrices: Values, seen: Probe, about: dict[str, Any]) -> Identity | None:
    """Return what matrices with pairs of channels in place are, or None if there are none."""
    d = matrices.shape[1]
    off = abs(matrices - np.eye(d)).max(axis=0)
    passed = int(np.flatnonzero(off.any(axis=0) | off.any(axis=1))[0])
    for layout, r in _shapes(off[passed:, passed:], d - passed):
        a, b = (np.arange(passed, d)[part] for part in pair_channels(r, layout))
        cos, sin = matrices[:, a, a], matrices[:, b, a]
        whole = np.zeros_like(matrices) + np.eye(d)
        whole[:, a, a], whole[:, b, b] = cos, cos
        whole[:, b, a], whole[:, a, b] = sin, -sin
        if abs(matrices - whole).max() > 2 * precision.UNITS[seen.numbers] * abs(whole).max():
            continue
        exponents = {"paper": r / 2, **({"head_dim": d / 2} if r < d else {})}
        fit = waves.fit(cos + 1j * sin, seen.rows, seen.numbers, exponents)
        if fit is None:
            continue
        found = tables.named(fit, layout, (), about)
        found = replace(found, kind="rotary", rotary_dim=r, passed=passed)
        return verdict(fit, found, about)
    return None


def verdict(fit: waves.Fit, found: Identity, about: dict[str, Any]) -> Identity:
    """Return what was found of cosines and sines that turn, if it holds."""
    if found.first == "sin":
        found = replace(found, notes=("Sines stand in the place of cosines.", *found.notes))
    if fit.step == 2:
        found = replace(found, notes=("Vectors that are turned twice turn so.", *found.notes))
    still = int(np.count_nonzero(np.asarray(found.inv_freq or ()) == 0))
    if still:
        n = len(fit.frequencies)
        found = replace(found, notes=(f"No more than {n - still} of {n} pairs turn.", *found.notes))
    if fit.holds:
        return found
    words = ", ".join(conventions(found).values())
    return Identity("unknown", **about, nearest=f"a rotary embedding, {words}")


def _shapes(off: Values, d: int) -> list[tuple[str, int]]:
    """Return layouts with the number of channels that turn, as far as the first pair tells."""
    moved = np.flatnonzero(off.any(axis=0) | off.any(axis=1))
    partner = int(off[0, 1:].argmax()) + 1 if d > 1 else 0
    found = []
    last = int(moved[-1]) + 1
    if partner == 1:
        found.append((LAYOUTS[0], last + last % 2))
    if last <= 2 * partner <= d and partner > 1:
        found.append((LAYOUTS[1], 2 * partner))
    return [(layout, r) for layout, r in found if 2 <= r <= d]
