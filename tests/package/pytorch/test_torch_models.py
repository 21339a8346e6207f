"""Modules from a config rotate as the modules of transformers do with the same config."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import posenc
from posenc.scaling.facts import get_facts, list_model_types
from posenc.torch import MRotaryEmbedding, RotaryEmbedding, from_config
from tests.package.pytorch.library import get_transformers_module

P = torch.tensor([0, 1, 2, 17, 500])
LLAMA = {"model_type": "llama", "head_dim": 8, "rope_theta": 10000.0}
SMOLLM = LLAMA | {"model_type": "smollm3", "num_hidden_layers": 8}
NEW = LLAMA | {"model_type": "new", "partial_rotary_factor": 1.0}
DYNAMIC = LLAMA | {
    "max_position_embeddings": 64, "rope_scaling": {"rope_type": "dynamic", "factor": 4.0},
}  # fmt: skip
LONG = {
    "model_type": "phi3", "hidden_size": 32, "num_attention_heads": 4, "rope_theta": 10000.0,
    "max_position_embeddings": 256, "original_max_position_embeddings": 64,
    "rope_scaling": {
        "type": "longrope",
        "short_factor": [1.0, 1.1, 1.2, 1.3], "long_factor": [1.0, 2.0, 3.0, 4.0],
    },
}  # fmt: skip


def get_config(folder: str, name: str, settings: dict[str, Any]) -> Any:
    """Return a config of transformers with these settings."""
    file = import_module(f"transformers.models.{folder}.configuration_{folder}")
    keys = {key: value for key, value in settings.items() if key != "model_type"}
    return getattr(file, name)(**keys)


GEMMA = {
    "model_type": "gemma3", "text_config": {
        "model_type": "gemma3_text", "num_hidden_layers": 12, "sliding_window": 1024,
        "hidden_size": 3840, "num_attention_heads": 16,
        "rope_scaling": {"rope_type": "linear", "factor": 8.0},
    },
}  # fmt: skip


@pytest.mark.parametrize(("layer", "rotates"), [(0, True), (2, True), (3, False), (7, False)])
def test_layers_without_positions_have_no_module(layer, rotates):
    rope = from_config(SMOLLM, seq_axis=-2, layer=layer)

    assert isinstance(rope, RotaryEmbedding) == rotates
    assert rope is not None or not rotates


@pytest.mark.parametrize(("layer", "fastest"), [(0, 1.0), (4, 1.0), (5, 1 / 8), (11, 1 / 8)])
def test_layers_of_two_kinds_have_their_own_frequencies(layer, fastest):
    rope = from_config(GEMMA, seq_axis=-2, layer=layer)

    assert rope is not None
    assert (rope.head_dim, rope.inv_freq[0].item()) == (256, fastest)
    kind = "full_attention" if fastest < 1 else "sliding_attention"
    again = from_config(GEMMA, seq_axis=-2, layer_type=kind)
    assert again is not None
    assert (rope.inv_freq == again.inv_freq).all()


# Layouts, shares, attention factors and kinds of layers, each with the width of a whole head.
CASES = [
    ("llama", "Llama", {"max_position_embeddings": 131072, "rope_scaling": {
        "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192}}, None),
    ("qwen2", "Qwen2", {"rope_scaling": {
        "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}}, None),
    ("glm4", "Glm4", {}, None),
    ("gpt_neox", "GPTNeoX", {}, None),
    ("cohere", "Cohere", {}, None),
    ("nanochat", "NanoChat", {}, None),
    ("gpt_oss", "GptOss", {}, None),
    ("gemma3", "Gemma3", {}, "full_attention"),
    ("gemma3", "Gemma3", {}, "sliding_attention"),
]  # fmt: skip


@pytest.mark.parametrize(("folder", "name", "settings", "layer_type"), CASES)
def test_queries_and_keys_are_those_of_the_model(folder, name, settings, layer_type):
    modeling = get_transformers_module(folder)
    text = "Text" if folder == "gemma3" else ""
    config = get_config(folder, f"{name}{text}Config", settings)
    kind = {} if layer_type is None else {"layer_type": layer_type}
    rope = from_config(
        config, seq_axis=-2, layer=find_rotating_layer(config) if not kind else None, **kind
    )
    assert rope is not None
    q, k = torch.randn(2, 1, 3, len(P), rope.head_dim)
    tables = getattr(modeling, f"{name}RotaryEmbedding")(config)(q, P[None], **kind)

    for x, expected in zip((q, k), modeling.apply_rotary_pos_emb(q, k, *tables), strict=True):
        assert_close(rope(x, P), expected, rtol=0, atol=3e-4)  # angles in float32


@pytest.mark.parametrize("length", [32, 64, 65, 200])
@pytest.mark.parametrize(
    ("folder", "name", "settings"), [("llama", "Llama", DYNAMIC), ("phi3", "Phi3", LONG)]
)
def test_frequencies_are_those_for_the_length(folder, name, settings, length):
    modeling = get_transformers_module(folder)
    config = get_config(folder, f"{name}Config", settings)
    x, positions = torch.randn(1, 1, length, 8), torch.arange(length)
    tables = getattr(modeling, f"{name}RotaryEmbedding")(config)(x, positions[None])

    for given in (config, settings):
        rope = from_config(given, seq_axis=-2, seq_len=length)
        assert rope is not None
        expected, _ = modeling.apply_rotary_pos_emb(x, x, *tables)
        assert_close(rope(x, positions), expected, rtol=0, atol=1e-4)


# Default configs of these classes have no valid widths.
HALF = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}
WIDTHS: dict[str, dict[str, Any]] = {
    "glm4v_moe_text": {"head_dim": 128, "rope_parameters": HALF},
    "glm4v_text": {"rope_parameters": HALF},
    "glm_image_text": {"rope_parameters": HALF},
    "qwen2_5_omni_text": {"head_dim": 128, "partial_rotary_factor": 1.0},
    "qwen3_omni_moe_text": {"head_dim": 128},
    "qwen3_omni_moe_talker_text": {"head_dim": 128},
}
# Ernie 4.5 VL orders its frequencies differently, which posenc refuses.
MULTIMODAL = [
    name
    for name, facts in zip(list_model_types(), map(get_facts, list_model_types()), strict=True)
    if facts is not None and facts.axes is not None and facts.refused is None
]


def list_rotary_modules(name: str, keys: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield a config of a model of transformers with these keys, and its rotary modules."""
    from benchmarks.model_facts import classes

    config_class = classes.find_config_classes()[name]
    every = [kept for kept, _ in classes._list_rotary_classes(config_class)]
    text = [kept for kept in every if "Vision" not in kept.__name__]
    for rotary_class in classes.find_rotary_classes(config_class) or text:
        config = config_class.from_dict(keys)
        try:
            yield config, rotary_class(config).eval()
        except Exception:  # of a module for another part of the model
            continue


