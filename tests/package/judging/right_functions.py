"""Right functions: what no judge may complain of, in every layout, dtype and framework at hand.

Each is written for any of NumPy, JAX and PyTorch, whose names for what is used here agree, and
computes its angles in float64 where the result is that, and in float32 otherwise, as programs
should. Beside it stands what `identify` must find, and the reference that it must equal.

Letters in this module
    xp  the module of a framework    L  positions    d  channels
"""

import contextlib
import importlib.util
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.experimental
import jax.numpy as jnp
import ml_dtypes
import numpy as np

import posenc
from docs.reference.mistakes import plain

BFLOAT16: Any = ml_dtypes.bfloat16

L, D = 96, 32
R = 16  # channels of a vector that is turned


@dataclass(frozen=True)
class Framework:
    """A framework: its module, and its dtypes by name."""

    name: str
    xp: Any
    dtypes: dict[str, Any]

    def handed(self, x: Any) -> Any:
        """Return what a caller hands in, as an array of the framework."""
        return self.xp.asarray(np.asarray(x))

    def cast(self, x: Any, dtype: str) -> Any:
        """Return an array in another dtype."""
        to = self.dtypes[dtype]
        return x.to(to) if hasattr(x, "to") and self.name == "torch" else x.astype(to)

    @contextlib.contextmanager
    def exact(self) -> Iterator[None]:
        """Let a framework compute in float64 that does not do so by itself."""
        # JAX 0.7 has it among its experiments, and newer ones no longer do.
        wide = (jax if hasattr(jax, "enable_x64") else jax.experimental).enable_x64
        with wide(True) if self.name == "jax" else contextlib.nullcontext():
            yield


DTYPES = ("float64", "float32", "float16", "bfloat16")
FRAMEWORKS = [
    Framework("numpy", np, {**{n: getattr(np, n) for n in DTYPES[:3]}, "bfloat16": BFLOAT16}),
    Framework("jax", jnp, {name: getattr(jnp, name) for name in DTYPES}),
]
if importlib.util.find_spec("torch") is not None:
    import torch  # type: ignore[import-not-found, unused-ignore]

    FRAMEWORKS.append(Framework("torch", torch, {name: getattr(torch, name) for name in DTYPES}))

Make = Callable[[Framework, str], Any]


@dataclass(frozen=True)
class Right:
    """A right function, what it must be found to be, and what it must equal, if that has a name."""

    name: str
    make: Make
    options: dict[str, Any]
    expected: dict[str, Any]
    reference: Any = None


RIGHT: list[Right] = []


def wide(dtype: str) -> str:
    """The dtype of the angles."""
    return "float64" if dtype == "float64" else "float32"


def arange(f: Framework, length: int, dtype: str, start: float = 0) -> Any:
    return f.cast(f.handed(np.arange(start, start + length)), wide(dtype))


# Frequencies, in the two ways that programs compute them.


