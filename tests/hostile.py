"""Hostile arguments: numbers and arrays of all types, sizes, values and memory layouts."""

import contextlib
import math
import random
import warnings
from decimal import Decimal
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

Array = NDArray[Any]

NUMBERS = [0, 1, -1, 2, 3, 4, 7, 8, 64, 2**10, 2**53, 2**53 + 1, 2**63, 2**64, -(2**63)]
SIZES = [2**45, 2**62, 2**65, 10**400, -(10**5000), 10**5000]
FLOATS = [0.0, -0.0, 0.5, 1.5, 1e-310, 5e-324, 1e-160, 1e154, 1e308, -1e308, 2.0**53, 1 + 1e-15]
NOT_FINITE = [math.nan, math.inf, -math.inf]


class Liar(str):
    """A string that compares equal to everything."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True


class Masked:
    """An object that converts to a masked array."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        return np.ma.array([1.0, 2.0], mask=[False, True])


OBJECTS: list[Any] = [
    None, True, False, "", "half", "symmetric", "x" * 5000, b"\x04\x04", Liar("half"), (), [], {},
    {"rope_theta": 1e4}, {1: 2}, set(), frozenset({1}), object(), int, id, slice(1), range(3), ...,
    1j, Fraction(1, 3), Fraction(2**53 + 1), Decimal(3), np.timedelta64(10000),
    np.datetime64(3, "s"), np.float16(60000), np.float32(3e38), np.longdouble(2),
    np.int8(-128), np.uint64(2**64 - 1),
    np.bool_(True), np.str_("half"), np.ma.masked, Masked(), [np.ma.array([1.0, 2.0],
    mask=[False, True])],
    [[1.0], [2.0, 3.0]], [None], ["a"], [[]], [[[]]], [2**62] * 4, [2**63 - 1, 2**63 - 1, 4],
    np.zeros((0,)), np.zeros((0, 4)), np.zeros((2, 0, 4)), np.zeros((1,) * 40), np.zeros((1,) * 64),
    np.array("half"), np.array([1, 2], dtype=object), np.ma.array([1.0], mask=[True]),
    np.array([1 + 2j]), np.array(["a"]), np.zeros(2, dtype="V8"), np.broadcast_to(1.0, (2, 3)),
]  # fmt: skip


class Subclass(np.ndarray[Any, Any]):
    """An array of a subclass."""


SHAPES = [(), (0,), (1,), (2,), (3,), (4,), (1, 4), (2, 3), (3, 4), (4, 4), (2, 2, 4), (0, 4)]
KINDS: list[Any] = ["f8", "f8", "f8", "f4", "f4", "f2", ">f8", ">f4", "i8", "i1", "u8", "u1", "?"]
KINDS += ["c16", "g", "O", "U1", "M8[s]", "m8[s]", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn]


def make_number(rng: random.Random) -> Any:
    """Return a random number or another object."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice([*NUMBERS, *SIZES])
    if kind == 1:
        return rng.choice([*FLOATS, *NOT_FINITE])
    if kind == 2:
        return rng.uniform(-10, 10) if rng.randrange(2) else 10.0 ** rng.uniform(-320, 308)
    return rng.randint(-3, 40) if kind == 3 else rng.choice(OBJECTS)


def make_array(rng: random.Random, like: Any) -> Any:
    """Return an array of random type, often with the shape or values of another."""
    shape, original = rng.choice(SHAPES), None
    if rng.randrange(3):
        with contextlib.suppress(ValueError):  # a ragged list
            original = np.asarray(like)
            shape = original.shape
    if original is not None and original.dtype.kind in "fi" and not rng.randrange(3):
        result = original
    else:
        pool = [*FLOATS, -3.0, 100.0, 6e4, *NOT_FINITE[: 3 * (rng.randrange(4) == 0)]]
        filled = np.array([rng.choice(pool) for _ in range(rng.randint(1, 5))])
        result = np.resize(filled, math.prod(shape)).reshape(shape)
    kind = rng.choice(KINDS)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = result.astype(kind)
    return change_layout(rng, result) if rng.randrange(6) else result.tolist()


def change_layout(rng: random.Random, result: Array) -> Array:
    """Return an array with another memory layout and usually the same values."""
    form = rng.randrange(8)
    if form == 1:
        return np.asfortranarray(result)
    if form == 2 and result.ndim:
        return np.repeat(result, 2, axis=-1)[..., ::2]
    if form == 3 and result.ndim:
        axis = rng.randrange(result.ndim)
        return np.flip(np.flip(result, axis).copy(), axis)
    if form == 4 and not result.dtype.hasobject:  # unaligned
        return copy_into(result, np.zeros(result.nbytes + 8, np.uint8), rng.choice([1, 4, 8]))
    if form == 5:
        return result.copy().view(Subclass if result.ndim != 2 or rng.randrange(2) else np.matrix)
    if form == 6 and result.size:  # all entries share memory
        return as_strided(result.copy(), strides=(0,) * result.ndim)
    if form == 7:
        result = result.copy()
        result.flags.writeable = False
    return result


def spoil(rng: random.Random, target: Array) -> None:
    """Replace one or all entries of a float array by a huge or non-finite value."""
    if target.size and target.dtype.kind == "f" and target.flags.writeable:
        place = tuple(rng.randrange(length) for length in target.shape)
        with np.errstate(over="ignore"):
            target[rng.choice([place, ...])] = rng.choice([*NOT_FINITE, 1e308])


def copy_into(like: Array, memory: Array, first: int) -> Array:
    """Return a copy of an array in the given memory, starting at a byte."""
    result: Array = np.ndarray(like.shape, like.dtype, memory, first)
    result[...] = like
    return result


def share_memory(rng: random.Random, read: Array, written: Array) -> tuple[Array, Array]:
    """Return two arrays whose memory overlaps fully, partly, or not at all."""
    size, step = max(read.nbytes, written.nbytes), max(read.itemsize, 1)
    memory = np.zeros(2 * size + step, np.uint8)
    first = rng.choice([0, 0, 0, 1, step, size // 2 // step * step, size])
    written = copy_into(written, memory, first)
    read = copy_into(read, memory, 0)
    way = rng.randrange(4)
    if way == 1 and read.ndim:
        return read, np.flip(written, rng.randrange(written.ndim)) if written.ndim else written
    if way == 2 and read.dtype == written.dtype and read.shape == written.shape:
        return read, read
    return read, written


def change_argument(rng: random.Random, value: Any) -> Any:
    """Return a hostile replacement for an argument."""
    if isinstance(value, list | tuple | np.ndarray) and rng.randrange(4):
        return make_array(rng, value)
    if isinstance(value, dict) and rng.randrange(5):
        new = dict(value)
        for _ in range(rng.randint(1, 4)):
            new[rng.choice([*value, *KEYS])] = make_number(rng)
        return new
    return make_number(rng) if rng.randrange(5) else make_array(rng, 0.0)


KEYS = [
    "rope_type", "type", "rope_theta", "factor", "head_dim", "hidden_size", "num_attention_heads",
    "max_position_embeddings", "original_max_position_embeddings", "partial_rotary_factor",
    "rope_scaling", "rope_parameters", "model_type", "layer_types", "per_layer_config", "mscale",
    "mscale_all_dim", "attention_factor", "beta_fast", "beta_slow", "truncate", "short_factor",
    "long_factor", "low_freq_factor", "high_freq_factor", "mrope_section", "rotary_dim",
    "rope_local_base_freq", "global_head_dim", "qk_rope_head_dim", "position_embedding_type",
]  # fmt: skip
