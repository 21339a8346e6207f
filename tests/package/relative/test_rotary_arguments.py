"""rotary: what is refused, and with which words."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from posenc.relative.rotary import apply_rotary, rotary_cos_sin, rotate_pairs

X = np.ones((2, 3, 4, 6))  # B, H, L, head_dim
FITS = "positions must fit x of shape (2, 3, 4, 6): (4,) or (2, 4) or (2, 3, 4), got "


def tables(*args: Any, **options: Any) -> Callable[[], Any]:
    return lambda: rotary_cos_sin(*args, **options)


def pairs(*args: Any, **options: Any) -> Callable[[], Any]:
    return lambda: rotate_pairs(*args, **options)


def apply(*args: Any, **options: Any) -> Callable[[], Any]:
    return lambda: apply_rotary(*args, **options)


REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (tables([1], 3), ValueError, "dim must be even and at least 2, got dim=3"),
    (tables([1], 0), ValueError, "dim must be even and at least 2, got dim=0"),
    (tables([1], 4.0), TypeError, "dim must be an integer, got dim=4.0"),
    (tables(["a"], 4), TypeError, "positions must hold real numbers, got dtype <U1"),
    (tables([True], 4), TypeError, "positions must hold real numbers, got dtype bool"),
    (tables([np.nan], 4), ValueError, "positions must be finite, got nan"),
    (
        tables([2**53 + 1], 4),
        ValueError,
        "positions must lie within ±2**53, got 9007199254740993",
    ),
    (
        tables(np.ma.array([1]), 4),
        TypeError,
        "positions must not be a masked array: the mask would be lost",
    ),
    (tables([1], 4, base=1.0), ValueError, "base must be above 1, got base=1.0"),
    (tables([1], 4, base="e"), TypeError, "base must be a real number, got base='e'"),
    (
        tables([1], 4, attention_factor=0.0),
        ValueError,
        "attention_factor must be above 0, got attention_factor=0.0",
    ),
    (
        tables([1], 4, attention_factor=-1),
        ValueError,
        "attention_factor must be above 0, got attention_factor=-1",
    ),
    (
        tables([1], 4, attention_factor=np.inf),
        ValueError,
        "attention_factor must be finite, got attention_factor=inf",
    ),
    (
        tables([1], 4, attention_factor=True),
        TypeError,
        "attention_factor must be a real number, got attention_factor=True",
    ),
    (
        tables([1], 4, dtype="int32"),
        ValueError,
        "dtype must be bfloat16, float16, float32 or float64, got dtype=int32",
    ),
    (tables([1], 4, dtype=None), TypeError, "dtype must be a dtype, got dtype=None"),
    (
        tables([1], 4, inv_freq=[1.0]),
        ValueError,
        "inv_freq must have shape (2,), one number for each of the pairs in 4 channels,"
        " got shape (1,)",
    ),
    (
        tables([1], 2, inv_freq=[1.0, 0.5]),
        ValueError,
        "inv_freq must have shape (1,), one number for each of the pairs in 2 channels,"
        " got shape (2,)",
    ),
    (
        tables([1], 4, inv_freq=[[1.0, 0.1]]),
        ValueError,
        "inv_freq must have 1 axis, got shape (1, 2)",
    ),
    (
        tables([1], 4, inv_freq=[1.0, -0.1]),
        ValueError,
        "inv_freq must lie between 0 and 2**53, got -0.1",
    ),
    (
        tables([1], 4, inv_freq=[1.0, 1e16]),
        ValueError,
        "inv_freq must lie between 0 and 2**53, got 1e+16",
    ),
    (tables([1], 4, inv_freq=[1.0, np.nan]), ValueError, "inv_freq must be finite, got nan"),
    (
        tables([1], 4, inv_freq=[True, False]),
        TypeError,
        "inv_freq must hold real numbers, got dtype bool",
    ),
    (
        tables([1], 4, inv_freq=np.ma.array([1.0, 2.0])),
        TypeError,
        "inv_freq must not be a masked array: the mask would be lost",
    ),
    (pairs(3.0, [1], [0]), ValueError, "x must have an axis of channels, got shape ()"),
    (pairs([[1, 2]], [[1]], [[0]]), TypeError, "x must hold floats, got dtype int64"),
    (
        pairs(np.ones((1, 2), np.longdouble), [[1]], [[0]]),
        ValueError,
        f"x must be bfloat16, float16, float32 or float64, got x={np.dtype(np.longdouble)}",
    ),
    (pairs([[1.0, np.nan]], [[1]], [[0]]), ValueError, "x must be finite, got nan"),
    (pairs([[1.0, -np.inf]], [[1]], [[0]]), ValueError, "x must be finite, got -inf"),
    (
        pairs(np.ma.ones((1, 2)), [[1]], [[0]]),
        TypeError,
        "x must not be a masked array: the mask would be lost",
    ),
    (
        pairs([[1.0, 2.0]], [[1]], [[0]], layout="neox"),
        ValueError,
        "layout must be 'interleaved' or 'half', got layout='neox'",
    ),
    (
        pairs([[1.0, 2.0]], [[1]], [[0]], layout=True),
        TypeError,
        "layout must be a string, got layout=True",
    ),
    (
        pairs([[1.0, 2.0]], [[1]], [0]),
        ValueError,
        "cos and sin must have one shape, got shapes (1, 1) and (1,)",
    ),
    (
        pairs([[1.0, 2.0]], [[1, 1]], [[0, 0]]),
        ValueError,
        "cos must have 1 to 1 numbers on its last axis, as x has 2 channels, got shape (1, 2)",
    ),
    (
        pairs([[1.0, 2.0]], [[]], [[]]),
        ValueError,
        "cos must have 1 to 1 numbers on its last axis, as x has 2 channels, got shape (1, 0)",
    ),
    (
        pairs([[1.0, 2.0]], 1, 0),
        ValueError,
        "cos must have 1 to 1 numbers on its last axis, as x has 2 channels, got shape ()",
    ),
    (
        pairs(X, np.ones((3, 3)), np.ones((3, 3))),
        ValueError,
        "cos must fit x of shape (2, 3, 4, 6): (4,) or (2, 4) or (2, 3, 4) before the last"
        " axis, got (3,)",
    ),
    (pairs([[1.0, 2.0]], [[np.nan]], [[0]]), ValueError, "cos must be finite, got nan"),
    (pairs([[1.0, 2.0]], [[1]], [[np.inf]]), ValueError, "sin must be finite, got inf"),
    (
        pairs([[1.0, 2.0]], [[1j]], [[0]]),
        TypeError,
        "cos must hold real numbers, got dtype complex128",
    ),
    (
        pairs([[1.0, 2.0]], [[1]], np.ma.array([[0]])),
        TypeError,
        "sin must not be a masked array: the mask would be lost",
    ),
    (apply([1, 2], 1), TypeError, "x must hold floats, got dtype int64"),
    (
        apply(X[..., :5], range(4)),
        ValueError,
        "head_dim must be even and at least 2, got head_dim=5",
    ),
    (
        apply(X, range(4), rotary_dim=3),
        ValueError,
        "rotary_dim must be even and at least 2, got rotary_dim=3",
    ),
    (
        apply(X, range(4), rotary_dim=8),
        ValueError,
        "rotary_dim must be at most head_dim=6, got rotary_dim=8",
    ),
    (
        apply(X, range(4), rotary_dim=True),
        TypeError,
        "rotary_dim must be an integer, got rotary_dim=True",
    ),
    (
        apply(X, range(4), rotary_dim=6, inv_freq=[1.0, 0.5]),
        ValueError,
        "inv_freq must have shape (3,), one number for each of the pairs in 6 channels,"
        " got shape (2,)",
    ),
    (
        apply(X, range(4), inv_freq=[1.0, 0.5, 0.25, 0.125]),
        ValueError,
        "inv_freq must have 1 to 3 numbers, as x has 6 channels, got 4",
    ),
    (
        apply(X, range(4), inv_freq=[]),
        ValueError,
        "inv_freq must have 1 to 3 numbers, as x has 6 channels, got 0",
    ),
    (apply(X, range(4), inv_freq=1.0), ValueError, "inv_freq must have 1 axis, got shape ()"),
    (
        apply(X, range(3)),
        ValueError,
        FITS + "(3,)",
    ),
    (
        apply(X, np.zeros((3, 4))),
        ValueError,
        FITS + "(3, 4)",
    ),
    (
        apply(X, np.zeros((1, 4))),
        ValueError,
        FITS + "(1, 4)",
    ),
    (
        apply(X, 0),
        ValueError,
        FITS + "()",
    ),
    (
        apply(X[0, 0], np.zeros((2, 4))),
        ValueError,
        "positions must fit x of shape (4, 6): (4,), got (2, 4)",
    ),
    (
        apply(X[0, 0, 0], [1]),
        ValueError,
        "positions must fit x of shape (6,): (), got (1,)",
    ),
    (apply(X, range(4), base=0.5), ValueError, "base must be above 1, got base=0.5"),
    (
        apply(X, range(4), attention_factor=np.nan),
        ValueError,
        "attention_factor must be finite, got attention_factor=nan",
    ),
    (apply(X, [0, 1, 2, np.inf]), ValueError, "positions must be finite, got inf"),
    (
        apply(X, range(4), layout="gptj"),
        ValueError,
        "layout must be 'interleaved' or 'half', got layout='gptj'",
    ),
]


@pytest.mark.parametrize(("call", "kind", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refuses(call: Callable[[], Any], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        call()
    assert str(refusal.value) == complaint


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


def test_as_many_heads_as_positions_must_be_said() -> None:
    """(B, L, H, head_dim) would pass for (B, H, L, head_dim), and turn each head's way."""
    x = np.random.default_rng(0).normal(size=(2, 4, 4, 8))
    p = [0, 1, 2, 5]
    cos, sin = rotary_cos_sin(p, 8)
    calls: list[Callable[..., Any]] = [
        partial(apply_rotary, x, p),
        partial(rotate_pairs, x, cos, sin),
    ]
    for call in calls:
        with pytest.raises(
            ValueError, match=r"^x has two axes of 4, shape \(2, 4, 4, 8\): say whe"
        ):
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
