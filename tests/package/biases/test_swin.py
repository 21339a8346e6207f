"""window_offsets: against a library's index, against pairs of patches, and refusals."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from posenc import window_index
from tests.goldens import load_cases

SWIN = {case.name: case for case in load_cases("relative")}["swin_4x3"]


def test_index_equals_that_of_swin() -> None:
    assert SWIN.outputs == ["index"]
    assert_array_equal(window_index(*SWIN.arguments["window"]), SWIN["index"])


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 5), (5, 1), (3, 4), (7, 7)])
def test_each_row_of_the_window_table_is_one_offset(height: int, width: int) -> None:
    index = window_index(height, width)
    rows: dict[tuple[int, int], set[int]] = {}
    patches = [(y, x) for y in range(height) for x in range(width)]
    for p, (y, x) in enumerate(patches):
        for q, (v, u) in enumerate(patches):
            rows.setdefault((y - v, x - u), set()).add(int(index[p, q]))

    assert index.dtype == np.int64
    assert [rows[offset] for offset in sorted(rows)] == [{n} for n in range(len(rows))]
    assert len(rows) == (2 * height - 1) * (2 * width - 1)
