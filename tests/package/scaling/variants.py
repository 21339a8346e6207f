"""Random variants of the configs of transformers, and the frequencies that it computes for them."""

import copy
import importlib
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from posenc.scaling.facts import ModelFacts, get_facts
from posenc.scaling.files import find_facts, find_part
from posenc.scaling.keys import KEY_NAMES
from posenc.scaling.translating import translate

SIZE_KEYS = ("head_dim", "hidden_size", "num_attention_heads", "qk_rope_head_dim", "rotary_dim")
BASE_KEYS = (
    "rope_theta",
    "rotary_emb_base",
    "rope_local_base_freq",
    "global_rope_theta",
    "local_rope_theta",
)
SHARE_KEYS = ("partial_rotary_factor", "rotary_pct")

Frequencies = dict[str | None, tuple[Any, float]]


@cache
def find_classes() -> dict[str, tuple[Any, Any]]:
    """Return the config class and the rotary class of each model type with facts."""
    import transformers  # type: ignore[import-not-found]

    found = {}
    root = Path(transformers.__file__).parent / "models"
    for file in sorted(root.glob("*/configuration_*.py")):
        folder = file.parent.name
        module = importlib.import_module(f"transformers.models.{folder}.{file.stem}")
        for name in vars(module):
            kept = getattr(module, name)
            facts = get_facts(getattr(kept, "model_type", "") or "") if _is_class(kept) else None
            if facts is not None and facts.source == name and kept.__module__ == module.__name__:
                found[facts.model_type] = (kept, _find_rotary(file, facts))
    return found


def _is_class(value: object) -> bool:
    return isinstance(value, type) and isinstance(getattr(value, "model_type", None), str)


def _find_rotary(file: Path, facts: ModelFacts) -> Any:
    for other in sorted(file.parent.glob("modeling_*.py")):
        try:
            name = f"transformers.models.{file.parent.name}.{other.stem}"
            module = importlib.import_module(name)
        except ModuleNotFoundError:  # of packages that aren't installed
            continue
        if hasattr(module, facts.module):
            return getattr(module, facts.module)
    return None


def compute_frequencies(
    config_class: Any, rotary_class: Any, config: dict[str, Any]
) -> Frequencies:
    """Return what transformers computes for a config, for each kind of layer."""
    module = rotary_class(config_class.from_dict(config))
    if hasattr(module, "embed_positions"):  # GPT-J: a table of sines and cosines
        sin, cos = module.embed_positions[1].double().chunk(2, dim=-1)
        return {None: (np.arctan2(sin.numpy(), cos.numpy()), 1.0)}
    found: Frequencies = {}
    for name, buffer in module.named_buffers():
        if name.endswith("inv_freq") and "original" not in name:
            kind = name.removesuffix("inv_freq").removesuffix("_")
            factor = getattr(
                module, f"{kind}_attention_scaling" if kind else "attention_scaling", 1.0
            )
            found[kind or None] = (buffer.double().numpy(), float(factor))
    return found


def compute_published(config: dict[str, Any]) -> Frequencies:
    """Return what transformers computes for the text model of a published config."""
    text = find_part(translate(config), None)
    facts = find_facts(text)
    assert facts is not None
    return compute_frequencies(*find_classes()[facts.model_type], copy.deepcopy(text))


def make_variants(config: dict[str, Any], count: int, seed: str) -> Iterator[dict[str, Any]]:
    """Yield configs with keys removed, changed and added, and with other rules."""
    generator = random.Random(seed)
    for _ in range(count):
        yield _vary(config, generator)


