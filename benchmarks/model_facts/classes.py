"""Find the config classes of transformers and the rotary module that each is used with."""

import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

import transformers  # type: ignore[import-not-found]
from transformers import PreTrainedConfig

ROOT = Path(transformers.__file__).parent / "models"
ROTARY = re.compile(r"Rotary|RoPE|Rope")


@cache
def find_config_classes() -> dict[str, type[Any]]:
    """Return the config class of each model type, also of parts such as a text model."""
    found: dict[str, type[Any]] = {}
    for file in sorted(ROOT.glob("*/configuration_*.py")):
        if file.parent.name == "auto":
            continue
        module = import_model(file)
        members: list[tuple[str, Any]] = inspect.getmembers(module, inspect.isclass)
        for _, kept in members:
            if issubclass(kept, PreTrainedConfig) and kept.__module__ == module.__name__:
                found.setdefault(kept.model_type, kept)
    found.pop("", None)
    return found


def import_model(file: Path) -> ModuleType:
    """Import a file of transformers/models."""
    return importlib.import_module(f"transformers.models.{file.parent.name}.{file.stem}")


def import_modeling(config_class: type[Any]) -> list[ModuleType]:
    """Import the modeling files of the folder that a config class is in."""
    folder = ROOT / config_class.__module__.split(".")[2]
    found = []
    for file in sorted(folder.glob("modeling_*.py")):
        try:
            found.append(import_model(file))
        except ModuleNotFoundError:  # of torchaudio and others, which we don't install
            continue
    return found


def find_rotary_classes(config_class: type[Any]) -> list[type[Any]]:
    """Return the rotary modules that a config class is used with, those first that say so.

    Some modules are annotated with the config of the whole model although they are given that of
    its text model, and some parts of a model use the module of another part.
    """
    own, other, beside = [], [], []
    for kept, annotated in _list_rotary_classes(config_class):
        if config_class in annotated:
            own.append(kept)
        elif any(config_class in _list_parts(outer) for outer in annotated):
            other.append(kept)
        elif "Vision" not in kept.__name__ and hasattr(config_class, "rope_parameters"):
            beside.append(kept)
    return own or other or sorted(beside, key=lambda kept: _measure_distance(config_class, kept))


def _measure_distance(config_class: type[Any], kept: type[Any]) -> tuple[int, int]:
    """Return how far a module's name is from that of a config: the shared start, then length."""
    letters = zip(config_class.__name__, kept.__name__, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], letters))
    return -shared, len(kept.__name__)


def _list_rotary_classes(config_class: type[Any]) -> Iterator[tuple[type[Any], list[type[Any]]]]:
    for module in import_modeling(config_class):
        for name, kept in inspect.getmembers(module, inspect.isclass):
            if kept.__module__ != module.__name__ or not ROTARY.search(name):
                continue
            if hasattr(kept, "forward") and "Attention" not in name:
                yield kept, _list_annotated(kept)


def _list_annotated(kept: type[Any]) -> list[type[Any]]:
    """Return the config classes in the annotations of a module's arguments."""
    parameters = inspect.signature(kept.__init__).parameters.values()
    types = [t for p in parameters for t in getattr(p.annotation, "__args__", (p.annotation,))]
    return [t for t in types if inspect.isclass(t) and issubclass(t, PreTrainedConfig)]


def _list_parts(config_class: type[Any]) -> list[type[Any]]:
    """Return the config classes of a model's parts, except those of images."""
    parts = getattr(config_class, "sub_configs", {})
    return [kept for name, kept in parts.items() if "vision" not in name]