@pytest.mark.filterwarnings("ignore")  # transformers, about its own defaults
@pytest.mark.parametrize("name", MULTIMODAL)
def test_coordinates_are_those_of_the_model(name):
    get_transformers_module("llama")
    points = torch.from_numpy(posenc.mrope_points([2, (2, 3, 4)]))
    for config, module in list_rotary_modules(name, WIDTHS.get(name, {})):
        try:
            cos, sin = module(torch.zeros(1, 1, 1), points.T[:, None])
        except Exception:  # of a module for one coordinate
            continue
        if cos.ndim != 3:
            continue
        rope = from_config(config, seq_axis=-2, layout="half")
        assert isinstance(rope, MRotaryEmbedding)
        half = cos.shape[-1] // 2
        twice = bool((cos[..., :half] == cos[..., half:]).all())  # or each number side by side
        pairs = slice(half) if twice else slice(None, None, 2)
        for found, expected in zip(rope.cos_sin(points, torch.float32), (cos, sin), strict=True):
            assert_close(found, expected[0][..., pairs], rtol=0, atol=1e-5)
        return
    raise AssertionError(f"{name} has no module for three coordinates")


def find_rotation(name: str, kind: str) -> tuple[Any, Callable[..., Any], int]:
    """Return a config of transformers, its rotation of vectors (L, d) by positions (L,), and d."""
    from benchmarks.model_facts import frequencies, rotations

    more = {"layer_type": kind} if kind else {}
    for config, module in list_rotary_modules(name, WIDTHS.get(name, {})):
        d = 2 * len(frequencies.read_frequencies(type(module), config)[kind][0])
        for apply in rotations.list_functions(type(module), config):
            for call in rotations.CALLS:
                for axes in (1, 3):
                    rotate = rotations.make_function(module, apply, call, more, axes)
                    try:
                        identity = posenc.identify(rotate, head_dim=d, seq_len=64)
                    except Exception:  # of a function with other arguments
                        continue
                    if identity.kind == "rotary":
                        return config, rotate, d
    raise AssertionError(f"{name} has no function that rotates")


def find_rotating_layer(config: Any) -> int | None:
    """Return the first layer of a model that rotates, or None where layers are unknown."""
    try:
        layers = posenc.model_positions(config).layers
    except ValueError:
        return None
    return next((layer.index for layer in layers if layer.rotates), None)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