def _vary(config: dict[str, Any], generator: random.Random) -> dict[str, Any]:
    varied = dict(config)
    rope = varied.get("rope_parameters") or {}
    kinds = [kind for kind, own in rope.items() if isinstance(own, dict)]
    if generator.random() < 0.7:  # as older files have it
        varied.pop("rope_parameters", None)
        for key in BASE_KEYS:
            if generator.random() < (0.6 if key == "rope_theta" else 0.15):
                varied[key] = generator.choice((1e4, 5e5, 1e6, 160000.0))
    for key in SHARE_KEYS:
        if generator.random() < 0.12:
            varied[key] = generator.choice((0.25, 0.5, 1.0, None))
    for key in SIZE_KEYS:
        chance = generator.random()
        if chance < 0.35:
            varied.pop(key, None)
        elif chance < 0.5 and (key in config or key == "head_dim"):
            varied[key] = generator.choice((32, 64, 96, 128, 256))
        elif chance < 0.55 and key in config:
            varied[key] = None
    if generator.random() < 0.5:
        width = _guess_width(varied)
        rule = _make_rule(generator, width)
        name = generator.choice(("rope_scaling", "rope_parameters"))
        if kinds and generator.random() < 0.5:
            varied["rope_parameters"] = {
                kind: {"rope_theta": generator.choice((1e4, 1e6)), **_make_rule(generator, width)}
                for kind in kinds
                if generator.random() < 0.95
            }
        else:
            varied[name] = rule
    elif generator.random() < 0.3:
        varied[generator.choice(("rope_scaling", "rope_parameters"))] = generator.choice((None, {}))
    return varied


def _guess_width(config: dict[str, Any]) -> int:
    width = config.get("head_dim") or config.get("qk_rope_head_dim")
    if width is None and config.get("hidden_size") and config.get("num_attention_heads"):
        width = config["hidden_size"] // config["num_attention_heads"]
    return int((width or 64) * (config.get("partial_rotary_factor") or 1))


def _make_rule(generator: random.Random, width: int) -> dict[str, Any]:
    name = generator.choice(("default", "linear", "dynamic", "yarn", "llama3", "longrope"))
    rule: dict[str, Any] = {generator.choice(("rope_type", "type")): name}
    if name != "default":
        rule["factor"] = generator.choice((2.0, 8.0))
    if name in ("yarn", "llama3", "longrope") and generator.random() < 0.8:
        rule["original_max_position_embeddings"] = generator.choice((1024, 2048))
    if name == "llama3":
        rule |= {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    if name == "yarn" and generator.random() < 0.3:
        rule |= {"mscale": 1.0, "mscale_all_dim": generator.choice((1.0, 0.5))}
    if name == "longrope":
        rule |= {
            key: [1.0 + i / 9 for i in range(width // 2)] for key in ("short_factor", "long_factor")
        }
    if generator.random() < 0.4:
        rule["rope_theta"] = generator.choice((1e4, 1e6))
    if generator.random() < 0.12:
        rule["partial_rotary_factor"] = generator.choice((0.25, 0.5, 1.0))
    return rule


# What is written for a key that a refusal asks for.
ANSWERS = {
    "rope_theta": 1e4,
    "partial_rotary_factor": 0.5,
    "original_max_position_embeddings": 2048,
}


def follow_refusal(config: dict[str, Any], message: str) -> dict[str, Any]:
    """Return a config after one step that a message asks for; unchanged where there is none."""
    followed = copy.deepcopy(config)
    ignored = re.search(r"ignores ([a-z_]+)", message)
    for key in [*re.findall(r"remove ([a-z_]+)", message), *(ignored.groups() if ignored else ())]:
        _remove(followed, key)
    missing = re.match(r"([a-z_]+) is missing", message)
    if missing:
        followed[missing[1]] = ANSWERS.get(missing[1], 64)
    wide = re.search(r"pass (global_head_dim|swa_head_dim)", message)
    if wide:
        followed[wide[1]] = 512
    return followed


def _remove(config: dict[str, Any], key: str) -> None:
    """Remove a key wherever it is, under any of its names."""
    names = {key, *(name for name, meant in KEY_NAMES.items() if meant == key)}
    for name in names:
        config.pop(name, None)
    for inside in config.values():
        if isinstance(inside, dict):
            _remove(inside, key)
