"""Identify: what a table, a turn or a bias is."""

import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from posenc.core import checks
from posenc.core.memory import check_memory
from posenc.judging import arrays, biases, cos_sin, rotations, tables
from posenc.judging.identity import Identity

Kind = Literal["table", "rotary", "bias"]
KINDS = ("table", "rotary", "bias")

SEQ_LEN = 512
HEAD_DIM = 64


@np.errstate(over="ignore", under="ignore", invalid="ignore")  # then nothing agrees
def identify(
    thing: Any,  # whatever library its arrays are of
    *,
    kind: Kind | None = None,
    seq_len: int = SEQ_LEN,
    head_dim: int = HEAD_DIM,
    dtype: str = "float32",
) -> Identity:
    """Return what a table, a rotation or a bias is, once that has been verified.

    Args:
        thing: An array: a table (L, d); a bias (H, L_q, L_k), or (L, L) with
            `kind="bias"`; complex numbers exp(ipω), (L, r/2). Or a pair (cos, sin) of
            rotary tables, (L, r/2) each, or (L, r) with each number twice. Or a
            function: `encode(seq_len)` returns a table, `turn(x, positions)` turns
            vectors (L, head_dim) by positions (L,), `bias(seq_len)` returns a bias. The
            arrays may be of NumPy, JAX, PyTorch (with gradients and bfloat16, too) or
            anything that NumPy can read, in float64, float32, float16 or bfloat16; axes
            of length 1 are left out. At least 2 positions.
        kind: `"table"`, `"rotary"` or `"bias"`. None: an array by its axes; a function
            of one argument is taken for `encode`, of two for `turn`. A rotation with one
            argument, `turn(x)`, needs `kind="rotary"`, and a bias `kind="bias"`.
        seq_len: L, at least 2: how many positions a function is asked for.
        head_dim: d, at least 2: how wide the vectors are that a function turns. It is
            called d + 3 times, and once more where it does not look at the positions.
        dtype: Of the vectors that a function turns: `"float64"`, `"float32"` or
            `"float16"`.

    Returns:
        An `Identity`. What has no place in the families of conventions that it lists is
        `"unknown"`, with the nearest of them and the first difference. Whatever is named
        has been computed anew by `posenc` and agrees at every entry that was looked at,
        within what the dtype allows: see `Identity.limit`. A table of more than 2**20
        numbers is looked at in some hundred rows, a bias in at most 192 rows a head, a
        rotation at some 50 positions. Nothing here judges whether an encoding is good.

    Raises:
        TypeError: `thing` is no array of real numbers, and no function; or another
            argument has the wrong type.
        ValueError: `thing` has another number of axes, fewer than 2 positions, or a
            number that is not finite; a function returns another shape, or zeros in
            other places when it is asked again, as under dropout; or another argument is
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
        checks.choice("kind", kind, KINDS)
    seq_len = checks.integer("seq_len", seq_len, least=2)
    head_dim = checks.integer("head_dim", head_dim, least=2)
    check_memory("what a function returns", seq_len, head_dim)
    checks.choice("dtype", dtype, ("float64", "float32", "float16"))
    if callable(thing) and not hasattr(thing, "__array__"):
        return _of_function(thing, kind, seq_len, head_dim, dtype)
    if isinstance(thing, tuple) and len(thing) == 2 and kind in (None, "rotary"):
        return cos_sin.identify_cos_sin(*thing)
    complex_parts = arrays.parts("thing", thing)
    if complex_parts is not None:
        return cos_sin.identify_cos_sin(*complex_parts)
    return of_array(arrays.take("thing", thing), kind)


def of_array(given: arrays.Given, kind: str | None) -> Identity:
    """Return what an array is."""
    if kind == "rotary":
        raise ValueError(
            "thing must be a function turn(x, positions) or a pair (cos, sin)"
            f" for kind='rotary', got an array of shape {given.shape}"
        )
    bare = given.bare()
    if kind != "bias" and len(bare.shape) == 2:
        if bare.shape[0] < 2:
            raise ValueError(f"thing must have at least 2 positions, got shape {given.shape}")
        found = tables.identify_table(bare.finite() if kind else _unless_hidden(bare))
        one_query = len(given.shape) > 2 and given.shape[-2] == 1 and kind is None
        square = bare.shape[0] == bare.shape[1] and kind is None
        if found.kind != "unknown" or not (square or one_query):
            return found
        other = biases.identify_bias(three_axes(given) if one_query else one_head(bare))
        return other if other.kind != "unknown" or other.cause else found
    if kind != "table" and len(bare.shape) in (2, 3):
        full = three_axes(given)
        if full.shape[2] < 2 or not all(full.shape):
            raise ValueError(f"thing must have at least 2 positions, got shape {given.shape}")
        return biases.identify_bias(full)
    raise ValueError(
        "thing must be a table (L, d) or a bias (H, L_q, L_k), axes of length 1 aside,"
        f" got shape {given.shape}"
    )


def taken(thing: Any, kind: str | None) -> str:
    """Return what a function is taken for: "table", "rotary" or "bias"."""
    if kind is not None:
        return kind
    needed = arguments(thing)
    if needed not in (1, 2):
        raise ValueError(
            "kind must be 'table', 'rotary' or 'bias' for a function of other than one or two"
            f" arguments, got kind=None and {needed} arguments"
        )
    return ("table", "rotary")[needed - 1]


def arguments(thing: Any) -> int:
    """Return how many arguments a function must be given."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return 0
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in plain and p.default is p.empty for p in parameters)


def _of_function(
    thing: Callable[..., Any], kind: str | None, seq_len: int, head_dim: int, dtype: str
) -> Identity:
    what = taken(thing, kind)
    if what == "rotary":
        told = arguments(thing) != 1
        return rotations.identify_turn(
            rotations.probe("thing(x, positions)", thing, seq_len, head_dim, dtype, told)
        )
    return of_array(arrays.returned("thing", thing, seq_len), what)


def one_head(given: arrays.Given) -> arrays.Given:
    """Return a bias (L_q, L_k) as one of a single head."""

    def read(index: arrays.Index) -> Any:
        return given.read(slice(None))[np.newaxis][index]

    return replace(given, shape=(1, *given.shape), read=read)


def three_axes(given: arrays.Given) -> arrays.Given:
    """Return a bias as (H, L_q, L_k), without further leading axes of length 1."""
    if len(given.shape) == 2:
        return one_head(given)
    shape = given.shape[-3:]
    if math.prod(shape) != math.prod(given.shape):  # an axis of length 1 stands between the others
        shape = given.bare().shape
        if len(shape) == 2:
            shape = (shape[0], 1, shape[1]) if given.shape[-2] == 1 else (1, *shape)

    def read(index: arrays.Index) -> Any:
        return given.read(slice(None)).reshape(shape)[index]

    return given if shape == given.shape else replace(given, shape=shape, read=read)


def _unless_hidden(given: arrays.Given) -> arrays.Given:
    """Return a square array as it is, since it may be a bias with hidden keys; others finite."""
    return given if given.shape[0] == given.shape[1] else given.finite()
