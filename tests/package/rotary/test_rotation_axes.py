"""rotary: the axis of positions, and tables that hold each number twice."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from posenc.rotary.rotation import apply_rotary, rotary_cos_sin, rotate_pairs


@pytest.mark.parametrize(("cut", "axis"), [("[..., :4]", 0), ("[..., ::2]", 1)])
def test_tables_that_hold_each_number_twice_are_refused_unless_that_is_said(
    cut: str, axis: int
) -> None:
    """Hugging Face's tables: for 8 of 16 channels they would turn all 16."""
    x = np.random.default_rng(0).normal(size=(3, 16))
    cos, sin = rotary_cos_sin([0, 1, 2], 8)
    doubled = [np.concatenate([t, t], -1) if axis == 0 else np.repeat(t, 2, -1) for t in (cos, sin)]
    complaint = (
        f"cos and sin hold every number twice, shape (3, 8): pass cos{cut} and sin{cut},"
        " or rotary_dim=16 if each is meant for a pair of its own"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(complaint)}$"):
        rotate_pairs(x, *doubled, layout="half")
    meant = rotate_pairs(x, *doubled, layout="half", rotary_dim=16)
    assert abs(meant - rotate_pairs(x, cos, sin, layout="half")).max() > 0.1
    # One row, rows of equal numbers, and what is not turned are no such tables.
    rotate_pairs(x[:1], doubled[0][1:2], doubled[1][1:2])
    rotate_pairs(x, np.full((3, 8), 0.6), np.full((3, 8), 0.8))
    rotate_pairs(x, np.ones((3, 8)), np.zeros((3, 8)))


def test_rotary_dim_is_what_the_tables_have() -> None:
    x, (cos, sin) = np.ones((3, 16)), rotary_cos_sin([0, 1, 2], 8)
    same = rotate_pairs(x, cos, sin, rotary_dim=8)
    assert same.tolist() == rotate_pairs(x, cos, sin).tolist()
    with pytest.raises(ValueError, match=r"^cos must have rotary_dim/2 = 8 numbers on its last"):
        rotate_pairs(x, cos, sin, rotary_dim=16)


def test_positions_on_either_axis_give_the_same() -> None:
    x = np.random.default_rng(0).normal(size=(2, 3, 4, 8))  # (B, H, L, head_dim)
    p = [0, 1, 2, 5]
    for places in (p, [p, p[::-1]], np.broadcast_to(p, (2, 3, 4))):
        expected = apply_rotary(x, places)
        assert apply_rotary(x, places, seq_axis=-2).tolist() == expected.tolist()
        swapped = apply_rotary(x.swapaxes(1, 2), places, seq_axis=-3)
        assert swapped.swapaxes(1, 2).tolist() == expected.tolist()
        cos, sin = rotary_cos_sin(places, 8)
        turned = rotate_pairs(x.swapaxes(1, 2), cos, sin, seq_axis=-3)
        assert turned.swapaxes(1, 2).tolist() == expected.tolist()


def test_seq_axis_is_required_if_heads_equal_positions() -> None:
    """(B, L, H, head_dim) would pass for (B, H, L, head_dim), and turn each head's way."""
    x = np.random.default_rng(0).normal(size=(2, 4, 4, 8))
    p = [0, 1, 2, 5]
    cos, sin = rotary_cos_sin(p, 8)
    calls: list[Callable[..., Any]] = [
        partial(apply_rotary, x, p),
        partial(rotate_pairs, x, cos, sin),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"^x of shape \(2, 4, 4, 8\) has two axes of 4: pass"):
            call()
        assert abs(call(seq_axis=-2) - call(seq_axis=-3)).max() > 0.1
    told = np.broadcast_to(p, (2, 4, 4))  # a position for every vector tells
    assert apply_rotary(x, told).tolist() == apply_rotary(x, p, seq_axis=-2).tolist()
    apply_rotary(np.ones((2, 1, 1, 8)), [3])  # one head, one token: the same either way
    for axis, kind in ((1, ValueError), (-1, ValueError), (2.0, TypeError)):
        with pytest.raises(kind, match=r"^seq_axis must be"):
            apply_rotary(x, p, seq_axis=axis)
    with pytest.raises(ValueError, match=r"^seq_axis must be -2 or -3, an axis of x"):
        apply_rotary(np.ones((4, 8)), p, seq_axis=-3)
