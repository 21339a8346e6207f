"""Judge a function: the reader's NumPy code or file against an encoding, in words and numbers."""

import ast
import inspect
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from posenc.judging import configs
from posenc.judging.references import Alibi, Rotation, Table, get_reference

CODE = "<your code>"
SEQ_LEN = 512
WIDTH = 64  # channels of a table or a head
HEADS = 8
SHOWN = 64  # positions in the plot of the error
VECTORS = ("x", "q", "k", "query", "key", "vectors", "states", "hidden")
WIDTHS = ("d", "dim", "d_model", "model_dim", "width", "channels", "embed_dim", "embedding_dim")
ELSEWHERE = ("torch", "jax", "tensorflow", "transformers")
Answer = dict[str, Any]
Values = NDArray[np.float64]


class InputError(Exception):
    """Something about the input that the reader can change."""


def answer(
    reference: str, text: str = "", config: str = "", file: Any = None, file_name: str = ""
) -> Answer:
    """Return the verdict on code or a file, or why there is none, with the line at fault."""
    try:
        thing, name = _read_file(file, file_name) if file is not None else _run_code(text)
        if reference == "identify":
            return _identify(thing, name)
        wanted = _read_config(config) if reference == "config" else reference
        return _compare(thing, name, wanted)
    except Exception as error:  # whatever the reader's code raises
        return {"refused": _describe_error(error, text, reference)}


def _run_code(text: str) -> tuple[Any, str]:
    """Run the code, and return the last function or array that it defines, and its name."""
    names: dict[str, Any] = {"__name__": "your_code"}
    exec(compile(text, CODE, "exec"), names)
    defined = [
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and callable(names.get(node.name))
    ]
    others = [
        name
        for name, value in names.items()
        if isinstance(value, np.ndarray)
        or (callable(value) and getattr(value, "__module__", "") == "your_code")
    ]
    for name in (*reversed(defined), *reversed(others)):
        return names[name], name
    raise InputError("The code defines no function and no array, so there is nothing to judge.")


