"""Exercises of the chapter on padding and masks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

Table = NDArray[np.float64]

LENGTHS = (5, 3, 1)
REAL = np.arange(5) < np.array(LENGTHS)[:, np.newaxis]
ROWS = np.random.default_rng(0).normal(size=(3, 5, 4))

# Easy: a mean that padding does not touch.


# --8<-- [start:padding-easy]
def pooled(rows: Any, real: Any) -> Table:
    """Return the mean of the real rows of each sequence, shape (B, d)."""
    return np.array([x[u].mean(axis=0) for x, u in zip(rows, real, strict=True)])
    # --8<-- [end:padding-easy]


def over_all_places(rows: Any, real: Any) -> Table:
    """Divide by the length of the batch."""
    return np.asarray(np.where(real[..., np.newaxis], rows, 0).mean(axis=1))


def trusting_zeros(rows: Any, real: Any) -> Any:
    """Add all rows, as if padding were zeros, and divide by the number of real ones."""
    return rows.sum(axis=1) / real.sum(axis=1, keepdims=True)


# --8<-- [start:padding-easy-wrong]
def by_products(rows: Any, real: Any) -> Any:
    """Multiply by the mask."""
    sums = (rows * real[..., np.newaxis]).sum(axis=1)
    return sums / real.sum(axis=1, keepdims=True)
    # --8<-- [end:padding-easy-wrong]


def _padded_with(answer: Answer, filling: float) -> str | None:
    """Ask for the mean with this number at every padded position."""
    filled = np.where(REAL[..., np.newaxis], ROWS, filling)
    real_rows = [rows[:n] for rows, n in zip(ROWS, LENGTHS, strict=True)]
    expected = [[sum(channel) / len(rows) for channel in rows.T] for rows in real_rows]
    with np.errstate(invalid="ignore"):
        found = answer(filled, REAL)
    return differs(found, expected, at=f"padding of {filling}", axes=("sequence", "channel"))


@judges(
    "zeros at padding",
    hint="the sum was divided by the length of the batch, not by the real tokens.",
    wrong=over_all_places,
)
def zeros_at_padding(answer: Answer) -> str | None:
    """Padding of zeros adds nothing to a sum."""
    return _padded_with(answer, 0.0)


@judges(
    "numbers at padding",
    hint="the contents of padding were added up with the rest.",
    wrong=trusting_zeros,
)
def numbers_at_padding(answer: Answer) -> str | None:
    """Padding of other numbers adds something."""
    return _padded_with(answer, 9.0)


@judges(
    "NaN at padding",
    hint="rows were multiplied by the mask, and 0 times NaN is NaN; select them.",
    wrong=by_products,
)
def nan_at_padding(answer: Answer) -> str | None:
    """A factor of 0 does not remove NaN."""
    return _padded_with(answer, float("nan"))


# Medium: pack sequences into one row.


# --8<-- [start:padding-medium]
def packed(lengths: Any) -> tuple[Any, Any, Any]:
    """Return positions (T,), causal mask (T, T) and loss mask (T,)."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    positions = np.concatenate([np.arange(n) for n in lengths])
    mask = (owner[:, np.newaxis] == owner) & np.tri(len(owner), dtype=bool)
    return positions, mask, np.append(owner[1:] == owner[:-1], False)
    # --8<-- [end:padding-medium]


def counting_on(lengths: Any) -> tuple[Any, Any, Any]:
    """Let positions count columns."""
    _, mask, loss_mask = packed(lengths)
    return np.arange(sum(lengths)), mask, loss_mask


def only_causal(lengths: Any) -> tuple[Any, Any, Any]:
    """Let a query see everything before it."""
    positions, _, loss_mask = packed(lengths)
    return positions, np.tri(sum(lengths), dtype=bool), loss_mask


# --8<-- [start:padding-medium-wrong]
def loss_across(lengths: Any) -> tuple[Any, Any, Any]:
    """Leave out only the last token of the row."""
    positions, mask, _ = packed(lengths)
    return positions, mask, np.arange(sum(lengths)) < sum(lengths) - 1
    # --8<-- [end:padding-medium-wrong]


def tokens(lengths: tuple[int, ...]) -> list[tuple[int, int]]:
    """List the sequence of each token, and its position there."""
    return [(owner, p) for owner, n in enumerate(lengths) for p in range(n)]


CASES = ((3, 1, 2), (4,), (1, 1, 5))


@judges(
    "positions restart",
    hint="columns were counted; the second sequence then starts in the middle.",
    wrong=counting_on,
)
def restarted(answer: Answer) -> str | None:
    """Positions restart at 0 with each sequence."""
    return first(
        differs(
            answer(lengths)[0],
            [p for _, p in tokens(lengths)],
            at=f"positions of {lengths}",
            axes=("position",),
        )
        for lengths in CASES
    )


