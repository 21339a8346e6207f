"""Compare a table, a rotation or a bias with the one that was meant."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from posenc.core import checks
from posenc.judging import arrays, kinds, references
from posenc.judging.arrays import Array
from posenc.judging.biases.compare import compare_biases, compare_with_rule
from posenc.judging.comparison import Comparison
from posenc.judging.frequencies.compare import compare_frequencies, compare_with_rotation
from posenc.judging.rotations.compare import compare_rotation
from posenc.judging.tables.compare import compare_tables, compare_with_conventions


@np.errstate(over="ignore", under="ignore", invalid="ignore")  # such entries agree with nothing
def compare(
    thing: Any,  # whatever library its arrays are of
    reference: Any,
    *,
    kind: kinds.Kind | None = None,
    seq_len: int = kinds.SEQ_LEN,
    head_dim: int = kinds.HEAD_DIM,
    dtype: str = "float32",
    ignore_row_constants: bool = False,
) -> Comparison:
    """Return whether a table, a rotation or a bias is the one that was meant.

    Args:
        thing: An array or a function, as in `identify`: a table (L, d) or
            `encode(seq_len)`, a rotation `turn(x, positions)`, a bias (H, L_q, L_k) or
            `bias(seq_len)`. Its last queries are those of the last keys.
        reference: What it should be. A name: the tables `"sinusoidal"`,
            `"tensor2tensor"`, `"fairseq"`; the rotations `"rotary"`, `"gpt-j"`,
            `"llama"`, `"llama3"`, `"llama3.1"`, `"gpt-neox"`; the biases `"alibi"`,
            `"alibi-symmetric"`, `"t5"`, `"t5-decoder"`, the last two whatever was learned
            in their 32 buckets. Or a config of Hugging Face, as for `rope_parameters`; or
            another array of the same shape; or another function of the same kind.
        kind: As in `identify`; None: what the reference is, if it has a name.
        seq_len: L, at least 2: how many positions functions are asked for.
        head_dim: d, at least 2: how wide the vectors are that a function turns.
        dtype: Of the vectors that a function turns, as in `identify`.
        ignore_row_constants: Whether a bias may have a constant added in each row, which
            softmax does not see.

    Returns:
        A `Comparison`, true where everything agrees. All entries of a table or a bias are
        compared, a table in blocks, so that a large one needs little memory; a rotation at
        some 50 positions. An entry may differ by what follows from its dtype and its
        angle: angles of float32, float16 and bfloat16 may be computed in float32, those
        of float64 may not. Between two arrays that are no sinusoids and no grid of them,
        by three roundings of each. The explanation is what `identify` finds, held against
        the reference.

    Raises:
        TypeError: `thing` or `reference` is none of these.
        ValueError: A name is unknown, two shapes differ, a shape does not fit the
            reference, or another argument is refused as in `identify`.

    Source:
        Definition of this book; limits as in `identify`. `"llama3.1"` is the
        configuration of Llama 3.1 8B with `head_dim` channels.

    Examples:
        >>> import numpy as np
        >>> import posenc
        >>> def turn(x, positions):  # as Meta's code pairs channels
        ...     return posenc.apply_rotary(x, positions, base=500000.0)
        >>> print(posenc.compare(turn, "llama3").explanation)
        interleaved layout instead of half
        >>> bool(posenc.compare(turn, lambda x, p: posenc.apply_rotary(x, p, base=5e5)))
        True
    """
    if kind is not None:
        checks.choice("kind", kind, kinds.KINDS)
    setup = kinds.check_setup(seq_len, head_dim, dtype)
    ignore_constants = checks.boolean("ignore_row_constants", ignore_row_constants)
    if isinstance(reference, str | Mapping):
        return _compare_with_known(thing, reference, kind, setup, ignore_constants)
    if kinds.is_function(reference):
        if kinds.infer_kind(reference, kind) == "rotary":
            return compare_rotation(thing, reference, setup)
        reference = reference(setup.seq_len)
    return _compare_with_array(thing, reference, kind, ignore_constants)


def _compare_with_known(
    thing: Any,
    reference: str | Mapping[str, Any],
    kind: str | None,
    setup: kinds.Setup,
    ignore_constants: bool,
) -> Comparison:
    """Compare a thing with what has a name or a config."""
    known = references.get_reference(reference, setup.head_dim)
    if isinstance(known, references.Rotation):
        _check_kind(kind, "rotary", reference if isinstance(reference, str) else "a rotation")
        if not kinds.is_function(thing):
            given = arrays.read_array("thing", thing)
            if len(given.shape) == 1:
                return compare_with_rotation(given, known, setup.head_dim)
        return compare_rotation(thing, known, setup)
    if isinstance(known, references.Table):
        _check_kind(kind, "table", reference)
        given = _get_array(thing, setup.seq_len)
        return compare_with_conventions(given.drop_unit_axes(), known)
    _check_kind(kind, "bias", reference)
    return compare_with_rule(_get_array(thing, setup.seq_len), known, ignore_constants)


def _compare_with_array(
    thing: Any, reference: Any, kind: str | None, ignore_constants: bool
) -> Comparison:
    """Compare a thing with another array of its shape."""
    wanted = arrays.read_array("reference", reference).drop_unit_axes()
    is_bias = kind == "bias" or (kind is None and len(wanted.shape) == 3)
    seq_len = wanted.shape[-2] if is_bias else wanted.shape[0]
    given = _get_array(thing, seq_len).drop_unit_axes()
    if given.shape != wanted.shape:
        raise ValueError(
            f"thing must have the shape of reference, got {given.shape} and {wanted.shape}"
        )
    if is_bias and ignore_constants:
        given, wanted = arrays.reshape_to_bias(given), arrays.reshape_to_bias(wanted)
    if len(wanted.shape) == 1 and kind in (None, "rotary"):
        return compare_frequencies(given, wanted)
    if len(wanted.shape) == 3:
        return compare_biases(given, wanted, is_bias and ignore_constants)
    return compare_tables(given, wanted)


def _check_kind(kind: str | None, expected: str, reference: object) -> None:
    """Raise ValueError if the caller names a kind that the reference isn't of."""
    if kind not in (None, expected):
        raise ValueError(
            f"kind must be {expected!r} for reference={reference!r}, got kind={kind!r}"
        )


def _get_array(thing: Any, seq_len: int) -> Array:
    """Return an array, or what a function returns for a number of positions."""
    if not kinds.is_function(thing):
        return arrays.read_array("thing", thing)
    count = kinds.count_arguments(thing)
    if count > 1:
        raise ValueError(
            "thing must be an array, or a function of one argument, where it is held against"
            f" an array, got a function of {count} arguments"
        )
    return arrays.read_result("thing", thing, seq_len)
