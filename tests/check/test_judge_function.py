"""What the page *Judge a function* gets from Python: verdicts, and help where there is none."""

import io
import json
import textwrap
from typing import Any

import numpy as np
import pytest

import posenc
from browser.workbench import run_tool

ROPE = """
def rope(x, positions):
    half = x.shape[-1] // 2
    angles = np.outer(positions, 1 / 10000 ** (np.arange(half) / half))
    cos, sin = np.cos(angles), np.sin(angles)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
"""
TABLE = """
def encode({arguments}):
    angles = np.outer({positions}, 10000 ** (-np.arange(0, {width}, 2) / {width}))
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(-1, {width})
"""


def judge(text: str, reference: str = "llama", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        run_tool("judge", {"reference": reference, "text": text, **more})
    )
    return found


def judge_array(array: Any, reference: str) -> dict[str, Any]:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return judge("", reference, file=memoryview(stream.getvalue()), file_name="mine.npy")


@pytest.mark.parametrize(
    "text",
    [
        ROPE,
        textwrap.indent(ROPE, "    "),
        f"Some words.\n```python{ROPE}```\nMore words.",
        "\n".join(("... " if line[:1] == " " else ">>> ") + line for line in ROPE.splitlines()),
        f"%matplotlib inline\n!pip install numpy\n{ROPE}",
        f"{ROPE}\ndef main():\n    print(rope(np.ones((4, 8)), np.arange(4)))",
        f"{ROPE}class Rope:\n    def __call__(self, x, p):\n        return rope(x, p)\nf = Rope()",
    ],
)
def test_code_is_judged_as_it_is_pasted(text):
    assert judge(text)["holds"]


@pytest.mark.parametrize(
    ("arguments", "positions", "width"),
    [
        ("seq_len", "range(seq_len)", "64"),
        ("seq_len, d_model", "range(seq_len)", "d_model"),
        ("d_model, seq_len", "range(seq_len)", "d_model"),
        ("positions, dim", "positions", "dim"),
        ("length, size", "range(length)", "size"),
    ],
)
def test_tables_are_called_as_their_arguments_say(arguments, positions, width):
    text = TABLE.format(arguments=arguments, positions=positions, width=width)

    assert judge(text, "sinusoidal")["holds"]


def test_another_function_can_be_chosen():
    text = f"{ROPE}\ndef back(x, positions):\n    return rope(x, -positions)\n"

    assert judge(text)["function"] == "back"
    assert judge(text)["cause"] == "rotating in the opposite direction"
    assert judge(text)["functions"] == ["rope", "back"]
    assert judge(text, function="rope")["holds"]


@pytest.mark.parametrize(
    ("text", "reference", "words"),
    [
        ("def rope(x, positions):\n    return torch.cos(x)", "llama", "mine.py:rope --with llama"),
        ("def rope(x, positions):\n    return x.chunk(2)", "llama", "--arrays torch"),
        ("from einops import rearrange", "llama", "not einops"),
        ("class Rope:\n    pass", "llama", "Rope is a class"),
        ("def rope(positions, x):\n    return x", "llama", "takes the vectors second"),
        (TABLE.format(arguments="n, d", positions="n", width="d"), "llama", "looks like a table"),
        (ROPE, "sinusoidal", "looks like a rotation"),
        ("def rope(x, positions):\n    pass", "llama", "is a return missing?"),
        ("import sys\nsys.exit(1)", "llama", "Line 2: SystemExit"),
        ("x = 1", "llama", "defines no function and no array"),
    ],
)
def test_what_cannot_be_judged_is_explained(text, reference, words):
    assert words in judge(text, reference)["refused"]["message"]


@pytest.mark.parametrize(
    ("array", "reference", "words"),
    [
        (np.array([None]), "sinusoidal", "it holds Python objects"),
        (np.ones((4, 4)), "llama", "mine.npy is no function"),
        (np.ones((0, 4)), "sinusoidal", "mine.npy must not be empty"),
        (np.float64(1), "sinusoidal", "mine.npy must have at least 1 axis"),
    ],
)
def test_arrays_that_cannot_be_judged_are_explained(array, reference, words):
    assert words in judge_array(array, reference)["refused"]["message"]


def test_cosines_and_sines_are_judged_together():
    text = "angles = np.outer(range(64), posenc.inv_freq(32))\n"
    text = f"import posenc\n{text}cos, sin = np.cos(angles), np.sin(angles)"

    assert judge(text, "identify")["title"] == "cos, sin is rotary"


def test_a_config_with_several_kinds_needs_one():
    config = {"model_type": "gemma3_text", "hidden_size": 64, "num_attention_heads": 1}
    config |= {"head_dim": 64, "rope_theta": 1e6, "rope_local_base_freq": 1e4}
    given = {"config": json.dumps(config)}

    assert "layer_type" in judge(ROPE, "config", **given)["refused"]["message"]
    assert judge(ROPE, "config", layer_type="sliding_attention", **given)["holds"]


@pytest.mark.parametrize(("distance", "is_zero"), [(128, True), (64, False)])
def test_the_map_of_t5_is_zero_where_buckets_share_their_values(distance, is_zero):
    values = np.random.default_rng(0).normal(size=(32, 2))
    found = judge_array(posenc.t5_bias(values, 200, max_distance=distance), "t5")

    assert found["holds"] == is_zero
    assert (np.array(found["errors"]) == 0).all() == is_zero
