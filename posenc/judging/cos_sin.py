"""Rotary tables: cosines and sines as libraries keep them, once or twice each."""

from dataclasses import replace
from typing import Any

import numpy as np

from posenc.judging import arrays, precision, rotations, tables, waves
from posenc.judging.identity import Identity


def identify_cos_sin(cos: Any, sin: Any) -> Identity:
    """Return which rotation a pair of tables makes, (L, r/2) or (L, r) each."""
    cosines = arrays.take("cos", cos).bare().finite()
    sines = arrays.take("sin", sin).bare().finite()
    if cosines.shape != sines.shape or len(cosines.shape) != 2 or cosines.shape[0] < 2:
        raise ValueError(
            "cos and sin must both have the shape (L, r/2) or (L, r), L at least 2,"
            f" got shapes {cosines.shape} and {sines.shape}"
        )
    rows = arrays.some_rows(*cosines.shape)
    z = cosines.rows(rows) + 1j * sines.rows(rows)
    layout = None
    width = z.shape[1]
    if width % 2 == 0 and np.array_equal(z[:, : width // 2], z[:, width // 2 :]):
        layout, z = "half", z[:, : width // 2]
    elif width % 2 == 0 and np.array_equal(z[:, ::2], z[:, 1::2]):
        layout, z = "interleaved", z[:, ::2]
    numbers = precision.narrowest(np.concatenate([z.real, z.imag]), cosines.dtype)
    about: dict[str, Any] = {"dtype": cosines.dtype, "numbers": numbers, "rows": len(rows)}
    fit = waves.fit(z, rows, numbers, {"paper": z.shape[1]})
    if fit is None:
        return Identity("unknown", **about)
    found = replace(
        tables.named(fit, layout or "", (), about),
        kind="rotary",
        rotary_dim=2 * z.shape[1],
        layout=layout,
    )
    return rotations.verdict(fit, found, about)
