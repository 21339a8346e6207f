"""Compare a table, a rotation or a bias with the one that was meant."""

from dataclasses import replace
from typing import Any

import numpy as np

from posenc.core import checks
from posenc.core.layouts import LAYOUTS, Layout
from posenc.judging import configs, kinds
from posenc.judging.arrays import Array, read_array, read_result, reshape_to_bias
from posenc.judging.biases.compare import compare_biases, compare_with_rule
from posenc.judging.comparison import Comparison
from posenc.judging.frequencies.compare import compare_frequencies, compare_with_rotation
from posenc.judging.references import NAMES, Reference, Rotation, Table, get_reference
from posenc.judging.rotations.compare import compare_rotation
from posenc.judging.rotations.compare_cos_sin import compare_cos_sin
from posenc.judging.tables.compare import compare_tables, compare_with_conventions


@np.errstate(over="ignore", under="ignore", invalid="ignore")  # such entries agree with nothing
def compare(
    thing: Any,  # whatever library its arrays are of
    reference: Any,
    *,
    kind: kinds.Kind | None = None,
    seq_len: int = kinds.SEQ_LEN,
    head_dim: int | None = None,
    dtype: str = "float32",
    arrays: kinds.Arrays | None = None,
    layout: Layout | None = None,
    layer_type: str | None = None,
    ignore_row_constants: bool = False,
) -> Comparison:
    """Return whether a table, a rotation or a bias is the one that was meant.

    Args:
        thing: An array or a function, as in `identify`: a table (L, d) or
            `encode(seq_len)`, a rotation `rotate(x, positions)`, a bias (H, L_q, L_k) or
            `bias(seq_len)`. Its last queries are those of the last keys. Rotary
            frequencies `inv_freq`, (r/2,), or a pair (cos, sin), where the reference is
            one, too.
        reference: What it should be. A name: the tables `"sinusoidal"`,
            `"tensor2tensor"`, `"fairseq"`; the rotations `"rotary"`, `"gpt-j"`,
            `"llama"`, `"llama3"`, `"llama3.1"`, `"gpt-neox"`; the biases `"alibi"`,
            `"alibi-symmetric"`, `"t5"`, `"t5-decoder"`, the last two whatever was learned
            in their 32 buckets. Or a Hugging Face config as for `rope_parameters`: a
            mapping, an object with `to_dict()`, or the path of a `config.json`. Which
            channels are a pair, and the direction, follow from its `model_type`; without
            one, halves are paired. Frequencies that depend on the length are those for
            `seq_len`. Or another array of the same shape, or another function of the same
            kind.
        kind: As in `identify`; None: what the reference is, if it has a name.
        seq_len: L, at least 2: how many positions functions are called with.
        head_dim: d, at least 2: how wide the vectors are that a function rotates. None:
            as wide as the heads of the config, and otherwise 64.
        dtype: Of the vectors that a function rotates, as in `identify`, and the precision
            that is expected: numbers that were rounded more than to this dtype, and more
            than to that of the result, are different.
        arrays: `"numpy"` or `"torch"`, as in `identify`.
        layout: `"interleaved"` or `"half"`, instead of the pairing of the model. Needed
            for a `model_type` that posenc does not know.
        layer_type: As in `rope_parameters`, for a config with several kinds of layers.
        ignore_row_constants: Whether a bias may have a constant added in each row, which
            softmax does not see.

    Returns:
        A `Comparison`, true where everything agrees. All entries of a table or a bias are
        compared, a table in blocks, so that a large one needs little memory; a rotation at
        some 50 positions. A function that agrees there is called again as models do: with
        one token and with a few at several positions, and with sequences and heads, (B,
        H, L, d) or (B, L, H, d), if it takes these axes; `Comparison.call` says which call
        differs. An entry may differ by what follows from its dtype and its angle: angles
        of float32, float16 and bfloat16 may be computed in float32, those of float64 may
        not. Two arrays that are neither sinusoids nor a grid of them may differ by three
        roundings of each. The explanation is what `identify` finds, compared with the
        reference.

    Raises:
        TypeError: `thing` or `reference` is none of these.
        ValueError: A name is unknown, two shapes differ, a shape does not fit the
            reference, a config is refused as in `rope_parameters`, a function fails or
            returns something else than the rotated vectors, or another argument is
            refused as in `identify`.

    Source:
        Definition of this book; limits as in `identify`. `"llama3.1"` is the
        configuration of Llama 3.1 8B with `head_dim` channels. Pairings are measured on
        the modules of transformers.

    Examples:
        >>> import numpy as np
        >>> import posenc
        >>> def rotate(x, positions):  # as Meta's code pairs channels
        ...     return posenc.apply_rotary(x, positions, base=500000.0)
        >>> print(posenc.compare(rotate, "llama3").explanation)
        interleaved layout instead of half
        >>> config = {"model_type": "cohere", "head_dim": 64, "rope_theta": 500000.0}
        >>> bool(posenc.compare(rotate, config))
        True
    """
    if kind is not None:
        checks.choice("kind", kind, kinds.KINDS)
    if layout is not None:
        checks.choice("layout", layout, LAYOUTS)
    ignore_constants = checks.boolean("ignore_row_constants", ignore_row_constants)
    setup = kinds.check_setup(
        seq_len, kinds.HEAD_DIM if head_dim is None else head_dim, dtype, arrays
    )
    named = isinstance(reference, str) and reference in NAMES
    if not named and configs.is_config(reference):
        rotation, width = configs.read_rotation(reference, seq_len, layout, layer_type)
        setup = setup if head_dim is not None else replace(setup, head_dim=width)
        return _compare_with_known(thing, rotation, kind, setup, ignore_constants)
    for name, value in (("layout", layout), ("layer_type", layer_type)):
        if value is not None:
            said = checks.describe_value(value)
            raise ValueError(f"{name} is for a config as the reference, got {name}={said}")
    if isinstance(reference, str):
        known = get_reference(reference, setup.head_dim)
        return _compare_with_known(thing, known, kind, setup, ignore_constants, reference)
    if kinds.is_function(reference):
        if kinds.infer_kind(reference, kind) == "rotary":
            return compare_rotation(thing, reference, setup)
        reference = reference(setup.seq_len)
    pairs = isinstance(thing, tuple) and isinstance(reference, tuple)
    if pairs and len(thing) == len(reference) == 2 and kind in (None, "rotary"):
        return compare_cos_sin(thing, reference)
    return _compare_with_array(thing, reference, kind, setup, ignore_constants)


