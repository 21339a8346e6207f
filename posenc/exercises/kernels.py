"""Exercises of the chapter on kernels and priors."""

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

# Easy: where to put the bumps.


# --8<-- [start:kernels-easy]
def centres(seq_len: int, bandwidth: float) -> Any:
    """Return centres for positions from 0 to seq_len - 1, an array."""
    last = seq_len - 1 + 3 * bandwidth
    return np.arange(-3 * bandwidth, last + bandwidth, bandwidth)
    # --8<-- [end:kernels-easy]


def too_far_apart(seq_len: int, bandwidth: float) -> Any:
    """Put one at every second bandwidth."""
    return np.arange(-4 * bandwidth, seq_len + 4 * bandwidth, 2 * bandwidth)


# --8<-- [start:kernels-easy-wrong]
def without_margin(seq_len: int, bandwidth: float) -> Any:
    """Begin with the first position and end with the last one."""
    return np.arange(0, seq_len - 1 + bandwidth, bandwidth)
    # --8<-- [end:kernels-easy-wrong]


def crowded(seq_len: int, bandwidth: float) -> Any:
    """Put four at each bandwidth."""
    return np.arange(-3 * bandwidth, seq_len + 3 * bandwidth, bandwidth / 4)


SEQUENCES = ((64, 4.0), (200, 2.5), (9, 30.0))


