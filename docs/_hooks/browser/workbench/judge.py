"""Judge a function: the reader's NumPy code or file against an encoding, in words and numbers."""

import io
import json
from typing import Any

import numpy as np

import posenc
from browser.workbench.arguments import (
    WIDTH,
    check_kind,
    fit_arguments,
    list_parameters,
)
from browser.workbench.error_map import find_errors
from browser.workbench.error_messages import describe_error
from browser.workbench.pasted_code import InputError, run_code
from posenc.judging import configs
from posenc.judging.references import Reference, get_reference

SEQ_LEN = 512
Answer = dict[str, Any]


def answer(
    reference: str,
    text: str = "",
    function: str = "",
    config: str = "",
    layer_type: str = "",
    layout: str = "",
    file: Any = None,
    file_name: str = "",
) -> Answer:
    """Return the verdict on code or a file, or why there is none, with the line at fault."""
    name, names = file_name, list[str]()
    try:
        if file is not None:
            thing = _read_file(file, file_name)
        else:
            thing, name, names = run_code(text, function)
        if reference == "identify":
            found = _identify(thing, name)
        else:
            options = {"layer_type": layer_type or None, "layout": layout or None}
            is_config = reference == "config"
            wanted = _read_config(config) if is_config else reference
            found = _compare(thing, name, wanted, options if is_config else {})
    except (Exception, SystemExit) as error:  # whatever the reader's code raises
        found = {"refused": describe_error(error, text, reference, name)}
    return {**found, "function": name, "functions": names}


def _read_file(content: Any, name: str) -> Any:
    try:
        loaded = np.load(io.BytesIO(bytes(content)), allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        reason = str(error).rstrip(".")
        if "pickle" in reason:
            reason = "it holds Python objects, or is of another format"
        raise InputError(f"{name} isn't a .npy or .npz file of numbers: {reason}.") from None
    if isinstance(loaded, np.ndarray):
        return loaded
    if {"cos", "sin"} <= set(loaded.files):
        return loaded["cos"], loaded["sin"]
    if len(loaded.files) != 1:
        listed = ", ".join(loaded.files) or "none"
        raise InputError(f"{name} must have one array, or cos and sin, but has {listed}.")
    return loaded[loaded.files[0]]


def _read_config(text: str) -> Any:
    try:
        config = json.loads(text)
    except ValueError as error:
        raise InputError(f"The config is not JSON: {error}.") from None
    if not isinstance(config, dict):
        raise InputError("The config must be a JSON object in braces.")
    return config


def _identify(thing: Any, name: str) -> Answer:
    thing = fit_arguments(thing, None)
    kind: Any = None
    if len(list_parameters(thing)) == 1 and np.ndim(thing(SEQ_LEN)) == 3:
        kind = "bias"
    found = posenc.identify(thing, kind=kind)
    known = found.kind != "unknown"
    title = f"{name} is {found.kind}" if known else f"{name} is no encoding that posenc knows"
    return {"title": title, "holds": known, "words": str(found), "cause": found.cause or None}


def _compare(thing: Any, name: str, wanted: Any, options: dict[str, Any]) -> Answer:
    known, width = _find_reference(wanted, options)
    check_kind(thing, name, known)
    thing = fit_arguments(thing, known)
    found = posenc.compare(thing, wanted, seq_len=SEQ_LEN, **options)
    label = "that config" if options else wanted
    errors = find_errors(thing, known, width, SEQ_LEN)
    return {
        "title": f"{name} is {label}" if found else f"{name} is not {label}",
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
        "errors": None if errors is None else errors.tolist(),
    }


def _find_reference(wanted: Any, options: dict[str, Any]) -> tuple[Reference, int]:
    """Return what a function should be, and how wide its vectors are."""
    if options:
        return configs.read_rotation(wanted, SEQ_LEN, options["layout"], options["layer_type"])
    return get_reference(wanted, WIDTH), WIDTH


def _make_finite(number: float | None) -> float | str | None:
    """Return a number as JSON can hold it: infinities as words."""
    return number if number is None or np.isfinite(number) else str(number)
