"""Open a config, and find the part of it that is asked for."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from posenc.core import checks
from posenc.scaling.facts import ModelFacts, get_facts
from posenc.scaling.keys import MODEL_NAMES, TEXT_PARTS

Config = dict[str, Any]


def open_config(config: object) -> Config:
    """Return a config as a dict: from a mapping, an object with to_dict(), or a file."""
    if isinstance(config, str | os.PathLike):
        try:
            config = json.loads(Path(config).read_text("utf-8"))
        except (ValueError, RecursionError) as error:  # no JSON, no UTF-8, no path
            raise ValueError(f"config must be the path of a JSON file: {error}") from None
    elif not isinstance(config, Mapping) and callable(getattr(config, "to_dict", None)):
        config = config.to_dict()  # type: ignore[attr-defined]
    if not isinstance(config, Mapping):
        raise TypeError(
            "config must be a mapping, the path of a JSON file or an object with to_dict(), got"
            f" {type(config).__name__}"
        )
    return dict(config)


def find_part(config: Config, part: str | None) -> Config:
    """Return a part of a multimodal config; without a name, that of its text model."""
    if part is None:
        return _find_text_model(config)
    if not isinstance(part, str):
        raise TypeError(f"part must be a string, got part={checks.describe_value(part)}")
    for name in part.split("."):
        parts = tuple(key for key, value in config.items() if isinstance(value, Mapping))
        if not parts:
            raise ValueError(
                f"part must be None: config has no parts, got part={checks.describe_value(part)}"
            )
        config = dict(config[checks.choice("part", name, parts)])
    return config


def _find_text_model(config: Config) -> Config:
    for name in TEXT_PARTS:
        inside = config.get(name)
        if isinstance(inside, Mapping):
            text = dict(inside)
            outer = config.get("model_type")
            if "model_type" not in text and isinstance(outer, str) and get_facts(f"{outer}_text"):
                text["model_type"] = f"{outer}_text"
            return _find_text_model(text)
    return config


def find_facts(config: Config) -> ModelFacts | None:
    """Return the facts of the model that a config describes, or None for an unknown model."""
    model = config.get("model_type")
    if model is None:
        return None
    if not isinstance(model, str):
        raise TypeError(
            f"model_type must be a string, got model_type={checks.describe_value(model)}"
        )
    model = MODEL_NAMES.get(str(model), str(model))
    return get_facts(model) or get_facts(f"{model}_text")
