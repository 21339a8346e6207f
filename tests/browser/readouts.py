"""What each explorer must show for its settings, computed with posenc.

A function returns the read-out by its keys: a text, or all numbers of a text in their order.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from posenc.core.layouts import Layout
from tests.browser.explorers import Readout

# The head of eight channels in explorers/rotary.js.
QUERY = np.array([-0.6, 0.5, 1, 0.2, -0.4, 0.7, -0.2, 0.3])
KEY = np.array([0.2, -0.6, 0.4, 0.9, -0.8, 0.9, 0.9, -0.7])

RULES = ("none", "linear", "ntk", "dynamic", "yarn", "llama3", "proportional")


def list_numbers(name: str, numbers: Sequence[float] | NDArray[np.float64]) -> Readout:
    """Return each number under a name with its place: c0, c1 and so on."""
    return {f"{name}{place}": [float(number)] for place, number in enumerate(numbers)}


def table_readout(p: int, c: int, d: int, base: float, layout: Layout) -> Readout:
    pair = c // 2 if layout == "interleaved" else c % (d // 2)
    return {
        "value": [posenc.sinusoidal_at(p, d, base=base, layout=layout)[c]],
        "formula": [p, pair],
        "omega": [posenc.inv_freq(d, base)[pair]],
        "wavelength": [posenc.wavelengths(d, base)[pair]],
    }


def clock_readout(p: int, d: int = 8, base: float = 10000, slowed: float = 1) -> Readout:
    return list_numbers("c", posenc.sinusoidal_at(p / slowed, d, base=base))


def grid_clock_readout(row: int, column: int) -> Readout:
    return list_numbers("c", posenc.axial_encoding([row, column], 8, base=100))


def shuffle_readout(order: Sequence[int], sees: str) -> Readout:
    X = np.array([[2, -1, 1, 0], [-1, 2, -1, 1], [1, 0, -2, 1], [-1, -1, 1, -2], [0, 1, 2, -1]])
    codes = posenc.sinusoidal_positional_encoding(5, 4) if sees == "positions" else 0.0
    mask = posenc.batches.causal_mask(5) if sees == "mask" else None
    before, after = (
        posenc.attention(rows / 2, rows, rows, mask=mask) for rows in (X + codes, X[order] + codes)
    )
    changes = abs(after - before[order]).max(axis=1)
    return {"changed": [float((changes > 1e-9).sum()), 5], "largest": [float(changes.max())]}


def shift_readout(p: int, k: int, pair: int) -> Readout:
    channels = slice(2 * pair, 2 * pair + 2)
    matrix = posenc.rotation_matrix(k, 16)[channels, channels]
    before, after = posenc.sinusoidal_at([p, p + k], 16)[:, channels]
    keys = ("m00", "m01", "m10", "m11", "s", "c", "s2", "c2")
    return {key: [n] for key, n in zip(keys, [*matrix.ravel(), *before, *after], strict=True)}


def similarity(p: int, q: int, d: int = 64, base: float = 10000) -> float:
    here, there = posenc.sinusoidal_at([p, q], d, base=base)
    return float(here @ there) / (d / 2)


def similarity_readout(p: int, q: int, d: int, base: float) -> Readout:
    offset, distance = posenc.analysis.nearest_alias(d, 64, base=base)
    return {
        "positions": [p, q],
        "similarity": [similarity(p, q, d, base)],
        "dot": [similarity(p, q, d, base) * d / 2, d / 2],
        "nearest": [offset, 1 - distance**2 / d],
    }


def rotary_score(p: float, q: float, query: Layout, key: Layout, base: float) -> float:
    turned_query = posenc.apply_rotary(QUERY, p, layout=query, base=base)
    return float(turned_query @ posenc.apply_rotary(KEY, q, layout=key, base=base))


def rotary_readout(p: int, q: int, query: Layout, key: Layout, base: float, pair: int) -> Readout:
    channels = [pair, pair + 4] if key == "half" else [2 * pair, 2 * pair + 1]
    turned_query = posenc.apply_rotary(QUERY, p, layout=query, base=base)
    turned_key = posenc.apply_rotary(KEY, q, layout=key, base=base)
    moved = [rotary_score(a, a + q - p, query, key, base) for a in range(41)]
    same = query == key
    return {
        "score": [rotary_score(p, q, query, key, base)],
        "offset": [q - p],
        "part": [turned_query[channels] @ turned_key[channels]] if same else "none of its own",
        "elsewhere": "the same" if same else [min(moved), max(moved)],
    }


def pairs_readout(p: int, k: int, base: float) -> Readout:
    def score(at: int) -> float:
        return rotary_score(at, at + k, "interleaved", "interleaved", base)

    return {"query": [p], "key": [p + k], "score": [score(p)], "start": [score(0)]}


def trained_readout(p: int, plane: int, head: int, k: int) -> Readout:
    layer = posenc.trained.load_minilm()
    factors, planes = posenc.trained.fit_rotations(layer.positions[1:], 5)
    points = planes[:, plane] / abs(planes[:, plane]).mean()
    here, there = np.round(points[[p - 1, p + k - 1]], 2)  # as the script stores them
    rotation = round(float(np.angle(factors[plane])), 3)
    return {
        "rotation": [rotation],
        "expected": [np.angle(np.exp(1j * k * rotation))],
        "angle": [np.angle(there / here)],
        "weight": [np.diagonal(layer.weights(head), k).mean()],
    }


def rope_config(rule: str, d: int, base: float, original: int, factor: float) -> dict[str, Any]:
    """Return a configuration as posenc and explorers/parts/stretch.js read it."""
    size: dict[str, Any] = {"head_dim": d, "rope_theta": base}
    scaled = {**size, "rope_type": rule, "factor": factor}
    trained = {**scaled, "original_max_position_embeddings": original}
    return {
        "none": size,
        "linear": scaled,
        "ntk": {"head_dim": d, "rope_theta": posenc.ntk_base(base, factor, d)},
        "dynamic": {**scaled, "max_position_embeddings": original},
        "yarn": trained,
        "llama3": {**trained, "low_freq_factor": 1, "high_freq_factor": 4},
        "proportional": {**size, "rope_type": rule, "partial_rotary_factor": 0.25},
    }[rule]


def scaling_readout(
    rule: str, i: int, d: int, base: float, original: int, factor: float, length: int
) -> Readout:
    old = posenc.inv_freq(d, base)
    trained = posenc.analysis.count_rotations(original, d, base=base)
    found: dict[str, str | Sequence[float]] = {}
    for name in RULES:
        new, attention = posenc.rope_parameters(
            rope_config(name, d, base, original, factor), length
        )
        now = length * new / (2 * np.pi)
        found |= {
            f"{name}-ratio": [new[i] / old[i]],
            f"{name}-kept": [(abs(new / old - 1) < 1e-9).sum()],
            f"{name}-strange": [((trained < 1) & (now > trained * (1 + 1e-9))).sum()],
            f"{name}-attention": [attention],
        }
        if name == rule:
            found |= {
                "old": [2 * np.pi / old[i]],
                "new": [2 * np.pi / new[i]] if new[i] else "does not turn",
                "within": [trained[i]],
                "reached": [now[i]],
            }
    return found


def alibi_readout(heads: int, head: int, k: int, form: str) -> Readout:
    slope = posenc.alibi_slopes(heads)[head]
    bias = posenc.alibi_bias(heads, abs(k) + 1, 2 * abs(k) + 1, form=form)[head, 0, abs(k) + k]
    found = {"slope": [slope], "half": [math.log(2) / slope]}
    if bias == -math.inf:
        return {**found, "bias": "−∞ (hidden)", "weight": "0"}
    return {**found, "bias": [bias], "weight": [math.exp(bias)]}


def t5_readout(k: int, bidirectional: bool, num_buckets: int, max_distance: int) -> Readout:
    offsets = np.arange(-3000, 3001)
    buckets = posenc.relative_position_bucket(
        offsets, bidirectional=bidirectional, num_buckets=num_buckets, max_distance=max_distance
    )
    bucket = buckets[offsets == k].item()
    behind = buckets[offsets <= 0][::-1]
    found = {
        "bucket": [bucket],
        "used": [len(set(buckets.tolist())), num_buckets],
        "last": [(behind == behind.max()).argmax()],
    }
    if not bidirectional and k > 0:
        return {**found, "shared": "all later keys"}
    same_side = (offsets <= 0) if k <= 0 else (offsets > 0)
    shared = abs(offsets[same_side & (buckets == bucket)])
    first, last = int(shared.min()), int(shared.max())
    if last == 3000:
        return {**found, "shared": f"{first} and more"}
    return {**found, "shared": str(first) if first == last else f"{first} to {last}"}


def added_row(
    token: int,
    d: int = 8,
    base: float = 10000,
    layout: Layout = "interleaved",
    order: str = "sines",
    exponent: str = "paper",
    start: int = 0,
    size: str = "one",
) -> NDArray[np.float64]:
    """Return the encoding of a token by the conventions of the switchboard."""
    row = posenc.sinusoidal_at(start + token, d, base=base, layout=layout, exponent=exponent)
    if order == "cosines":
        pairs = row.reshape(2, -1).T if layout == "half" else row.reshape(-1, 2)
        row = pairs[:, ::-1].T.ravel() if layout == "half" else pairs[:, ::-1].ravel()
    return np.asarray(row * (d**-0.5 if size == "root" else 1))


def rotary_row(
    x: Sequence[float], p: float, base: float, layout: Layout, halves: bool
) -> NDArray[np.float64]:
    """Return a turned vector, whose halves are apart in the result if `halves`."""
    turned = posenc.apply_rotary(np.array([x], float), [p], base=base, layout=layout)[0]
    return np.asarray(
        posenc.convert_layout(turned, source=layout, target="half" if halves else layout)
    )


def added_readout(token: int, base: float, exponent: str, **settings: Any) -> Readout:
    these = added_row(token, base=base, exponent=exponent, **settings)
    return {
        **list_numbers("these", these),
        **list_numbers("paper", added_row(token, base=base)),
        **list_numbers("omega", posenc.inv_freq(8, base, exponent=exponent)),
    }


def rotary_rows_readout(p: int, base: float, layout: Layout, halves: bool) -> Readout:
    x = [(c + 1) / 10 for c in range(8)]
    return {
        **list_numbers("these", rotary_row(x, p, base, layout, halves)),
        **list_numbers("paper", rotary_row(x, p, base, "interleaved", halves=False)),
    }