def _even(answer: Answer, away: float) -> str | None:
    """Ask for even lengths, from that many bandwidths from the ends on."""
    for seq_len, s in SEQUENCES:
        positions, marks = np.arange(seq_len), np.asarray(answer(seq_len, s))
        bumps = [np.exp(-(((p - marks) / s) ** 2)) for p in positions]
        squares = np.array([math.fsum(row) for row in bumps])
        far = (away * s <= positions) & (positions <= seq_len - 1 - away * s)
        found = np.where(far, squares / squares[seq_len // 2], 1)
        at = f"seq_len={seq_len}, bandwidth={s}, square over that in the middle"
        if wrong := differs(found, np.ones(seq_len), at=at, axes=("position",), within=1 / 500):
            return wrong
    return None


@judges(
    "even in the middle",
    hint="centres are too far apart, so positions between them have short encodings.",
    wrong=too_far_apart,
)
def even_in_the_middle(answer: Answer) -> str | None:
    """Lengths are even in the middle."""
    return _even(answer, 4)


@judges(
    "even at the borders",
    hint="the margin is missing; a position at an end needs centres on both sides.",
    wrong=without_margin,
)
def even_at_the_borders(answer: Answer) -> str | None:
    """Lengths are even up to both ends."""
    return _even(answer, 0)


@judges(
    "few channels",
    hint="centres are closer than a bandwidth, and neighbours are nearly the same.",
    wrong=crowded,
)
def few(answer: Answer) -> str | None:
    """There is at most one channel per bandwidth, and eight more."""
    most = [(n, s, math.ceil((n - 1) / s) + 8) for n, s in SEQUENCES]
    return first(
        differs(max(len(answer(n, s)), limit), limit, at=f"seq_len={n}, bandwidth={s}, channels")
        for n, s, limit in most
    )


# Medium: frequencies for a Gaussian kernel, without chance.


# --8<-- [start:kernels-medium]
def frequencies(n: int, s: float) -> Any:
    """Return n frequencies for a Gaussian kernel of deviation s, shape (n,)."""
    bell = NormalDist(0, 1 / s)
    return np.array([bell.inv_cdf((i + 0.5) / n) for i in range(n)])
    # --8<-- [end:kernels-medium]


def of_width_s(n: int, s: float) -> Any:
    """Give the frequencies the standard deviation of the kernel."""
    return s**2 * frequencies(n, s)


# --8<-- [start:kernels-medium-wrong]
def evenly(n: int, s: float) -> Any:
    """Spread the frequencies evenly, with the right standard deviation."""
    return np.linspace(-1, 1, n) * math.sqrt(3) / s
    # --8<-- [end:kernels-medium-wrong]


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


@judges(
    "width",
    hint="frequencies have the deviation s; a wide kernel is made of slow waves, 1 / s.",
    wrong=of_width_s,
)
def width(answer: Answer) -> str | None:
    """The kernel is right at one standard deviation."""
    return first(_kernel(answer, 4000, s, [s], 0.05) for s in (4.0, 0.5))


@judges(
    "curve",
    hint="frequencies are spaced evenly; then the kernel is that of a box, with side lobes.",
    wrong=evenly,
)
def curve(answer: Answer) -> str | None:
    """The kernel is right at other offsets."""
    return _kernel(answer, 4000, 4.0, np.linspace(0, 16, 33), 0.05)


@judges(
    "less noise",
    hint="frequencies were drawn; chance leaves gaps in the bell curve.",
    wrong=at_random,
)
def quiet(answer: Answer) -> str | None:
    """With few frequencies, the error is below a quarter of the noise of random ones."""
    offsets = np.linspace(0, 12, 49)
    return first(_kernel(answer, n, 4.0, offsets, 1 / math.sqrt(2 * n) / 4) for n in (32, 64, 128))


# Hard: Gaussian weights without a bias.


# --8<-- [start:kernels-hard]
def parabola(positions: Any, s: float) -> Any:
    """Return queries and keys, each of shape (L, d), for Gaussian weights."""
    p = np.asarray(positions, dtype=float) - positions[0]
    queries = np.stack([p, np.ones_like(p)], axis=1)
    keys = np.stack([p, -(p**2) / 2], axis=1)
    return queries, keys * math.sqrt(2) / s**2
    # --8<-- [end:kernels-hard]


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
    queries, keys = parabola([0, *positions], s)
    return queries[1:], keys[1:]


# --8<-- [start:kernels-hard-wrong]
def from_the_middle(positions: Any, s: float) -> Any:
    """Count from the middle of the sequence, which moves as it grows."""
    queries, keys = parabola([np.mean(positions), *positions], s)
    return queries[1:], keys[1:]
    # --8<-- [end:kernels-hard-wrong]


def _weights(answer: Answer, positions: Any, s: float) -> str | None:
    queries, keys = (np.asarray(part, dtype=float) for part in answer(positions, s))
    scores = queries @ keys.T / math.sqrt(keys.shape[1])
    found = np.exp(scores - scores.max(axis=1, keepdims=True))
    found /= found.sum(axis=1, keepdims=True)
    bells = [[math.exp(-((q - p) ** 2) / (2 * s**2)) for q in positions] for p in positions]
    right = [[bell / math.fsum(row) for bell in row] for row in bells]
    at = f"s={s}, positions from {positions[0]}"
    return differs(found, right, at=at, axes=("query", "key"), within=1e-6)


@judges(
    "Gaussian weights",
    hint="attention divides scores by the root of the channels, and that was forgotten.",
    wrong=without_the_root,
)
def gaussian(answer: Answer) -> str | None:
    """The weights are a Gaussian, for two widths."""
    return _weights(answer, np.arange(40), 4.0) or _weights(answer, np.arange(30), 1.5)


@judges(
    "few channels",
    hint="each key has a channel of its own; multiply the square out instead.",
    wrong=a_channel_for_each,
)
def channels(answer: Answer) -> str | None:
    """There are at most four channels, however long the sequence is."""
    found = max(4, np.shape(answer(np.arange(60), 4.0)[1])[1])
    return differs(found, 4, at="60 positions, channels")


@judges(
    "far away",
    hint="squares of large positions lose the digits in which neighbours differ.",
    wrong=from_zero,
)
def far_away(answer: Answer) -> str | None:
    """Positions may begin far away."""
    return _weights(answer, np.arange(10**8, 10**8 + 30), 4.0)


@judges(
    "cached keys",
    hint="positions were counted from a point that moves as the sequence grows.",
    wrong=from_the_middle,
)
def cached(answer: Answer) -> str | None:
    """Keys that were computed stay as they are."""
    short, long = (np.asarray(answer(np.arange(n), 4.0)[1]) for n in (10, 20))
    return differs(long[:10], short, at="keys of 10 positions, 10 later", axes=("key", "channel"))


EXERCISES = (
    Exercise("kernels-easy", centres, (even_in_the_middle, even_at_the_borders, few)),
    Exercise("kernels-medium", frequencies, (width, curve, quiet)),
    Exercise("kernels-hard", parabola, (gaussian, channels, far_away, cached)),
)
