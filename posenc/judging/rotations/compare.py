"""Compare a rotation with a known one, or with another function."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.judging import precision
from posenc.judging.comparison import Comparison
from posenc.judging.differences import Block, compare_blocks
from posenc.judging.explanations import explain_conventions
from posenc.judging.kinds import Setup
from posenc.judging.references import Rotation
from posenc.judging.rotations.identify import identify_rotation
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
    given = probe_rotation("thing(x, positions)", function, setup)
    comparison, wanted = _compare_probe(given, reference, setup)
    if comparison.equal and (given.follows or not wanted.follows):
        return comparison
    if comparison.equal:  # right at positions 0 to L - 1, but it ignores the positions of the call
        given = probe_rotation("thing(x, positions)", function, setup, backwards=True)
        given = replace(given, rows=setup.seq_len - 1 - given.rows)
        comparison, _ = _compare_probe(given, reference, setup, backwards=True)
    explanation = explain_conventions(identify_rotation(given), identify_rotation(wanted))
    return replace(comparison, explanation=explanation)


def _compare_probe(
    given: Probe, reference: Any, setup: Setup, *, backwards: bool = False
) -> tuple[Comparison, Probe]:
    """Return the comparison of a probe with a reference, and the probe of the reference."""
    if isinstance(reference, Rotation):
        wanted, limit = _expect_rotation(given, reference, setup)
    else:
        wanted, limit = _expect_function(given, reference, setup, backwards)
    block = Block(given.matrices, wanted.matrices, limit, given.rows)
    return compare_blocks([block], given.numbers), wanted


def _expect_rotation(given: Probe, reference: Rotation, setup: Setup) -> tuple[Probe, Values]:
    """Return the matrices of a known rotation, and how far given ones may lie from them."""
    angles = precision.get_angle_dtype(given.numbers)
    matrices, error = reference.compute_matrices(given.rows, setup.head_dim, angles)
    limit = precision.bound_entry_error(matrices, error, given.numbers, angles, reference.factor)
    return make_exact_probe(matrices, given.rows), limit


def _expect_function(
    given: Probe, reference: Any, setup: Setup, backwards: bool
) -> tuple[Probe, Values]:
    """Return the matrices of another function, and how far given ones may lie from them."""
    name = "reference(x, positions)"
    wanted = probe_rotation(name, reference, setup, backwards=backwards)
    # The fastest pair is the least certain, and the pair of an entry is not known here.
    rotates = backwards or identify_rotation(wanted).kind == "rotary"
    rate = np.ones(1) if rotates else np.zeros(1)
    limit = np.zeros_like(wanted.matrices)
    for dtype in (given.numbers, wanted.numbers):
        angles = precision.get_angle_dtype(dtype)
        error = precision.bound_angle_error(given.rows.astype(np.float64), rate, angles)
        error = error[:, :, np.newaxis]
        limit += precision.bound_entry_error(wanted.matrices, error, dtype, angles, 2.0)
    return wanted, limit
