"""Exercises of the chapter on one law behind relative encodings."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

Table = NDArray[np.float64]

# Easy: is a family of matrices a group?


# --8<-- [start:law-easy]
def is_group(matrices: Callable[[int], Table]) -> bool:
    """Return whether matrices multiply as their offsets add, up to ±4."""
    steps = range(-4, 5)
    pairs = [(a, b) for a in steps for b in steps]
    products = [matrices(a) @ matrices(b) for a, b in pairs]
    return bool(np.allclose([matrices(a + b) for a, b in pairs], products))
    # --8<-- [end:law-easy]


# --8<-- [start:law-easy-wrong]
def starts_at_identity(matrices: Callable[[int], Table]) -> bool:
    """Look at the identity and at inverses."""
    identity = np.eye(len(matrices(0)))
    return all(np.allclose(matrices(a) @ matrices(-a), identity) for a in range(5))
    # --8<-- [end:law-easy-wrong]


def keeps_lengths(matrices: Callable[[int], Table]) -> bool:
    """Look for rotations."""
    M = matrices(1)
    return starts_at_identity(matrices) and bool(np.allclose(M.T @ M, np.eye(len(M))))


def forward_only(matrices: Callable[[int], Table]) -> bool:
    """Try no offset below 0."""
    steps = range(5)
    pairs = [(a, b) for a in steps for b in steps]
    return all(np.allclose(matrices(a + b), matrices(a) @ matrices(b)) for a, b in pairs)


def _rotation(angle: float) -> Table:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _shear(t: float) -> Table:
    return np.array([[1.0, t], [0.0, 1.0]])


@judges(
    "shears",
    hint="rotations were expected; a group need not keep lengths.",
    wrong=keeps_lengths,
)
def shears(answer: Answer) -> str | None:
    """Rotations and shears are groups."""
    return differs(bool(answer(lambda n: _rotation(0.3 * n))), True, at="rotations") or differs(
        bool(answer(_shear)), True, at="shears"
    )


@judges(
    "cubes",
    hint="only inverses were compared; sums of different steps count, too.",
    wrong=starts_at_identity,
)
def cubes(answer: Answer) -> str | None:
    """Rotations by the cube of the position have inverses, but are not a group."""
    cases = {
        "angle 0.1 n³": lambda n: _rotation(0.1 * n**3),
        "angle 0.3 n, at most 0.9": lambda n: _rotation(0.3 * max(-3, min(3, n))),
    }
    return first(differs(bool(answer(f)), False, at=at) for at, f in cases.items())


@judges("both ways", hint="only offsets from 0 on were tried.", wrong=forward_only)
def both_ways(answer: Answer) -> str | None:
    """Rotations by |n| add up as long as all steps go forward."""
    return differs(bool(answer(lambda n: _rotation(0.3 * abs(n)))), False, at="angle 0.3 |n|")


# Medium: the frequencies of a step.


# --8<-- [start:law-medium]
def frequencies(step: Table) -> Table:
    """Return the frequencies of the matrix of one step, fastest first."""
    angles = np.angle(np.linalg.eigvals(step))
    return np.sort(angles[angles > 0])[::-1]
    # --8<-- [end:law-medium]


# --8<-- [start:law-medium-wrong]
def from_diagonal(step: Table) -> Table:
    """Read the cosines off the diagonal, which needs the basis of the pairs."""
    cosines = np.clip(np.diagonal(step)[::2], -1, 1)
    return np.sort(np.arccos(cosines))[::-1]
    # --8<-- [end:law-medium-wrong]


def both_signs(step: Table) -> Table:
    """Keep the angles of both conjugates."""
    return np.sort(abs(np.angle(np.linalg.eigvals(step))))[::-1]


def rising(step: Table) -> Table:
    """Sort the other way."""
    return frequencies(step)[::-1]


FREQUENCIES = np.array([1.0, 0.3, 0.05])


def _blocks(angles: Table) -> Table:
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    for i, angle in enumerate(angles):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = _rotation(angle)
    return matrix


@judges(
    "one for each pair",
    hint="eigenvalues come in conjugate pairs; one of each is enough.",
    wrong=both_signs,
)
def one_for_each_pair(answer: Answer) -> str | None:
    """Three pairs have three frequencies."""
    return differs(len(answer(_blocks(FREQUENCIES))), 3, at="6 channels")


@judges("falling", hint="the order is the other way round.", wrong=rising)
def falling(answer: Answer) -> str | None:
    """The fastest comes first."""
    return differs(answer(_blocks(FREQUENCIES)), FREQUENCIES, at="blocks", axes=("pair",))


@judges(
    "other basis",
    hint="the diagonal was read; it has the cosines only if the pairs are channels.",
    wrong=from_diagonal,
)
def other_basis(answer: Answer) -> str | None:
    """The frequencies are found in a basis that mixes all channels."""
    P = np.linalg.qr(np.random.default_rng(1).normal(size=(6, 6)))[0]
    found = answer(P @ _blocks(FREQUENCIES) @ P.T)
    return differs(found, FREQUENCIES, at="rotated basis", axes=("pair",), within=1e-9)


# Hard: the shared planes of two generators.


# --8<-- [start:law-hard]
def plane_frequencies(A: Table, B: Table) -> Table:
    """Return a row (ω, ν) for each plane of commuting A and B, fastest first."""
    mixed = A + np.sqrt(2) * B  # planes alike in A or in B differ in the sum
    vectors = np.linalg.eigh(1j * mixed).eigenvectors
    rows = np.imag([(v.conj() @ A @ v, v.conj() @ B @ v) for v in vectors.T])
    rows = rows[(rows[:, 0] > 1e-9) | ((abs(rows[:, 0]) < 1e-9) & (rows[:, 1] > 0))]
    return rows[np.lexsort((-rows[:, 1].round(9), -rows[:, 0].round(9)))]
    # --8<-- [end:law-hard]


def planes_of_the_first(A: Table, B: Table) -> Table:
    """Take the planes of A, which are undetermined where two of its frequencies agree."""
    vectors = np.linalg.eigh(1j * A).eigenvectors
    rows = np.imag([(v.conj() @ A @ v, v.conj() @ B @ v) for v in vectors.T])
    rows = rows[rows[:, 0] > 1e-9]
    return rows[np.lexsort((-rows[:, 1].round(9), -rows[:, 0].round(9)))]


# --8<-- [start:law-hard-wrong]
def each_on_its_own(A: Table, B: Table) -> Table:
    """Sort the frequencies of both separately."""
    both = [np.sort(np.imag(np.linalg.eigvals(M)))[::-1] for M in (A, B)]
    return np.column_stack(both)[: len(A) // 2]
    # --8<-- [end:law-hard-wrong]


def without_signs(A: Table, B: Table) -> Table:
    """Lose the sign of ν."""
    return abs(plane_frequencies(A, B))


def _generators(rows: Any, seed: int) -> tuple[Table, Table]:
    """Return skew matrices with these frequencies in the planes of a random basis."""
    rows = np.asarray(rows, dtype=float)
    P = np.linalg.qr(np.random.default_rng(seed).normal(size=(2 * len(rows),) * 2))[0]
    J = np.array([[0.0, -1.0], [1.0, 0.0]])
    A, B = (P @ np.kron(np.diag(column), J) @ P.T for column in rows.T)
    return A, B


def _rows(answer: Answer, rows: Any, seed: int, at: str) -> str | None:
    found = answer(*_generators(rows, seed))
    return differs(found, np.array(rows), at=at, axes=("plane", "axis"), within=1e-9)


@judges(
    "which belong together",
    hint="both lists were sorted on their own; find planes, and read both in each.",
    wrong=each_on_its_own,
)
def together(answer: Answer) -> str | None:
    """The plane that is fast in A is slow in B."""
    return _rows(answer, [[1.0, 0.2], [0.5, 0.7]], 0, "4 channels")


@judges("signs", hint="the sign of ν was lost; it says which way B rotates.", wrong=without_signs)
def signs(answer: Answer) -> str | None:
    """B rotates one plane the other way."""
    return _rows(answer, [[1.0, 0.2], [0.5, -0.7]], 1, "4 channels, one ν below 0")


@judges(
    "equal frequencies",
    hint="the planes of A were taken, which are undetermined where its frequencies agree.",
    wrong=planes_of_the_first,
)
def equal_frequencies(answer: Answer) -> str | None:
    """Two planes have the same ω and differ in ν, or the same ν and differ in ω."""
    rows = [[1.0, 0.6], [1.0, 0.2], [0.4, -0.3]]
    found = _rows(answer, rows, 2, "6 channels, ω equal in two planes")
    rows = [[1.0, 0.6], [0.7, 0.6], [0.4, -0.3]]
    return found or _rows(answer, rows, 3, "6 channels, ν equal in two planes")


EXERCISES = (
    Exercise("law-easy", is_group, (shears, cubes, both_ways)),
    Exercise("law-medium", frequencies, (one_for_each_pair, falling, other_basis)),
    Exercise("law-hard", plane_frequencies, (together, signs, equal_frequencies)),
)
