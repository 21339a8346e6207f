"""Exercises of the chapter on heads as filters."""

from typing import Any

import numpy as np

import posenc
from posenc.exercises.exercise import Answer, Exercise, differs, first, judges, pairs


def scores(x: Any, y: Any, offsets: Any) -> Any:
    """Return the scores of x with keys y at these offsets: turned pairs, multiplied."""
    u, v = x[::2] + 1j * x[1::2], y[::2] + 1j * y[1::2]
    turns = np.exp(1j * np.multiply.outer(offsets, pairs(len(x))))
    return (u.conj() * v * turns).real.sum(axis=-1)


# Easy: the waves of a query and a key.


# --8<-- [start:filters-easy]
def waves(x: Any, y: Any) -> Any:
    """Return amplitudes and phases of a query and a key, shape (d/2,) each."""
    u, v = x[::2] + 1j * x[1::2], y[::2] + 1j * y[1::2]
    return abs(u) * abs(v), np.angle(v * u.conj())
    # --8<-- [end:filters-easy]


def added_lengths(x: Any, y: Any) -> Any:
    """Add the lengths."""
    of_query, of_key = np.hypot(x[::2], x[1::2]), np.hypot(y[::2], y[1::2])
    return of_query + of_key, waves(x, y)[1]


def of_halves(x: Any, y: Any) -> Any:
    """Pair channel i with channel i + d/2."""
    return waves(x.reshape(2, -1).T.ravel(), y.reshape(2, -1).T.ravel())


def query_less_key(x: Any, y: Any) -> Any:
    """Take the angle of the query less that of the key."""
    return waves(y, x)


def _summed(answer: Answer, x: Any, y: Any, offsets: Any) -> str | None:
    """Compare the sum of the waves with the scores of turned vectors."""
    amplitudes, phases = (np.asarray(part, dtype=float) for part in answer(x, y))
    angles = np.multiply.outer(offsets, pairs(len(x)))
    found = (amplitudes * np.cos(angles + phases)).sum(axis=-1)
    right = scores(x, y, offsets)
    return first(
        differs(a, b, at=f"score at offset {k}")
        for a, b, k in zip(found, right, offsets, strict=True)
    )


SOME = np.random.default_rng(0).normal(size=(2, 8))


@judges(
    "dot product",
    hint="the lengths of the two pairs were added; they multiply.",
    wrong=added_lengths,
)
def dot_product(answer: Answer) -> str | None:
    """At offset 0 the waves add up to the dot product."""
    x, y = SOME
    return _summed(answer, x, y, [0])


@judges(
    "which pair",
    hint="channels were paired as in the half layout; here they are neighbours.",
    wrong=of_halves,
)
def which_pair(answer: Answer) -> str | None:
    """Key and query have one pair, so there is one wave."""
    found = []
    for pair in range(4):
        x = np.zeros(8)
        x[2 * pair : 2 * pair + 2] = 2, 1
        found.append(answer(x, x)[0])
    return differs(found, 5 * np.eye(4), at="amplitudes", axes=("the one pair", "pair"))


@judges(
    "which way",
    hint="the phase is that of the query less that of the key, which looks ahead for back.",
    wrong=query_less_key,
)
def which_way(answer: Answer) -> str | None:
    """The score is right at offsets before and after the query."""
    x, y = SOME
    return _summed(answer, x, y, [-1, 1, -40, 40])


# Medium: the waves of a score that has been measured.


# --8<-- [start:filters-medium]
def fitted(measured: Any, inv_freq: Any) -> Any:
    """Return amplitudes and phases, two arrays as long as inv_freq."""
    reach = len(measured) // 2
    angles = np.outer(np.arange(-reach, reach + 1), inv_freq)
    both = np.hstack([np.cos(angles), np.sin(angles)])
    a, b = np.linalg.lstsq(both, measured, rcond=None)[0].reshape(2, -1)
    return np.hypot(a, b), np.arctan2(-b, a)
    # --8<-- [end:filters-medium]


def ahead(measured: Any, inv_freq: Any) -> Any:
    """Give the sine the sign of the cosine."""
    amplitudes, phases = fitted(measured, inv_freq)
    return amplitudes, -phases


# --8<-- [start:filters-medium-wrong]
def one_by_one(measured: Any, inv_freq: Any) -> Any:
    """Fit each wave as if it were alone."""
    alone = [fitted(measured, [omega]) for omega in inv_freq]
    return np.array(alone)[..., 0].T
    # --8<-- [end:filters-medium-wrong]


def less_the_mean(measured: Any, inv_freq: Any) -> Any:
    """Subtract the mean first, as if every wave had the mean 0 here."""
    return fitted(measured - np.mean(measured), inv_freq)


