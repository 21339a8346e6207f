"""Calls of each exercise's function that its check doesn't make, to compare two answers."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

import posenc

Call = Callable[[Callable[..., Any]], Any]


def draw(*shape: int, seed: int = 0) -> Any:
    """Return normal numbers of a shape, the same each time."""
    return np.random.default_rng([29, seed]).normal(size=shape)


def each(*calls: tuple[Any, ...]) -> tuple[Call, ...]:
    """Return calls with these arguments."""
    return tuple(lambda f, args=args: f(*args) for args in calls)


def running_sums(X: Any) -> Any:
    return np.cumsum(X, axis=0)


def less_mean(X: Any) -> Any:
    return X - X.mean(axis=0)


def product_of(seed: int) -> Callable[[Any], Any]:
    """Return a head without weights of its own: scores of all rows with all rows."""
    return lambda X: X @ draw(X.shape[1], X.shape[1], seed=seed) @ X.T


def rotations(*angles: float) -> Any:
    """Return a matrix that rotates pairs of channels, in another basis than the channels'."""
    d = 2 * len(angles)
    blocks = np.zeros((d, d))
    for i, w in enumerate(angles):
        cos, sin = np.cos(w), np.sin(w)
        blocks[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cos, -sin], [sin, cos]]
    basis = np.linalg.qr(draw(d, d, seed=5))[0]
    return basis @ blocks @ basis.T


def planes(*frequencies: float) -> Any:
    """Return a skew-symmetric matrix with these frequencies, in a basis that all share."""
    d = 2 * len(frequencies)
    blocks = np.zeros((d, d))
    for i, w in enumerate(frequencies):
        blocks[2 * i, 2 * i + 1], blocks[2 * i + 1, 2 * i] = -w, w
    basis = np.linalg.qr(draw(d, d, seed=6))[0]
    return basis @ blocks @ basis.T


def marks(seconds: int) -> tuple[int, int, int]:
    """Return the nearest marks of the three hands."""
    return (seconds + 360) // 720 % 60, (seconds + 30) // 60 % 60, seconds % 60


def cells(height: int, width: int, *, x_first: bool = False, by_columns: bool = False) -> Any:
    """Return a table of a grid, in one of four orders."""
    wave = [[np.sin(0.7 * p), np.cos(0.7 * p)] for p in range(max(height, width))]
    table = np.array([[wave[y] + wave[x] for x in range(width)] for y in range(height)])
    if x_first:
        table = np.roll(table, 2, axis=2)
    if by_columns:
        table = table.swapaxes(0, 1)
    return table.reshape(height * width, 4)


def shares(*words: int) -> Any:
    """Return the shares of a mark and of three words after each word, shuffled."""
    counts = np.cumsum(np.eye(4)[[0, *(word + 1 for word in words)]], axis=0)
    rows = counts / counts.sum(axis=1, keepdims=True)
    return rows[np.random.default_rng(3).permutation(len(rows))]


def bag(words: list[int], codes: Any, tokens: Any) -> tuple[Any, Any, Any]:
    """Return shuffled sums of codes and tokens, with both."""
    rows = codes[: len(words)] + tokens[words]
    return rows[np.random.default_rng(4).permutation(len(rows))], codes, tokens


def blocks(*sizes: int, scale: float = 1) -> Any:
    """Yield keys and values in one memory."""
    keys, values = np.empty((9, 4)), np.empty((9, 3))
    for number, n in enumerate(sizes):
        keys[:n], values[:n] = scale * draw(n, 4, seed=number), draw(n, 3, seed=number + 9)
        yield keys[:n], values[:n]


def network(kind: str, rows: Any, real: Any) -> Any:
    """Return rows plus a mean of all rows, of the real ones, or of those without zeros."""
    seen = {"all": np.ones_like(real), "real": real, "nonzero": rows.any(axis=-1)}[kind]
    total = (rows * seen[..., np.newaxis]).sum(axis=1, keepdims=True)
    return rows + total / seen.sum(axis=1)[:, np.newaxis, np.newaxis]


def library(direction: int, options: dict[str, Any]) -> Any:
    """Return a rotation of an unknown library."""
    return lambda x, p: posenc.apply_rotary(np.asarray(x, float), direction * p, **options)


