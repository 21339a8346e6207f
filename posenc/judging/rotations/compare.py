"""Compare a rotation with a known one, or with another function."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.judging import precision
from posenc.judging.comparison import Comparison
from posenc.judging.differences import Block, compare_blocks
from posenc.judging.kinds import Setup
from posenc.judging.references import Rotation
from posenc.judging.rotations.calls import Caller
from posenc.judging.rotations.causes import explain_rotation
from posenc.judging.rotations.identify import identify_rotation
from posenc.judging.rotations.model_calls import Expect, compare_calls
from posenc.judging.rotations.probe import Probe, make_exact_probe, probe_rotation

Values = NDArray[np.float64]


def compare_rotation(function: Any, reference: Any, setup: Setup) -> Comparison:
    """Compare a function with a rotation, or with another function that rotates."""
    checks.function("thing", function)
    if isinstance(reference, Rotation) and 2 * len(reference.inv_freq) > setup.head_dim:
        raise ValueError(
            f"head_dim must be at least {2 * len(reference.inv_freq)}, the channels that the"
            f" reference turns, got head_dim={setup.head_dim}"
        )
    comparison = _compare_once(function, reference, setup)
    if comparison.equal or not (isinstance(reference, Rotation) and reference.either_order):
        return comparison
    halves = _compare_once(function, reference.write_halves(), setup)
    return halves if halves.equal else comparison


def _compare_once(function: Any, reference: Any, setup: Setup) -> Comparison:
    caller = Caller("thing(x, positions)", function, setup)
    other = None
    if not isinstance(reference, Rotation):
        other = Caller("reference(x, positions)", reference, setup)
    given = probe_rotation(caller, setup)
    dtype = precision.choose_coarser(setup.dtype, given.dtype)
    wanted, limit = _expect(given, reference, other, setup, dtype)
    comparison = _compare_probe(given, wanted, limit, dtype)
    if comparison.equal and given.follows:
        grows = isinstance(reference, Rotation) and reference.grows
        expect = _list_expected(reference, wanted, limit, setup, dtype)
        different = compare_calls(caller, other, expect, given.rows, grows)
        return comparison if different is None else different
    if comparison.equal and not wanted.follows:
        return comparison
    if comparison.equal:  # right at positions 0 to L - 1, but it ignores the positions of the call
        given = probe_rotation(caller, setup, backwards=True)
        given = replace(given, rows=setup.seq_len - 1 - given.rows)
        backwards, limit = _expect(given, reference, other, setup, dtype, backwards=True)
        comparison = _compare_probe(given, backwards, limit, dtype)
    explanation = explain_rotation(given, wanted, reference, dtype)
    return replace(comparison, explanation=explanation)


def _compare_probe(given: Probe, wanted: Probe, limit: Values, dtype: str) -> Comparison:
    """Return the comparison of the matrices of two probes."""
    return compare_blocks([Block(given.matrices, wanted.matrices, limit, given.rows)], dtype)


def _list_expected(
    reference: Any, wanted: Probe, limit: Values, setup: Setup, dtype: str
) -> Expect:
    """Return a function of positions, any for a known rotation, those of the probe otherwise."""

    def expect(positions: NDArray[np.int64]) -> tuple[Values, Values]:
        each, inverse = np.unique(positions, return_inverse=True)
        if isinstance(reference, Rotation):
            matrices, bound = _expect_rotation(each, reference, setup, dtype)
        else:
            index = np.searchsorted(wanted.rows, each).clip(max=len(wanted.rows) - 1)
            if not np.array_equal(wanted.rows[index], each):
                raise KeyError("a position that the probe has not measured")
            matrices, bound = wanted.matrices[index], limit[index]
        inverse = inverse.reshape(positions.shape)
        return matrices[inverse], bound[inverse]

    return expect


def _expect(
    given: Probe,
    reference: Any,
    other: Caller | None,
    setup: Setup,
    dtype: str,
    *,
    backwards: bool = False,
) -> tuple[Probe, Values]:
    """Return the matrices of a reference, and how far given ones may be from them."""
    if other is None:
        matrices, limit = _expect_rotation(given.rows, reference, setup, dtype)
        return make_exact_probe(matrices, given.rows), limit
    wanted = probe_rotation(other, setup, backwards=backwards)
    # The fastest pair is the least certain, and the pair of an entry is not known here.
    rotates = backwards or identify_rotation(wanted).kind == "rotary"
    rate = np.ones(1) if rotates else np.zeros(1)
    limit = np.zeros_like(wanted.matrices)
    for one in (dtype, precision.choose_coarser(setup.dtype, wanted.dtype)):
        angles = precision.get_angle_dtype(one)
        error = precision.bound_angle_error(given.rows.astype(np.float64), rate, angles)
        error = error[:, :, np.newaxis]
        limit += precision.bound_entry_error(wanted.matrices, error, one, angles, 2.0)
    return wanted, limit


def _expect_rotation(
    rows: NDArray[np.int64], reference: Rotation, setup: Setup, dtype: str
) -> tuple[Values, Values]:
    """Return the matrices of a known rotation, and how far given ones may be from them."""
    angles = precision.get_angle_dtype(dtype)
    matrices, error = reference.compute_matrices(rows, setup.head_dim, angles)
    limit = precision.bound_entry_error(matrices, error, dtype, angles, reference.factor)
    return matrices, limit
