"""Translate the keys of other libraries into those of Hugging Face."""

from collections.abc import Callable, Mapping
from typing import Any

from posenc.core import checks

Config = dict[str, Any]

META = {"dim": "hidden_size", "n_heads": "num_attention_heads", "n_layers": "num_hidden_layers"}
FALCON = {"n_head": "num_attention_heads", "n_layer": "num_hidden_layers"}
DBRX = {"n_layers": "num_hidden_layers", "max_seq_len": "max_position_embeddings"}
KERAS = {
    "rope_max_wavelength": "rope_theta",
    "hidden_dim": "hidden_size",
    "num_query_heads": "num_attention_heads",
    "num_layers": "num_hidden_layers",
}
KERAS_LLAMA3 = {
    "rope_frequency_adjustment_factor": "factor",
    "rope_low_freq_factor": "low_freq_factor",
    "rope_high_freq_factor": "high_freq_factor",
    "rope_pretraining_sequence_length": "original_max_position_embeddings",
}
GGUF = {
    "attention.head_count": "num_attention_heads",
    "attention.key_length": "head_dim",
    "block_count": "num_hidden_layers",
    "context_length": "max_position_embeddings",
    "embedding_length": "hidden_size",
    "rope.dimension_count": "rotary_dim",
    "rope.freq_base": "rope_theta",
}
GGUF_SCALING = {
    "rope.scaling.attn_factor": "attn_factor",
    "rope.scaling.factor": "factor",
    "rope.scaling.original_context_length": "original_max_position_embeddings",
    "rope.scaling.type": "rope_type",
    "rope.scaling.yarn_beta_fast": "beta_fast",
    "rope.scaling.yarn_beta_slow": "beta_slow",
}
GGUF_IGNORED = ("rope.scaling.finetuned",)


def translate(config: Config) -> Config:
    """Return a config with the keys of Hugging Face, or refuse one that has no translation."""
    for is_theirs, translated in TRANSLATIONS:
        if is_theirs(config):
            config = translated(config)
    return config


def _translate_vllm(config: Config) -> Config:
    """Apply the overrides that vLLM is given."""
    overrides = config["hf_overrides"]
    if not isinstance(overrides, Mapping):
        raise TypeError(f"hf_overrides must be a mapping, got {type(overrides).__name__}")
    rest = {key: value for key, value in config.items() if key != "hf_overrides"}
    return _override(rest, overrides)


def _override(config: Config, overrides: Mapping[str, Any]) -> Config:
    """Return a config with other values; parts of it keep the keys that aren't overridden."""
    merged = dict(config)
    for key, value in overrides.items():
        part = merged.get(key)
        if key.endswith("_config") and isinstance(part, Mapping) and isinstance(value, Mapping):
            value = _override(dict(part), value)
        merged[key] = value
    return merged


def _translate_falcon(config: Config) -> Config:
    return _rename(config, FALCON) | {"model_type": "falcon"}


def _translate_dbrx(config: Config) -> Config:
    attention = config.get("attn_config")
    base = attention.get("rope_theta") if isinstance(attention, Mapping) else None
    if base is not None and config.get("rope_theta") is None:
        raise ValueError(
            f"attn_config.rope_theta is {checks.describe_value(base)}, but DbrxConfig of"
            f" transformers ignores it: write rope_theta={checks.describe_value(base)} beside it"
        )
    return _rename(config, DBRX)


def _translate_meta(config: Config) -> Config:
    """Translate the params.json of Meta's and Mistral's own releases."""
    if config.get("use_scaled_rope"):
        raise ValueError(
            "use_scaled_rope=True doesn't say by which factor: write rope_scaling={'rope_type':"
            " 'llama3', 'factor': 8.0, 'low_freq_factor': 1.0, 'high_freq_factor': 4.0,"
            " 'original_max_position_embeddings': 8192} for Llama 3.1, with 'factor': 32.0 for"
            " Llama 3.2, and remove use_scaled_rope"
        )
    if config.get("rope_theta") is None:
        raise ValueError("rope_theta is missing in params.json: pass it, 10000.0 for Llama 2")
    kept = (*META, "head_dim", "rope_theta", "rope_scaling")
    return _state_width(_rename({key: config[key] for key in kept if key in config}, META))


def _translate_keras(config: Config) -> Config:
    """Translate the config of a backbone of keras-hub."""
    renamed = _rename(config, KERAS)
    factor = renamed.pop("rope_frequency_adjustment_factor", None)
    rule = {KERAS_LLAMA3[key]: renamed.pop(key) for key in KERAS_LLAMA3 if key in renamed}
    linear = [
        renamed.pop(key, None) or 1.0
        for key in ("rope_scaling_factor", "rope_position_scaling_factor")
    ]
    if factor is not None:
        if set(linear) != {1.0}:
            raise ValueError(
                "rope_frequency_adjustment_factor and a linear factor exclude each other: remove"
                " one of them"
            )
        renamed["rope_scaling"] = {"rope_type": "llama3", "factor": factor, **rule}
    elif set(linear) != {1.0}:
        renamed["rope_scaling"] = {"rope_type": "linear", "factor": linear[0] * linear[1]}
    return _state_width(renamed)