REAL = np.array([[1, 1, 0, 0, 0], [1, 1, 1, 1, 1], [0, 1, 1, 1, 0]], bool)
HOLES = np.array([[0, 0, 0, 1, 1], [1, 1, 1, 1, 1], [0, 1, 1, 1, 1]], bool)
NAN_AT_PADDING = np.where(REAL[..., np.newaxis], draw(3, 5, 2), np.nan)
P, Q = np.array([0, 1, 5, 5, 2, 7]), np.array([1, 2, 3, 4, 1, 9])
BIAS = np.where(np.tri(5, dtype=bool), draw(5, 5), -np.inf)
ONE_HIDDEN = np.where(np.arange(25).reshape(5, 5) == 15, -np.inf, BIAS)
LINEAR = np.array([np.linalg.matrix_power(rotations(0.4, 1.2), n)[0] for n in range(30)])
EAST = timezone(timedelta(hours=9))
TURN = [np.cos(1.5708), 0.0, 0.0, np.sin(1.5708)]

FRESH: dict[str, tuple[Call, ...]] = {
    "adding-easy": each(
        (running_sums, draw(5, 3), draw(5, 3, seed=1), [3, 0, 4, 1, 2]),
        (less_mean, draw(5, 3), draw(5, 3, seed=1), [1, 2, 3, 4, 0]),
        (running_sums, draw(4, 2), np.zeros((4, 2)), [3, 2, 0, 1]),
    ),
    "adding-medium": each((product_of(1), draw(3, 4), draw(3, 4, seed=2))),
    "adding-hard": each((draw(3, 6),), (draw(5, 8, seed=3),)),
    "aliasing-easy": each((0.37, 50), (1.0, 300), (4.1, 20), (2.9, 9)),
    "aliasing-medium": each((np.arange(0, 65536, 37),)),
    "aliasing-hard": each(([1.0, 0.1], 2, 60, 0.05), ([1.0, 0.3], 1, 40, 0.5)),
    "biases-easy": each((4,), (5,), (20,), (48,)),
    "biases-medium": each(
        (BIAS, BIAS),
        (BIAS, BIAS + 2.0),
        (BIAS, BIAS + draw(5, 1, seed=4)),
        (BIAS, BIAS + draw(5, 5, seed=4)),
        (BIAS, ONE_HIDDEN),
        (ONE_HIDDEN, BIAS),
    ),
    "biases-hard": each((draw(5, 4), draw(5, 4, seed=1), 0.25), (draw(3, 2), draw(3, 2), 0.03)),
    "bug-frequencies": each((12,), (64,), (6, 100.0), (10, 500.0)),
    "bug-table": each((7, 6), (40, 16)),
    "bug-slopes": each((4,), (5,), (20,), (48,)),
    "bug-base": each((100, 400, 64, 4.0), (1000, 400, 8, 2.0), (3000, 1000, 16, 8.0, 500.0)),
    "bug-rotation": each((draw(5, 6), np.arange(5)), (draw(3, 4), np.array([7, 2, 100]))),
    "bug-halves": each((draw(5, 6), np.arange(5)), (draw(3, 4), np.array([7, 2, 100]))),
    "bug-dtype": each(
        (np.array([3, 2051, 60000]), 8, np.float16), (np.array([10**6 + 1]), 8, np.float32)
    ),
    "bug-positions": each((REAL,), (HOLES,)),
    "bug-sum": each((draw(2, 5, 3), draw(12, 3)), (draw(4, 2, 3), draw(9, 3))),
    "bug-decoding": (
        lambda f: [f(draw(1, 6), p) for p in range(5)],
        lambda f: [f(draw(4, 6), 3, base) for base in (500.0, 10000.0, 500.0)],
        *each((draw(9, 4),), (draw(3, 8), 100)),
    ),
    "costs-easy": each((7, 16), (128, 64)),
    "costs-medium": each((128, 2, 100, 7), (64, 4, 1000, 70), (8, 4, 1000, 1), (32, 2, 300, 50)),
    "costs-hard": (
        lambda f: f(draw(4, seed=8), blocks(3, 1, 5)),
        lambda f: f(draw(4, seed=8), blocks(2, 9, scale=2000)),
    ),
    "counting-easy": each((0,), (1,), (6,), (11,), (1023,), (4095,), (70000,)),
    "counting-medium": (lambda f: [f(*marks(t)) for t in range(5, 43200, 977)],),
    "counting-hard": each(
        ([Fraction(9), Fraction(6)],), ([Fraction(3, 4), Fraction(5, 6)],), ([6, 10, 15],)
    ),
    "extrapolation-easy": each(
        (draw(5, 3), np.array([0, 4, 5, -1, 99])), (draw(3, 2), np.array([-3, -4, 2]))
    ),
    "extrapolation-medium": (
        lambda f: f(P, Q, draw(6))(np.array([3, 3, 1, 0]), np.array([4, 1, 9, 9])),
        lambda f: f(P, Q, draw(6))(Q, P),
    ),
    "extrapolation-hard": (
        lambda f: f(draw(12), 6, 0.1)(np.array([0, 5, 11, 12, 40, -1, -12])),
        lambda f: f(draw(20, seed=1), 8, 1.0)(np.arange(-5, 30)),
    ),
    "filters-easy": each((draw(6), draw(6, seed=1)), (draw(16), draw(16, seed=2))),
    "filters-medium": each(
        (np.cos(0.5 * np.arange(-9, 10) + 2.0), np.array([0.5])),
        (draw(21), np.array([1.3, 0.2, 0.01])),
    ),
    "filters-hard": each((draw(64),), (np.tile([0.6, -0.8], 32),)),
    "grids-easy": (lambda f: [f(index, 3, 5) for index in range(15)], *each((2, 5, 3), (0, 1, 1))),
    "grids-medium": each(((5, 3), (2, 4)), ((2, 2), (3, 3))),
    "grids-hard": tuple(
        partial(lambda size, order, f: f(cells(*size, **order), *size), size, order)
        for size in ((3, 5), (4, 2), (3, 3))
        for order in (
            {},
            {"x_first": True},
            {"by_columns": True},
            {"x_first": True, "by_columns": True},
        )
    ),
    "kernels-easy": each((40, 3.0), (100, 7.5)),
    "kernels-medium": each((16, 2.0), (48, 0.5)),
    "kernels-hard": each((np.arange(6), 2.0), (np.arange(100, 117), 3.5)),
    "law-easy": each(
        (lambda n: rotations(0.3 * n, 1.1 * n),),
        (lambda n: rotations(0.2 * n**3),),
        (lambda n: rotations(0.2 * abs(n)),),
        (lambda n: np.array([[1.0, 0.5 * n], [0.0, 1.0]]),),
        (lambda n: np.array([[1.5**n, 0.0], [0.0, 1.0]]),),
        (lambda n: 2.0 * np.eye(2),),
        (lambda n: rotations(0.2 * n + 0.1),),
    ),
    "law-medium": each(
        (rotations(0.3, 1.7, 0.05),), (posenc.rotation_matrix(1, 6, base=900),), (rotations(2.9),)
    ),
    "law-hard": each(
        (planes(0.3, 1.7, 0.9), planes(2.0, -0.4, 0.1)), (planes(0.5, 0.5), planes(0.2, -1.5))
    ),
    "learned-easy": (lambda f: f(3, 4) is f(3, 4), *each((5, 8), (9, 6, 0.3))),
    "learned-medium": each(
        (lambda table: (draw(2, 3) * table**3).sum(), draw(2, 3, seed=1)),
        (lambda table: np.exp(table).prod(), draw(3, 2, seed=2)),
    ),
    "learned-hard": each((draw(3, 5, 2), HOLES, 7), (draw(3, 5, 2), REAL, 5)),
    "offsets-easy": tuple(
        partial(lambda p, q, f: f(p, q, 4), p, q)
        for p, q in ((9, 2), (9, 8), (9, 9), (2, 4), (1, 9))
    ),
    "offsets-medium": each((3, 2), (2, 4), (3, 3)),
    "offsets-hard": each(
        (draw(4), draw(6, 4, seed=1), draw(5, 4, seed=2)),
        (3 * draw(4), draw(12, 4, seed=1), draw(3, 4, seed=2)),
    ),
    "order-easy": each(
        (running_sums, draw(4, 3), [2, 0, 3, 1]), (less_mean, draw(4, 3), [2, 0, 3, 1])
    ),
    "order-medium": each(("to be or not to be",), ("one two three four",), ("a a a",)),
    "order-hard": each(
        bag([2, 0, 1, 1], draw(4, 5), draw(3, 5, seed=1)),
        bag([1, 0, 2], np.arange(3.0)[:, np.newaxis], np.array([[0.0], [1.0], [5.0]])),
    ),
    "padding-easy": each((draw(3, 5, 2), REAL), (NAN_AT_PADDING, REAL)),
    "padding-medium": each(((2, 4),), ((1, 3, 1, 2),)),
    "padding-hard": each(
        *(
            (partial(network, kind), rows, REAL)
            for kind in ("all", "real", "nonzero")
            for rows in (draw(3, 5, 2), draw(3, 5, 2) * REAL[..., np.newaxis])
        )
    ),
    "relative-easy": each((draw(6, 4),), (posenc.sinusoidal_positional_encoding(9, 8),)),
    "relative-medium": each((draw(6), 3.5), (draw(4, 8), -2, 100.0)),
    "relative-hard": tuple(
        partial(
            lambda p, q, base, f: f(*posenc.sinusoidal_at([p, q], 32, base=base), base=base),
            p,
            q,
            base,
        )
        for p, q, base in ((5, 45, 10000), (9000, 70, 10000), (3, 2, 50000))
    ),
    "requirements-easy": each((9,), (25,), (60,)),
    "requirements-medium": each((3,), (11,), (100,)),
    "requirements-hard": each(
        (LINEAR,),
        (LINEAR + 1.0,),
        (draw(16, 24),),
        (draw(40, 3),),
        (np.outer(np.arange(1, 20), [1, 2.0]),),
        (np.ones((12, 2)),),
    ),
    "rotary-easy": each((draw(5, 6), np.array([1, 0.3, 0.01])), (draw(2, 2), np.array([0.5]))),
    "rotary-medium": each((draw(6, 4), 2, np.array([0.9, 0.2])), (draw(9, 2), 5, np.array([1.5]))),
    "rotary-hard": tuple(
        partial(lambda direction, options, f: f(library(direction, options), 8), direction, options)
        for direction in (1, -1)
        for options in ({}, {"layout": "half"}, {"layout": "half", "rotary_dim": 4}, {"base": 1e14})
    ),
    "scaling-easy": each((8, 5000.0, 2, 400, 300), (16, 10000.0, 4, 1000, 3000)),
    "scaling-medium": each(
        (64, 10000, 512, 1024), (128, 500000, 8192, 8192 * 3), (64, 100, 900, 800)
    ),
    "scaling-hard": each(
        (draw(5, 4), abs(draw(5, 2, seed=1)), np.array([0.4, 0.01])),
        (draw(3, 2), np.array([[0.5]] * 3), np.array([0.25])),
    ),
    "sciences-easy": each((3, 9, 40), (0, 40, 40), (6, 6, 10)),
    "sciences-medium": each(
        (datetime(2023, 7, 5, 12, tzinfo=UTC),),
        (datetime(2024, 12, 31, 3, tzinfo=UTC),),
        (datetime(2026, 1, 1, 4, tzinfo=EAST),),
    ),
    "sciences-hard": each(
        ([0.5, 0.5, -0.5, 0.5],), ([-0.5, -0.5, 0.5, -0.5],), ([0.0, 0.6, 0, -0.8],), (TURN,)
    ),
    "separation-easy": each((3,), (0.25, 16), (1e-9, 64, 500.0), (70, 6, 100.0)),
    "separation-medium": each((30, 4), (500, 2), (46, 2), (9, 16, 100.0)),
    "separation-hard": each((4, 200), (3, 60)),
    "sinusoidal-easy": each((5, 6), (9, 16, 100.0)),
    "sinusoidal-medium": tuple(
        partial(
            lambda layout, exponent, d, p, f: f(
                posenc.sinusoidal_at(p, d, layout=layout, exponent=exponent), p
            ),
            layout,
            exponent,
            d,
            p,
        )
        for layout in ("interleaved", "half")
        for exponent in ("paper", "tensor2tensor")
        for d, p in ((16, 3), (1024, 2))
    ),
    "sinusoidal-hard": each((3, 6), (10**7 + 1, 8), (2**50, 16)),
    "skipping-easy": each(
        ("a b c", "c b a"), ("a b", "a b b"), ("a b", "b a a b"), ("a b c", "a b d"), ("x", "x x x")
    ),
    "skipping-medium": each((draw(4, 4),), (draw(2, 2, seed=1),)),
    "skipping-hard": each((shares(2, 0, 1, 1),), (shares(0, 0, 2, 1, 2, 2),)),
}
