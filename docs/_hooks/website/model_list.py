"""The models that readers can choose on the page *Inspect a model*.

First come published configs, with the keys that matter for positions and the cache; then the
classes of transformers with their defaults and an example of a number of layers.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from check.paths import PACKAGE

SITE_FILE = "assets/workbench/models.json"
FACTS = PACKAGE / "scaling/model_facts.json"
PUBLISHED = Path(__file__).with_name("published_configs.json")
FEWEST = 4  # layers of an example
# Widths that a class computes, so that its defaults don't have the key.
COMPUTED = {
    "diffusion_gemma_text": {"global_head_dim": 512},
    "embedding_gemma2_text": {"global_head_dim": 512},
    "gemma4_text": {"global_head_dim": 512},
    "gemma4_unified_text": {"global_head_dim": 512},
    "moonshine": {"head_dim": 36},
}
# Classes whose defaults give each head an odd number of rotated channels. Published configs
# state another width.
ODD = ("glm4_moe", "glm4v_moe_text", "qwen3_omni_moe_text")


def list_files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the list as a file of the site."""
    yield File.generated(config, SITE_FILE, content=json.dumps(list_models()))


def list_models() -> dict[str, dict[str, Any]]:
    """Return configs by the name that a reader chooses."""
    published = json.loads(PUBLISHED.read_text("utf-8"))
    return {**published, **dict(sorted(_list_classes()))}


def _list_classes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield classes whose defaults describe rotations of text, with an example of layers."""
    for model_type, facts in json.loads(FACTS.read_text("utf-8"))["models"].items():
        defaults = facts["defaults"]
        rope = defaults.get("rope_parameters") or {}
        unreadable = (
            facts.get("refused")
            or rope.get("rope_type") == "axial"
            or facts.get("kinds") == []  # kinds of layers that follow no pattern
        )
        if unreadable or model_type in ODD:
            continue
        period = max(len(facts.get("kinds") or ()), facts.get("no_rope_interval") or 0)
        config = {"model_type": model_type, "num_hidden_layers": 2 * period or FEWEST, **defaults}
        config |= COMPUTED.get(model_type, {})
        yield f"{model_type} (defaults of {facts['source']})", config
