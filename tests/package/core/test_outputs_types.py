"""What a type checker knows of results: mypy reads each `assert_type`, pytest runs the rest."""

from typing import Any, TypeAlias, assert_type

import numpy as np
from numpy.typing import DTypeLike, NDArray

import posenc

F16: TypeAlias = NDArray[np.float16]
F32: TypeAlias = NDArray[np.float32]
F64: TypeAlias = NDArray[np.float64]
X = np.ones((3, 4), np.float32)
NAMED: DTypeLike = "float16"


def test_a_result_has_the_dtype_that_was_asked_for():
    plain = posenc.sinusoidal_positional_encoding(3, 4)
    assert_type(plain, F64)
    narrow = posenc.sinusoidal_positional_encoding(3, 4, dtype=np.float32)
    assert_type(narrow, F32)
    named = posenc.sinusoidal_positional_encoding(3, 4, dtype=NAMED)
    assert_type(named, NDArray[Any])
    at = posenc.sinusoidal_at([1.5], 4, dtype=np.dtype(np.float16))
    assert_type(at, F16)
    cos, sin = posenc.rotary_cos_sin([1], 4)
    assert_type(cos, F64)
    axial, _ = posenc.axial_cos_sin([[1, 2]], 4, dtype=np.float32)
    assert_type(axial, F32)
    several, _ = posenc.mrope_cos_sin([[1, 2]], (1, 1), dtype=np.float16)
    assert_type(several, F16)
    grid = posenc.axial_encoding([[1, 2]], 4, dtype=np.float32)
    assert_type(grid, F32)
    periods = posenc.periodic_encoding([1], [7, 24], dtype=np.float32)
    assert_type(periods, F32)
    waves = posenc.fourier_encoding([1], [0.5], dtype=np.float32)
    assert_type(waves, F32)
    bumps = posenc.gaussian_encoding([1], [0, 1], 2.0, dtype=np.float32)
    assert_type(bumps, F32)

    assert {found.dtype.name for found in (narrow, axial, grid, periods, waves, bumps)} == {
        "float32"
    }
    assert {found.dtype.name for found in (named, at, several)} == {"float16"}
    assert {found.dtype.name for found in (plain, cos, sin)} == {"float64"}


def test_what_is_turned_or_moved_keeps_its_dtype():
    cos, sin = posenc.rotary_cos_sin(range(3), 4)
    turned = posenc.rotate_pairs(X, cos, sin)
    assert_type(turned, F32)
    applied = posenc.apply_rotary(X, range(3))
    assert_type(applied, F32)
    moved = posenc.convert_layout(X, source="half", target="interleaved")
    assert_type(moved, F32)
    weights = posenc.convert_weights(X.T, 1, head_dim=4, source="half", target="interleaved")
    assert_type(weights, F32)
    assert_type(posenc.convert_layout([1, 2], source="half", target="half"), NDArray[Any])

    assert {found.dtype.name for found in (turned, applied, moved, weights)} == {"float32"}
