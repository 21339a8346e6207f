"""The kinds of things that are judged, and how to tell which one a function is."""

import importlib.util
import inspect
import sys
from dataclasses import dataclass
from typing import Any, Literal

from posenc.core import checks
from posenc.core.memory import check_memory

Kind = Literal["table", "rotary", "bias"]
KINDS = ("table", "rotary", "bias")
Arrays = Literal["numpy", "torch"]
ARRAYS = ("numpy", "torch")
DTYPES = ("float64", "float32", "float16", "bfloat16")

SEQ_LEN = 512
HEAD_DIM = 64

# What libraries call the positions, where a function has a default for them.
POSITION_NAMES = ("positions", "position_ids", "pos_ids", "pos", "input_pos", "p")


@dataclass(frozen=True)
class Setup:
    """What functions are called with: how many positions, and width, dtype and library of x."""

    seq_len: int
    head_dim: int
    dtype: str
    arrays: str | None = None  # None: what the function itself says


def check_setup(seq_len: int, head_dim: int, dtype: str, arrays: str | None = None) -> Setup:
    """Return the setup of calls, or raise an error if it is out of range."""
    seq_len = checks.integer("seq_len", seq_len, least=2)
    head_dim = checks.integer("head_dim", head_dim, least=2)
    check_memory("what a function returns", seq_len, head_dim)
    checks.choice("dtype", dtype, DTYPES)
    if arrays is not None:
        checks.choice("arrays", arrays, ARRAYS)
    return Setup(seq_len, head_dim, dtype, arrays)


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
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in plain and p.default is p.empty for p in _list_parameters(function))


def find_position_keyword(function: Any) -> str | None:
    """Return the name of an optional argument that takes the positions, or None."""
    names = [p.name for p in _list_parameters(function) if p.default is not p.empty]
    return next((name for name in POSITION_NAMES if name in names), None)


def choose_arrays(function: Any, setup: Setup) -> str:
    """Return which library's arrays a function is called with: "numpy" or "torch".

    PyTorch modules, their methods and functions whose first argument is annotated as a tensor get
    tensors unless the caller says otherwise.
    """
    if setup.arrays == "torch" and importlib.util.find_spec("torch") is None:
        raise ValueError("arrays='torch' needs PyTorch, which is not installed: pip install torch")
    if setup.arrays is not None:
        return setup.arrays
    bare = inspect.unwrap(function)
    if _is_module(bare) or _is_module(getattr(bare, "__self__", None)):
        return "torch"
    first = next(iter(_list_parameters(function)), None)
    return "torch" if first is not None and "Tensor" in str(first.annotation) else "numpy"


def _is_module(thing: Any) -> bool:
    """Return whether a thing is a PyTorch module, without importing PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(thing, torch.nn.Module)


def _list_parameters(function: Any) -> list[inspect.Parameter]:
    """Return the parameters of a function or of the `forward` of a PyTorch module."""
    try:
        bare = inspect.unwrap(function)
        called = bare.forward if _is_module(bare) else bare
        return list(inspect.signature(called).parameters.values())
    except (TypeError, ValueError):
        return []
