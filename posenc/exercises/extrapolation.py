"""Exercises of the chapter on positions beyond the training length."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from posenc.exercises.exercise import Answer, Exercise, code, differs, judges

Table = NDArray[np.float64]

# Easy: rows of a table, and zeros beyond it.


# --8<-- [start:extrapolation-easy]
def rows(table: Table, positions: Any) -> Any:
    """Return the rows of a table, zeros where it has none, shape (len, d)."""
    known = (positions >= 0) & (positions < len(table))
    return table[np.where(known, positions, 0)] * known[:, np.newaxis]
    # --8<-- [end:extrapolation-easy]


def clamped(table: Table, positions: Any) -> Any:
    """Repeat the last row for all positions after it, and the first for all before."""
    return np.take(table, positions, axis=0, mode="clip")


# --8<-- [start:extrapolation-easy-wrong]
def from_the_end(table: Table, positions: Any) -> Any:
    """Ask only whether a position is too large; -1 is then the last row."""
    known = positions < len(table)
    return table[np.where(known, positions, 0)] * known[:, np.newaxis]
    # --8<-- [end:extrapolation-easy-wrong]


def shifted(table: Table, positions: Any) -> Any:
    """Count from 1."""
    return rows(table, positions - 1)


def _looked_up(answer: Answer, positions: tuple[int, ...]) -> str | None:
    """Look up these positions in a table of four rows."""
    table = np.array([[p + 1.0, (p + 1.0) ** 2] for p in range(4)])
    right = [[p + 1, (p + 1) ** 2] if p in range(4) else [0, 0] for p in positions]
    found = answer(table, np.array(positions))
    return differs(found, right, at=f"4 rows, positions {positions}", axes=("index", "channel"))


@judges(
    "rows of the table",
    hint="positions were counted from 1; the first row is that of position 0.",
    wrong=shifted,
)
def rows_of_the_table(answer: Answer) -> str | None:
    """Positions in the table get its rows."""
    return _looked_up(answer, (0, 3, 1))


@judges(
    "zeros beyond",
    hint="the last row stands for all that come after it, as if they had been seen.",
    wrong=clamped,
)
def zeros_beyond(answer: Answer) -> str | None:
    """Positions after the last row get zeros."""
    return _looked_up(answer, (2, 4, 100))


@judges(
    "zeros before",
    hint="only one end was looked at; a negative index is a row from the end.",
    wrong=from_the_end,
)
def zeros_before(answer: Answer) -> str | None:
    """Positions before the first row get zeros."""
    return _looked_up(answer, (-1, 0, -4))


# Medium: a code of the offset, fitted to pairs.


# --8<-- [start:extrapolation-medium]
def fit_offsets(p: Any, q: Any, y: Any) -> Any:
    """Return a function of p and q that answers for other pairs, shape (n,)."""
    offsets = q - p
    means = {int(k): y[offsets == k].mean() for k in set(offsets)}
    return lambda p, q: np.array([means.get(int(k), 0.0) for k in q - p])
    # --8<-- [end:extrapolation-medium]


def of_pairs(p: Any, q: Any, y: Any) -> Any:
    """Learn each pair by heart."""
    fitted = fit_offsets(1000 * p, q, y)
    return lambda p, q: fitted(1000 * p, q)


def of_one_target(p: Any, q: Any, y: Any) -> Any:
    """Keep the last target of each offset."""
    last = dict(zip((q - p).tolist(), y, strict=True))
    offsets = np.array(list(last))
    return fit_offsets(0 * offsets, offsets, np.array(list(last.values())))


# --8<-- [start:extrapolation-medium-wrong]
def of_distances(p: Any, q: Any, y: Any) -> Any:
    """Forget the sign of the offset."""
    answer = fit_offsets(0 * p, abs(q - p), y)
    return lambda p, q: answer(0 * p, abs(q - p))
    # --8<-- [end:extrapolation-medium-wrong]


def clipped(p: Any, q: Any, y: Any) -> Any:
    """Use the outermost offsets that were shown for those beyond."""
    fitted, shown = fit_offsets(p, q, y), q - p
    return lambda p, q: fitted(0 * p, (q - p).clip(shown.min(), shown.max()))


ALL = np.array([(p, q) for p in range(6) for q in range(6)]).T
AHEAD = ALL[:, ALL[1] >= ALL[0]]


def rule(p: Any, q: Any) -> Any:
    """Return a target that depends on the offset and its sign."""
    k = q - p
    return 1 + k * (k + 2.0) / 4


def _fitted_to(answer: Answer, shown: Any, asked: Any, at: str, noise: float = 0) -> str | None:
    """Show some pairs of six positions, and ask for others."""
    p, q = shown
    asked_p, asked_q = asked
    mean_noise = [p[q - p == k].mean() for k in asked_q - asked_p]
    right = rule(asked_p, asked_q) + noise * np.array(mean_noise)
    found = answer(p, q, rule(p, q) + noise * p)(asked_p, asked_q)
    return differs(found, right, at=at, axes=("pair",))


@judges("moved pairs", hint="pairs were learned by heart; only q - p may count.", wrong=of_pairs)
def moved_pairs(answer: Answer) -> str | None:
    """Other pairs with the same offsets get the same answer."""
    return _fitted_to(answer, AHEAD, AHEAD + 500, at="pairs moved by 500")


@judges(
    "mean of an offset",
    hint="one target of each offset was kept; least squares has their mean.",
    wrong=of_one_target,
)
def mean_of_an_offset(answer: Answer) -> str | None:
    """The answer is the mean of the targets of an offset."""
    return _fitted_to(answer, AHEAD, AHEAD, at="pairs that were shown", noise=1)


@judges(
    "which way",
    hint="the distance was used; before and behind may have different targets.",
    wrong=of_distances,
)
def which_way(answer: Answer) -> str | None:
    """Keys before the query and after it may have different answers."""
    return _fitted_to(answer, ALL, ALL, at="pairs both ways")


@judges(
    "never shown",
    hint="new offsets got the answer of the largest one; nothing was learned for them.",
    wrong=clipped,
)
def never_shown(answer: Answer) -> str | None:
    """Offsets that training never showed get 0."""
    found = answer(*ALL, rule(*ALL))(np.array([0, 9, 50]), np.array([6, 0, 950]))
    return differs(found, [0, 0, 0], at="offsets 6, -9 and 900", axes=("pair",))


# Hard: a hybrid that falls back on the waves.


# --8<-- [start:extrapolation-hard]
def in_turn(y: Table, d_model: int, ridge: float) -> Any:
    """Return a function of positions that answers everywhere, shape (n,)."""
    seen = np.arange(len(y))
    waves = posenc.sinusoidal_at(seen, d_model)
    w = posenc.analysis.fit_linear(waves, y, ridge=ridge)
    rest = (y - waves @ w) / (1 + ridge)

    def answer(positions: Any) -> Any:
        learned = rows(rest[:, np.newaxis], positions)[:, 0]
        return posenc.sinusoidal_at(positions, d_model) @ w + learned

    return answer
    # --8<-- [end:extrapolation-hard]


# --8<-- [start:extrapolation-hard-wrong]
def together(y: Table, d_model: int, ridge: float) -> Any:
    """Fit the channels of both at once."""

    def both(positions: Any) -> Any:
        return posenc.hybrid_encoding(positions, d_model, np.eye(len(y)))

    w = posenc.analysis.fit_linear(both(np.arange(len(y))), y, ridge=ridge)
    return lambda positions: both(positions) @ w
    # --8<-- [end:extrapolation-hard-wrong]


def waves_alone(y: Any, d_model: int, ridge: float) -> Any:
    """Leave the table away."""
    return lambda positions: _codes(positions, d_model) @ _waves(y, d_model, ridge)


def of_targets(y: Any, d_model: int, ridge: float) -> Any:
    """Fit the table to the targets, and not to what is left of them."""
    waves, learned = waves_alone(y, d_model, ridge), y[:, np.newaxis] / (1 + ridge)
    return lambda positions: waves(positions) + rows(learned, positions)[:, 0]


def wrapped(y: Any, d_model: int, ridge: float) -> Any:
    """Let position -1 be the last one."""
    answer = in_turn(y, d_model, ridge)
    return lambda positions: answer(np.where(positions < 0, positions + len(y), positions))


def _codes(positions: Any, d_model: int) -> Table:
    return np.array([code(p, d_model) for p in positions])


def _waves(y: Any, d_model: int, ridge: float) -> Table:
    codes = _codes(range(len(y)), d_model)
    return np.linalg.solve(codes.T @ codes + ridge * np.eye(d_model), codes.T @ y)


def _hybrid(answer: Answer, positions: range, share: float, ridge: float) -> str | None:
    """Ask at these positions, where this share of what the waves leave over is to be seen."""
    y = np.random.default_rng(0).normal(size=40)
    waves = waves_alone(y, 8, ridge)(positions)
    right = waves + share * (y[np.mod(positions, 40)] - waves) / (1 + ridge)
    found = answer(y, 8, ridge)(np.array(positions))
    at = f"40 targets, ridge={ridge}, from position {positions[0]}"
    return differs(found, right, at=at, within=1e-6)


@judges(
    "beyond the table",
    hint="waves and table were fitted at once, which acts as a larger ridge on the waves.",
    wrong=together,
)
def beyond_the_table(answer: Answer) -> str | None:
    """Beyond the table, only the waves answer."""
    return _hybrid(answer, range(40, 60), share=0, ridge=0.01)


@judges(
    "inside",
    hint="the table is to learn what the waves leave over, no more and no less.",
    wrong=of_targets,
)
def inside(answer: Answer) -> str | None:
    """Inside, the table adds what it has learned."""
    return _hybrid(answer, range(40), share=1, ridge=0.5)


@judges(
    "before the table",
    hint="a negative position took a row from the end of the table.",
    wrong=wrapped,
)
def before_the_table(answer: Answer) -> str | None:
    """Before position 0, only the waves answer."""
    return _hybrid(answer, range(-5, 0), share=0, ridge=0.01)


EXERCISES = (
    Exercise("extrapolation-easy", rows, (rows_of_the_table, zeros_beyond, zeros_before)),
    Exercise(
        "extrapolation-medium",
        fit_offsets,
        (moved_pairs, mean_of_an_offset, which_way, never_shown),
    ),
    Exercise("extrapolation-hard", in_turn, (beyond_the_table, inside, before_the_table)),
)
