"""Keys of a cache that move to other positions, or get other frequencies, after their rotation."""

from typing import Any

from torch import Tensor

from posenc.torch import inputs
from posenc.torch.rotation import rotate, widen
from posenc.torch.tables import WithTables

SHARED = ("head_dim", "rotary_dim", "layout", "seq_axis", "clockwise")


def rerotate_keys(
    x: Tensor,
    rope: WithTables,
    positions: Tensor,
    new_positions: Tensor | None = None,
    *,
    new_rope: WithTables | None = None,
) -> Tensor:
    """Return rotated keys as they would be at other positions, or rotated by another module.

    Args:
        x: Keys of a cache that `rope` has rotated, any floating dtype, shape
            (..., L, head_dim), or (..., L, H, head_dim) where its `seq_axis` is -3.
        rope: A rotary module of `posenc.torch`.
        positions: The positions, or points, that `rope` rotated the keys by, on the device
            of x: as in its call.
        new_positions: The new ones, in the same form. None: the same.
        new_rope: The module that would rotate them now, such as one with the long factors
            of longrope instead of the short ones. None: `rope`.

    Returns:
        Shape, dtype and device of x. Angles are computed in float64, and float16 and
        bfloat16 are rotated in float32, so that each call adds one rounding of an entry,
        2**-8 of the length of its pair in bfloat16 and 2**-11 in float16, and three in
        float32, 3·2**-24. That is on top of the roundings of the keys in the cache. An
        angle is off by at most 2**-52·(|position|·ω + |new position|·ω').

    Raises:
        TypeError: `rope` or `new_rope` is not a rotary module of `posenc.torch`, or x or
            positions are refused as in a call of it.
        ValueError: Neither `new_positions` nor `new_rope` is given, the modules differ in
            more than frequencies and attention factor, or an argument is refused as in a
            call of the module.
        RuntimeError: A module is on the meta device and x is not.

    Source:
        As `posenc.rerotate_keys`. Deviation: narrow dtypes are rotated in float32.

    Examples:
        >>> import torch
        >>> from posenc.torch import RotaryEmbedding, rerotate_keys
        >>> rope = RotaryEmbedding(8, layout="half", seq_axis=-2)
        >>> k = torch.randn(1, 2, 6, 8)
        >>> cached = rope(k, torch.arange(6))
        >>> kept = rerotate_keys(  # without the oldest two
        ...     cached[:, :, 2:], rope, torch.arange(2, 6), torch.arange(4)
        ... )
        >>> bool((kept - rope(k[:, :, 2:], torch.arange(4))).abs().max() < 1e-6)
        True
    """
    rope = _rotary("rope", rope)
    if new_positions is None and new_rope is None:
        raise ValueError("new_positions or new_rope must be given, got neither")
    new_rope = rope if new_rope is None else _rotary("new_rope", new_rope)
    for name in SHARED:
        if getattr(rope, name) != getattr(new_rope, name):
            raise ValueError(
                f"new_rope must have the {name} of rope, {getattr(rope, name)!r}, got"
                f" {getattr(new_rope, name)!r}"
            )
    x = rope._check_vectors(x)
    old = _compute_angles("positions", rope, positions, x)
    if new_positions is None:
        new = _compute_angles("positions", new_rope, positions, x)
    else:
        new = _compute_angles("new_positions", new_rope, new_positions, x)
    angles = old - new if rope.clockwise else new - old
    ratio = new_rope.attention_factor / rope.attention_factor
    dtype = inputs.wide(x)
    tables = (ratio * angles.cos()).to(dtype), (ratio * angles.sin()).to(dtype)
    cos, sin = widen(*tables, rope.layout)
    if rope.seq_axis == -3:
        cos, sin = cos.unsqueeze(-2), sin.unsqueeze(-2)
    return rotate(x, cos, sin, rope.layout)


def _compute_angles(name: str, rope: WithTables, positions: Any, x: Tensor) -> Tensor:
    inputs.exact(name, positions)  # None is refused, too
    rope.refuse_meta(x)
    return rope._angles(rope._read_positions(positions, x, name))


def _rotary(name: str, rope: Any) -> WithTables:
    if not isinstance(rope, WithTables):
        raise TypeError(
            f"{name} must be a rotary module of posenc.torch, got {type(rope).__name__}"
        )
    return rope
