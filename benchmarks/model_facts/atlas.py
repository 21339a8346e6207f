"""Write the table of docs/reference/atlas.md from the facts; transformers isn't needed.

uv run python -m benchmarks.model_facts.atlas
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/atlas.md"
FACTS = ROOT / "posenc/scaling/model_facts.json"
START, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"
SOURCE = "https://github.com/huggingface/transformers/tree/v5.24.0/src/transformers/models"
COLUMNS = (
    "model_type",
    "encoding",
    "pairing",
    "base",
    "rotated channels",
    "scaling",
    "layers without positions",
    "window",
    "scores and queries",
    "context",
    "class",
)
MODELS = """
    apertus bamba bitnet codegen cohere cohere2 dbrx deepseek_v2 deepseek_v3 deepseek_v4 ernie4_5
    ernie4_5_vl_moe_text esm eurobert exaone4 falcon falcon_h1 gemma gemma2 gemma3_text gemma3n_text
    gemma4_text glm glm4 glm4_moe glm4v_text gpt_neox gpt_oss gptj granite helium hunyuan_v1_dense
    lfm2 llama llama4_text mimo_v2_flash minimax minimax_m2 ministral3 mistral mistral4 mixtral
    modernbert moonshine nanochat nemotron nomic_bert olmo olmo2 olmo3 olmoe persimmon phi phi3
    phimoe qwen2 qwen2_5_omni_text qwen2_5_vl_text qwen2_moe qwen2_vl_text qwen3 qwen3_5_text
    qwen3_moe qwen3_next qwen3_vl_text seed_oss smollm3 stablelm starcoder2
"""
PAIRINGS = {"half": "halves", "interleaved": "neighbours", None: "–"}


def make_rows(facts: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each model."""
    for name in sorted([*MODELS.split(), *facts["tables"]]):
        if name in facts["tables"]:
            yield make_plain_row(name, facts["tables"][name])
        else:
            yield make_rotary_row(name, facts["models"][name])


def make_plain_row(name: str, facts: dict[str, Any]) -> tuple[str, ...]:
    """Return the cells of a model without rotary embedding."""
    encoding = ", ".join(facts["encodings"]) or "none"
    longest = next((n for n in facts["defaults"].values() if n > 0), "–")
    source = link_class(facts)
    return (f"`{name}`", encoding, *["–"] * 7, str(longest), source)


def make_rotary_row(name: str, facts: dict[str, Any]) -> tuple[str, ...]:
    """Return the cells of a model with rotary embedding."""
    defaults = facts["defaults"]
    layers = (
        (
            describe_unrotated(facts.get("rotates")),
            describe_window(facts.get("window")),
            describe_scores(facts),
        )
        if facts.get("measured_layers")
        else ("not measured",) * 3
    )
    return (
        f"`{name}`",
        describe_encoding(facts),
        PAIRINGS[facts["layout"]] + (", clockwise" if facts["sign"] < 0 else ""),
        describe_parameter(facts, "rope_theta", facts.get("base", "–")),
        describe_width(facts),
        describe_parameter(facts, "rope_type", "default").replace("default", "–"),
        *layers,
        str(defaults.get("max_position_embeddings", "–")),
        link_class(facts),
    )


def describe_encoding(facts: dict[str, Any]) -> str:
    """Return the name of the encoding, with the order of its axes."""
    axes = facts.get("axes")
    if not axes:
        return "RoPE"
    runs = sum(one != next_one for one, next_one in pairwise(axes))
    return "M-RoPE, contiguous" if runs == len(set(axes)) - 1 else "M-RoPE, interleaved"


def describe_parameter(facts: dict[str, Any], key: str, missing: Any) -> str:
    """Return a value of rope_parameters, or one for each kind of layer."""
    parameters = facts["defaults"].get("rope_parameters", {})
    kinds = {kind: value for kind, value in parameters.items() if isinstance(value, dict)}
    if not kinds:
        return format_number(parameters.get(key, missing))
    values = [format_number(kinds[kind].get(key, missing)) for kind in kinds]
    if len(set(values)) == 1:
        return values[0]
    return ", ".join(f"{v} ({k})" for k, v in zip(map(shorten, kinds), values, strict=True))


def describe_width(facts: dict[str, Any]) -> str:
    """Return how many channels rotate, and of how many."""
    defaults = facts["defaults"]
    if "qk_rope_head_dim" in defaults:
        return f"{defaults['qk_rope_head_dim']}, beside others"
    head = defaults.get("head_dim")
    if head is None and {"hidden_size", "num_attention_heads"} <= defaults.keys():
        head = defaults["hidden_size"] // defaults["num_attention_heads"]
    kinds = {kind: 2 * pairs for kind, pairs in facts["pairs"].items()}
    if len(set(kinds.values())) > 1:
        return ", ".join(f"{width} ({shorten(kind)})" for kind, width in kinds.items())
    width = next(iter(kinds.values()))
    if head is None:
        return str(width)
    return f"all {width}" if head == width else f"{width} of {head}"


def describe_unrotated(rotates: Any) -> str:
    """Return which layers have no positions, by kind or by their numbers."""
    if rotates is None:
        return "–"
    if isinstance(rotates, dict):
        return ", ".join(shorten(kind) or "all" for kind, value in rotates.items() if not value)
    numbers = [str(number) for number, value in enumerate(rotates) if not value]
    return f"{', '.join(numbers)} of the first {len(rotates)}"


def describe_window(window: Any) -> str:
    """Return the window of each kind of layer that has one."""
    if window is None:
        return "–"
    if isinstance(window, dict):
        kinds = {kind: size for kind, size in window.items() if size}
        return ", ".join(
            f"{size} ({shorten(kind)})" if kind else str(size) for kind, size in kinds.items()
        )
    sizes = {size for size in window if size}
    return f"{', '.join(map(str, sizes))} (some layers)"


def describe_scores(facts: dict[str, Any]) -> str:
    """Return the keys that scale scores or queries, and the bound of scores."""
    cells = [f"`{key}`" for key in facts.get("softmax_keys", {})]
    cells += [f"`{key}`" for key in facts.get("query_keys", {})]
    cap = facts.get("softcap")
    if cap:
        values = cap.values() if isinstance(cap, dict) else cap
        cells.append(f"soft cap {format_number(next(v for v in values if v))}")
    return ", ".join(cells) or "–"


def link_class(facts: dict[str, Any]) -> str:
    """Return the config class, linked to the folder of its version."""
    return f"[`{facts['source']}`]({SOURCE})"


def shorten(kind: str) -> str:
    """Return a kind of layer without the word attention."""
    return kind.removesuffix("_attention")


def format_number(value: Any) -> str:
    """Return a number without a decimal point that it doesn't need."""
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


def make_table(facts: dict[str, Any]) -> str:
    """Return the table in Markdown."""
    rows = [COLUMNS, tuple(":--" for _ in COLUMNS), *make_rows(facts)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def insert_table(page: str, table: str) -> str:
    """Return the page with another table between its two comments."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{table}\n{END}{after}"


if __name__ == "__main__":
    table = make_table(json.loads(FACTS.read_text("utf-8")))
    PAGE.write_text(insert_table(PAGE.read_text("utf-8"), table), "utf-8")
