"""Describe the positions of models that rotate nothing: tables, T5's buckets, ALiBi.

Which encoding a model has is measured on transformers and ships with the model facts.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from browser.workbench.cache import count_plain_cache
from browser.workbench.config_sizes import HEADS, LENGTHS, WIDTHS, find_size
from posenc.core import checks
from posenc.scaling.encodings import find_other_encoding
from posenc.scaling.facts import get_plain_facts
from posenc.scaling.files import find_part, open_config
from posenc.scaling.translating import translate

STACKS = {  # models with a table each for their encoder and their decoder
    "led": ("max_encoder_position_embeddings", "max_decoder_position_embeddings"),
    "whisper": ("max_source_positions", "max_target_positions"),
    "speech_to_text": ("max_source_positions", "max_target_positions"),
}
TWO_UNUSED = ("bart", "biogpt", "m2m_100", "mbart", "opt", "speech_to_text", "xglm")
FROM_PADDING = ("longformer", "mpnet", "roberta", "xlm-roberta")
WITHOUT_DECODER = ("mpnet",)
OF_IMAGES = ("deit", "dinov2", "vit")
FAIRSEQ = ("m2m_100", "speech_to_text", "xglm")
FARTHEST = 2**20  # offsets whose buckets are listed
Config = Mapping[str, Any]
Answer = dict[str, Any]
Arrays = dict[str, NDArray[Any]]


def describe_other(config: Config, part: str | None) -> tuple[Answer, Arrays] | None:
    """Return what a model without rotations does with positions, and its numbers as arrays."""
    known = find_part(translate(open_config(config)), part)
    name = known.get("model_type")
    facts = get_plain_facts(name) if isinstance(name, str) else None
    encodings = facts["encodings"] if facts else []
    other = find_other_encoding(known)
    if other == "alibi":
        encodings = ["ALiBi"]
    if facts is None and other is None:
        return None
    arrays: Arrays = {}
    source = facts["source"] if facts else None
    given = _complete(known, facts["defaults"] if facts else {})
    sections = [DESCRIBE.get(one, _describe_unlisted)(one, given, arrays) for one in encodings]
    title = f"{name or 'Model without model_type'}: {', '.join(encodings) or 'no positions'}"
    cache = count_plain_cache(given, alibi="ALiBi" in encodings)
    return {"title": title, "source": source, "sections": sections, "cache": cache}, arrays


def _complete(config: Config, defaults: Config) -> Config:
    """Return a config with the defaults of its class, except a length that it states itself."""
    stated = any(config.get(key) is not None for key in LENGTHS)
    used = {key: value for key, value in defaults.items() if not (stated and key in LENGTHS)}
    return {**used, **config}


def list_rows(found: Answer) -> Iterator[list[Any]]:
    """Yield the rows of all tables of a description, each below its heads."""
    for section in found["sections"]:
        if section["table"]:
            yield section["table"]["heads"]
            yield from section["table"]["rows"]


def _describe_learned(encoding: str, config: Config, arrays: Arrays) -> Answer:
    """Return the rows of learned tables, and which of them have positions."""
    name = config.get("model_type")
    text = ["A table of learned rows is added to the tokens. A position beyond it has no row."]
    rows: list[list[Any]] = []
    if name in OF_IMAGES:
        side = find_size(config, ("image_size",)) // find_size(config, ("patch_size",))
        extra = 2 if name == "deit" else 1
        text.append(f"Patches: {side} × {side}, and {extra} of no patch.")
        rows.append(["patches", side**2 + extra, side**2])
    for stack, length in _list_lengths(config):
        unused = 2 if name in TWO_UNUSED else 0
        if name in FROM_PADDING:
            unused = 1 + checks.integer("pad_token_id", config.get("pad_token_id", 1), least=0)
            rows.append([stack, length, length - unused])
        else:
            rows.append([stack, length + unused, length])
        if unused:
            text.append(f"The first {unused} rows belong to no token.")
    if name == "whisper":
        text.append("Its encoder's table holds sinusoids, which training leaves as they are.")
    # ALBERT's table is narrower than its layers.
    width = find_size(config, ("embedding_size",) if config.get("embedding_size") else WIDTHS)
    return {
        "heading": "Learned table",
        "text": list(dict.fromkeys(text)),
        "table": {
            "caption": "Learned tables",
            "heads": ["Table", "Rows", "Longest sequence", "Width", "Learned numbers"],
            "rows": [[*row, width, row[1] * width] for row in rows],
        },
    }


def _list_lengths(config: Config) -> Iterator[tuple[str, int]]:
    """Yield the name of each table, and its length as the config has it."""
    name = config.get("model_type")
    if name in STACKS:
        for stack, key in zip(("encoder", "decoder"), STACKS[name], strict=True):
            if config.get(key) is not None:
                yield stack, find_size(config, (key,))
    elif name not in OF_IMAGES:
        yield "positions", find_size(config, LENGTHS)


def _describe_sinusoids(encoding: str, config: Config, arrays: Arrays) -> Answer:
    """Return the frequencies of a sinusoidal table."""
    width = find_size(config, WIDTHS)
    fairseq = config.get("model_type") in FAIRSEQ
    omega = posenc.inv_freq(width, exponent="tensor2tensor" if fairseq else "paper")
    arrays["inv_freq"] = omega
    exponent = "i/(d/2-1), first position 2" if fairseq else "2i/d"
    lengths = [f"{stack}: {length}" for stack, length in _list_lengths(config)]
    wavelengths = (2 * math.pi / omega).tolist()
    rows = [
        [pair, pair, pair + len(omega), *numbers]
        for pair, *numbers in zip(range(len(omega)), omega.tolist(), wavelengths, strict=True)
    ]
    return {
        "heading": "Sinusoidal table",
        "text": [
            f"Nothing is learned: all sines, then all cosines, base 10000, exponent {exponent}."
            f" Rows: {', '.join(lengths)}."
        ],
        "table": {
            "caption": "Pairs of the sinusoidal table",
            "heads": ["Pair", "Sine in channel", "Cosine in channel", "Frequency", "Wavelength"],
            "rows": rows,
        },
    }


def _describe_buckets(encoding: str, config: Config, arrays: Arrays) -> Answer:
    """Return which offsets share a bucket."""
    buckets = find_size(config, ("relative_attention_num_buckets",), 32)
    farthest = find_size(config, ("relative_attention_max_distance",), 128)
    heads = find_size(config, HEADS)
    if farthest > FARTHEST:
        raise ValueError(f"relative_attention_max_distance must be at most {FARTHEST}")
    offsets = np.arange(-farthest - 1, farthest + 2)
    arrays["offset"] = offsets
    columns = {}
    for stack, both in (("encoder", True), ("decoder", False)):
        if both or config.get("model_type") not in WITHOUT_DECODER:
            columns[stack] = posenc.relative_position_bucket(
                offsets, bidirectional=both, num_buckets=buckets, max_distance=farthest
            )
            arrays[f"{stack}_bucket"] = columns[stack]
    rows = [
        [bucket, *(_describe_offsets(offsets[of == bucket], farthest) for of in columns.values())]
        for bucket in range(buckets)
    ]
    per = "each layer" if config.get("model_type") == "umt5" else "all layers of a stack together"
    return {
        "heading": "T5 buckets",
        "text": [
            f"The score of a query and a key gets a learned number for its bucket: {buckets}"
            f" buckets for {heads} heads, {buckets * heads} numbers for {per}.",
            f"The offset is the key's position minus the query's. From a distance of"
            f" {farthest} on, all share the last bucket, so every length has a bias.",
        ],
        "table": {
            "caption": "Offsets of each bucket",
            "heads": ["Bucket", *(f"Offsets in the {stack}" for stack in columns)],
            "rows": rows,
        },
    }


def _describe_offsets(offsets: NDArray[np.int64], farthest: int) -> str | None:
    """Return a run of offsets in words; those beyond the farthest go on without end."""
    if not len(offsets):
        return None
    first, last = int(offsets[0]), int(offsets[-1])
    if first < -farthest:
        return f"{last} and below"
    if last > farthest:
        return f"{first} and above"
    return str(first) if first == last else f"{first} to {last}"


def _describe_alibi(encoding: str, config: Config, arrays: Arrays) -> Answer:
    """Return the slope of each head."""
    attention = config.get("attn_config")
    most = attention.get("alibi_bias_max", 8) if isinstance(attention, Mapping) else 8
    slopes = posenc.alibi_slopes(find_size(config, HEADS), bias_max=float(most))
    text = ["The score of a query and a key loses the slope of its head times their distance."]
    text.append("There is no table, so every length has a bias.")
    if config.get("model_type") == "falcon":
        slopes = slopes / math.sqrt(find_size(config, WIDTHS) // find_size(config, HEADS))
        text.append("Falcon divides scores and bias by √head_dim, and so the slopes here.")
    arrays["slopes"] = slopes
    return {
        "heading": "ALiBi",
        "text": text,
        "table": {
            "caption": "Slopes of ALiBi",
            "heads": ["Head", "Slope", "Distance at which the bias is −1"],
            "rows": [[head, slope, 1 / slope] for head, slope in enumerate(slopes.tolist())],
        },
    }


def _describe_unlisted(encoding: str, config: Config, arrays: Arrays) -> Answer:
    """Return the keys of an encoding that has no numbers of its own here."""
    rows = [[key, config[key]] for key in RELATIVE_KEYS if config.get(key) is not None]
    return {
        "heading": encoding[0].upper() + encoding[1:],
        "text": ["The config has no more than its keys:" if rows else "It has no key of a length."],
        "table": rows
        and {"caption": "Keys of the encoding", "heads": ["Key", "Value"], "rows": rows},
    }


RELATIVE_KEYS = (
    "position_buckets",
    "max_relative_positions",
    "pos_att_type",
    "position_biased_input",
    "window_size",
    "clamp_len",
    "bi_data",
)
DESCRIBE = {
    "learned absolute": _describe_learned,
    "sinusoidal": _describe_sinusoids,
    "T5 buckets": _describe_buckets,
    "ALiBi": _describe_alibi,
}
