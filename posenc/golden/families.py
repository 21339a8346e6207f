"""Families: the exact numbers of each encoding, and how far a port may be from them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from posenc.biases.t5 import relative_position_bucket
from posenc.core.layouts import pair_channels
from posenc.golden import limits
from posenc.golden.exact import Decimals, arranged, frequencies, waves
from posenc.golden.limits import Margin
from posenc.golden.scaling import configs, ntk, stretched
from posenc.judging.precision import UNITS

BASE = 10000
WIDTHS = (2, 8, 64, 128)
POSITIONS = [0, 1, 7, 131071, 10**6, 2**40]

CONVENTIONS: dict[str, dict[str, Any]] = {
    "paper": {"layout": "interleaved", "exponent": "paper", "start": 0},
    "paper-half": {"layout": "half", "exponent": "paper", "start": 0},
    "tensor2tensor": {"layout": "half", "exponent": "tensor2tensor", "start": 0},
    "fairseq": {"layout": "half", "exponent": "tensor2tensor", "start": 2},
}
ROTATIONS = (  # layout, channels of a head, channels that rotate
    *((layout, d, d) for layout in ("interleaved", "half") for d in WIDTHS),
    ("interleaved", 128, 64),  # GPT-J rotates 64 channels
    *(("half", d, d // 4) for d in WIDTHS[1:]),  # GPT-NeoX rotates a quarter
)
GRIDS: dict[str, dict[str, Any]] = {
    "rows-first": {"layout": "interleaved", "exponent": "paper", "order": [0, 1]},
    "columns-first": {"layout": "blocks", "exponent": "paper", "order": [1, 0]},
}
POINTS = [[y, x] for y in range(2) for x in range(3)] + [[131071, 10**6]]

HEADS = (1, 8, 12)
LENGTH = 8
BUCKETS = ((32, 128), (64, 512))  # num_buckets, max_distance
DISTANCES = sorted({*range(20), *range(20, 160, 9), 511, 512, 131071, 2**40})
OFFSETS = [-n for n in reversed(DISTANCES[1:])] + DISTANCES

ANGLES = "an angle p·ω is wrong by (3·t + 6)·u of itself, its sine by 4·u more; "
ROTATED = "cosine, product and sum are rounded to the dtype, times |a| + |b| of the pair"
FREQUENCY = "a frequency is wrong by (3·t + 6)·u of itself, then rounded once"
EXACTLY = "nothing is rounded: equal"


@dataclass(frozen=True)
class Exact:
    """One array before it is rounded; without a margin it holds integers."""

    name: str
    equations: tuple[str, ...]
    parameters: Mapping[str, Any]
    values: Decimals
    margin: Margin | None


def sinusoidal() -> Iterator[Exact]:
    """Yield tables, a row for each position, in the conventions of three libraries."""
    for name, convention in CONVENTIONS.items():
        for d in WIDTHS:
            omega = frequencies(d, Decimal(BASE), convention["exponent"])
            numbers = [p + convention["start"] for p in POSITIONS]
            values = arranged(*waves(numbers, omega), convention["layout"])

            def error(
                angles: str,
                numbers: list[int] = numbers,
                omega: Decimals = omega,
                layout: str = convention["layout"],
            ) -> limits.Values:
                wrong = limits.of_angles(numbers, omega, angles)
                return arranged(wrong, wrong, layout)

            yield Exact(
                f"sinusoidal-{name}-{d}",
                ("eq-sinusoidal", "eq-tensor2tensor", "eq-layouts"),
                {"d_model": d, "base": BASE, **convention, "positions": POSITIONS},
                values,
                Margin(error, np.ones(values.shape), 1, f"{ANGLES}rounded once to the dtype"),
            )


def inverse_frequencies() -> Iterator[Exact]:
    """Yield the frequencies of all pairs, for both exponents and two bases."""
    for exponent, base in (("paper", BASE), ("paper", 500000), ("tensor2tensor", BASE)):
        for d in WIDTHS:
            omega = frequencies(d, Decimal(base), exponent)
            yield Exact(
                f"inverse-frequencies-{exponent}-{base}-{d}",
                ("eq-frequencies", "eq-tensor2tensor"),
                {"dim": d, "base": base, "exponent": exponent},
                omega,
                _frequency_margin(omega),
            )


def _frequency_margin(omega: Decimals, times: float = 1, why: str = FREQUENCY) -> Margin:
    def error(angles: str) -> limits.Values:
        return times * limits.of_frequencies(omega, angles)

    return Margin(error, omega.astype(np.float64), 1, why)


def rotation() -> Iterator[Exact]:
    """Yield vectors, and the same vectors rotated by their positions."""
    for d in WIDTHS:
        x = vectors(d)
        yield Exact(
            f"rotation-input-{d}",
            (),
            {"head_dim": d, "entry": "x[r, c] = ((7*c + 3*r) % 17 - 8) / 8"},
            x,
            Margin(lambda _: np.zeros(()), np.zeros(x.shape), 0, EXACTLY),
        )
    for layout, d, r in ROTATIONS:
        yield _rotate_vectors(layout, d, r)


def vectors(d: int) -> Decimals:
    """Return rows of which each type holds every entry exactly, and no two are alike."""
    rows, columns = np.indices((len(POSITIONS), d))
    eighths = (7 * columns + 3 * rows) % 17 - 8
    return np.asarray(np.vectorize(Decimal, otypes=[object])(eighths) / 8)


def _rotate_vectors(layout: str, d: int, r: int) -> Exact:
    omega, x = frequencies(r, Decimal(BASE)), vectors(d)
    first, second = pair_channels(r, layout)
    a, b = x[:, first], x[:, second]
    sin, cos = waves(POSITIONS, omega)
    values = x.copy()
    values[:, first], values[:, second] = a * cos - b * sin, a * sin + b * cos
    size = np.zeros(x.shape)
    size[:, first] = size[:, second] = (abs(a) + abs(b)).astype(np.float64)

    def error(angles: str) -> limits.Values:
        wrong = np.zeros(x.shape)
        wrong[:, first] = wrong[:, second] = limits.of_angles(POSITIONS, omega, angles)
        return wrong

    return Exact(
        f"rotation-{layout}-{d}" + (f"-first-{r}" if r < d else ""),
        ("eq-rotary-turn",),
        {
            "layout": layout,
            "head_dim": d,
            "rotary_dim": r,
            "base": BASE,
            "positions": POSITIONS,
            "input": f"rotation-input-{d}",
        },
        values,
        Margin(error, size, 3, ANGLES + ROTATED),
    )


def scaling() -> Iterator[Exact]:
    """Yield stretched frequencies, and the attention factor where a rule has one."""
    for d in WIDTHS[1:]:
        for name, equation, config, seq_len in configs(d):
            omega, attention = stretched(config, seq_len)
            parameters = {"config": config, "seq_len": seq_len}
            # Two more powers and quotients. A ramp multiplies what it is wrong by with s.
            ramp = config["factor"] if config["rope_type"] in ("yarn", "llama3") else 0
            yield Exact(
                f"scaling-{name}-{d}",
                (equation,),
                parameters,
                omega,
                _frequency_margin(
                    omega,
                    3 + 2 * ramp,
                    "three times the error of a plain frequency, (3·t + 6)·u of itself, and"
                    " with a ramp 2·s times more, as it blends ω and ω/s; then rounded once",
                ),
            )
            if attention != 1:
                yield _attention(name, d, parameters, attention)
        base = ntk(Decimal(BASE), Decimal(4), d)
        yield Exact(
            f"scaling-ntk-{d}",
            ("eq-ntk-base",),
            {"base": BASE, "factor": 4, "dim": d},
            frequencies(d, base),
            _frequency_margin(
                frequencies(d, base),
                3,
                "three times the error of a plain one,"
                " (3·t + 6)·u of itself, as the base is computed, too; then rounded once",
            ),
        )


def _attention(name: str, d: int, parameters: Mapping[str, Any], factor: Decimal) -> Exact:
    values = np.array([factor])
    why = "a logarithm, a product, a sum and a root, 8·u in all, then rounded once"
    margin = Margin(_relative(8), values.astype(np.float64), 1, why)
    return Exact(
        f"scaling-{name}-{d}-attention-factor", ("eq-attention-factor",), parameters, values, margin
    )


def _relative(units: float) -> Callable[[str], limits.Values]:
    return lambda angles: np.asarray(units * UNITS[angles])


def alibi() -> Iterator[Exact]:
    """Yield the slopes of the authors, and both forms of the bias."""
    for heads in HEADS:
        slopes = _slopes(heads)
        error = _relative(3 * heads + 4)
        why = f"a power, or a product of {heads} rounded factors: (3·H + 4)·u of itself"
        yield Exact(
            f"alibi-slopes-{heads}",
            ("eq-alibi-slopes",),
            {"n_heads": heads},
            slopes,
            Margin(error, slopes.astype(np.float64), 1, f"{why}, rounded once"),
        )
        for form in ("causal", "symmetric"):
            k = np.arange(LENGTH) - np.arange(LENGTH)[:, np.newaxis]
            size = slopes[:, np.newaxis, np.newaxis] * abs(k)
            hidden = (k > 0) & (form == "causal")
            yield Exact(
                f"alibi-bias-{form}-{heads}",
                ("eq-alibi",),
                {"n_heads": heads, "form": form, "q_len": LENGTH, "k_len": LENGTH},
                np.where(hidden, np.array(Decimal("-Infinity")), -size),
                Margin(
                    error,
                    size.astype(np.float64),
                    2,
                    f"{why}; slope and product rounded; -inf is equal",
                ),
            )


def _slopes(heads: int) -> Decimals:
    n = 1 << (heads.bit_length() - 1)
    whole = [Decimal(2) ** (Decimal(-8 * h) / n) for h in range(1, n + 1)]
    between = [Decimal(2) ** (Decimal(-4 * h) / n) for h in range(1, 2 * n, 2)]
    return np.array(whole + between[: heads - n])


def t5() -> Iterator[Exact]:
    """Yield the buckets of offsets, which the package finds in integers, so exactly."""
    for bidirectional in (True, False):
        for buckets, far in BUCKETS:
            settings: dict[str, Any] = {
                "bidirectional": bidirectional,
                "num_buckets": buckets,
                "max_distance": far,
            }
            yield Exact(
                f"t5-{'bidirectional' if bidirectional else 'causal'}-{buckets}-{far}",
                ("eq-bucket",),
                {**settings, "relative_position": OFFSETS},
                relative_position_bucket(OFFSETS, **settings),
                None,
            )


def grid() -> Iterator[Exact]:
    """Yield the encodings of points (y, x), in two orders of their channels."""
    for name, convention in GRIDS.items():
        for d in WIDTHS[1:3]:
            omega = frequencies(d // 2, Decimal(BASE), convention["exponent"])
            layout = "half" if convention["layout"] == "blocks" else "interleaved"
            axes = [[point[axis] for point in POINTS] for axis in convention["order"]]
            blocks = [arranged(*waves(numbers, omega), layout) for numbers in axes]

            def error(
                angles: str,
                axes: list[list[int]] = axes,
                omega: Decimals = omega,
                layout: str = layout,
            ) -> limits.Values:
                wrong = [limits.of_angles(numbers, omega, angles) for numbers in axes]
                return np.concatenate([arranged(one, one, layout) for one in wrong], axis=-1)

            values = np.concatenate(blocks, axis=-1)
            yield Exact(
                f"grid-{name}-{d}",
                ("eq-grid-code",),
                {"d_model": d, "base": BASE, **convention, "points": POINTS},
                values,
                Margin(error, np.ones(values.shape), 1, f"{ANGLES}rounded once to the dtype"),
            )


FAMILIES: dict[str, Callable[[], Iterator[Exact]]] = {
    "sinusoidal": sinusoidal,
    "inverse-frequencies": inverse_frequencies,
    "rotation": rotation,
    "scaling": scaling,
    "alibi": alibi,
    "t5": t5,
    "grid": grid,
}
