"""What the page *Inspect a model* gets from Python, against the package."""

import base64
import csv
import io
import json
import re
from typing import Any

import numpy as np
import pytest

import posenc
from browser.workbench import run_tool
from posenc import analysis
from posenc.costs import cache_bytes
from posenc.scaling.facts import _load
from tests.package.scaling.published import REFUSED
from website.model_list import ODD, list_models

MODELS = list_models()
LLAMA, GEMMA, DEEPSEEK = "Llama 3.1 8B", "Gemma 3 12B", "DeepSeek V3"


def ask(config: object, **more: Any) -> dict[str, Any]:
    text = config if isinstance(config, str) else json.dumps(config)
    answer: dict[str, Any] = json.loads(run_tool("inspect", {"text": text, **more}))
    return answer


@pytest.mark.parametrize("name", MODELS)
def test_every_model_that_can_be_chosen_is_read(name):
    found = ask(MODELS[name])

    model = posenc.model_positions(MODELS[name])
    assert sorted(n for kind in found["kinds"] for n in kind["layers"]) == [
        *range(len(model.layers))
    ]
    for kind in found["kinds"]:
        for number in kind["layers"]:
            layer = model.layers[number]
            assert [kind[key] for key in ("base", "window", "rope_type", "rotary_dim")] == [
                layer.base,
                layer.window,
                layer.rope_type,
                layer.rotary_dim,
            ]
            if layer.parameters is not None:
                assert kind["pairs"]["inv_freq"] == layer.parameters.inv_freq.tolist()
                assert kind["attention_factor"] == layer.parameters.attention_factor


def test_listed_classes_rotate_as_many_channels_as_their_modules():
    facts = _load()["models"]
    for name in (name for name in MODELS if "defaults of" in name):
        measured = facts[MODELS[name]["model_type"]]["pairs"]
        for layer in posenc.model_positions(MODELS[name]).layers:
            pairs = measured.get(layer.kind, measured.get(""))
            if layer.parameters is not None and pairs is not None:
                assert layer.rotary_dim == 2 * pairs, name


def test_classes_that_are_not_listed_rotate_an_odd_number_of_channels():
    for name in ODD:
        defaults = _load()["models"][name]["defaults"]
        width = defaults["hidden_size"] // defaults["num_attention_heads"]
        with pytest.raises(ValueError, match="rotary_dim must be even"):
            posenc.rope_parameters({**defaults, "model_type": name, "head_dim": width})


def test_pairs_have_wavelengths_ratios_and_channels():
    (kind,) = ask(MODELS[LLAMA])["kinds"]
    pairs = kind["pairs"]

    omega, unscaled = np.array(pairs["inv_freq"]), posenc.inv_freq(128, 500_000)
    assert pairs["wavelength"] == (2 * np.pi / omega).tolist()
    assert pairs["ratio"] == (omega / unscaled).tolist()
    assert (pairs["channel_1"][5], pairs["channel_2"][5]) == (5, 69)
    equal = analysis.first_equal_neighbours(omega, 131_072)
    assert [p or -1 for p in pairs["first_equal_neighbours_bfloat16"]] == equal.tolist()


