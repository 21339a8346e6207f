"""Exercises of the chapter on heads as filters."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises._exercise import Answer, Exercise, Property, differs, first, pairs

Pairs = NDArray[np.complex128]


def complex_pairs(x: Any) -> Pairs:
    """Return each pair of channels as one complex number."""
    x = np.asarray(x, dtype=float)
    return np.asarray(x[::2] + 1j * x[1::2])


def scores(x: Any, y: Any, offsets: Any) -> Any:
    """Return the scores of x with keys y at these offsets: turned pairs, multiplied."""
    turns = np.exp(1j * np.multiply.outer(offsets, pairs(len(x))))
    return (complex_pairs(x).conj() * complex_pairs(y) * turns).real.sum(axis=-1)


# Easy: the waves of a query and a key.


def waves(x: Any, y: Any) -> Any:
    """Multiply the lengths of each pair, and take the angle of the key less that of the query."""
    u, v = complex_pairs(x), complex_pairs(y)
    return abs(u) * abs(v), np.angle(v * u.conj())


def added_lengths(x: Any, y: Any) -> Any:
    """Add the lengths."""
    return abs(complex_pairs(x)) + abs(complex_pairs(y)), waves(x, y)[1]


def of_halves(x: Any, y: Any) -> Any:
    """Pair channel i with channel i + d/2."""
    return waves(*(np.reshape(z, (2, -1)).T.ravel() for z in (x, y)))


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


def dot_product(answer: Answer) -> str | None:
    """At offset 0 the waves add up to the dot product."""
    x, y = SOME
    return _summed(answer, x, y, [0])


def which_pair(answer: Answer) -> str | None:
    """Key and query have one pair, so there is one wave."""
    expected = [[5.0 * (i == j) for i in range(4)] for j in range(4)]
    found = []
    for j in range(4):
        x = np.zeros(8)
        x[2 * j : 2 * j + 2] = 2, 1
        found.append(answer(x, x)[0])
    return differs(found, expected, at="amplitudes", axes=("the one pair", "pair"))


def which_way(answer: Answer) -> str | None:
    """Before and after."""
    x, y = SOME
    return _summed(answer, x, y, [-1, 1, -40, 40])


# Medium: the waves of a score that has been measured.


def fitted(measured: Any, inv_freq: Any) -> Any:
    """Fit all cosines and sines at once."""
    reach = len(measured) // 2
    angles = np.outer(np.arange(-reach, reach + 1), inv_freq)
    both = np.hstack([np.cos(angles), np.sin(angles)])
    cosines, sines = np.linalg.lstsq(both, measured, rcond=None)[0].reshape(2, -1)
    return np.hypot(cosines, sines), np.arctan2(-sines, cosines)


def ahead(measured: Any, inv_freq: Any) -> Any:
    """Give the sine the sign of the cosine."""
    amplitudes, phases = fitted(measured, inv_freq)
    return amplitudes, -phases


def one_by_one(measured: Any, inv_freq: Any) -> Any:
    """Fit each wave as if it were alone."""
    alone = [fitted(measured, [omega]) for omega in inv_freq]
    return tuple(np.array(part).ravel() for part in zip(*alone, strict=True))


def less_the_mean(measured: Any, inv_freq: Any) -> Any:
    """Subtract the mean first, as if every wave had the mean 0 here."""
    return fitted(measured - np.mean(measured), inv_freq)


def added(*waves_in: tuple[float, float, float]) -> Callable[[Answer], str | None]:
    """Return the test that adds waves (frequency, amplitude, phase), and asks for the last two."""
    inv_freq, amplitudes, phases = np.array(waves_in, dtype=float).T
    given = (amplitudes * np.cos(np.outer(range(-200, 201), inv_freq) + phases)).sum(axis=1)
    at = f"frequencies {', '.join(map('{:.4g}'.format, inv_freq))}"

    def test(answer: Answer) -> str | None:
        found, axes = answer(given, inv_freq), ("result", "wave")
        return differs(found, [amplitudes, phases], at=at, axes=axes, within=1e-6)

    return test


FOUR = ((1, 2, 0.5), (0.1, 1.5, -2), (0.01, 1, 3), (0.001, 0.5, -1))

# Hard: one query that looks at two places.


def both_ways(y: Any) -> Any:
    """Fit the amplitudes, of either sign, to scores that are high at -2 and 2 alone."""
    k = np.arange(-12, 13)
    amplitudes = np.linalg.lstsq(np.cos(np.outer(k, pairs(64))), abs(k) == 2, rcond=0.003)[0]
    return _query(4000 * amplitudes, y)


def two_queries(y: Any) -> Any:
    """Add the query that looks two back to the one that looks two ahead."""
    return _query(200 * np.cos(2 * pairs(64)), y)


def for_one_key(y: Any) -> Any:
    """Take it that all pairs of the key are (1, 0)."""
    return both_ways(PLAIN)


def exactly(y: Any) -> Any:
    """Meet the scores exactly, with amplitudes as large as it takes."""
    k = np.arange(-12, 13)
    amplitudes = np.linalg.lstsq(np.cos(np.outer(k, pairs(64))), abs(k) == 2, rcond=1e-11)[0]
    return _query(1000 * amplitudes, y)


def _query(amplitudes: Any, y: Any) -> Any:
    """Return the query whose waves with the key y have these amplitudes and the phase 0."""
    v = complex_pairs(y)
    u = amplitudes * v / abs(v) ** 2
    return np.stack([u.real, u.imag], axis=-1).ravel()


def looking(y: Any, dtype: str, at: str) -> Callable[[Answer], str | None]:
    """Return the test for a weight of at least 0.45 in both places, of keys at -12 to 12."""

    def test(answer: Answer) -> str | None:
        x = np.asarray(answer(y), dtype=dtype).astype(float)
        logits = scores(x, y, np.arange(-12, 13)) / 8
        weights = np.exp(logits - logits.max())
        two = [(k, min(weights[12 + k] / weights.sum(), 0.45)) for k in (-2, 2)]
        return first(differs(found, 0.45, at=f"{at}, weight at offset {k}") for k, found in two)

    return test


PLAIN = np.tile([1.0, 0.0], 32)
OTHER = np.random.default_rng(2).uniform(0.5, 2, size=64) * np.tile([1, 1, -1, 1], 16)

EXERCISES = (
    Exercise(
        "filters-easy",
        "waves(x, y): amplitudes and phases of a query and a key, two arrays of shape (d/2,)",
        (
            Property(
                "dot product",
                dot_product,
                "the lengths of the two pairs were added; they multiply.",
                added_lengths,
            ),
            Property(
                "which pair",
                which_pair,
                "channels were paired as in the half layout; here they are neighbours.",
                of_halves,
            ),
            Property(
                "which way",
                which_way,
                "the phase is that of the query less that of the key, which looks ahead for back.",
                query_less_key,
            ),
        ),
        waves,
    ),
    Exercise(
        "filters-medium",
        "fitted(measured, inv_freq): amplitudes and phases, two arrays as long as inv_freq",
        (
            Property(
                "one wave",
                added((2 * np.pi * 40 / 401, 3, 0.5)),  # whole turns within the range
                "the phase has the wrong sign: cos(a + b) has a minus before the sines.",
                ahead,
            ),
            Property(
                "slow wave",
                added((0.001, 2, 0.75)),  # less than one turn
                "the mean was taken away; part of a turn has a mean, and it belongs to the wave.",
                less_the_mean,
            ),
            Property(
                "several waves",
                added(*FOUR),
                "each wave was fitted alone, but over a finite range they are not orthogonal.",
                one_by_one,
            ),
        ),
        fitted,
    ),
    Exercise(
        "filters-hard",
        "both_ways(y): a query of 64 channels that looks two back and two ahead, shape (64,)",
        (
            Property(
                "two places",
                looking(PLAIN, "float64", "pairs (1, 0)"),
                "two queries were added, and their peaks merge into one between them.",
                two_queries,
            ),
            Property(
                "any key",
                looking(OTHER, "float64", "another key"),
                "the key was not asked; each pair of it has a length and an angle.",
                for_one_key,
            ),
            Property(
                "single precision",
                looking(OTHER, "float32", "query in float32"),
                "amplitudes are so large that their sum is lost in rounding; allow some error.",
                exactly,
            ),
        ),
        both_ways,
    ),
)
