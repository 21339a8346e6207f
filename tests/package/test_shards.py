"""A shard builds its own rows, and they have the bits of the whole, wherever it is cut.

What is compared are bits, since shards that differ in the last digit would make a result depend
on how many machines worked on it.
"""

import json
import subprocess
import sys
from itertools import pairwise
from typing import Any

import ml_dtypes  # noqa: F401  (gives NumPy bfloat16)
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import posenc
from benchmarks import shards
from check.paths import ROOT

LENGTH = 700  # more than five anchors of the table
FLOATS = ("float64", "float32", "float16")
LAYOUTS = ("interleaved", "half")

cuts = st.lists(st.integers(1, LENGTH - 1), max_size=8, unique=True).map(
    lambda inner: [*pairwise([0, *sorted(inner), LENGTH])]
)


def same_bits(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()


@given(
    cuts,
    st.integers(-(2**40), 2**40),
    st.sampled_from([2, 6, 64]),
    st.sampled_from(FLOATS),
    st.sampled_from(LAYOUTS),
)
def test_shards_of_a_table_have_the_bits_of_the_whole(parts, start, d_model, dtype, layout):
    names = {"dtype": dtype, "layout": layout}
    whole = posenc.sinusoidal_positional_encoding(LENGTH, d_model, start=start, **names)

    made = [
        posenc.sinusoidal_positional_encoding(b - a, d_model, start=start + a, **names)
        for a, b in parts
    ]

    assert same_bits(np.concatenate(made), whole)


@given(cuts, st.integers(0, 2**40), st.sampled_from(FLOATS))
def test_shards_of_cosines_and_sines_have_the_bits_of_the_whole(parts, start, dtype):
    positions = start + np.arange(LENGTH)
    whole = posenc.rotary_cos_sin(positions, 16, dtype=dtype)

    made = [posenc.rotary_cos_sin(positions[a:b], 16, dtype=dtype) for a, b in parts]

    for ours, shared in zip(whole, zip(*made, strict=True), strict=True):
        assert same_bits(np.concatenate(shared), ours)


@given(
    cuts,
    st.integers(0, 2**40),
    st.sampled_from(LAYOUTS),
    st.sampled_from([("float64", "float64"), ("float32", "float64"), ("float32", "float32")]),
    st.sampled_from([(1, 1, 2), (2, 3, 2), (1, 1, 4), (2, 3, 6), (1, 4, 64)]),
)
def test_a_sequence_turned_in_shards_has_the_bits_of_the_whole(parts, start, layout, types, shape):
    """As where machines share a sequence: each knows at which position its part begins."""
    batch, heads, d = shape
    x = np.random.default_rng(1).normal(size=(batch, heads, LENGTH, d)).astype(types[0])
    positions = start + np.arange(LENGTH)

    def turned(a: int, b: int) -> NDArray[Any]:
        tables = posenc.rotary_cos_sin(positions[a:b], d)
        names = {"layout": layout, "compute_dtype": types[1], "seq_axis": -2}
        return posenc.rotate_pairs(x[..., a:b, :], *tables, **names)

    whole = turned(0, LENGTH)
    assert same_bits(np.concatenate([turned(a, b) for a, b in parts], axis=-2), whole)


@pytest.mark.parametrize("pairs", [1, 2, 3])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_one_position_of_one_head_has_the_bits_of_the_whole(dtype, layout, pairs):
    """The smallest shard there is, which NumPy computes by other loops than a whole array."""
    batch, heads, length = 2, 3, 60
    x = np.random.default_rng(2).normal(size=(batch, heads, length, 8)).astype(np.dtype(dtype))
    tables = posenc.rotary_cos_sin(np.arange(length), 2 * pairs)
    names = {"layout": layout, "compute_dtype": "float32"}
    whole = posenc.rotate_pairs(x, *tables, **names)

    for b, h, p in np.ndindex(x.shape[:-1]):
        own = [table[p : p + 1] for table in tables]
        place = np.s_[b : b + 1, h : h + 1, p : p + 1]
        assert same_bits(posenc.rotate_pairs(x[place], *own, **names), whole[place]), place


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [*FLOATS, "bfloat16"])
@pytest.mark.parametrize("memory", ["channels apart", "channels first", "backwards", "unaligned"])
def test_a_shard_that_was_copied_has_the_bits_of_a_whole_that_lies_otherwise(memory, dtype, layout):
    """A machine that is sent a part has it in order, wherever it lay where it came from."""
    x = np.random.default_rng(3).normal(size=(2, 300, 6)).astype(np.dtype(dtype))
    lying = {
        "channels apart": np.repeat(x, 2, axis=-1)[..., ::2],
        "channels first": np.asfortranarray(x),
        "backwards": np.ascontiguousarray(x[..., ::-1])[..., ::-1],
        "unaligned": np.frombuffer(b" " + x.tobytes(), x.dtype, x.size, 1).reshape(x.shape),
    }[memory]
    compute_dtype = "float64" if dtype == "float64" else "float32"
    tables = posenc.rotary_cos_sin(np.arange(300), 6)
    names = {"layout": layout, "compute_dtype": compute_dtype}
    whole = posenc.rotate_pairs(lying, *tables, **names)
    filled = np.zeros((2, 300, 12), x.dtype)[..., ::2]
    posenc.rotate_pairs(x, *tables, out=filled, **names)

    made = posenc.rotate_pairs(x, *tables, **names)

    assert same_bits(made, whole)
    assert same_bits(made, filled)


@given(cuts)
@settings(max_examples=20)  # each asks for up to 81 biases
def test_queries_and_keys_in_shards_get_the_biases_of_the_whole(parts):
    """Each device has some of the queries and some of the keys, as in attention on a ring."""
    positions = np.arange(LENGTH)

    def bias(a: int, b: int, c: int, d: int) -> NDArray[Any]:
        return posenc.alibi_bias_at(positions[a:b], positions[c:d], 4)

    rows = [np.concatenate([bias(a, b, c, d) for c, d in parts], axis=-1) for a, b in parts]
    assert same_bits(np.concatenate(rows, axis=-2), bias(0, LENGTH, 0, LENGTH))


def test_the_sums_of_a_table_are_those_of_its_closed_form():
    sums, digest = shards.reduce_table(5000, 16, block=999)
    exact, bound = shards.compute_sums(5000, 16)
    whole = posenc.sinusoidal_positional_encoding(5000, 16)

    assert (abs(sums - exact) <= bound).all()
    assert (abs(whole.sum(axis=0) - exact) <= bound).all()
    assert (digest == whole.view(np.uint64).sum(axis=0)).all()
    assert (digest == shards.sum_bits_with_other_cuts(5000, 16)).all()


@pytest.mark.thorough
def test_a_table_that_is_reduced_takes_the_memory_of_its_blocks(tmp_path):
    """In a process of its own: 1.4 GiB of rows, of which no thread has more than two blocks."""
    file = tmp_path / "shards.json"
    words = ["-m", "benchmarks.shards", "--rows", "3000000", "--json", str(file)]
    run = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)

    assert run.returncode == 0, run.stdout + run.stderr
    lines = json.loads(file.read_text("utf-8"))["lines"]
    goals = {line["what"].partition(": ")[2]: line["goal"] for line in lines if line["goal"]}
    assert goals["peak of memory, in blocks of 64 MiB"] == "≤ 4"
    assert len(goals) == 4, goals