def by_power(f: Framework, d: int, base: float, dtype: str) -> Any:
    return 1.0 / base ** (arange(f, d // 2, dtype) * 2 / d)


def by_logarithm(f: Framework, d: int, base: float, dtype: str) -> Any:
    return f.xp.exp(arange(f, d // 2, dtype) * (-math.log(base) * 2 / d))


def of_the_program(f: Framework, d: int, base: float, dtype: str) -> Any:
    return f.xp.exp(arange(f, d // 2, dtype) * (-math.log(base) / (d // 2 - 1)))


# Tables.


def interleaved(f: Framework, theta: Any) -> Any:
    both = f.xp.stack([f.xp.sin(theta), f.xp.cos(theta)], -1)
    return both.reshape(theta.shape[0], -1)


def sines_first(f: Framework, theta: Any) -> Any:
    return f.xp.concatenate([f.xp.sin(theta), f.xp.cos(theta)], 1)


def cosines_first(f: Framework, theta: Any) -> Any:
    return f.xp.concatenate([f.xp.cos(theta), f.xp.sin(theta)], 1)


ARRANGED = {"interleaved": interleaved, "half": sines_first, "cosines-first": cosines_first}
RATES = {"power": by_power, "logarithm": by_logarithm, "program": of_the_program}


def table(
    arrange: str, rates: str, base: float = 10000.0, start: float = 0, scale: float = 1.0
) -> Make:
    """Return what makes a table."""

    def make(f: Framework, dtype: str) -> Any:
        omega = RATES[rates](f, D, base, dtype)
        rows = ARRANGED[arrange](f, f.xp.outer(arange(f, L, dtype, start), omega))
        return f.cast(rows * scale if scale != 1 else rows, dtype)

    return make


def enter_tables() -> None:
    """Enter tables of all layouts, exponents, bases, origins and scales."""
    named: dict[tuple[Any, ...], str] = {
        ("interleaved", "power", 10000.0, 0, 1.0): "sinusoidal",
        ("interleaved", "logarithm", 10000.0, 0, 1.0): "sinusoidal",
        ("half", "program", 10000.0, 0, 1.0): "tensor2tensor",
        ("half", "program", 10000.0, 2, 1.0): "fairseq",
    }
    plain = [(a, r, 10000.0, 0, 1.0) for a in ARRANGED for r in RATES]
    others: list[tuple[Any, ...]] = [
        ("half", "program", 10000.0, 2, 1.0),
        ("half", "program", 10000.0, 1, 1.0),
        ("interleaved", "power", 10000.0, 1, 1.0),
        ("interleaved", "power", 500000.0, 0, 1.0),
        ("interleaved", "logarithm", 1000.0, 0, 1.0),
        ("cosines-first", "power", 10000.0, 1000, 1.0),
        ("half", "logarithm", 10000.0, 0, D**-0.5),
        ("half", "power", 10000.0, 0, D**0.5),
    ]
    for case in (*plain, *others):
        arrange, rates, base, start, scale = case
        expected = {
            "kind": "sinusoidal",
            "layout": "interleaved" if arrange == "interleaved" else "half",
            "first": "cos" if arrange == "cosines-first" else "sin",
            "exponent": "tensor2tensor" if rates == "program" else "paper",
            "base": base,
            "start": start,
            "sign": 1,
            "step": 1,
            "scale": scale,
            "notes": (),
        }
        name = f"table-{arrange}-{rates}-base{base:g}-from{start}-times{scale:.3g}"
        RIGHT.append(Right(name, table(*case), {}, expected, named.get(case)))


# Rotations.


def halves_by_helper(f: Framework, x: Any, theta: Any) -> Any:
    """Turn halves as with a helper that returns (-b, a)."""
    twice, half = f.xp.concatenate([theta, theta], -1), x.shape[-1] // 2
    swapped = f.xp.concatenate([-x[..., half:], x[..., :half]], -1)
    return x * f.xp.cos(twice) + swapped * f.xp.sin(twice)


def halves_by_parts(f: Framework, x: Any, theta: Any) -> Any:
    """Turn halves, each written out."""
    half = x.shape[-1] // 2
    a, b = x[..., :half], x[..., half:]
    cos, sin = f.xp.cos(theta), f.xp.sin(theta)
    return f.xp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def neighbours_by_parts(f: Framework, x: Any, theta: Any) -> Any:
    """Turn neighbours, each written out."""
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = f.xp.cos(theta), f.xp.sin(theta)
    return f.xp.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)


def neighbours_by_helper(f: Framework, x: Any, theta: Any) -> Any:
    """Turn neighbours with doubled tables and a helper that returns (-b, a) side by side."""
    twice = f.xp.stack([theta, theta], -1).reshape(x.shape)
    swapped = f.xp.stack([-x[..., 1::2], x[..., 0::2]], -1).reshape(x.shape)
    return x * f.xp.cos(twice) + swapped * f.xp.sin(twice)


TURNED = {
    "half-helper": halves_by_helper,
    "half-parts": halves_by_parts,
    "interleaved-parts": neighbours_by_parts,
    "interleaved-helper": neighbours_by_helper,
}


def rotation(
    turned: str, base: float, r: int = R, divide: float = 1.0, factor: float = 1.0
) -> Make:
    """Return what makes a rotation of the first r of R channels."""

    def make(f: Framework, dtype: str) -> Any:
        omega = by_power(f, r, base, dtype)

        def turn(x: Any, positions: Any) -> Any:
            p = f.cast(f.handed(positions), wide(dtype)) / divide
            handed = f.cast(f.handed(x), wide(dtype))
            y = TURNED[turned](f, handed[..., :r], f.xp.outer(p, omega)) * factor
            return f.cast(f.xp.concatenate([y, handed[..., r:]], -1), dtype)

        return turn

    return make


def stretched(config: dict[str, Any]) -> Make:
    """Return what makes a rotation with the frequencies of a config."""

    def make(f: Framework, dtype: str) -> Any:
        found = posenc.rope_parameters(config)
        omega = f.cast(f.handed(found.inv_freq), wide(dtype))

        def turn(x: Any, positions: Any) -> Any:
            p = f.cast(f.handed(positions), wide(dtype))
            handed = f.cast(f.handed(x), wide(dtype))
            y = halves_by_helper(f, handed, f.xp.outer(p, omega)) * found.attention_factor
            return f.cast(y, dtype)

        return turn

    return make


LINEAR = {"rope_type": "linear", "factor": 4.0, "head_dim": R}
YARN = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 64,
    "head_dim": R,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
    "head_dim": R,
}


def enter_rotations() -> None:
    """Enter rotations of all layouts, bases, widths and scalings."""
    options = {"head_dim": R, "seq_len": 64, "dtype": "float64"}
    names = {
        ("half", 10000.0, R): "llama",
        ("half", 500000.0, R): "llama3",
        ("interleaved", 10000.0, R): "rotary",
        ("half", 10000.0, R // 4): "gpt-neox",
    }
    cases = [(turned, base, R) for turned in TURNED for base in (10000.0, 500000.0, 1000000.0)]
    cases += [(turned, 10000.0, r) for turned in TURNED for r in (R // 4, R // 2)]
    for turned, base, r in cases:
        layout = turned.partition("-")[0]
        expected = {
            "kind": "rotary",
            "layout": layout,
            "base": base,
            "rotary_dim": r,
            "passed": 0,
            "start": 0,
            "sign": 1,
            "step": 1,
            "scale": 1,
            "notes": (),
        }
        reference = names.get((layout, base, r))
        name = f"turn-{turned}-base{base:g}-first{r}"
        RIGHT.append(Right(name, rotation(turned, base, r), options, expected, reference))
    for turned in ("half-parts", "interleaved-parts"):
        expected = {"kind": "rotary", "base": 10000, "step": 0.25, "scale": 1, "notes": ()}
        config = LINEAR if turned == "half-parts" else None
        make = rotation(turned, 10000.0, divide=4.0)
        RIGHT.append(Right(f"turn-{turned}-divided-by-4", make, options, expected, config))
    for name, config in (("linear", LINEAR), ("yarn", YARN), ("llama3", LLAMA3)):
        expected = {"kind": "rotary", "layout": "half", "start": 0, "notes": ()}
        RIGHT.append(Right(f"turn-{name}", stretched(config), options, expected, config))


# Biases.


def alibi(form: str, n: int) -> Make:
    """Return what makes an ALiBi bias of n heads in some form."""

    def make(f: Framework, dtype: str) -> Any:
        slopes = f.cast(f.handed(np.array(plain.slopes(n))), wide(dtype))
        k = arange(f, L, dtype)[None, :] - arange(f, L, dtype)[:, None]
        if form in ("key", "bloom"):
            k = f.xp.broadcast_to(arange(f, L, dtype)[None, :], (L, L))
        distances = -f.xp.abs(k) if form == "symmetric" else k
        bias = slopes[:, None, None] * distances
        if form in ("causal", "bloom"):
            later = f.handed(np.triu(np.ones((L, L), dtype=bool), 1))
            bias = f.xp.where(later, -math.inf, bias)
        return f.cast(bias, dtype)

    return make


def t5(both: bool, buckets: int, farthest: int) -> Make:
    """Return what makes a bias with something learned for each bucket."""

    def make(f: Framework, dtype: str) -> Any:
        numbers = plain.buckets(plain.offsets(256), both, buckets, farthest)
        return f.cast(f.handed(plain.look_up(numbers)), dtype)

    return make


def enter_biases() -> None:
    """Enter biases of all forms, and of several numbers of heads and buckets."""
    for form, n in (
        *((form, n) for form in ("causal", "symmetric") for n in (1, 8, 12, 20)),
        *((form, n) for form in ("signed", "key", "bloom") for n in (8, 12)),
    ):
        expected = {
            "kind": "alibi",
            "form": "causal" if form == "bloom" else form,
            "row_constants": form in ("key", "bloom"),
            "slopes_rule": "paper",
            "sign": 1,
        }
        name = {"causal": "alibi", "symmetric": "alibi-symmetric"}.get(form)
        RIGHT.append(Right(f"alibi-{form}-{n}", alibi(form, n), {"kind": "bias"}, expected, name))
    for both, buckets, farthest in (
        (True, 32, 128),
        (False, 32, 128),
        (True, 64, 256),
        (False, 16, 64),
    ):
        expected = {
            "kind": "t5",
            "bidirectional": both,
            "num_buckets": buckets,
            "max_distance": farthest,
            "sign": 1,
            "notes": (),
        }
        plain = (buckets, farthest) == (32, 128)
        reference = ("t5" if both else "t5-decoder") if plain else None
        name = f"t5-{'both' if both else 'past'}-{buckets}-{farthest}"
        RIGHT.append(Right(name, t5(both, buckets, farthest), {}, expected, reference))


# Cosines and sines as libraries keep them, and grids.


def kept(doubled: str, base: float) -> Make:
    """Return what makes the two tables of a rotation, each number once or twice."""

    def make(f: Framework, dtype: str) -> Any:
        theta = f.xp.outer(arange(f, L, dtype), by_power(f, D, base, dtype))
        if doubled == "half":
            theta = f.xp.concatenate([theta, theta], -1)
        if doubled == "interleaved":
            theta = f.xp.stack([theta, theta], -1).reshape(L, D)
        return f.cast(f.xp.cos(theta), dtype), f.cast(f.xp.sin(theta), dtype)

    return make


def grid(height: int, width: int) -> Make:
    """Return what makes the table of a grid, row by row."""

    def make(f: Framework, dtype: str) -> Any:
        cells = np.divmod(np.arange(height * width), width)
        omega = by_power(f, D // 2, 10000.0, dtype)
        parts = [f.xp.outer(f.cast(f.handed(p), wide(dtype)), omega) for p in cells]
        return f.cast(f.xp.concatenate([sines_first(f, part) for part in parts], 1), dtype)

    return make


def enter_others() -> None:
    """Enter pairs of tables, and grids, which have no name and are compared alone."""
    for doubled, base in (("", 10000.0), ("half", 500000.0), ("interleaved", 10000.0)):
        expected = {"kind": "rotary", "layout": doubled or None, "base": base, "notes": ()}
        RIGHT.append(Right(f"cos-sin-{doubled or 'once'}", kept(doubled, base), {}, expected))
    for shape in ((8, 8), (4, 16)):
        points = posenc.grid_points(shape).reshape(-1, 2)
        reference = posenc.axial_encoding(points, D, layout="blocks")
        name = f"grid-{shape[0]}-by-{shape[1]}"
        RIGHT.append(Right(name, grid(*shape), {}, {"kind": "unknown"}, reference))


enter_tables()
enter_rotations()
enter_biases()
enter_others()