def _translate_gguf(config: Config) -> Config:
    """Translate the metadata of a GGUF file, whose keys begin with the name of the architecture."""
    keys = {key.partition(".")[2]: value for key, value in config.items() if not _is_general(key)}
    for key in keys:
        known = (*GGUF, *GGUF_SCALING, *GGUF_IGNORED)
        if key.startswith("rope.") and key not in known:
            raise ValueError(
                f"{key!r} has no translation: write the keys of Hugging Face, such as rope_theta"
            )
    for needed, word in (("rope.freq_base", "10000.0"), ("rope.dimension_count", "a number")):
        if needed not in keys:
            raise ValueError(f"{needed} is missing in the metadata: pass it ({word})")
    if "rope.scaling.type" not in keys:
        raise ValueError(
            "rope.scaling.type is missing in the metadata, and a tensor rope_freqs or rope_factors"
            " may scale the frequencies: pass 'none' if the file has no such tensor"
        )
    scaling = {GGUF_SCALING[key]: keys[key] for key in GGUF_SCALING if key in keys}
    if scaling["rope_type"] == "none":
        scaling = {}
    translated = {GGUF[key]: keys[key] for key in GGUF if key in keys}
    return translated | ({"rope_scaling": scaling} if scaling else {})


def _is_general(key: str) -> bool:
    return key.startswith(("general.", "tokenizer."))


def _state_width(config: Config) -> Config:
    """Add what these libraries always do: heads divide the model, and whole heads rotate."""
    stated = {"partial_rotary_factor": 1.0} | config
    width, heads = config.get("hidden_size"), config.get("num_attention_heads")
    if config.get("head_dim") is None and width and heads:
        stated["head_dim"] = width // heads
    return stated


def _rename(config: Config, names: Mapping[str, str]) -> Config:
    renamed = {names.get(key, key): value for key, value in config.items()}
    if len(renamed) < len(config):
        both = next(key for key in names if key in config and names[key] in config)
        raise ValueError(f"{both} and {names[both]} mean the same: remove one of them")
    return renamed


def _is_gguf(config: Config) -> bool:
    return any(isinstance(key, str) and ".rope." in key for key in config)


def _is_meta(config: Config) -> bool:
    return {"dim", "n_heads"} <= config.keys() and "model_type" not in config


def _is_keras(config: Config) -> bool:
    theirs = {"rope_max_wavelength", "rope_scaling_factor", *KERAS_LLAMA3}
    return bool(theirs & config.keys())


def _has(key: str, *values: str) -> Callable[[Config], bool]:
    """Return a function that tells whether a config has a key, with one of these values."""
    return lambda config: (
        key in config and (not values or (isinstance(config[key], str) and config[key] in values))
    )


TRANSLATIONS: tuple[tuple[Callable[[Config], bool], Callable[[Config], Config]], ...] = (
    (_has("hf_overrides"), _translate_vllm),
    (_has("model_type", "RefinedWeb", "RefinedWebModel"), _translate_falcon),
    (_has("model_type", "dbrx"), _translate_dbrx),
    (_is_gguf, _translate_gguf),
    (_is_meta, _translate_meta),
    (_is_keras, _translate_keras),
)


def translate_type(rope: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return rope parameters with a rope_type of vLLM translated, or refuse it."""
    names = [rope.get("rope_type"), rope.get("type")]
    name = next((name for name in names if isinstance(name, str)), None)
    if name == "deepseek_yarn":
        scales = [key for key in ("mscale", "mscale_all_dim") if rope.get(key)]
        if len(scales) == 1:
            raise ValueError(
                f"rope_type='deepseek_yarn' with only {scales[0]} differs from rope_type='yarn':"
                " write attention_factor"
            )
        return {key: value for key, value in rope.items() if key != "type"} | {"rope_type": "yarn"}
    if isinstance(name, str) and name in VLLM_TYPES:
        raise ValueError(f"rope_type={checks.describe_value(name)} {VLLM_TYPES[name]}")
    return rope


VLLM_TYPES = {
    "axial": "rotates by two coordinates: use axial_cos_sin",
    "fope": "adds frequencies with learned weights, which no key holds",
    "mllama4": "rotates patches by two coordinates: use axial_cos_sin",
    "ntk": "raises the base: write rope_theta=ntk_base(rope_theta, factor, head_dim), and"
    " rope_type='default'",
    "xdrope": "raises the base: write rope_theta=ntk_base(rope_theta, alpha, head_dim), and"
    " rope_type='default'",
}
