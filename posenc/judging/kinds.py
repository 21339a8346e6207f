"""The kinds of things that are judged, and how to tell which one a function is."""

import inspect
from dataclasses import dataclass
from typing import Any, Literal

from posenc.core import checks
from posenc.core.memory import check_memory

Kind = Literal["table", "rotary", "bias"]
KINDS = ("table", "rotary", "bias")

SEQ_LEN = 512
HEAD_DIM = 64


@dataclass(frozen=True)
class Setup:
    """What functions are called with: how many positions, and the width and dtype of vectors."""

    seq_len: int
    head_dim: int
    dtype: str


def check_setup(seq_len: int, head_dim: int, dtype: str) -> Setup:
    """Return the setup of calls, or raise an error if it is out of range."""
    seq_len = checks.integer("seq_len", seq_len, least=2)
    head_dim = checks.integer("head_dim", head_dim, least=2)
    check_memory("what a function returns", seq_len, head_dim)
    checks.choice("dtype", dtype, ("float64", "float32", "float16"))
    return Setup(seq_len, head_dim, dtype)


def is_function(thing: Any) -> bool:
    """Return whether a thing is a function and not an array."""
    return callable(thing) and not hasattr(thing, "__array__")


def infer_kind(function: Any, kind: str | None) -> str:
    """Return the kind of a function: the one that the caller names, or by its arguments."""
    if kind is not None:
        return kind
    count = count_arguments(function)
    if count not in (1, 2):
        raise ValueError(
            "kind must be 'table', 'rotary' or 'bias' for a function of other than one or two"
            f" arguments, got kind=None and {count} arguments"
        )
    return ("table", "rotary")[count - 1]


def count_arguments(function: Any) -> int:
    """Return how many positional arguments a function requires, 0 if it can't be inspected."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 0
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in plain and p.default is p.empty for p in parameters)
