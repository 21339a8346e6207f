"""Exercises of the chapter on padding and masks."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises._exercise import Answer, Exercise, Property, differs, first

Table = NDArray[np.float64]

LENGTHS = (5, 3, 1)
REAL = np.arange(5) < np.array(LENGTHS)[:, np.newaxis]
ROWS = np.random.default_rng(0).normal(size=(3, 5, 4))

# Easy: a mean that padding does not touch.


def pooled(rows: Any, real: Any) -> Table:
    """Select the real rows of each sequence, and take their mean."""
    return np.array([x[u].mean(axis=0) for x, u in zip(rows, real, strict=True)])


def over_all_places(rows: Any, real: Any) -> Table:
    """Divide by the length of the batch."""
    return np.asarray(np.where(real[..., np.newaxis], rows, 0).mean(axis=1))


def trusting_zeros(rows: Any, real: Any) -> Table:
    """Add all rows, as if zeros stood at padding, and divide by the number of real ones."""
    return np.asarray(rows.sum(axis=1) / real.sum(axis=1, keepdims=True))


def by_products(rows: Any, real: Any) -> Table:
    """Multiply by the mask."""
    return np.asarray((rows * real[..., np.newaxis]).sum(1) / real.sum(1, keepdims=True))


def padding_of(filling: float) -> Callable[[Answer], str | None]:
    """Return the test with this number at every padded place."""
    filled = np.where(REAL[..., np.newaxis], ROWS, filling)
    expected = [[sum(c) / n for c in x[:n].T] for x, n in zip(ROWS, LENGTHS, strict=True)]

    def test(answer: Answer) -> str | None:
        with np.errstate(invalid="ignore"):
            found = answer(filled, REAL)
        return differs(found, expected, at=f"padding of {filling}", axes=("sequence", "channel"))

    return test


# Medium: pack sequences into one row.


def packed(lengths: Any) -> tuple[Any, Any, Any]:
    """Number the sequences, and compare these numbers."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    positions = np.concatenate([np.arange(n) for n in lengths])
    place = np.arange(len(owner))
    seen = (owner[:, np.newaxis] == owner) & (place[:, np.newaxis] >= place)
    return positions, seen, np.append(owner[1:] == owner[:-1], False)


def counting_on(lengths: Any) -> tuple[Any, Any, Any]:
    """Let positions count places."""
    _, seen, graded = packed(lengths)
    return np.arange(sum(lengths)), seen, graded


def causal_alone(lengths: Any) -> tuple[Any, Any, Any]:
    """Let a query see all that is before it."""
    positions, _, graded = packed(lengths)
    return positions, np.tri(sum(lengths), dtype=bool), graded


def graded_across(lengths: Any) -> tuple[Any, Any, Any]:
    """Spare the last place of the row alone."""
    positions, seen, _ = packed(lengths)
    return positions, seen, np.arange(sum(lengths)) < sum(lengths) - 1


def places(lengths: tuple[int, ...]) -> list[tuple[int, int]]:
    """List the sequence of each place, and the position in it."""
    return [(owner, p) for owner, n in enumerate(lengths) for p in range(n)]


CASES = ((3, 1, 2), (4,), (1, 1, 5))


def restarted(answer: Answer) -> str | None:
    """Positions begin at 0 with each sequence."""
    return first(
        differs(answer(n)[0], right, at=f"positions of {n}", axes=("place",))
        for n in CASES
        for right in [[p for _, p in places(n)]]
    )


def apart(answer: Answer) -> str | None:
    """A query sees its own sequence, up to itself."""
    return first(
        differs(answer(n)[1], seen, at=f"mask of {n}", axes=("query", "key"))
        for n in CASES
        for seen in [[[a == b and q <= p for b, q in places(n)] for a, p in places(n)]]
    )


def borders(answer: Answer) -> str | None:
    """The last token of a sequence has no next one."""
    return first(
        differs(answer(n)[2], right, at=f"what is graded of {n}", axes=("place",))
        for n in CASES
        for right in [[p + 1 < n[a] for a, p in places(n)]]
    )


# Hard: find the leaks of a network that cannot be opened.


