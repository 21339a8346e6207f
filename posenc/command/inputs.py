"""What a command is given: files of numbers, configs, and functions by name."""

import functools
import importlib
import importlib.util
import json
import operator
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

SUFFIXES = (".npy", ".npz", ".csv", ".json")


def subject(name: str, key: str | None) -> NDArray[Any] | Callable[..., Any]:
    """Return the numbers of a file, or the function `module:function`."""
    if ":" not in name or Path(name).suffix in SUFFIXES:
        return array(Path(name), key)
    if key is not None:
        raise ValueError(f"--key is for .npz files only, got {name}")
    return function(name)


def reference(
    name: str | None, config: Path | None
) -> str | Path | NDArray[Any] | Callable[..., Any]:
    """Return what to compare with: a name, a config, the numbers of a file, or a function."""
    if (name is None) == (config is None):
        raise ValueError("pass either --with or --config")
    if config is not None:
        return config
    assert name is not None
    if ":" in name:
        return function(name)
    path = Path(name)
    if path.suffix == ".json" and _is_mapping(path):
        return path
    return array(path, None) if path.suffix in SUFFIXES else name


def _is_mapping(path: Path) -> bool:
    """Return whether a JSON file holds a mapping, as configs do, and not numbers."""
    try:
        return isinstance(json.loads(path.read_text("utf-8")), dict)
    except ValueError:
        return False


def array(path: Path, key: str | None) -> NDArray[Any]:
    """Return the numbers of a file; `key` names one array of several in an archive."""
    if path.suffix == ".py":
        raise ValueError(f"say which function of {path}, as in {path}:rotate")
    if path.suffix not in SUFFIXES:
        raise ValueError(f"{path} must end with one of {', '.join(SUFFIXES)}")
    if key is not None and path.suffix != ".npz":
        raise ValueError(f"--key is for .npz files only, got {path}")
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
    """Return the function `module:function` or `file.py:function`.

    What it raises becomes a ValueError.
    """
    module, colon, attribute = name.rpartition(":")
    if not (module and colon and attribute):
        raise ValueError(f"a function is named as module:function or file.py:function, got {name}")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a console script does not look into the current folder
    try:
        found = operator.attrgetter(attribute)(_import(module))
    except Exception as reason:  # a module may raise anything while it is imported
        raise ValueError(f"{name} cannot be imported: {reason}") from reason
    if not callable(found):
        raise ValueError(f"{name} is not a function")

    @functools.wraps(found)
    def guarded(*arguments: Any, **named: Any) -> Any:
        try:
            return found(*arguments, **named)
        except Exception as reason:
            raise ValueError(f"{name} raised {type(reason).__name__}: {reason}") from reason

    return guarded


def _import(module: str) -> ModuleType:
    """Import a module by its name, or by the path of its file."""
    path = Path(module)
    if path.suffix != ".py":
        return importlib.import_module(module)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {module}")
    sys.path.insert(0, str(path.resolve().parent))  # for modules in the same folder
    found = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = found
    spec.loader.exec_module(found)
    return found
