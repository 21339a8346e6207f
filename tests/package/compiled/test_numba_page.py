"""The file that the page shows runs, and makes what it says."""

import re
from typing import Any

import numpy as np

import posenc
from check.page_source import read_page
from check.paths import ROOT
from tests.bits import assert_same_bits

BLOCK = re.compile(r'^(`{3,})\{\.python \.not-run title="\w+\.py"\}\n(.*?)^\1$', re.M | re.S)


def test_the_page_shows_a_file_that_runs():
    (code,) = [code for _, code in BLOCK.findall(read_page(ROOT / "docs/reference/numba.md"))]
    names: dict[str, Any] = {}

    exec(compile(code, "turned.py", "exec"), names)

    table = posenc.sinusoidal_positional_encoding(4, 1024, start=32764)
    assert_same_bits(names["table"][-4:], table)
    x = names["x"]
    last = posenc.apply_rotary(np.ones_like(x[:, :, -1:]), [4095], layout="half", seq_axis=-2)
    assert_same_bits(x[:, :, -1:], last)
