"""Find which keys of a config change the frequencies, by changing one at a time."""

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.model_facts.frequencies import Frequencies, list_changed

# Keys that published files hold although classes may not declare them.
PUBLISHED: dict[str, Any] = {
    "compress_rope_theta": 12345.0,
    "global_rope_theta": 12345.0,
    "head_dim": 48,
    "hidden_size": 192,
    "kv_channels": 48,
    "local_rope_theta": 12345.0,
    "partial_rotary_factor": 0.75,
    "qk_rope_head_dim": 48,
    "rope_local_base_freq": 12345.0,
    "rope_parameters": {"rope_type": "linear", "factor": 8.0, "rope_theta": 12345.0},
    "rope_percent": 0.75,
    "rope_pct": 0.75,
    "rope_scaling": {"rope_type": "linear", "factor": 8.0},
    "rope_theta": 12345.0,
    "rotary_base": 12345.0,
    "rotary_dim": 48,
    "rotary_emb_base": 12345.0,
    "rotary_pct": 0.75,
    "swa_rope_theta": 12345.0,
}
MAPPINGS = ("rope_parameters", "rope_scaling")
WIDTHS = ("head_dim", "kv_channels", "qk_rope_head_dim", "rotary_dim")
NOT_TRIED = {"num_hidden_layers", "rope_parameters", "vocab_size"}

Read = Callable[[dict[str, Any]], Frequencies]


def find_read_keys(read: Read, defaults: dict[str, Any]) -> dict[str, list[str]]:
    """Return, for each key that changes frequencies, the kinds of layers where it does."""
    usual = read({})
    frequencies, _ = next(iter(usual.values()))
    found = {}
    for key, value in (*_list_changes(defaults), *_list_long_factors(len(frequencies))):
        try:
            changed = list_changed(usual, read({key: value}))
        except Exception as refusal:  # what a class checks, it reads
            named = key in WIDTHS and key in str(refusal)
            named &= not isinstance(refusal, AttributeError)  # of a property without a setter
            changed = list(usual) if key in MAPPINGS or named else []
        if changed:
            found[key] = changed
    return found


def _list_changes(defaults: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from PUBLISHED.items()
    for key, value in defaults.items():
        if key in PUBLISHED or key in NOT_TRIED or isinstance(value, bool):
            continue
        if isinstance(value, int | float) and value > 0:
            yield key, value * 2 if isinstance(value, int) else value / 2


def _list_long_factors(pairs: int) -> Iterator[tuple[str, Any]]:
    """Yield the only rule that Phi-3 and its relatives take."""
    rule: dict[str, Any] = {"rope_type": "longrope", "short_mscale": 1.0, "long_mscale": 1.0}
    rule |= {"short_factor": [8.0] * pairs, "long_factor": [8.0] * pairs}
    rule["original_max_position_embeddings"] = 4096
    yield "rope_scaling", rule
    yield "rope_parameters", rule | {"rope_theta": 10000.0}
