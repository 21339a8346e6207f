"""Exercises of the chapter on positions beyond the training length."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises._exercise import Answer, Exercise, Property, code, differs

Table = NDArray[np.float64]

# Easy: rows of a table, and zeros beyond it.


def rows(table: Any, positions: Any) -> Table:
    """Look up where there is a row, and only there."""
    known = (np.asarray(positions) >= 0) & (np.asarray(positions) < len(table))
    return np.asarray(table)[np.where(known, positions, 0)] * known[:, np.newaxis]


def clamped(table: Any, positions: Any) -> Table:
    """Let the last row stand for all that come after it, and the first for all before."""
    return np.asarray(np.take(table, positions, axis=0, mode="clip"))


def from_the_end(table: Any, positions: Any) -> Table:
    """Ask only whether a position is too large; a negative one counts from the end."""
    return rows(table, np.where(np.less(positions, 0), np.add(positions, len(table)), positions))


def shifted(table: Any, positions: Any) -> Table:
    """Count from 1."""
    return rows(table, np.asarray(positions) - 1)


def looked_up(positions: tuple[int, ...]) -> Callable[[Answer], str | None]:
    """Return the test with a table of four rows at these positions."""
    table = np.array([[p + 1.0, (p + 1.0) ** 2] for p in range(4)])
    right = [[p + 1, (p + 1) ** 2] if p in range(4) else [0, 0] for p in positions]

    def test(answer: Answer) -> str | None:
        found, at = answer(table, np.array(positions)), f"4 rows, positions {positions}"
        return differs(found, right, at=at, axes=("index", "channel"))

    return test


# Medium: a code of the offset, fitted to pairs.


def fit_offsets(p: Any, q: Any, y: Any) -> Any:
    """Take the mean of the targets of each offset, and 0 for an offset without any."""
    shown: dict[int, list[float]] = {}
    for offset, target in zip(np.subtract(q, p), y, strict=True):
        shown.setdefault(int(offset), []).append(target)
    means = {k: sum(targets) / len(targets) for k, targets in shown.items()}
    return lambda p, q: np.array([means.get(int(k), 0.0) for k in np.subtract(q, p)])


def of_pairs(p: Any, q: Any, y: Any) -> Any:
    """Learn each pair by heart."""
    fitted = fit_offsets(1000 * np.asarray(p), q, y)
    return lambda p, q: fitted(1000 * np.asarray(p), q)


def of_one_target(p: Any, q: Any, y: Any) -> Any:
    """Keep the last target of each offset."""
    last = dict(zip(np.subtract(q, p).tolist(), y, strict=True))
    return fit_offsets([0] * len(last), list(last), list(last.values()))


def of_distances(p: Any, q: Any, y: Any) -> Any:
    """Forget the sign of the offset."""
    fitted = fit_offsets([0] * len(p), abs(np.subtract(q, p)), y)
    return lambda p, q: fitted([0] * len(p), abs(np.subtract(q, p)))


def clipped(p: Any, q: Any, y: Any) -> Any:
    """Let the outermost offsets that were shown stand for those beyond."""
    fitted, shown = fit_offsets(p, q, y), np.subtract(q, p)
    return lambda p, q: fitted([0] * len(p), np.subtract(q, p).clip(shown.min(), shown.max()))


ALL = np.array([(p, q) for p in range(6) for q in range(6)]).T
AHEAD = ALL[:, ALL[1] >= ALL[0]]


def rule(p: Any, q: Any) -> Any:
    """Return a target that depends on the offset and its sign."""
    k = np.subtract(q, p)
    return 1 + k * (k + 2.0) / 4


def fitted_to(shown: Any, asked: Any, *, noise: float = 0, at: str) -> Any:
    """Return the test that shows some pairs of six positions, and asks for others."""
    p, q = shown
    means = [p[q - p == k].mean() for k in np.subtract(*asked[::-1])]  # of the noise
    right = rule(*asked) + noise * np.array(means)

    def test(answer: Answer) -> str | None:
        found = answer(p, q, rule(p, q) + noise * p)(*asked)
        return differs(found, right, at=at, axes=("pair",))

    return test


def never_shown(answer: Answer) -> str | None:
    """Offsets that no pair had."""
    found = answer(*ALL, rule(*ALL))(np.array([0, 9, 50]), np.array([6, 0, 950]))
    return differs(found, [0, 0, 0], at="offsets 6, -9 and 900", axes=("pair",))


# Hard: a hybrid that falls back on the waves.


def in_turn(y: Any, d_model: int, ridge: float) -> Any:
    """Fit the waves first, and a table to what they leave over."""
    waves = waves_alone(y, d_model, ridge)
    rest = (y - waves(range(len(y)))) / (1 + ridge)
    return lambda positions: waves(positions) + rows(rest[:, np.newaxis], positions)[:, 0]


def together(y: Any, d_model: int, ridge: float) -> Any:
    """Fit the channels of both at once."""
    table = np.eye(len(y))
    both = np.hstack([_codes(range(len(y)), d_model), table])
    weights = both.T @ np.linalg.solve(both @ both.T + ridge * table, y)
    return lambda positions: (
        np.hstack([_codes(positions, d_model), rows(table, positions)]) @ weights
    )


def waves_alone(y: Any, d_model: int, ridge: float) -> Any:
    """Leave the table away."""
    return lambda positions: _codes(positions, d_model) @ _waves(y, d_model, ridge)


def of_targets(y: Any, d_model: int, ridge: float) -> Any:
    """Fit the table to the targets, and not to what is left of them."""
    waves, found = waves_alone(y, d_model, ridge), np.asarray(y)[:, None] / (1 + ridge)
    return lambda positions: waves(positions) + rows(found, positions)[:, 0]


def wrapped(y: Any, d_model: int, ridge: float) -> Any:
    """Let position -1 be the last one."""
    answer = in_turn(y, d_model, ridge)
    return lambda positions: answer(np.where(positions < 0, positions + len(y), positions))


def _codes(positions: Any, d_model: int) -> Table:
    return np.array([code(p, d_model) for p in positions])


def _waves(y: Any, d_model: int, ridge: float) -> Table:
    codes = _codes(range(len(y)), d_model)
    return np.linalg.solve(codes.T @ codes + ridge * np.eye(d_model), codes.T @ y)


def hybrid(positions: Any, share: float, ridge: float) -> Callable[[Answer], str | None]:
    """Return the test at these positions, where this share of the rest is to be seen."""
    y = np.random.default_rng(0).normal(size=40)
    waves = waves_alone(y, 8, ridge)(positions)
    right = waves + share * (y[np.mod(positions, 40)] - waves) / (1 + ridge)

    def test(answer: Answer) -> str | None:
        found = answer(y, 8, ridge)(np.array(positions))
        at = f"40 targets, ridge={ridge}, from position {positions[0]}"
        return differs(found, right, at=at, within=1e-6)

    return test


EXERCISES = (
    Exercise(
        "extrapolation-easy",
        "rows(table, positions): rows of a table, zeros where it has none, shape (len, d)",
        (
            Property(
                "rows of the table",
                looked_up((0, 3, 1)),
                "positions were counted from 1; the first row is that of position 0.",
                shifted,
            ),
            Property(
                "zeros beyond",
                looked_up((2, 4, 100)),
                "the last row stands for all that come after it, as if they had been seen.",
                clamped,
            ),
            Property(
                "zeros before",
                looked_up((-1, 0, -4)),
                "only one end was looked at; a negative index is a row from the end.",
                from_the_end,
            ),
        ),
        rows,
    ),
    Exercise(
        "extrapolation-medium",
        "fit_offsets(p, q, y): a function of p and q that answers for other pairs, shape (n,)",
        (
            Property(
                "moved pairs",
                fitted_to(AHEAD, AHEAD + 500, at="pairs moved by 500"),
                "pairs were learned by heart; only q - p may count.",
                of_pairs,
            ),
            Property(
                "mean of an offset",
                fitted_to(AHEAD, AHEAD, noise=1, at="pairs that were shown"),
                "one target of each offset was kept; least squares has their mean.",
                of_one_target,
            ),
            Property(
                "which way",
                fitted_to(ALL, ALL, at="pairs both ways"),
                "the distance was used; before and behind may have different targets.",
                of_distances,
            ),
            Property(
                "never shown",
                never_shown,
                "new offsets got the answer of the largest one; nothing was learned for them.",
                clipped,
            ),
        ),
        fit_offsets,
    ),
    Exercise(
        "extrapolation-hard",
        "in_turn(y, d_model, ridge): a function of positions that answers everywhere, shape (n,)",
        (
            Property(
                "beyond the table",
                hybrid(range(40, 60), 0, 0.01),
                "waves and table were fitted at once, which acts as a larger ridge on the waves.",
                together,
            ),
            Property(
                "inside",
                hybrid(range(40), 1, 0.5),
                "the table is to learn what the waves leave over, no more and no less.",
                of_targets,
            ),
            Property(
                "before the table",
                hybrid(range(-5, 0), 0, 0.01),
                "a negative position took a row from the end of the table.",
                wrapped,
            ),
        ),
        in_turn,
    ),
)