def _added(answer: Answer, *waves_in: tuple[float, float, float]) -> str | None:
    """Add waves (frequency, amplitude, phase), and ask for amplitudes and phases."""
    inv_freq, amplitudes, phases = np.array(waves_in, dtype=float).T
    angles = np.outer(range(-200, 201), inv_freq) + phases
    found = answer((amplitudes * np.cos(angles)).sum(axis=1), inv_freq)
    at = "frequencies " + ", ".join(f"{omega:.4g}" for omega in inv_freq)
    return differs(found, [amplitudes, phases], at=at, axes=("result", "wave"), within=1e-6)


@judges(
    "one wave",
    hint="the phase has the wrong sign: cos(a + b) has a minus before the sines.",
    wrong=ahead,
)
def one_wave(answer: Answer) -> str | None:
    """A fast wave is found."""
    return _added(answer, (2 * np.pi * 40 / 401, 3, 0.5))


@judges(
    "slow wave",
    hint="the mean was taken away; part of a turn has a mean, and it belongs to the wave.",
    wrong=less_the_mean,
)
def slow_wave(answer: Answer) -> str | None:
    """A wave that makes only a small part of a turn is found."""
    return _added(answer, (0.001, 2, 0.75))


@judges(
    "several waves",
    hint="each wave was fitted alone, but over a finite range they are not orthogonal.",
    wrong=one_by_one,
)
def several_waves(answer: Answer) -> str | None:
    """Four waves are found at once."""
    return _added(answer, (1, 2, 0.5), (0.1, 1.5, -2), (0.01, 1, 3), (0.001, 0.5, -1))


# Hard: one query that looks at two places.


# --8<-- [start:filters-hard]
def amplitudes(rcond: float) -> Any:
    """Fit a sum of cosines to 1 at -2 and 2, and to 0 elsewhere."""
    k = np.arange(-12, 13)
    cosines = np.cos(np.outer(k, pairs(64)))
    return np.linalg.lstsq(cosines, abs(k) == 2, rcond=rcond)[0]


def query(A: Any, y: Any) -> Any:
    """Turn and stretch each pair of the key, for waves of these amplitudes."""
    v = y[::2] + 1j * y[1::2]
    u = A * v / abs(v) ** 2
    return np.stack([u.real, u.imag], axis=-1).ravel()


def both_ways(y: Any) -> Any:
    """Return a query of 64 channels that looks two back and two ahead."""
    return query(4000 * amplitudes(0.003), y)
    # --8<-- [end:filters-hard]


# --8<-- [start:filters-hard-wrong]
def two_queries(y: Any) -> Any:
    """Add the query that looks two back to the one that looks two ahead."""
    back, ahead = (posenc.analysis.query_for_offset(y, k) for k in (-2, 2))
    return 100 * (back + ahead)
    # --8<-- [end:filters-hard-wrong]


def for_one_key(y: Any) -> Any:
    """Take it that all pairs of the key are (1, 0)."""
    return both_ways(PLAIN)


def exactly(y: Any) -> Any:
    """Meet the scores exactly, with amplitudes as large as it takes."""
    return query(1000 * amplitudes(1e-11), y)


PLAIN = np.tile([1.0, 0.0], 32)
OTHER = np.random.default_rng(2).uniform(0.5, 2, size=64) * np.tile([1, 1, -1, 1], 16)


def _looking(answer: Answer, y: Any, dtype: str, at: str) -> str | None:
    """Ask for a weight of at least 0.45 in both places, of keys at -12 to 12."""
    x = np.asarray(answer(y), dtype=dtype).astype(float)
    logits = scores(x, y, np.arange(-12, 13)) / 8
    weights = np.exp(logits - logits.max())
    weights /= weights.sum()
    return first(
        differs(min(weights[12 + k], 0.45), 0.45, at=f"{at}, weight at offset {k}") for k in (-2, 2)
    )


@judges(
    "two places",
    hint="two queries were added, and their peaks merge into one between them.",
    wrong=two_queries,
)
def two_places(answer: Answer) -> str | None:
    """With a key without angles, both offsets get their weight."""
    return _looking(answer, PLAIN, "float64", at="pairs (1, 0)")


@judges(
    "any key",
    hint="the key was not asked; each pair of it has a length and an angle.",
    wrong=for_one_key,
)
def any_key(answer: Answer) -> str | None:
    """The same holds for keys with any angles and lengths."""
    return _looking(answer, OTHER, "float64", at="another key")


@judges(
    "single precision",
    hint="amplitudes are so large that their sum is lost in rounding; allow some error.",
    wrong=exactly,
)
def single_precision(answer: Answer) -> str | None:
    """The same holds after rounding to single precision."""
    return _looking(answer, OTHER, "float32", at="query in float32")


EXERCISES = (
    Exercise("filters-easy", waves, (dot_product, which_pair, which_way)),
    Exercise("filters-medium", fitted, (one_wave, slow_wave, several_waves)),
    Exercise("filters-hard", both_ways, (two_places, any_key, single_precision)),
)