def test_scores_are_those_of_every_model():
    """Scores, because DeepSeek's code also reorders channels."""
    get_transformers_module("llama")
    from benchmarks.model_facts import classes

    agree, different, refused = 0, [], []
    for name in sorted(classes.find_config_classes()):
        facts = get_facts(name)
        if facts is None or facts.layout is None:
            continue
        for kind in facts.pairs:
            config, rotate, d = find_rotation(name, kind)
            layer = find_rotating_layer(config)
            kinds = {"layer_type": kind} if kind else {"layer": layer}
            try:
                rope = from_config(config, seq_axis=-2, seq_len=16, **kinds)
            except ValueError as error:
                refused.append((name, kind, str(error)))
                continue
            assert rope is not None
            x = torch.randn(2, len(P), d)
            q, k = torch.nn.functional.pad(x, (0, rope.head_dim - d))
            several = isinstance(rope, MRotaryEmbedding)
            points = P[:, None].expand(-1, rope.n_axes) if several else P
            found = (rope(q, points) @ rope(k, points).T).numpy()
            theirs = [np.asarray(rotate(one.numpy(), P.numpy())) for one in x]
            if abs(found - theirs[0] @ theirs[1].T).max() < 1e-3:
                agree += 1
            else:
                different.append((name, kind))
    assert not different
    assert agree >= 180, refused


@pytest.mark.parametrize(
    ("config", "settings", "error", "said"),
    [
        (DYNAMIC, {}, ValueError, "seq_len must be given: .* beyond max_position_embeddings=64"),
        (LONG, {}, ValueError, "beyond original_max_position_embeddings=64"),
        (LLAMA, {"layout": "neox"}, ValueError, "layout must be"),
        (LLAMA, {"seq_axis": 1}, ValueError, "seq_axis must be -2 or -3"),
        (LLAMA, {"seq_len": -1}, ValueError, "seq_len must be at least 0"),
        (LLAMA, {"layer_type": "full_attention"}, ValueError, "leave out layer_type"),
        (SMOLLM, {}, ValueError, "layer must be given: layer 3 has no positions"),
        (SMOLLM, {"layer": 8}, ValueError, "layer must be below 8, the number of layers, got"),
        (SMOLLM, {"layer": -1}, ValueError, "layer must be at least 0"),
        (
            SMOLLM,
            {"layer": 0, "layer_type": "full_attention"},
            ValueError,
            "layer_type must be None",
        ),
        (LLAMA, {"layer": 0}, ValueError, "num_hidden_layers is missing"),
        (LLAMA, {"part": "vision_config"}, ValueError, "part must be None"),
        ({"model_type": "pixtral"}, {}, ValueError, "two coordinates"),
        ({"head_dim": 8, "rope_type": "default"}, {}, ValueError, "layout must be given"),
        (NEW, {}, ValueError, "layout must be given"),
        ([1], {}, TypeError, "config must be a mapping"),
    ],
)
def test_what_does_not_fit_is_refused(config, settings, error, said):
    with pytest.raises(error, match=said):
        from_config(config, **({"seq_axis": -2} | settings))


QWEN = {"model_type": "qwen3_vl_text", "head_dim": 16, "rope_theta": 1e6}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model_type": "qwen2_vl_text", "hidden_size": 32, "num_attention_heads": 2},
         "mrope_section is missing: the default .* doesn't fit 8 pairs"),
        ({"mrope_interleaved": False, "mrope_section": [4, 2, 2]}, "contradicts model_type"),
        (NEW | {"head_dim": 16, "mrope_section": [4, 2, 2]}, "mrope_interleaved must be given"),
        ({"model_type": "hunyuan_vl_text", "mrope_section": [4, 2, 2]}, "a way of its own"),
    ],
)  # fmt: skip
def test_coordinates_that_are_unclear_are_refused(change, said):
    with pytest.raises(ValueError, match=said):
        from_config(QWEN | change, seq_axis=-2, layout="half")


def test_sections_and_layout_may_be_given():
    rope = from_config(
        NEW | {"head_dim": 16, "mrope_section": [4, 2, 2], "mrope_interleaved": True},
        seq_axis=-3, layout="interleaved", compute_dtype=torch.float32,
    )  # fmt: skip

    assert isinstance(rope, MRotaryEmbedding)
    assert (rope.layout, rope.seq_axis) == ("interleaved", -3)
    assert rope.compute_dtype == torch.float32
    assert rope._axes.tolist() == [0, 1, 2, 0, 1, 2, 0, 0]


def test_the_share_of_a_head_and_its_width_are_those_of_the_config():
    config = {"model_type": "glm4", "head_dim": 128, "rope_theta": 10000.0}
    rope = from_config(config | {"partial_rotary_factor": 0.25}, seq_axis=-2)

    assert isinstance(rope, RotaryEmbedding)
    assert (rope.head_dim, rope.rotary_dim, rope.layout) == (128, 32, "interleaved")
