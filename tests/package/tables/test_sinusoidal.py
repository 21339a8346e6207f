"""sinusoidal against the paper in 50 digits, its special values and its own promises."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from posenc.tables.sinusoidal import sinusoidal_at, sinusoidal_positional_encoding
from tests.bits import assert_same_bits

# Derived in docs/chapters/aliasing.md. The largest errors of 134 million entries of tables
# are 2.2e-16; those of single positions are half a unit in the last place, 5.6e-17.
TABLE, SINGLE = 3e-16, 6e-17

LAYOUTS = ["interleaved", "half"]
EXPONENTS = ["paper", "tensor2tensor"]


def exact(p: float, j: int, d: int, base: float, layout: str, exponent: str) -> Any:
    """Section 3.5 for one position and one channel, in 50 digits."""
    half = d // 2
    i, is_cosine = (j // 2, j % 2) if layout == "interleaved" else (j % half, j // half)
    steps = half if exponent == "paper" else max(half - 1, 1)
    angle = mpmath.mpf(p) * mpmath.power(base, -mpmath.mpf(i) / steps)
    return mpmath.cos(angle) if is_cosine else mpmath.sin(angle)


def largest_error(
    table: NDArray[Any],
    positions: list[Any],
    base: float = 10_000.0,
    layout: str = "interleaved",
    exponent: str = "paper",
) -> float:
    """Compare every entry of a table, one row for each position, with the exact one."""
    d = table.shape[1]
    largest = 0.0
    with mpmath.workdps(50):
        for row, p in zip(table.tolist(), positions, strict=True):
            for j, entry in enumerate(row):
                error = abs(entry - exact(p, j, d, base, layout, exponent))
                largest = max(largest, float(error))
    return largest


# Blocks of 128 rows share an anchor, so starts lie before, on and behind a border.
@pytest.mark.parametrize(
    "start", [-(2**53) + 9, -(10**12), -130, -5, 125, 10**6, 2**52 + 1, 2**53 - 9]
)
def test_rows_are_exact_wherever_they_start(start: int) -> None:
    table = sinusoidal_positional_encoding(9, 24, start=start)

    assert largest_error(table, list(range(start, start + 9))) <= TABLE


@pytest.mark.parametrize(
    "positions",
    [
        [1, 2, 60000],
        (1.0, 2.0, 60000.0),
        np.array([1, 2, 60000], dtype=np.uint64),
        np.array([1, 2, 60000], dtype=">i4"),
        np.array([1, 2, 60000], dtype=np.float16),
        np.array([1, 2, 60000], dtype=np.float32),
    ],
)
def test_equal_positions_of_any_dtype_give_equal_rows(positions: Any) -> None:
    assert largest_error(sinusoidal_at(positions, 8), [1, 2, 60000]) <= SINGLE


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("dtype", "half_unit"), [("float32", 2.0**-25), ("float16", 2.0**-12)])
def test_narrow_tables_are_the_wide_one_rounded_once(
    dtype: str, half_unit: float, layout: str
) -> None:
    # Enough entries for some to be wrong in float16 if they passed through float32.
    start = 10**12 + 77
    wide = sinusoidal_positional_encoding(2000, 64, start=start, layout=layout)
    narrow = sinusoidal_positional_encoding(2000, 64, start=start, layout=layout, dtype=dtype)
    positions = np.linspace(-1e9, 1e9, 2001)
    at = sinusoidal_at(positions, 64, layout=layout, dtype=dtype)

    assert narrow.dtype == at.dtype == dtype
    assert_same_bits(narrow, wide.astype(dtype))
    assert_same_bits(at, sinusoidal_at(positions, 64, layout=layout).astype(dtype))
    # Below 1, neighbours are two half units apart; the wide table adds its own error.
    rows = list(range(start, start + 5))
    assert largest_error(narrow[:5], rows, layout=layout) <= half_unit + TABLE


# d = 2 with one row is the product of two single complex numbers.
@pytest.mark.parametrize("d", [2, 4, 6, 34, 130])
def test_a_row_has_the_same_bits_in_every_table(d: int) -> None:
    whole = sinusoidal_positional_encoding(700, d, start=-350)
    for first in [-350, -300, -257, -256, -255, -129, -128, -127, -3, -1, 0, 1, 127, 128, 129]:
        for seq_len in [1, 2, 3, 5, 8, 17, 127, 128, 129, 200]:
            part = sinusoidal_positional_encoding(seq_len, d, start=first)

            assert_same_bits(part, whole[first + 350 : first + 350 + seq_len])


@pytest.mark.parametrize(
    ("frequencies", "bound"),
    [([1.0, 1 / 3, 2.0**28, 2.0**28 - 1 / 8], TABLE), ([2.0**53, 2.0**53 - 1, 1e14], 1e-15)],
)
def test_given_frequencies_have_bounds_by_their_size(
    frequencies: list[float], bound: float
) -> None:
    d, seq_len = 2 * len(frequencies), 200
    for start in (0, 10**9, 2**53 - seq_len):
        table = sinusoidal_positional_encoding(seq_len, d, inv_freq=frequencies, start=start)
        with mpmath.workdps(60):
            for row, p in zip(table.tolist(), range(start, start + seq_len), strict=True):
                for i, omega in enumerate(frequencies):
                    cos, sin = mpmath.cos_sin(p * mpmath.mpf(omega))
                    assert max(abs(row[2 * i] - sin), abs(row[2 * i + 1] - cos)) <= bound


# The base makes p / base, the angle of the slow pair, a multiple of half a pi. There the
# sum of products behind the entry passes 1, with fused multiply-add as without.
@pytest.mark.parametrize(
    ("p", "angle", "channel", "extreme"),
    [
        (201, math.pi / 2, 2, 1.0),
        (291, 3 * math.pi / 2, 2, -1.0),
        (582, 3 * math.pi / 2, 2, -1.0),
        (734, 3 * math.pi / 2, 2, -1.0),
        (377, math.pi, 3, -1.0),
        (730, math.pi, 3, -1.0),
    ],
)
def test_no_entry_leaves_the_unit_interval(
    p: int, angle: float, channel: int, extreme: float
) -> None:
    row = sinusoidal_positional_encoding(1, 4, base=p / angle, exponent="tensor2tensor", start=p)

    assert row[0, channel] == extreme


@given(
    seq_len=st.integers(0, 4),
    pairs=st.integers(1, 5),
    base=st.floats(1.001, 1e9),
    layout=st.sampled_from(LAYOUTS),
    exponent=st.sampled_from(EXPONENTS),
    start=st.one_of(st.integers(-300, 300), st.integers(-(2**53) + 4, 2**53 - 4)),
)
@settings(max_examples=150)
def test_any_table_is_exact(
    seq_len: int, pairs: int, base: float, layout: str, exponent: str, start: int
) -> None:
    options: dict[str, Any] = {"base": base, "layout": layout, "exponent": exponent}
    table = sinusoidal_positional_encoding(seq_len, 2 * pairs, start=start, **options)

    assert table.shape == (seq_len, 2 * pairs)
    assert largest_error(table, list(range(start, start + seq_len)), **options) <= TABLE
    assert (np.abs(table) <= 1).all()


@given(
    positions=st.lists(st.floats(-(2.0**53), 2.0**53), max_size=4),
    pairs=st.integers(1, 5),
    base=st.floats(1.001, 1e9),
    layout=st.sampled_from(LAYOUTS),
    exponent=st.sampled_from(EXPONENTS),
)
@settings(max_examples=150)
def test_any_position_is_exact(
    positions: list[float], pairs: int, base: float, layout: str, exponent: str
) -> None:
    options: dict[str, Any] = {"base": base, "layout": layout, "exponent": exponent}
    rows = sinusoidal_at(positions, 2 * pairs, **options)

    assert rows.shape == (len(positions), 2 * pairs)
    assert largest_error(rows, positions, **options) <= SINGLE
    assert (np.abs(rows) <= 1).all()


# Position 3, channels 0 to 3: d = 4, base 10000.
ROW = [math.sin(3), math.cos(3), math.sin(0.03), math.cos(0.03)]


@pytest.mark.parametrize(
    "out",
    [
        np.full((5, 4), 7.0),
        np.full((5, 4), 7.0, order="F"),
        np.full((5, 8), 7.0)[:, ::2],
        np.full((5, 4), 7.0)[::-1, ::-1],
        np.full((5, 4), 7.0, dtype=np.float32),
        np.full((5, 4), 7.0, dtype=np.float16),
    ],
)
@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_out_is_filled_and_returned(out: Any, layout: str) -> None:
    fresh = sinusoidal_positional_encoding(5, 4, layout=layout, dtype=out.dtype)

    result = sinusoidal_positional_encoding(5, 4, layout=layout, dtype=out.dtype, out=out)

    assert result is out
    assert out.tolist() == fresh.tolist()


def test_memory_beside_out_is_unchanged() -> None:
    memory = np.full((7, 8), 7.0)

    sinusoidal_positional_encoding(5, 4, out=memory[1:6, ::2])

    assert (memory[[0, 6]] == 7).all()
    assert (memory[:, 1::2] == 7).all()
    # Angles up to 3 in the plain formula: 3 roundings of 1.1e-16.
    np.testing.assert_allclose(memory[4, ::2], ROW, rtol=0, atol=1e-15)


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long double is float64 here")
def test_a_long_double_is_refused_not_rounded() -> None:
    position = np.longdouble(1) / 3

    with pytest.raises(TypeError) as refusal:
        sinusoidal_at(position, 4)

    assert str(refusal.value) == f"positions must fit into float64, got dtype {position.dtype}"