def test_positions_now_change_a_dynamic_rule():
    config = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}
    config |= {"num_hidden_layers": 2, "max_position_embeddings": 4096}
    config |= {"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}

    now = ask(config, seq_len=8192)["kinds"][0]["pairs"]["inv_freq"]

    assert now == posenc.rope_parameters(config, 8192).inv_freq.tolist()
    assert now != ask(config)["kinds"][0]["pairs"]["inv_freq"]


@pytest.mark.parametrize(
    ("name", "token", "whole"),
    [
        (LLAMA, 131_072, 131_072 * 131_072),
        # 8 layers see everything, 40 only their window.
        (GEMMA, 48 * 8192, 8192 * (8 * 131_072 + 40 * 1024)),
        # A latent vector and one rotated key for all heads.
        (DEEPSEEK, 61 * 2 * (512 + 64), 61 * 2 * (512 + 64) * 163_840),
    ],
)
def test_cache_of_a_token_and_of_the_whole_context(name, token, whole):
    cache = ask(MODELS[name])["cache"]

    assert (cache["bfloat16"]["token"], cache["bfloat16"]["whole"]) == (token, whole)
    assert cache["float32"]["token"] == 2 * token
    if name == LLAMA:
        assert token == cache_bytes(1, "float16", layers=32, kv_heads=8, head_dim=128)


@pytest.mark.parametrize(
    ("config", "token", "whole"),
    [
        # Published sizes: 2 bytes for a key and a value of each channel in each layer.
        (
            {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12, "n_ctx": 1024},
            2 * 2 * 768 * 12,
            2 * 2 * 768 * 12 * 1024,
        ),
        (
            {"model_type": "bloom", "hidden_size": 14336, "n_head": 112, "n_layer": 70},
            4014080,
            None,
        ),
        ({"model_type": "bloom", "n_embed": 1024, "n_head": 16, "n_layer": 24}, 98304, None),
        (
            {"model_type": "opt", "hidden_size": 4096, "num_attention_heads": 32}
            | {"num_hidden_layers": 32, "max_position_embeddings": 2048},
            2 * 2 * 4096 * 32,
            2 * 2 * 4096 * 32 * 2048,
        ),
        (  # one head for all queries
            {"model_type": "gpt_bigcode", "n_embd": 2048, "n_head": 16, "n_layer": 24}
            | {"n_positions": 8192, "multi_query": True},
            2 * 2 * 128 * 24,
            2 * 2 * 128 * 24 * 8192,
        ),
        (
            {"model_type": "falcon", "alibi": True, "hidden_size": 2048, "multi_query": False}
            | {"num_attention_heads": 32, "num_hidden_layers": 24},
            2 * 2 * 2048 * 24,
            None,
        ),
    ],
)
def test_cache_of_a_decoder_without_rotations(config, token, whole):
    cache = ask(config)["cache"]

    assert (cache["bfloat16"]["token"], cache["bfloat16"]["whole"]) == (token, whole)
    assert cache["float32"]["token"] == 2 * token


def test_a_cache_without_rotations_that_is_not_counted():
    assert "hidden_size is missing" in ask({"model_type": "bloom", "n_head": 8})["cache"]["unknown"]
    shared = {"model_type": "mpt", "d_model": 64, "n_heads": 4, "n_layers": 2}
    shared |= {"attn_config": {"alibi": True, "attn_type": "multiquery_attention"}}
    assert "attn_type" in ask(shared)["cache"]["unknown"]
    assert ask({"model_type": "t5", "num_heads": 8})["cache"] is None


def test_a_cache_that_the_config_does_not_describe_is_not_counted():
    unknown: dict[str, Any] = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
    unknown |= {"model_type": "mine", "rope_theta": 1e4, "head_dim": 16, "partial_rotary_factor": 1}
    assert "num_key_value_heads is missing" in ask(unknown)["cache"]["unknown"]
    assert ask(MODELS["Pythia 6.9B"])["cache"]["bfloat16"]["token"] == 2 * 2 * 4096 * 32
    modern = {"model_type": "modernbert", "num_hidden_layers": 3}
    assert "encoder" in ask(modern)["cache"]["unknown"]
    shared = MODELS[LLAMA] | {"num_kv_shared_layers": 10}
    assert "num_kv_shared_layers" in ask(shared)["cache"]["unknown"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_config_has_the_message_of_the_package(name):
    config = {"num_hidden_layers": 2, **REFUSED[name][0]}
    found = ask(config)
    if "sections" in found:  # a model without rotations, which has no frequencies
        return

    with pytest.raises(ValueError, match=re.escape(found["refused"]["message"])):
        posenc.model_positions(config)


@pytest.mark.parametrize(
    ("change", "keys"),
    [
        ({"rope_scaling": {"rope_type": "linear", "facter": 4}}, ["facter"]),
        ({"rope_scaling": {"type": "ntk", "factor": 4}}, ["type"]),
        ({"rope_parameters": {"rope_theta": 5.0}, "rope_theta": 6.0}, ["rope_theta"] * 2),
        ({"rope_ratio": 500, "rope_theta": 1e4}, ["rope_ratio"]),
        ({"num_hidden_layers": None}, ["num_hidden_layers"]),
        ({"layer_types": ["full_attention"]}, ["layer_types"]),
    ],
)
def test_keys_that_a_message_finds_fault_with(change, keys):
    config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}

    text = json.dumps(config | {"num_hidden_layers": 2} | change)
    marked = [json.loads(text[start:end]) for start, end in ask(text)["refused"]["marks"]]
    assert marked == keys


def test_only_keys_of_the_part_that_is_read_are_marked():
    part = {"hidden_size": 1024, "num_hidden_layers": 24}
    text = json.dumps({"vision_config": part, "text_config": {"model_type": "llama"}})

    found = ask(text)["refused"]

    assert found == {"message": "num_hidden_layers is missing: pass it", "marks": []}


@pytest.mark.parametrize(
    ("config", "title", "row"),
    [
        ({"model_type": "t5", "num_heads": 8}, "t5: T5 buckets", [1, "-1", "-1"]),
        ({"model_type": "bloom", "n_head": 8}, "bloom: ALiBi", [1, 0.25, 4.0]),
        (
            {"model_type": "roberta", "hidden_size": 8, "max_position_embeddings": 514},
            "roberta: learned absolute",
            ["positions", 514, 512, 8, 514 * 8],
        ),
        (  # its class also has a default max_position_embeddings
            {"model_type": "gpt2", "n_embd": 8, "n_positions": 2048},
            "gpt2: learned absolute",
            ["positions", 2048, 2048, 8, 2048 * 8],
        ),
        (
            {"model_type": "opt", "hidden_size": 8},
            "opt: learned absolute",
            ["positions", 2050, 2048, 8, 2050 * 8],
        ),
        (
            {"model_type": "vit", "hidden_size": 8, "image_size": 224, "patch_size": 16},
            "vit: learned absolute",
            ["patches", 197, 196, 8, 197 * 8],
        ),
        (
            {"model_type": "m2m_100", "d_model": 4},
            "m2m_100: sinusoidal",
            [1, 1, 3, 0.0001, 2 * np.pi / 0.0001],
        ),
    ],
)
def test_models_that_rotate_nothing_have_numbers(config, title, row):
    found = ask(config)

    assert found["title"] == title
    assert row in found["sections"][0]["table"]["rows"]


def test_files_of_models_that_rotate_nothing():
    config = {"model_type": "t5", "num_heads": 8}
    arrays = np.load(io.BytesIO(base64.b64decode(ask(config, file="npz")["base64"])))
    table = base64.b64decode(ask(config, file="csv")["base64"]).decode()

    for stack, both in (("encoder", True), ("decoder", False)):
        bucket = posenc.relative_position_bucket(arrays["offset"], bidirectional=both)
        assert arrays[f"{stack}_bucket"].tolist() == bucket.tolist()
    assert "31,91 and above,-113 and below" in table.split("\n")


@pytest.mark.parametrize("name", list(_load()["tables"]))
def test_every_model_with_a_table_is_described(name):
    sizes = {"hidden_size": 768, "num_attention_heads": 12, "image_size": 224, "patch_size": 16}

    assert ask({"model_type": name, **sizes})["title"].startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"weight_map": {}}', "the index of the weights"),
        ("model_type: llama", "A config begins with a brace"),
        ('{\n  // a comment\n  "model_type": "llama"}', "JSON has no comments"),
    ],
)
def test_other_files_are_named(text, words):
    assert words in ask(text)["refused"]["message"]


def test_text_that_is_no_config():
    broken = ask('{\n  "model_type": "llama",\n  "rope_theta": 5e5,\n}')["refused"]
    assert (broken["line"], broken["message"][:16]) == (4, "This is not JSON")
    assert "object in braces" in ask("[1, 2]")["refused"]["message"]
    assert "not JSON" in ask("[" * 100_000)["refused"]["message"]


def test_files_hold_all_digits():
    table = base64.b64decode(ask(MODELS[GEMMA], file="csv")["base64"]).decode()
    arrays = np.load(io.BytesIO(base64.b64decode(ask(MODELS[GEMMA], file="npz")["base64"])))

    model = posenc.model_positions(MODELS[GEMMA])
    rows = [row for row in csv.DictReader(io.StringIO(table)) if row["kind"] == "full_attention"]
    parameters = model.layers[5].parameters
    assert parameters is not None
    assert [float(row["inv_freq"]) for row in rows] == parameters.inv_freq.tolist()
    assert arrays["full_attention.inv_freq"].tolist() == parameters.inv_freq.tolist()
    assert arrays["layer_kinds"].tolist() == [layer.kind for layer in model.layers]