def _read_file(content: Any, name: str) -> tuple[Any, str]:
    try:
        loaded = np.load(io.BytesIO(bytes(content)), allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise InputError(f"{name} is no .npy or .npz file of numbers: {error}") from None
    if isinstance(loaded, np.ndarray):
        return loaded, name
    if {"cos", "sin"} <= set(loaded.files):
        return (loaded["cos"], loaded["sin"]), name
    if len(loaded.files) != 1:
        listed = ", ".join(loaded.files) or "none"
        raise InputError(f"{name} must have one array, or cos and sin, but has {listed}.")
    return loaded[loaded.files[0]], name


def _read_config(text: str) -> Any:
    try:
        config = json.loads(text)
    except ValueError as error:
        raise InputError(f"The config is not JSON: {error}.") from None
    if not isinstance(config, dict):
        raise InputError("The config must be a JSON object in braces.")
    return config


def _identify(thing: Any, name: str) -> Answer:
    thing = _fix_width(thing, None)
    kind: Any = None
    if len(_list_parameters(thing)) == 1 and np.ndim(thing(SEQ_LEN)) == 3:
        kind = "bias"
    found = posenc.identify(thing, kind=kind)
    known = found.kind != "unknown"
    title = f"{name} is {found.kind}" if known else f"{name} is no encoding that posenc knows"
    return {"title": title, "holds": known, "words": str(found), "cause": found.cause or None}


def _compare(thing: Any, name: str, wanted: Any) -> Answer:
    thing = _fix_width(thing, wanted)
    found = posenc.compare(thing, wanted, seq_len=SEQ_LEN)
    label = "that config" if isinstance(wanted, dict) else wanted
    title = f"{name} is {label}" if found else f"{name} is not {label}"
    reply: Answer = {
        "title": title,
        "holds": bool(found),
        "words": str(found),
        "cause": found.explanation,
        "call": found.call,
        "first": found.first and list(found.first),
        "given": _make_finite(found.given),
        "wanted": _make_finite(found.wanted),
        "largest": _make_finite(found.largest),
        "limit": _make_finite(found.limit),
        "dtype": found.dtype,
        "compared": found.compared,
        "errors": None,
    }
    errors = _find_errors(thing, wanted)
    if errors is not None:
        reply["errors"] = errors.tolist()
    return reply


def _make_finite(number: float | None) -> float | str | None:
    """Return a number as JSON can hold it: infinities as words."""
    return number if number is None or np.isfinite(number) else str(number)


def _list_parameters(thing: Any) -> list[str]:
    """Return the names of the arguments that a function needs; none for an array."""
    if not callable(thing):
        return []
    parameters = inspect.signature(thing).parameters.values()
    return [
        one.name
        for one in parameters
        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]


def _fix_width(thing: Any, wanted: Any) -> Any:
    """Return a function of seq_len in place of one that also takes a width or heads."""
    names = [name.lower() for name in _list_parameters(thing)]
    if len(names) != 2:
        return thing
    heads = next((n for n, name in enumerate(names) if "head" in name and "dim" not in name), None)
    if heads is not None:
        return _bind(thing, heads, HEADS)
    table = isinstance(wanted, str) and isinstance(get_reference(wanted, WIDTH), Table)
    if names[0] not in VECTORS and (table or names[1] in WIDTHS):
        return _bind(thing, 1, WIDTH)
    return thing


def _bind(function: Callable[..., Any], index: int, value: int) -> Callable[[int], Any]:
    def encode(seq_len: int) -> Any:
        return function(*((value, seq_len) if index == 0 else (seq_len, value)))

    return encode


def _find_errors(thing: Any, wanted: Any) -> Values | None:
    """Return given less expected numbers, position × channel, or None for other kinds.

    A rotation gets random vectors. Of a bias it is the head that is furthest off, query × key.
    """
    rows = np.arange(SHOWN)
    known, width = (
        configs.read_rotation(wanted, SEQ_LEN, None, None)
        if isinstance(wanted, dict)
        else (get_reference(wanted, WIDTH), WIDTH)
    )
    if isinstance(known, Table):
        given = np.asarray(thing(SEQ_LEN) if callable(thing) else thing, dtype=np.float64)
        given = given.reshape(given.shape[-2:])[:SHOWN]
        return given - known.compute_rows(rows[: len(given)], given.shape[1], "float64")[0]
    if isinstance(known, Rotation) and callable(thing):
        x = np.random.default_rng(0).normal(size=(SHOWN, width)).astype(np.float32)
        try:
            given = np.asarray(thing(x.copy(), rows), dtype=np.float64)
        except Exception:  # a function that takes only vectors with heads
            return None
        matrices, _ = known.compute_matrices(rows, width, "float64")
        expected = np.einsum("pij,pj->pi", matrices, x.astype(np.float64))
        return given - expected if given.shape == expected.shape else None
    if isinstance(known, Alibi):
        given = np.asarray(thing(SHOWN) if callable(thing) else thing, dtype=np.float64)
        given = given.reshape(-1, *given.shape[-2:])[:, :SHOWN, :SHOWN]
        if given.shape[1] != given.shape[2]:
            return None
        form: Any = known.form
        expected = posenc.alibi_bias(len(given), given.shape[1], form=form)
        with np.errstate(invalid="ignore"):
            error = np.where(given == expected, 0.0, given - expected)
        error = np.nan_to_num(error)  # infinities become the largest numbers
        worst: Values = error[abs(error).max(axis=(1, 2)).argmax()]
        return worst
    return None


def _list_chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _describe_error(error: Exception, text: str, reference: str) -> Answer:
    """Return the message of an error, and the line of the reader's code where it happened."""
    for one in _list_chain(error):
        if isinstance(one, ModuleNotFoundError) and (one.name or "").split(".")[0] in ELSEWHERE:
            return {"message": _explain_missing(one.name or "", reference), "line": _find_line(one)}
        line = _find_line(one)
        if line is not None:
            words = one.msg if isinstance(one, SyntaxError) else one
            return {"message": f"Line {line}: {type(one).__name__}: {words}", "line": line}
    return {"message": str(error) or type(error).__name__, "line": None}


def _explain_missing(module: str, reference: str) -> str:
    verb = {"identify": "identify mine.py:FUNCTION"}.get(reference)
    option = "--config config.json" if reference == "config" else f"--with {reference}"
    command = verb or f"compare mine.py:FUNCTION {option}"
    return (
        f"The browser has NumPy, but not {module.split('.')[0]}. On your own machine, save the code"
        f" as mine.py and run: posenc {command}"
    )


def _find_line(error: BaseException) -> int | None:
    if isinstance(error, SyntaxError) and error.filename == CODE:
        return error.lineno
    found, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == CODE:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found
