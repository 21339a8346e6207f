"""Identify the rotation that a pair of tables makes: cosines and sines, as libraries keep them."""

from dataclasses import replace
from typing import Any

import numpy as np

from posenc.judging import arrays, precision, waves
from posenc.judging.identity import Identity
from posenc.judging.rotations.identify import make_identity, name_scaling
from posenc.judging.tables.identify import name_conventions


def identify_cos_sin(cos: Any, sin: Any) -> Identity:
    """Return which rotation a pair of tables makes, (L, r/2) or (L, r) each."""
    cosines = arrays.read_array("cos", cos).drop_unit_axes().check_finite()
    sines = arrays.read_array("sin", sin).drop_unit_axes().check_finite()
    if cosines.shape != sines.shape or len(cosines.shape) != 2 or cosines.shape[0] < 2:
        raise ValueError(
            "cos and sin must both have the shape (L, r/2) or (L, r), L at least 2,"
            f" got shapes {cosines.shape} and {sines.shape}"
        )
    rows = arrays.choose_rows(*cosines.shape)
    z = cosines.read_rows(rows) + 1j * sines.read_rows(rows)
    layout = None
    width = z.shape[1]
    if width % 2 == 0 and np.array_equal(z[:, : width // 2], z[:, width // 2 :]):
        layout, z = "half", z[:, : width // 2]
    elif width % 2 == 0 and np.array_equal(z[:, ::2], z[:, 1::2]):
        layout, z = "interleaved", z[:, ::2]
    numbers = precision.find_narrowest_dtype(np.concatenate([z.real, z.imag]), cosines.dtype)
    about: dict[str, Any] = {"dtype": cosines.dtype, "numbers": numbers, "rows": len(rows)}
    fit = waves.fit_waves(z, rows, numbers, {"paper": z.shape[1]})
    if fit is None:
        return Identity("unknown", **about)
    found = replace(
        name_conventions(fit, layout or "", (), about),
        kind="rotary",
        rotary_dim=2 * z.shape[1],
        layout=layout,
    )
    if fit.holds and fit.base is None and len(fit.frequencies) > 2:
        found = name_scaling(fit, z, rows, found)
    return make_identity(fit, found, about)
