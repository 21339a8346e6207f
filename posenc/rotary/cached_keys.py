"""Keys of a cache that move to other positions, or get other frequencies, after their rotation.

Letters in this module
    L  cached keys (seq_len)    p, p'  the position that a key was rotated by, and its new one
    B  sequences in a batch     ω, ω'  the frequency that a pair was rotated by, and its new one
    H  heads                    r      rotated channels (rotary_dim), r <= head_dim
"""

from typing import Any

from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.angles import sin_cos
from posenc.core.frequencies import chosen_inv_freq
from posenc.core.layouts import Layout, axes_of, positions_last, rotary_channels, vectors
from posenc.core.memory import check_memory
from posenc.core.underflow import ignore_underflow
from posenc.rotary.rotation import rotate_pairs


@ignore_underflow
def rerotate_keys(
    x: ArrayLike,
    positions: ArrayLike,
    new_positions: ArrayLike | None = None,
    *,
    layout: Layout = "interleaved",
    base: float = 10000.0,
    inv_freq: ArrayLike | None = None,
    new_inv_freq: ArrayLike | None = None,
    rotary_dim: int | None = None,
    attention_factor: float = 1.0,
    new_attention_factor: float | None = None,
    seq_axis: int | None = None,
) -> NDArray[Any]:
    """Return rotated keys as they would be at other positions, or with other frequencies.

    Args:
        x: Rotated keys of a cache, shape (..., L, head_dim), as in `rotate_pairs`.
        positions: The positions p that they were rotated by, shape (L,), (B, L) or
            x.shape[:-1], each within ±2**53.
        new_positions: Their new positions p', in the shape of `positions`. None: the same.
        layout: `"interleaved"` or `"half"`, as in `rotate_pairs`.
        base: b, of the frequencies that they were rotated by. Not used where `inv_freq` is
            given.
        inv_freq: The frequencies ω that they were rotated by, shape (r/2,). None: those of
            the base.
        new_inv_freq: Their new frequencies ω', shape (r/2,). None: the same.
        rotary_dim: Rotated channels r, the first of each vector. None: two for each entry
            of `inv_freq` where that is given, and otherwise all.
        attention_factor: Factor that they were rotated with, finite, above 0.
        new_attention_factor: Their new factor, finite, above 0. None: the same.
        seq_axis: -2 or -3, as in `rotate_pairs`.

    Returns:
        Shape and dtype of x: pair i is rotated further by p'·ω'_i - p·ω_i, and
        multiplied by the ratio of the factors. Computed in float64, then rounded once. The
        cache has rounded the keys before, so an entry is off from that of a key which is
        rotated only once, exactly, by at most two roundings of the length of its pair:
        `2·2**-8` of it in bfloat16, `2·2**-11` in float16, `2·2**-24` in float32 and
        `16·2**-53` in float64, where the rotations count as well. Each further call adds
        one rounding. In deeper layers of a model, what a token read at its old position stays
        in its key.

    Raises:
        TypeError: An argument has the wrong type; `x` does not hold floats.
        ValueError: Neither new positions, new frequencies nor a new factor are given,
            `new_positions` has another shape than `positions`, or an argument is refused as
            in `rotary_cos_sin` or `rotate_pairs`.

    Source:
        llama.cpp calls this a K-shift: cached keys move to lower positions where old tokens
        are dropped from a full context. Deviation: none.

    Examples:
        >>> import numpy as np
        >>> from posenc import apply_rotary, rerotate_keys
        >>> k = np.random.default_rng(0).normal(size=(6, 8))
        >>> cached = apply_rotary(k, range(6))
        >>> kept = rerotate_keys(cached[2:], [2, 3, 4, 5], [0, 1, 2, 3])  # drop the oldest two
        >>> bool(abs(kept - apply_rotary(k[2:], range(4))).max() < 1e-14)
        True
    """
    array = vectors(x)
    old = checks.positions("positions", positions)
    axes_of("positions", old.shape, positions_last(array, seq_axis, old.shape).shape)
    if new_positions is None and new_inv_freq is None and new_attention_factor is None:
        raise ValueError(
            "new_positions, new_inv_freq or new_attention_factor must be given, got none of them"
        )
    new = old if new_positions is None else checks.positions("new_positions", new_positions)
    if new.shape != old.shape:
        raise ValueError(
            f"new_positions must have the shape of positions, {old.shape}, got shape {new.shape}"
        )
    if rotary_dim is None and inv_freq is not None:
        rotary_dim = 2 * checks.reals("inv_freq", inv_freq).size
    r = rotary_channels(rotary_dim, array.shape[-1])
    factor = new_factor = checks.above_zero("attention_factor", attention_factor)
    if new_attention_factor is not None:
        new_factor = checks.above_zero("new_attention_factor", new_attention_factor)
    frequencies = new_frequencies = chosen_inv_freq(r, base, inv_freq)
    if new_inv_freq is not None:
        new_frequencies = chosen_inv_freq(r, base, new_inv_freq, name="new_inv_freq")
    check_memory("the tables", 4, *old.shape, r // 2)
    ratio = new_factor / factor
    sin, cos = sin_cos(old, frequencies)
    new_sin, new_cos = sin_cos(new, new_frequencies)
    return rotate_pairs(
        array,
        ratio * (new_cos * cos + new_sin * sin),
        ratio * (new_sin * cos - new_cos * sin),
        layout=layout,
        rotary_dim=r,
        seq_axis=seq_axis,
    )
