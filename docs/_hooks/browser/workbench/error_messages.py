"""Describe what went wrong when the reader's code ran, and in which line."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from browser.workbench.pasted_code import FILE

# Names by which code uses libraries that the browser doesn't have.
LIBRARIES = {
    "torch": "PyTorch",
    "nn": "PyTorch",
    "F": "PyTorch",
    "Tensor": "PyTorch",
    "jax": "JAX",
    "jnp": "JAX",
    "tf": "TensorFlow",
    "tensorflow": "TensorFlow",
}
ARRAYS = re.compile(r"; pass arrays='torch'.*")  # advice that the page can't follow
Answer = dict[str, Any]


def describe_error(error: BaseException, text: str, reference: str, name: str) -> Answer:
    """Return the message of an error, and the line of the reader's code where it happened."""
    for one in _list_chain(error):
        line = _find_line(one)
        library = _find_missing_library(one)
        if library and line:
            return {"message": _explain_missing(library, text, reference), "line": line}
        if line:
            words = one.msg if isinstance(one, SyntaxError) else one
            message = f"Line {line}: {type(one).__name__}: {words}"
            return {"message": message.removesuffix(": "), "line": line}
    message = ARRAYS.sub("", str(error)) or type(error).__name__
    return {"message": re.sub(r"\bthing\b", name or "the code", message), "line": None}


def _list_chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _find_missing_library(error: BaseException) -> str | None:
    """Return the library that an error shows to be missing, or None."""
    if isinstance(error, ModuleNotFoundError):
        module = (error.name or "").split(".")[0]
        return LIBRARIES.get(module, module)
    if isinstance(error, NameError):
        return LIBRARIES.get(error.name or "")
    if isinstance(error, AttributeError) and isinstance(error.obj, np.ndarray):
        return "PyTorch"  # whose tensors have methods that arrays lack
    return None


def _explain_missing(library: str, text: str, reference: str) -> str:
    names = re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE)
    wanted = f"--with {reference}"
    if reference in ("identify", "config"):
        wanted = {"identify": "", "config": "--config config.json"}[reference]
    verb = "identify" if reference == "identify" else "compare"
    arrays = "--arrays torch" if library == "PyTorch" else ""
    words = ("posenc", verb, f"mine.py:{(names or ['FUNCTION'])[-1]}", wanted, arrays)
    return (
        f"The browser has NumPy, but not {library}. On your own machine, save the code as mine.py"
        f" and run: {' '.join(filter(None, words))}"
    )


def _find_line(error: BaseException) -> int | None:
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return error.lineno
    found, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found
