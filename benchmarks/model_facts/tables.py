"""Find how models without rotary embedding encode positions, from the parameters they have."""

import re
from typing import Any

import torch
import transformers  # type: ignore[import-not-found]

from benchmarks.model_facts.classes import find_config_classes, import_modeling

MODELS = """
    albert bart big_bird biogpt bert bloom blenderbot clip_text_model ctrl deberta deberta-v2 deit
    dinov2 distilbert electra funnel gpt2 gpt_bigcode gpt_neo led longformer longt5 m2m_100
    mamba mamba2 marian mbart mpnet mpt mt5 opt pegasus roberta rwkv siglip_text_model swin
    speech_to_text swinv2 switch_transformers t5 umt5 vit whisper xglm xlm xlm-roberta xlnet
"""
# Settings of published files, where the class's own defaults describe no published model.
PUBLISHED: dict[str, dict[str, Any]] = {
    "deberta": {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]},
    "deberta-v2": {
        "relative_attention": True,
        "pos_att_type": ["c2p", "p2c"],
        "position_biased_input": False,
    },
}
# What a parameter, buffer or module of this name is for, the one that fits.
ENCODINGS = {
    r"relative_attention_bias": "T5 buckets",
    r"continuous_position_bias|cpb_mlp": "relative bias by an MLP (Swin v2)",
    r"relative_position_bias_table": "relative bias of a window (Swin)",
    r"rel_embeddings|pos_proj|deberta.*pos": "relative, disentangled (DeBERTa)",
    r"r_w_bias|r_r_bias|rel_pos": "relative (Transformer-XL)",
    r"sinusoidal|pos_encoding": "sinusoidal",
    r"position_embedding|pos_emb|wpe|embed_positions|positional_embedding": "learned absolute",
}
LONGEST = ("max_position_embeddings", "n_positions", "max_source_positions", "max_seq_len")


def measure_tables() -> dict[str, dict[str, Any]]:
    """Return how each model encodes positions, and up to which length."""
    return {name: _measure_model(find_config_classes()[name]) for name in sorted(MODELS.split())}


def _measure_model(config_class: type[Any]) -> dict[str, Any]:
    config = config_class(**PUBLISHED.get(config_class.model_type, {}))
    facts: dict[str, Any] = {"source": config_class.__name__, "encodings": []}
    names = _list_names(_find_model_class(config_class), config)
    for pattern, encoding in ENCODINGS.items():
        if any(re.search(pattern, name) for name in names):
            facts["encodings"].append(encoding)
    if "sinusoidal" in facts["encodings"]:  # in modules with names of learned tables
        facts["encodings"] = ["sinusoidal"]
    modeling = import_modeling(config_class)
    if any("alibi_tensor" in name for module in modeling for name in dir(module)):
        facts["encodings"] = ["ALiBi"]
    found = {key: getattr(config, key, None) for key in LONGEST}
    facts["defaults"] = {key: value for key, value in found.items() if isinstance(value, int)}
    return facts


def _find_model_class(config_class: type[Any]) -> type[Any]:
    """Return the model without a head that is built from a config."""
    mapping = transformers.MODEL_MAPPING
    if config_class in mapping:
        found = mapping[config_class]
        kept: type[Any] = found[0] if isinstance(found, tuple) else found
        return kept
    name = config_class.__name__.replace("Config", "Model")
    for module in import_modeling(config_class):
        if hasattr(module, name):
            model: type[Any] = getattr(module, name)
            return model
    raise LookupError(config_class.__name__)


def _list_names(model_class: type[Any], config: Any) -> list[str]:
    """Return the names of parameters, buffers and classes inside a model."""
    with torch.device("meta"):
        model = model_class(config)
    parts = [type(part).__name__.lower() for part in model.modules()]
    return [*dict(model.named_parameters()), *dict(model.named_buffers()), *parts, *vars(model)]