def _compare_with_known(
    thing: Any,
    known: Reference,
    kind: str | None,
    setup: kinds.Setup,
    ignore_constants: bool,
    name: str = "a config",
) -> Comparison:
    """Compare a thing with what has a name or a config."""
    if isinstance(known, Rotation):
        _check_kind(kind, "rotary", name)
        if not kinds.is_function(thing):
            frequencies = read_array("thing", thing)
            if len(frequencies.shape) == 1:
                return compare_with_rotation(frequencies, known, setup.head_dim)
        return compare_rotation(thing, known, setup)
    given = _get_array(thing, setup.seq_len)
    if kinds.is_function(thing) and setup.seq_len not in given.shape:
        raise ValueError(
            f"thing({setup.seq_len}) must return {setup.seq_len} rows, got shape {given.shape}"
        )
    if isinstance(known, Table):
        _check_kind(kind, "table", name)
        return compare_with_conventions(given.drop_unit_axes(), known, setup.dtype)
    _check_kind(kind, "bias", name)
    return compare_with_rule(given, known, ignore_constants)


def _compare_with_array(
    thing: Any, reference: Any, kind: str | None, setup: kinds.Setup, ignore_constants: bool
) -> Comparison:
    """Compare a thing with another array of its shape."""
    wanted = read_array("reference", reference).drop_unit_axes()
    is_bias = kind == "bias" or (kind is None and len(wanted.shape) == 3)
    seq_len = wanted.shape[-2] if is_bias else wanted.shape[0]
    given = _get_array(thing, seq_len).drop_unit_axes()
    if given.shape != wanted.shape:
        raise ValueError(
            f"thing must have the shape of reference, got {given.shape} and {wanted.shape}"
        )
    if is_bias and ignore_constants:
        given, wanted = reshape_to_bias(given), reshape_to_bias(wanted)
    if len(wanted.shape) == 1 and kind in (None, "rotary"):
        return compare_frequencies(given, wanted)
    if len(wanted.shape) == 3:
        return compare_biases(given, wanted, is_bias and ignore_constants)
    return compare_tables(given, wanted)


def _check_kind(kind: str | None, expected: str, reference: str) -> None:
    """Raise ValueError if the caller names a kind that the reference isn't of."""
    if kind not in (None, expected):
        raise ValueError(
            f"kind must be {expected!r} for reference={reference!r}, got kind={kind!r}"
        )


def _get_array(thing: Any, seq_len: int) -> Array:
    """Return an array, or what a function returns for a number of positions."""
    if not kinds.is_function(thing):
        return read_array("thing", thing)
    count = kinds.count_arguments(thing)
    if count > 1:
        raise ValueError(
            "thing must be an array, or a function of one argument, if it is compared with"
            f" an array, got a function of {count} arguments"
        )
    return read_result("thing", thing, seq_len)