@judges(
    "sequences apart",
    hint="there is only the causal mask, so a query sees the sequences before its own.",
    wrong=only_causal,
)
def apart(answer: Answer) -> str | None:
    """A query sees its own sequence, up to itself."""
    for lengths in CASES:
        seen = [
            [of_key == of_query and q <= p for of_key, q in tokens(lengths)]
            for of_query, p in tokens(lengths)
        ]
        found = answer(lengths)[1]
        if wrong := differs(found, seen, at=f"mask of {lengths}", axes=("query", "key")):
            return wrong
    return None


@judges(
    "borders of the loss",
    hint="the last token of a sequence is asked to predict the first of the next.",
    wrong=loss_across,
)
def borders(answer: Answer) -> str | None:
    """The last token of a sequence has no next one."""
    return first(
        differs(
            answer(lengths)[2],
            [p + 1 < lengths[owner] for owner, p in tokens(lengths)],
            at=f"loss mask of {lengths}",
            axes=("position",),
        )
        for lengths in CASES
    )


# Hard: find the leaks of a network that cannot be opened.


# --8<-- [start:padding-hard]
def refilled(network: Any, rows: Any, real: Any) -> Any:
    """Return how far each row moves when padding contains something else."""
    other = np.where(real[..., np.newaxis], rows, rows + 100)
    return abs(network(other, real) - network(rows, real)).max(axis=-1)


def lengthened(network: Any, rows: Any, real: Any) -> Any:
    """Return how far each row moves when there is more padding."""
    longer = np.pad(rows, [(0, 0), (0, 7), (0, 0)])
    found = network(longer, np.pad(real, [(0, 0), (0, 7)]))
    return abs(found[:, : real.shape[1]] - network(rows, real)).max(axis=-1)


def leaks(network: Any, rows: Any, real: Any) -> Any:
    """Return True at each real position that padding changes, shape (B, L)."""
    far = np.maximum(refilled(network, rows, real), lengthened(network, rows, real))
    return real & ~(far < 1e-9)  # not >=, so that NaN counts as a leak
    # --8<-- [end:padding-hard]


# --8<-- [start:padding-hard-wrong]
def by_filling(network: Any, rows: Any, real: Any) -> Any:
    """Change only what padding contains."""
    return real & ~(refilled(network, rows, real) < 1e-9)
    # --8<-- [end:padding-hard-wrong]


def by_length(network: Any, rows: Any, real: Any) -> Any:
    """Only make the batch longer."""
    return real & ~(lengthened(network, rows, real) < 1e-9)


def by_bits(network: Any, rows: Any, real: Any) -> Any:
    """Ask for equality to the last bit."""
    far = np.maximum(refilled(network, rows, real), lengthened(network, rows, real))
    return real & (far != 0)


def sealed(rows: Any, real: Any) -> Any:
    """Subtract the mean of the real rows; rounding depends on the length, as in any network."""
    centred = rows - pooled(rows, real)[:, np.newaxis]
    return centred * (1 + rows.shape[1] * 2.0**-50)


def neighbours(rows: Any, real: Any) -> Any:
    """Add the row to the right, real or not."""
    return rows + np.pad(rows, [(0, 0), (0, 1), (0, 0)])[:, 1:]


def diluted(rows: Any, real: Any) -> Any:
    """Subtract a mean over all positions, with zeros at padding."""
    return rows - over_all_places(rows, real)[:, np.newaxis]


def _leaking(answer: Answer, network: Any, expected: Any) -> str | None:
    """Ask about a network that leaks at these positions."""
    found = answer(network, ROWS, REAL)
    return differs(found, expected, at=network.__name__, axes=("sequence", "position"))


@judges(
    "no false alarm",
    hint="bits were compared, or rows at padding; sums of a longer batch round differently.",
    wrong=by_bits,
)
def no_false_alarm(answer: Answer) -> str | None:
    """A network without a leak raises no alarm."""
    return _leaking(answer, sealed, np.zeros((3, 5), dtype=bool))


@judges(
    "contents of padding",
    hint="only the amount of padding was changed, never its contents.",
    wrong=by_length,
)
def contents_of_padding(answer: Answer) -> str | None:
    """Padding to the right of the last token leaks into it."""
    beside = [[n < 5 and p == n - 1 for p in range(5)] for n in LENGTHS]
    return _leaking(answer, neighbours, beside)


@judges(
    "amount of padding",
    hint="only the contents of padding were changed; a network may also depend on its amount.",
    wrong=by_filling,
)
def amount_of_padding(answer: Answer) -> str | None:
    """A mean shrinks with every padded position."""
    return _leaking(answer, diluted, REAL)


EXERCISES = (
    Exercise("padding-easy", pooled, (zeros_at_padding, numbers_at_padding, nan_at_padding)),
    Exercise("padding-medium", packed, (restarted, apart, borders)),
    Exercise("padding-hard", leaks, (no_false_alarm, contents_of_padding, amount_of_padding)),
)
