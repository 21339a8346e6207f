"""What a command is given: files of numbers, and functions by name."""

import functools
import importlib
import json
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SUFFIXES = (".npy", ".npz", ".csv", ".json")


def subject(name: str, key: str | None) -> NDArray[Any] | Callable[..., Any]:
    """Return the numbers of a file, or the function `module:function`."""
    if ":" not in name or Path(name).suffix in SUFFIXES:
        return array(Path(name), key)
    if key is not None:
        raise ValueError(f"--key is for .npz files alone, got {name}")
    return function(name)


def array(path: Path, key: str | None) -> NDArray[Any]:
    """Return the numbers of a file; `key` names one array of several in an archive."""
    if path.suffix not in SUFFIXES:
        raise ValueError(f"{path} must end with one of {', '.join(SUFFIXES)}")
    if key is not None and path.suffix != ".npz":
        raise ValueError(f"--key is for .npz files alone, got {path}")
    try:
        if path.suffix == ".npz":
            return _member(path, key)
        if path.suffix == ".csv":
            return _columns(path)
        if path.suffix == ".json":
            return np.asarray(json.loads(path.read_text("utf-8")), dtype=np.float64)
        with path.open("rb") as file:
            return np.asarray(np.load(file, allow_pickle=False))
    except (EOFError, TypeError, ValueError, zipfile.BadZipFile) as reason:
        raise ValueError(f"{path} cannot be read: {reason}") from reason


def _columns(path: Path) -> NDArray[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # of a file without numbers
        try:
            return np.loadtxt(path, delimiter=",", ndmin=2)
        except UserWarning as reason:
            raise ValueError(str(reason)) from reason


def _member(path: Path, key: str | None) -> NDArray[Any]:
    with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
        if key is None and len(archive.files) == 1:
            key = archive.files[0]
        if key not in archive.files:
            raise ValueError(f"--key must be one of {', '.join(archive.files)}, got {key}")
        return np.asarray(archive[key])


def function(name: str) -> Callable[..., Any]:
    """Return the function `module:function`; what it raises becomes a ValueError."""
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        raise ValueError(f"a function is named as module:function, got {name}")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a console script does not look into the current folder
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as reason:  # a module may raise anything while it is imported
        raise ValueError(f"{name} cannot be imported: {reason}") from reason
    if not callable(found):
        raise ValueError(f"{name} is no function")

    @functools.wraps(found)
    def guarded(*arguments: Any) -> Any:
        try:
            return found(*arguments)
        except Exception as reason:
            raise ValueError(f"{name} raised {type(reason).__name__}: {reason}") from reason

    return guarded
