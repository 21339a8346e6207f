"""Read the text of a config, or explain why it is none."""

import json
import re
from typing import Any

# Keys of other files that lie beside a config.json.
OTHER_FILES = {
    "weight_map": "the index of the weights",
    "tokenizer_class": "the config of a tokenizer",
    "added_tokens_decoder": "the config of a tokenizer",
    "peft_type": "the config of an adapter",
    "image_processor_type": "the config of an image processor",
    "feature_extractor_type": "the config of a feature extractor",
    "_from_model_config": "the config of text generation",
}
Refusal = dict[str, Any]


def read_config(text: str) -> dict[str, Any] | Refusal:
    """Return a config, or {"refused": …} with a message and perhaps a line."""
    try:
        config = json.loads(text)
    except (ValueError, RecursionError) as error:
        return {"refused": _describe_json_error(error, text)}
    if not isinstance(config, dict):
        return _refuse(f"A config is a JSON object in braces, got {json.dumps(config)[:40]}.")
    for key, what in OTHER_FILES.items():
        if key in config and "model_type" not in config:
            return _refuse(f"The key {key} belongs to {what}. Paste config.json instead.")
    return config


def _refuse(message: str) -> Refusal:
    return {"refused": {"message": message, "marks": []}}


def _describe_json_error(error: Exception, text: str) -> Refusal:
    if not isinstance(error, json.JSONDecodeError):
        return {"message": f"This is not JSON: {error}.", "marks": []}
    message = f"This is not JSON: {error.msg} in line {error.lineno}, column {error.colno}."
    line = text.splitlines()[error.lineno - 1] if text.strip() else ""
    if not text.lstrip().startswith(("{", "[")):
        message += " A config begins with a brace."
    elif re.search(r"//|/\*|#", line):
        message += " JSON has no comments."
    return {"message": message, "marks": [], "line": error.lineno}
