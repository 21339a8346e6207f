"""How much a model caches for each token while it decodes, as far as its config says."""

from collections.abc import Mapping, Sequence
from typing import Any

from browser.workbench.config_sizes import HEADS, LENGTHS, WIDTHS, MissingSizeError, find_size
from posenc.core import checks
from posenc.scaling import ModelPositions
from posenc.scaling.files import find_part, open_config
from posenc.scaling.patterns import LAYER_COUNTS, is_attention
from posenc.scaling.translating import translate

BYTES = {"bfloat16": 2, "float32": 4}
KV_HEADS = ("num_key_value_heads", "num_kv_heads", "n_head_kv")
# Keys of models in which layers differ in what they cache, or share it.
UNEQUAL = (
    "num_kv_shared_layers",
    "num_global_key_value_heads",
    "cla_share_factor",
    "block_configs",
    "per_layer_config",
)
# Models whose heads all have keys of their own: decoders without rotations, and with them.
PLAIN_MULTI_HEAD = ("biogpt", "bloom", "ctrl", "gpt2", "mpt", "opt", "xglm")
MULTI_HEAD = (*PLAIN_MULTI_HEAD, "codegen", "gpt_neox", "gpt_neox_japanese", "gptj")
# Decoders without rotations whose layers all see everything, and encoders, which keep nothing.
PLAIN_DECODERS = (*PLAIN_MULTI_HEAD, "gpt_bigcode")
ENCODERS = ("esm", "eurobert", "modernbert", "nomic_bert")
Answer = dict[str, Any]


def count_cache(
    config: Mapping[str, Any], part: str | None, model: ModelPositions, longest: int | None
) -> Answer:
    """Return the bytes of a token, and of a sequence of the greatest length, or why not."""
    known = find_part(translate(open_config(config)), part)
    if known.get("model_type") in ENCODERS:
        return {"unknown": "the model is an encoder, which reads all tokens at once"}
    layers = [layer for layer in model.layers if is_attention(layer.kind)]
    for key in UNEQUAL:
        if known.get(key):
            return {"unknown": f"{key} makes layers differ in what they cache"}
    try:
        entries, words = _count_entries(known, model)
    except (LookupError, MissingSizeError) as missing:
        return {"unknown": missing.args[0]}
    return _count_bytes(entries, words, [layer.window for layer in layers], longest)


def count_plain_cache(config: Mapping[str, Any], *, alibi: bool) -> Answer | None:
    """Return the bytes of a decoder without rotations; None for other models."""
    if config.get("model_type") not in PLAIN_DECODERS and not alibi:
        return None
    try:
        width = find_size(config, WIDTHS)
        own = find_size(config, HEADS)
        layers = find_size(config, LAYER_COUNTS)
        heads = _count_heads(config)
    except (LookupError, MissingSizeError) as missing:
        return {"unknown": missing.args[0]}
    longest = None if alibi else find_size(config, LENGTHS)
    entries, words = _count_multi_head(heads, width // own, width // own)
    return _count_bytes(entries, words, [None] * layers, longest)


def _count_bytes(
    entries: int, words: str, windows: Sequence[int | None], longest: int | None
) -> Answer:
    """Return the bytes of layers that cache as many numbers for each token in their window."""
    answer: Answer = {"layers": len(windows), "words": words, "longest": longest}
    for name, size in BYTES.items():
        kept = [min(longest, window or longest) for window in windows] if longest else None
        answer[name] = {
            "layer": entries * size,
            "token": entries * size * len(windows),
            "growing": entries * size * sum(window is None for window in windows),
            "whole": None if kept is None else entries * size * sum(kept),
        }
    return answer


def _count_entries(config: Mapping[str, Any], model: ModelPositions) -> tuple[int, str]:
    """Return how many numbers a layer caches for each token, and what they are."""
    if config.get("kv_lora_rank") is not None:
        rank = checks.integer("kv_lora_rank", config["kv_lora_rank"], least=1)
        part = checks.integer("qk_rope_head_dim", config.get("qk_rope_head_dim"), least=0)
        return rank + part, f"a latent vector of {rank} numbers and a rotated key of {part}"
    heads = _count_heads(config)
    width = _find_width(config, model)
    value = checks.integer("v_head_dim", config.get("v_head_dim") or width, least=1)
    return _count_multi_head(heads, width, value)


def _count_multi_head(heads: int, width: int, value: int) -> tuple[int, str]:
    plural = "heads" if heads > 1 else "head"
    words = f"keys of {width} and values of {value} channels for {heads} {plural}"
    return heads * (width + value), words


def _count_heads(config: Mapping[str, Any]) -> int:
    for key in KV_HEADS:
        if config.get(key) is not None:
            return checks.integer(key, config[key], least=1)
    if config.get("multi_query") is True:
        return 1
    attention = config.get("attn_config")
    own = "multihead_attention"
    if isinstance(attention, Mapping) and attention.get("attn_type", own) != own:
        raise LookupError("attn_config.attn_type lets heads share their keys")
    if config.get("model_type") in MULTI_HEAD or config.get("multi_query") is False:
        return find_size(config, HEADS)
    raise LookupError(
        "num_key_value_heads is missing: add it, or the value of num_attention_heads if each"
        " head has keys of its own"
    )


def _find_width(config: Mapping[str, Any], model: ModelPositions) -> int:
    widths = {layer.head_dim for layer in model.layers} - {None}
    if len(widths) == 1:
        return int(widths.pop() or 0)
    if len(widths) > 1:
        raise LookupError("kinds of layers have heads of different widths")
    raise LookupError("no layer says how wide a head is")
