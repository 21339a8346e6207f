"""Tables in compiled loops: right to fifty digits, and the bits of `posenc`."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import posenc
from posenc.numba import machine, sinusoidal_positional_encoding
from tests.bits import assert_same_bits

LAYOUTS = ["interleaved", "half"]

ARGUMENTS = st.fixed_dictionaries(
    {
        "seq_len": st.integers(0, 400),
        "d_model": st.integers(1, 40).map(lambda pairs: 2 * pairs),
        "base": st.floats(1.5, 1e6),
        "layout": st.sampled_from(LAYOUTS),
        "exponent": st.sampled_from(["paper", "tensor2tensor"]),
        "start": st.integers(400 - 2**53, 2**53 - 400) | st.integers(-500, 500),
        "dtype": st.sampled_from(["float64", "float32", "float16"]),
    }
)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("start", [0, -300, 10**6 + 7, 2**53 - 300])
def test_entries_are_within_the_bound_of_the_exact_ones(start, layout):
    table = sinusoidal_positional_encoding(300, 12, start=start, layout=layout)

    sines, cosines = (slice(0, 12, 2), slice(1, 12, 2)) if layout == "interleaved" else (
        slice(0, 6), slice(6, 12))  # fmt: skip
    with mpmath.workdps(50):
        for row in (0, 1, 127, 128, 255, 299):
            angles = [(start + row) * mpmath.mpf(10000) ** (-mpmath.mpf(i) / 6) for i in range(6)]
            for found, wave in ((table[row, sines], mpmath.sin), (table[row, cosines], mpmath.cos)):
                assert (
                    max(abs(wave(a) - float(x)) for a, x in zip(angles, found, strict=True)) < 3e-16
                )


@given(ARGUMENTS)
@settings(max_examples=150, deadline=None)
def test_the_bits_are_those_of_posenc(arguments):
    made = sinusoidal_positional_encoding(**arguments)

    wanted = posenc.sinusoidal_positional_encoding(**arguments)
    assert made.dtype == wanted.dtype
    assert made.shape == wanted.shape
    assert_same_bits(made, wanted)


@given(st.lists(st.floats(0, 2**53) | st.floats(0, 1e-30), min_size=1, max_size=8), st.data())
@settings(max_examples=50, deadline=None)
def test_any_frequencies_make_the_bits_of_posenc(inv_freq, data):
    start = data.draw(st.integers(200 - 2**53, 2**53 - 200))
    arguments = {"d_model": 2 * len(inv_freq), "inv_freq": inv_freq, "start": start}

    made = sinusoidal_positional_encoding(140, **arguments)

    assert_same_bits(made, posenc.sinusoidal_positional_encoding(140, **arguments))


@pytest.mark.parametrize(
    ("start", "row", "frequency"),  # found by a search for angles beside a quarter turn
    [(108800, 81, 0.9666483324047838), (49152, 105, 0.3434213541883233)],
)
def test_no_entry_is_above_1(start, row, frequency):
    """Where a wave is at its crest, a product of two may round to the float above."""
    table = sinusoidal_positional_encoding(128, 2, inv_freq=[frequency], start=start)

    assert abs(table[row]).max() == 1
    assert abs(table).max() == 1


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("seq_len", "d_model", "dtype"),
    [
        (2**15 + 3, 64, "float64"),
        (2**16 + 3, 64, "float32"),
        (2**17 + 3, 34, "float32"),  # rows that are no whole number of sixteen bytes
    ],
)
def test_large_tables_have_the_bits_of_posenc(seq_len, d_model, dtype, layout):
    room = np.full((seq_len + 1, d_model), 9, dtype)
    out = room[1:]  # what lies before must stay
    arguments = {"start": 5, "dtype": dtype, "layout": layout}
    assert out.nbytes > machine.LARGE

    assert sinusoidal_positional_encoding(seq_len, d_model, **arguments, out=out) is out

    wanted = posenc.sinusoidal_positional_encoding(seq_len, d_model, **arguments)
    assert_same_bits(out, wanted)
    assert (room[0] == 9).all()


@pytest.mark.parametrize("shift", [8, 4, 1])  # a whole number of entries, half of one, a byte
def test_a_large_table_may_begin_at_any_byte(shift):
    memory = np.zeros(2**15 * 64 * 8 + 16, np.uint8)
    out = memory[shift : shift - 16].view("float64").reshape(2**15, 64)

    sinusoidal_positional_encoding(2**15, 64, out=out)

    assert_same_bits(out, posenc.sinusoidal_positional_encoding(2**15, 64))
    assert not memory[:shift].any()
    assert not memory[shift - 16 :].any()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_an_array_that_is_no_block_of_memory_is_filled(dtype):
    outer = np.full((2 * 300, 20), 9, dtype)
    out = outer[::2, 1:13]

    assert sinusoidal_positional_encoding(300, 12, dtype=dtype, out=out) is out

    assert_same_bits(out, posenc.sinusoidal_positional_encoding(300, 12, dtype=dtype))
    assert (outer[1::2] == 9).all()
    assert (outer[:, [0, *range(13, 20)]] == 9).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"seq_len": 2.0},
        {"seq_len": -1},
        {"seq_len": 2**60},
        {"d_model": 5},
        {"base": 1},
        {"layout": "halves"},
        {"exponent": 2},
        {"inv_freq": [1.0]},
        {"inv_freq": [np.nan, 1.0]},
        {"start": 2**53},
        {"dtype": "int32"},
        {"dtype": ">f8"},
        {"out": np.zeros((3, 4), "float32")},
        {"out": [0]},
        {"out": np.broadcast_to(np.zeros(4), (3, 4))},
    ],
    ids=repr,
)
def test_refusals_have_the_messages_of_posenc(wrong):
    arguments = {"seq_len": 3, "d_model": 4} | wrong
    with pytest.raises((TypeError, ValueError)) as told:
        posenc.sinusoidal_positional_encoding(**arguments)

    with pytest.raises(told.type) as here:
        sinusoidal_positional_encoding(**arguments)
    assert str(here.value) == str(told.value)


def test_where_numpy_fuses_no_product_and_sum_the_bits_are_the_same():
    """As on older machines: NumPy is told to leave out what it finds on this one."""
    extra: list[str] = import_module("numpy._core._multiarray_umath").__cpu_dispatch__
    code = """
import numpy as np, posenc, posenc.numba
from posenc.numba import machine

assert not machine.FUSES
asked = {"seq_len": 300, "d_model": 20, "start": 77}
table = posenc.numba.sinusoidal_positional_encoding(**asked)
assert table.tobytes() == posenc.sinusoidal_positional_encoding(**asked).tobytes()
"""
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        check=True,
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(extra)},
    )


def test_nothing_compiled_is_written_to_disk():
    sinusoidal_positional_encoding(3, 4)

    folder = Path(machine.__file__).parent
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} <= {".py", ".pyc"}