def leaks(network: Any, rows: Any, real: Any) -> Any:
    """Change what stands at padding, and how much padding there is."""
    return (_refilled(network, rows, real) > 1e-9) | (_longer(network, rows, real) > 1e-9)


def by_filling(network: Any, rows: Any, real: Any) -> Any:
    """Change what stands at padding, and nothing else."""
    return _refilled(network, rows, real) > 1e-9


def by_length(network: Any, rows: Any, real: Any) -> Any:
    """Make the batch longer, and nothing else."""
    return _longer(network, rows, real) > 1e-9


def by_bits(network: Any, rows: Any, real: Any) -> Any:
    """Ask for equality to the last bit."""
    return (_refilled(network, rows, real) != 0) | (_longer(network, rows, real) != 0)


def _refilled(network: Any, rows: Any, real: Any) -> Any:
    other = np.where(real[..., np.newaxis], rows, rows + 100)
    return abs(network(other, real) - network(rows, real)).max(axis=-1) * real


def _longer(network: Any, rows: Any, real: Any) -> Any:
    longer = network(np.pad(rows, [(0, 0), (0, 7), (0, 0)]), np.pad(real, [(0, 0), (0, 7)]))
    return abs(longer[:, : real.shape[1]] - network(rows, real)).max(axis=-1) * real


def sealed(rows: Any, real: Any) -> Any:
    """Subtract the mean of the real rows; rounding depends on the length, as in any network."""
    centred = rows - pooled(rows, real)[:, np.newaxis]
    return centred * (1 + rows.shape[1] * 2.0**-50)


def neighbours(rows: Any, real: Any) -> Any:
    """Add the row to the right, real or not."""
    return rows + np.pad(rows, [(0, 0), (0, 1), (0, 0)])[:, 1:]


def diluted(rows: Any, real: Any) -> Any:
    """Subtract a mean over all places, with zeros at padding."""
    return rows - over_all_places(rows, real)[:, np.newaxis]


def leaking(network: Any, expected: Any) -> Callable[[Answer], str | None]:
    """Return the test with this network, which leaks at these places."""

    def test(answer: Answer) -> str | None:
        found = answer(network, ROWS, REAL)
        return differs(found, expected, at=network.__name__, axes=("sequence", "place"))

    return test


LAST = [[n < 5 and p == n - 1 for p in range(5)] for n in LENGTHS]  # a ghost to the right

EXERCISES = (
    Exercise(
        "padding-easy",
        "pooled(rows, real): mean of the real rows of each sequence, shape (B, d)",
        (
            Property(
                "zeros at padding",
                padding_of(0.0),
                "the sum was divided by the length of the batch, not by the real tokens.",
                over_all_places,
            ),
            Property(
                "numbers at padding",
                padding_of(9.0),
                "what stands at padding was added up with the rest.",
                trusting_zeros,
            ),
            Property(
                "NaN at padding",
                padding_of(float("nan")),
                "rows were multiplied by the mask, and 0 times NaN is NaN; select them.",
                by_products,
            ),
        ),
        pooled,
    ),
    Exercise(
        "padding-medium",
        "packed(lengths): positions (T,), causal mask (T, T), and what is graded (T,)",
        (
            Property(
                "positions restart",
                restarted,
                "places were counted; the second sequence then begins in mid-text.",
                counting_on,
            ),
            Property(
                "sequences apart",
                apart,
                "the causal mask stands alone, so a query sees the sequences before its own.",
                causal_alone,
            ),
            Property(
                "borders of the loss",
                borders,
                "the last token of a sequence is asked for the first one of the next.",
                graded_across,
            ),
        ),
        packed,
    ),
    Exercise(
        "padding-hard",
        "leaks(network, rows, real): True at each real place that padding changes, shape (B, L)",
        (
            Property(
                "no false alarm",
                leaking(sealed, REAL & False),
                "bits were compared, or rows at padding; in a longer batch sums round otherwise.",
                by_bits,
            ),
            Property(
                "what stands there",
                leaking(neighbours, LAST),
                "only the amount of padding was changed, never what stands there.",
                by_length,
            ),
            Property(
                "how much there is",
                leaking(diluted, REAL),
                "only the filling was changed; a network may also count the padded places.",
                by_filling,
            ),
        ),
        leaks,
    ),
)
