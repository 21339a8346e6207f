"""What does adding an encoding cost, compared with the layers around it? Ratios of times.

    uv run python benchmarks/costs.py

Medians of several interleaved runs with cold caches, on an idle machine. NumPy adds on one core
and multiplies matrices on all cores that its BLAS uses, so the ratios depend on the machine.
"""

import os
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc

Array = NDArray[Any]
Calls = dict[str, Callable[[], object]]

LAYERS = [(512, 512), (2048, 1024)]  # L and d
BATCH = (8, 512, 256)  # B, L and d
LOOKUP = (16384, 512, 10_000)  # L, d and tokens in the vocabulary
HEADS, RUNS, ROWS = 8, 15, 128
EMPTY = np.zeros(2**24)  # 128 MiB, more than a cache holds


def measure_medians(calls: Calls) -> dict[str, float]:
    """Return the seconds of each call, the median of several rounds of all of them.

    Before each call the caches are filled with something else, and the order changes from
    round to round, so that none always finds what the same other one has left.
    """
    runs: dict[str, list[float]] = {name: [] for name in calls}
    order = np.random.default_rng(0)
    for _ in range(RUNS):
        for name in order.permutation(list(calls)).tolist():
            EMPTY.fill(0)
            start = time.perf_counter()
            calls[name]()
            runs[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in runs.items()}


def compute_attention(X: Array, weights: list[Array]) -> Array:
    """Return one layer of self-attention, without masks and biases."""
    length, d = X.shape
    shape = (length, HEADS, d // HEADS)
    Q, K, V = ((X @ W).reshape(shape).transpose(1, 0, 2) for W in weights[:3])
    scores = Q @ K.transpose(0, 2, 1)
    scores *= X.dtype.type((d // HEADS) ** -0.5)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    mixed: Array = (scores @ V).transpose(1, 0, 2).reshape(length, d) @ weights[3]
    return mixed


def measure_layers(length: int, d: int, dtype: str) -> dict[str, float]:
    """Return the times of an addition, a table, and the two layers of a block."""
    rng = np.random.default_rng(0)
    X, *weights = (rng.normal(size=(n, d)).astype(dtype) for n in (length, d, d, d, d))
    widen, narrow = (rng.normal(size=s).astype(dtype) for s in ((d, 4 * d), (4 * d, d)))
    pe, out = posenc.sinusoidal_positional_encoding(length, d, dtype=dtype), np.empty_like(X)
    return measure_medians(
        {
            "add": lambda: np.add(X, pe, out=out),
            "new": lambda: X + pe,
            "build": lambda: posenc.sinusoidal_positional_encoding(length, d, dtype=dtype),
            "attention": lambda: compute_attention(X, weights),
            "feed-forward": lambda: np.maximum(X @ widen, 0) @ narrow,
        }
    )


def measure_batch(dtype: str) -> dict[str, float]:
    """Return the times of the forward passes of both encodings, and of a training step."""
    X = np.random.default_rng(0).normal(size=BATCH).astype(dtype)
    fixed = posenc.SinusoidalPositionalEncoding(*BATCH[1:], dtype=dtype)
    learned = posenc.LearnedPositionalEncoding(*BATCH[1:], dtype=dtype)

    def step() -> None:
        learned.backward(learned.forward(X))

    return measure_medians(
        {
            "sinusoidal forward": lambda: fixed.forward(X),
            "learned forward": lambda: learned.forward(X),
            "forward and backward": step,
        }
    )


def measure_lookups(dtype: str) -> dict[str, float]:
    """Return the times of three ways to look up embeddings and add a table."""
    length, d, vocabulary = LOOKUP
    rng = np.random.default_rng(0)
    embedding = rng.normal(size=(vocabulary, d)).astype(dtype)
    tokens = rng.integers(0, vocabulary, length)
    pe = posenc.sinusoidal_positional_encoding(length, d, dtype=dtype)
    X, out = np.empty_like(pe), np.empty_like(pe)

    def separate() -> None:
        np.take(embedding, tokens, axis=0, out=X, mode="clip")
        np.add(X, pe, out=out)

    def fused() -> None:
        for start in range(0, length, ROWS):  # few enough rows to stay in cache
            rows = slice(start, start + ROWS)
            np.take(embedding, tokens[rows], axis=0, out=out[rows], mode="clip")
            out[rows] += pe[rows]

    return measure_medians(
        {"new": lambda: embedding[tokens] + pe, "separate": separate, "fused": fused}
    )


def main() -> None:
    """Print the ratios."""
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores")
    print("\nOne sequence: times over that of adding into an array that is there,")
    print("and the same ratio of operations")
    print(f"{'L':>6} {'d':>5} dtype   {'add, new':>9} {'build':>6}", end="")
    print(f" {'attention':>10} {'FLOPs':>6} {'feed-forward':>13} {'FLOPs':>6}")
    for length, d in LAYERS:
        adding = posenc.costs.addition_flops(length, d)
        attending = posenc.costs.attention_flops(length, d) // adding
        feeding = posenc.costs.feed_forward_flops(length, d) // adding
        for dtype in ("float32", "float64"):
            t = measure_layers(length, d, dtype)
            new, build, attend, feed = (t[name] / t["add"] for name in list(t)[1:])
            print(f"{length:6} {d:5} {dtype} {new:9.1f} {build:6.1f}", end="")
            print(f" {attend:10.0f} {attending:6} {feed:13.0f} {feeding:6}")

    print(f"\nB, L, d = {BATCH}: times over that of the sinusoidal forward")
    for dtype in ("float32", "float64"):
        first, *rest = measure_batch(dtype).items()
        print(f"  {dtype}:", ", ".join(f"{name} {t / first[1]:.1f}" for name, t in rest))

    print(f"\nL, d, N = {LOOKUP}: lookup and addition, times over those of two passes")
    for dtype in ("float32", "float64"):
        t = measure_lookups(dtype)
        ratios = (f"{name} {t[name] / t['separate']:.2f}" for name in ("new", "fused"))
        print(f"  {dtype}:", ", ".join(ratios))

    print("\nA table of 8192 x 512: what it takes, and how far it is from that in float64")
    exact = posenc.sinusoidal_positional_encoding(8192, 512)
    for dtype in ("float64", "float32", "float16"):
        mebibytes = posenc.costs.table_bytes(8192, 512, dtype) / 2**20
        error = abs(posenc.sinusoidal_positional_encoding(8192, 512, dtype=dtype) - exact).max()
        print(f"  {dtype}: {mebibytes:2.0f} MiB, {error:.0e}")


if __name__ == "__main__":
    main()
