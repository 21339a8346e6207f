"""Identify which rotation a function makes of queries and keys.

Letters in this module
    d  channels of a head (head_dim)    r  channels that rotate
    M  a matrix for each position that is looked at, (rows, d, d)
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core.layouts import LAYOUTS, convert_layout, pair_channels
from posenc.judging import precision, waves
from posenc.judging.frequencies.identify import find_scaling
from posenc.judging.identity import Identity, describe_conventions
from posenc.judging.rotations import mistakes
from posenc.judging.rotations.probe import Probe
from posenc.judging.tables.identify import name_conventions

Values = NDArray[np.float64]


def identify_rotation(probe: Probe) -> Identity:
    """Return which rotation a probe has measured."""
    about = {"dtype": probe.dtype, "numbers": probe.numbers, "rows": len(probe.rows)}
    unknown = Identity("unknown", **about)  # type: ignore[arg-type]
    cause = _explain_behaviour(probe)
    if cause is not None:
        return replace(unknown, cause=cause)
    found = _identify_matrices(probe.matrices, probe, about)
    if found is not None and found.kind != "unknown":
        return found
    reordered = _identify_reordered(probe, about)
    if reordered is not None and reordered.kind != "unknown":
        return reordered
    cause = mistakes.find_mistake(probe) or _explain_clamping(probe)
    return replace(found or reordered or unknown, cause=cause)


def _explain_behaviour(probe: Probe) -> str | None:
    """Return why a function is not a rotation by its positions, in words, or None."""
    if probe.adds:
        return "something is added to the vectors, and they are not rotated"
    if np.array_equal(probe.matrices, np.broadcast_to(probe.matrices[0], probe.matrices.shape)):
        return "the result is the same at every position: nothing is rotated"
    if probe.follows:
        return None
    if probe.remembers:
        return "positions of an earlier call are used instead of the positions argument"
    return "the positions argument is ignored; rows are counted from 0 in each call"


def _identify_reordered(probe: Probe, about: dict[str, Any]) -> Identity | None:
    """Return which rotation reads pairs in one layout and writes them in the other, or None."""
    d = probe.matrices.shape[1]
    if d % 2:
        return None
    nearest = None
    for order, note in (
        (
            convert_layout(np.arange(d), source="half", target="interleaved"),
            "Pairs are read as neighbouring channels and written as halves.",
        ),
        (
            convert_layout(np.arange(d), source="interleaved", target="half"),
            "Pairs are read as halves and written as neighbouring channels.",
        ),
    ):
        found = _identify_matrices(probe.matrices[:, order], probe, about)
        if found is not None and found.kind != "unknown":
            return replace(found, notes=(*found.notes, note))
        nearest = nearest or found
    return nearest


def _explain_clamping(probe: Probe) -> str | None:
    """Return where positions are clamped, in words, or None."""
    same = (probe.matrices == probe.matrices[-1]).all(axis=(1, 2))
    last = len(same) - int(np.argmin(same[::-1]))
    if same.all() or not 2 < last < len(same) - 1:
        return None
    head = replace(probe, matrices=probe.matrices[: last + 1], rows=probe.rows[: last + 1])
    # Rows between those that are looked at may be the first that is too large.
    for row in range(int(probe.rows[last - 1]) + 1, int(probe.rows[last]) + 1):
        rows = np.append(probe.rows[:last], row)
        if identify_rotation(replace(head, rows=rows)).kind == "rotary":
            return f"all vectors from {row} on have the same angles: positions are clamped to {row}"
    return None


def _identify_matrices(matrices: Values, probe: Probe, about: dict[str, Any]) -> Identity | None:
    """Return which rotation of pairs of channels the matrices are, or None."""
    d = matrices.shape[1]
    off = abs(matrices - np.eye(d)).max(axis=0)
    passed = int(np.flatnonzero(off.any(axis=0) | off.any(axis=1))[0])
    for layout, r in _list_layouts(off[passed:, passed:], d - passed):
        a, b = (np.arange(passed, d)[part] for part in pair_channels(r, layout))
        cos, sin = matrices[:, a, a], matrices[:, b, a]
        whole = np.zeros_like(matrices) + np.eye(d)
        whole[:, a, a], whole[:, b, b] = cos, cos
        whole[:, b, a], whole[:, a, b] = sin, -sin
        if abs(matrices - whole).max() > 2 * precision.UNITS[probe.numbers] * abs(whole).max():
            continue
        exponents = {"paper": r / 2, **({"head_dim": d / 2} if r < d else {})}
        fit = waves.fit_waves(cos + 1j * sin, probe.rows, probe.numbers, exponents)
        if fit is None:
            continue
        found = name_conventions(fit, layout, (), about)
        found = replace(found, kind="rotary", rotary_dim=r, passed=passed)
        if fit.holds and fit.base is None and len(fit.frequencies) > 2:
            found = name_scaling(fit, cos + 1j * sin, probe.rows, found)
        return make_identity(fit, found, about)
    return None


def name_scaling(
    fit: waves.Fit, z: NDArray[np.complex128], rows: NDArray[np.int64], found: Identity
) -> Identity:
    """Return an identity with the scaling rule of a published model, if one explains all waves."""

    def explains(frequencies: Values) -> bool:
        if (abs(frequencies - fit.frequencies) > 1e-2).any():
            return False
        guess = replace(fit, frequencies=frequencies, spread=None)
        return waves.check_fit(guess, z, rows, found.numbers).holds

    scaled = find_scaling(fit.frequencies, len(fit.frequencies), explains)
    if scaled is None:
        return found
    return replace(
        found,
        base=scaled.base,
        exponent="paper",
        scaling=scaled.rule,
        inv_freq=tuple(scaled.frequencies.tolist()),
    )


def make_identity(fit: waves.Fit, found: Identity, about: dict[str, Any]) -> Identity:
    """Return the identity of a rotation with fitted waves, unknown if the fit does not hold."""
    if found.first == "sin":
        found = replace(found, notes=("Sine and cosine are exchanged.", *found.notes))
    if fit.step == 2:
        found = replace(found, notes=("The same as rotating twice.", *found.notes))
    still = int(np.count_nonzero(np.asarray(found.inv_freq or ()) == 0))
    if still:
        n = len(fit.frequencies)
        found = replace(found, notes=(f"Only {n - still} of {n} pairs rotate.", *found.notes))
    if fit.holds:
        return found
    words = ", ".join(describe_conventions(found).values())
    return Identity("unknown", **about, nearest=f"a rotary embedding, {words}")


def get_frequencies(found: Identity, head_dim: int) -> Values:
    """Return the frequency of each pair of a rotation, as found."""
    if found.inv_freq is not None:
        return np.asarray(found.inv_freq) * found.step
    assert found.rotary_dim is not None
    if found.base is None:
        return np.ones(found.rotary_dim // 2) * found.step
    index = np.arange(found.rotary_dim // 2)
    steps = head_dim / 2 if found.exponent == "head_dim" else len(index)
    return np.asarray(found.step * found.base ** (-index / steps))


def _list_layouts(off: Values, d: int) -> list[tuple[str, int]]:
    """Return possible layouts with the number of channels that rotate, by the first pair."""
    moved = np.flatnonzero(off.any(axis=0) | off.any(axis=1))
    partner = int(off[0, 1:].argmax()) + 1 if d > 1 else 0
    found = []
    last = int(moved[-1]) + 1
    if partner == 1:
        found.append((LAYOUTS[0], last + last % 2))
    if last <= 2 * partner <= d and partner > 1:
        found.append((LAYOUTS[1], 2 * partner))
    return [(layout, r) for layout, r in found if 2 <= r <= d]
