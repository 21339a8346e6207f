"""Exercises of the chapter on kernels and priors."""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

from posenc.exercises._exercise import Answer, Exercise, Property, differs, first

# Easy: where to put the bumps.


def centres(seq_len: int, bandwidth: float) -> Any:
    """Put one at each bandwidth, from three bandwidths before the text to three after it."""
    return np.arange(-3 * bandwidth, seq_len - 1 + 4 * bandwidth, bandwidth)


def too_far_apart(seq_len: int, bandwidth: float) -> Any:
    """Put one at every second bandwidth."""
    return np.arange(-4 * bandwidth, seq_len + 4 * bandwidth, 2 * bandwidth)


def without_margin(seq_len: int, bandwidth: float) -> Any:
    """Begin with the first position and end with the last one."""
    return np.arange(0, seq_len - 1 + bandwidth, bandwidth)


def crowded(seq_len: int, bandwidth: float) -> Any:
    """Put four at each bandwidth."""
    return np.arange(-3 * bandwidth, seq_len + 3 * bandwidth, bandwidth / 4)


TEXTS = ((64, 4.0), (200, 2.5), (9, 30.0))


def lengths(away: float) -> Callable[[Answer], str | None]:
    """Return the test for even lengths, from that many bandwidths from the ends on."""

    def test(answer: Answer) -> str | None:
        for seq_len, s in TEXTS:
            p, marks = np.arange(seq_len), np.asarray(answer(seq_len, s))
            squares = np.array([math.fsum(np.exp(-(((r - marks) / s) ** 2))) for r in p])
            far = (away * s <= p) & (p <= seq_len - 1 - away * s)
            found = np.where(far, squares / squares[seq_len // 2], 1)
            at = f"seq_len={seq_len}, bandwidth={s}, square over that in mid-text"
            if wrong := differs(found, np.ones(seq_len), at=at, axes=("position",), within=1 / 500):
                return wrong
        return None

    return test


def few(answer: Answer) -> str | None:
    """No more than one for each bandwidth, and eight."""
    most = [(n, s, math.ceil((n - 1) / s) + 8) for n, s in TEXTS]
    return first(
        differs(max(len(answer(n, s)), m), m, at=f"seq_len={n}, bandwidth={s}, channels")
        for n, s, m in most
    )


# Medium: frequencies for a Gaussian kernel, without chance.


def frequencies(n: int, s: float) -> Any:
    """Take the middle of each n-th part of the bell curve."""
    return np.array([NormalDist(0, 1 / s).inv_cdf((i + 0.5) / n) for i in range(n)])


def of_width_s(n: int, s: float) -> Any:
    """Give the frequencies the standard deviation of the kernel."""
    return s**2 * frequencies(n, s)


def evenly(n: int, s: float) -> Any:
    """Spread the frequencies evenly, with the right standard deviation."""
    return np.linspace(-1, 1, n) * math.sqrt(3) / s


def at_random(n: int, s: float) -> Any:
    """Draw them."""
    return np.random.default_rng(0).normal(0, 1 / s, n)


def _kernel(answer: Answer, n: int, s: float, offsets: Any, within: float) -> str | None:
    omega = np.asarray(answer(n, s), dtype=float)
    found = np.cos(np.multiply.outer(offsets, omega)).mean(axis=-1)
    for k, mean in zip(offsets, found, strict=True):
        right = math.exp(-(k**2) / (2 * s**2))
        if wrong := differs(mean, right, at=f"n={n}, s={s}, kernel at {k:.3g}", within=within):
            return wrong
    return None


def width(answer: Answer) -> str | None:
    """At one standard deviation, with many frequencies."""
    return first(_kernel(answer, 4000, s, [s], 0.05) for s in (4.0, 0.5))


def curve(answer: Answer) -> str | None:
    """At other offsets."""
    return _kernel(answer, 4000, 4.0, np.linspace(0, 16, 33), 0.05)


def quiet(answer: Answer) -> str | None:
    """With few frequencies: a quarter of the noise of random ones, up to three deviations."""
    offsets, noise = np.linspace(0, 12, 49), {n: 1 / math.sqrt(2 * n) for n in (32, 64, 128)}
    return first(_kernel(answer, n, 4.0, offsets, noise[n] / 4) for n in noise)


# Hard: Gaussian weights without a bias.


def parabola(positions: Any, s: float) -> Any:
    """Write -(q - p)^2 / 2 s^2, but for what depends on p alone, as a dot product of two."""
    return from_zero(np.asarray(positions, dtype=float) - positions[0], s)


def without_the_root(positions: Any, s: float) -> Any:
    """Forget what attention divides by."""
    queries, keys = parabola(positions, s)
    return queries, keys / math.sqrt(2)


def a_channel_for_each(positions: Any, s: float) -> Any:
    """Let each key have a channel of its own, in which queries hold their bias."""
    p = np.asarray(positions, dtype=float) - positions[0]
    return -((p[:, np.newaxis] - p) ** 2) / (2 * s**2) * math.sqrt(len(p)), np.eye(len(p))


def from_zero(positions: Any, s: float) -> Any:
    """Take positions as they are; their squares lose the digits that count."""
    p = np.asarray(positions, dtype=float)
    queries = np.stack([p, np.ones_like(p)], axis=1)
    return queries, np.stack([p, -(p**2) / 2], axis=1) * math.sqrt(2) / s**2


def from_the_middle(positions: Any, s: float) -> Any:
    """Count from the middle of the text, which moves as it grows."""
    return from_zero(np.asarray(positions) - np.mean(positions), s)


def _weights(answer: Answer, positions: Any, s: float) -> str | None:
    queries, keys = (np.asarray(part, dtype=float) for part in answer(positions, s))
    scores = queries @ keys.T / math.sqrt(keys.shape[1])
    found = np.exp(scores - scores.max(axis=1, keepdims=True))
    found /= found.sum(axis=1, keepdims=True)
    bells = [[math.exp(-((q - p) ** 2) / (2 * s**2)) for q in positions] for p in positions]
    right = [[bell / math.fsum(row) for bell in row] for row in bells]
    at = f"s={s}, positions from {positions[0]}"
    return differs(found, right, at=at, axes=("query", "key"), within=1e-6)


def gaussian(answer: Answer) -> str | None:
    """Weights that are a Gaussian, of two widths."""
    return _weights(answer, np.arange(40), 4.0) or _weights(answer, np.arange(30), 1.5)


def channels(answer: Answer) -> str | None:
    """At most four channels, however long the text is."""
    found = max(4, np.shape(answer(np.arange(60), 4.0)[1])[1])
    return differs(found, 4, at="60 positions, channels")


def far_away(answer: Answer) -> str | None:
    """A text whose positions begin far away."""
    return _weights(answer, np.arange(10**8, 10**8 + 30), 4.0)


def cached(answer: Answer) -> str | None:
    """Keys that were computed stay as they are."""
    short, long = (np.asarray(answer(np.arange(n), 4.0)[1]) for n in (10, 20))
    return differs(long[:10], short, at="keys of 10 positions, 10 later", axes=("key", "channel"))


EXERCISES = (
    Exercise(
        "kernels-easy",
        "centres(seq_len, bandwidth): centres for positions from 0 to seq_len - 1, an array",
        (
            Property(
                "even in mid-text",
                lengths(4),
                "centres are too far apart, so that positions between them have short codes.",
                too_far_apart,
            ),
            Property(
                "even at the borders",
                lengths(0),
                "the margin is missing; a position at an end needs centres on both sides.",
                without_margin,
            ),
            Property(
                "few channels",
                few,
                "centres are closer than a bandwidth, and neighbours say the same.",
                crowded,
            ),
        ),
        centres,
    ),
    Exercise(
        "kernels-medium",
        "frequencies(n, s): n frequencies for a Gaussian kernel of deviation s, shape (n,)",
        (
            Property(
                "width",
                width,
                "frequencies have the deviation s; a wide kernel is made of slow waves, 1 / s.",
                of_width_s,
            ),
            Property(
                "curve",
                curve,
                "frequencies lie evenly; then the kernel is that of a box, with side lobes.",
                evenly,
            ),
            Property(
                "less noise",
                quiet,
                "frequencies were drawn; chance leaves gaps in the bell curve.",
                at_random,
            ),
        ),
        frequencies,
    ),
    Exercise(
        "kernels-hard",
        "parabola(positions, s): queries and keys, each of shape (L, d), for Gaussian weights",
        (
            Property(
                "Gaussian weights",
                gaussian,
                "attention divides scores by the root of the channels, and that was forgotten.",
                without_the_root,
            ),
            Property(
                "few channels",
                channels,
                "each key has a channel of its own; multiply the square out instead.",
                a_channel_for_each,
            ),
            Property(
                "far away",
                far_away,
                "squares of large positions lose the digits in which neighbours differ.",
                from_zero,
            ),
            Property(
                "cached keys",
                cached,
                "positions were counted from a place that moves when the text grows.",
                from_the_middle,
            ),
        ),
        parabola,
    ),
)
