"""Call functions in the way that their arguments suggest, or explain why they don't fit."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from browser.workbench.pasted_code import InputError
from posenc.judging.references import Alibi, Reference, Rotation, Table

WIDTH = 64  # channels of a table or a head
HEADS = 8
VECTORS = ("x", "q", "k", "query", "key", "vectors", "states", "hidden", "hidden_states")
WIDTHS = ("d", "dim", "d_model", "model_dim", "width", "channels", "embed_dim", "embedding_dim")
LENGTHS = ("l", "n", "length", "seq_len", "seqlen", "sequence_length", "max_len", "max_seq_len")
POSITIONS = ("positions", "position_ids", "pos_ids", "timesteps")
Encode = Callable[[int], Any]


def fit_arguments(thing: Any, known: Reference | None) -> Any:
    """Return a function of seq_len in place of one that takes positions, a width or heads, too.

    Arrays, rotations and functions of seq_len stay as they are.
    """
    names = [one.lower() for one in list_parameters(thing)]
    if not names:
        return thing
    if isinstance(known, Rotation) or names[0] in VECTORS or len(names) > 2:
        return thing
    other = _find_other(names)
    if len(names) == 2 and other is None:
        if known is None and names[0] not in (*LENGTHS, *POSITIONS):
            return thing  # a rotation, perhaps
        other = 1
    heads = isinstance(known, Alibi) or (other is not None and "head" in names[other])
    return _bind(thing, names, other, HEADS if heads else WIDTH)


def check_kind(thing: Any, name: str, known: Reference) -> None:
    """Refuse an array, or a function with arguments, of another kind than the reference."""
    if not callable(thing):
        if isinstance(known, Rotation) and np.ndim(thing) != 1:
            raise InputError(
                f"{name} is no function, and the reference is a rotation: judge f(x, positions) or"
                " frequencies (d/2,), or choose another reference."
            )
        return
    listed = list_parameters(thing)
    call = f"{name}({', '.join(listed)})"
    names = [one.lower() for one in listed] or [""]
    if not isinstance(known, Rotation):
        what = "a table, f(seq_len)" if isinstance(known, Table) else "a bias, f(seq_len)"
        if names[0] in VECTORS and len(names) > 1:
            raise InputError(f"{call} looks like a rotation, and the reference is {what}.")
    elif len(names) == 2 and names[1] in VECTORS:
        raise InputError(f"{call} takes the vectors second: write f(x, positions).")
    elif names[0] in (*LENGTHS, *WIDTHS) or "head" in names[0]:
        raise InputError(
            f"{call} looks like a table or a bias, and the reference is a rotation,"
            " f(x, positions)."
        )


def list_parameters(thing: Any) -> list[str]:
    """Return the names of the arguments that a function needs; none for an array."""
    if not callable(thing):
        return []
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(thing).parameters.values()
    return [one.name for one in parameters if one.default is one.empty and one.kind in plain]


def _find_other(names: list[str]) -> int | None:
    """Return which of two arguments is the width or the number of heads, or None."""
    if len(names) != 2:
        return None
    found = (n for n, name in enumerate(names) if name in WIDTHS or "head" in name)
    return next(found, None)


def _bind(function: Callable[..., Any], names: list[str], other: int | None, size: int) -> Encode:
    """Return a function of seq_len that fills in positions, and the other argument."""

    def encode(seq_len: int) -> Any:
        length = 0 if other == 1 or other is None else 1
        first = np.arange(seq_len) if names[length] in POSITIONS else seq_len
        values = [first] if other is None else [first, size]
        return function(*(values if length == 0 else reversed(values)))

    return encode
