"""Identify what a table, a rotation or a bias is."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.core import checks
from posenc.judging import kinds
from posenc.judging.arrays import (
    Array,
    add_head_axis,
    read_array,
    read_result,
    reshape_to_bias,
    split_complex,
)
from posenc.judging.biases.identify import identify_bias
from posenc.judging.frequencies.identify import identify_frequencies
from posenc.judging.identity import Identity
from posenc.judging.rotations.calls import Caller
from posenc.judging.rotations.cos_sin import identify_cos_sin
from posenc.judging.rotations.identify import identify_rotation
from posenc.judging.rotations.probe import probe_rotation
from posenc.judging.tables.identify import identify_table


@np.errstate(over="ignore", under="ignore", invalid="ignore")  # such entries agree with nothing
def identify(
    thing: Any,  # whatever library its arrays are of
    *,
    kind: kinds.Kind | None = None,
    seq_len: int = kinds.SEQ_LEN,
    head_dim: int = kinds.HEAD_DIM,
    dtype: str = "float32",
    arrays: kinds.Arrays | None = None,
) -> Identity:
    """Return what a table, a rotation or a bias is, once that has been verified.

    Args:
        thing: An array: a table (L, d); a bias (H, L_q, L_k), or (L, L) with
            `kind="bias"`; complex numbers exp(ipω), (L, r/2). Or a pair (cos, sin) of
            rotary tables, (L, r/2) each, or (L, r) with each number twice. Or rotary
            frequencies `inv_freq`, (r/2,), falling from the first to the last. Or a
            function: `encode(seq_len)` returns a table, `rotate(x, positions)` rotates
            vectors (L, head_dim) by positions (L,), `bias(seq_len)` returns a bias. A
            function that refuses such vectors is called with heads: (B, H, L, head_dim)
            or (B, L, H, head_dim), and positions (B, L) or (L,). The
            arrays may be of NumPy, JAX, PyTorch (with gradients and bfloat16, too) or
            anything that NumPy can read, in float64, float32, float16 or bfloat16; axes
            of length 1 are left out. At least 2 positions.
        kind: `"table"`, `"rotary"` or `"bias"`. None: an array by its axes; a function
            of one argument is taken for `encode`, of two for `rotate`. A rotation with one
            argument, `rotate(x)`, needs `kind="rotary"`, and a bias `kind="bias"`.
        seq_len: L, at least 2: how many positions a function is called with.
        head_dim: d, at least 2: how wide the vectors are that a function rotates. It is
            called d + 3 times, and once more where it does not look at the positions.
        dtype: Of the vectors that a function rotates: `"float64"`, `"float32"`,
            `"float16"` or `"bfloat16"`; NumPy arrays hold bfloat16 numbers as float32.
        arrays: What a rotation is called with, `"numpy"` arrays or `"torch"` tensors.
            None: tensors for a PyTorch module, a method of one, and a function whose
            first argument is annotated as a tensor; otherwise NumPy arrays.

    Returns:
        An `Identity`. What is outside the families of conventions that it lists is
        `"unknown"`, with the nearest of them and the first difference. Whatever is named
        has been computed again by `posenc` and agrees at every entry that was looked at,
        within what the dtype allows: see `Identity.limit`. A table of more than 2**20
        numbers is looked at in some hundred rows, a bias in at most 192 rows a head, a
        rotation at some 50 positions. Nothing here judges whether an encoding is good.

    Raises:
        TypeError: `thing` is neither an array of real numbers nor a function; or another
            argument has the wrong type.
        ValueError: `thing` has another number of axes, fewer than 2 positions, or a
            number that is not finite; a function returns another shape, or zeros in
            other places when it is called again, as under dropout; or another argument is
            out of its range.

    Source:
        Definition of this book. The limits are derived in `posenc/judging/precision.py`;
        the conventions are those of the page on libraries.

    Examples:
        >>> import numpy as np
        >>> import posenc
        >>> def encode(seq_len, d=32):
        ...     angles = np.outer(np.arange(seq_len), 10000 ** (-np.arange(0, d, 2) / d))
        ...     return np.hstack([np.cos(angles), np.sin(angles)])
        >>> found = posenc.identify(encode)
        >>> found.layout, found.first, found.start
        ('half', 'cos', 0.0)
        >>> bias = -np.array([[[2**-4]], [[2**-8]]]) * abs(np.arange(9) - np.arange(9)[:, None])
        >>> found = posenc.identify(bias)
        >>> found.kind, found.form, found.slopes_rule
        ('alibi', 'symmetric', 'paper')
    """
    if kind is not None:
        checks.choice("kind", kind, kinds.KINDS)
    setup = kinds.check_setup(seq_len, head_dim, dtype, arrays)
    if kinds.is_function(thing):
        return _identify_function(thing, kind, setup)
    if isinstance(thing, tuple) and len(thing) == 2 and kind in (None, "rotary"):
        return identify_cos_sin(*thing)
    complex_parts = split_complex("thing", thing)
    if complex_parts is not None:
        return identify_cos_sin(*complex_parts)
    return identify_array(read_array("thing", thing), kind)


def _identify_function(
    function: Callable[..., Any], kind: str | None, setup: kinds.Setup
) -> Identity:
    """Return what a function computes."""
    inferred = kinds.infer_kind(function, kind)
    if inferred == "rotary":
        caller = Caller("thing(x, positions)", function, setup)
        return identify_rotation(probe_rotation(caller, setup))
    return identify_array(read_result("thing", function, setup.seq_len), inferred)


def identify_array(given: Array, kind: str | None) -> Identity:
    """Return what an array is, by its axes if no kind is given."""
    if kind in (None, "rotary") and len(given.shape) == 1:
        return identify_frequencies(given)
    if kind == "rotary":
        raise ValueError(
            "thing must be a function rotate(x, positions), a pair (cos, sin) or frequencies"
            f" (d/2,) for kind='rotary', got an array of shape {given.shape}"
        )
    bare = given.drop_unit_axes()
    if kind != "bias" and len(bare.shape) == 2:
        if bare.shape[0] < 2:
            raise ValueError(f"thing must have at least 2 positions, got shape {given.shape}")
        return identify_table(bare.check_finite()) if kind else _identify_matrix(given, bare)
    if kind != "table" and len(bare.shape) in (2, 3):
        bias = reshape_to_bias(given)
        if bias.shape[2] < 2 or not all(bias.shape):
            raise ValueError(f"thing must have at least 2 positions, got shape {given.shape}")
        return identify_bias(bias)
    raise ValueError(
        "thing must be a table (L, d) or a bias (H, L_q, L_k), axes of length 1 aside,"
        f" got shape {given.shape}"
    )


def _identify_matrix(given: Array, bare: Array) -> Identity:
    """Return what an array is that may be a table, or a bias of one head or of one query.

    `bare` is the array without axes of length 1. If it is square, it may be a bias with hidden
    keys, which has infinities.
    """
    square = bare.shape[0] == bare.shape[1]
    found = identify_table(bare if square else bare.check_finite())
    one_query = len(given.shape) > 2 and given.shape[-2] == 1
    if found.kind != "unknown" or not (square or one_query):
        return found
    bias = reshape_to_bias(given) if one_query else add_head_axis(bare)
    other = identify_bias(bias)
    return other if other.kind != "unknown" or other.cause else found
