"""Scaling rules with the settings that published models have.

Letters in this module
    d  rotated channels    s  factor    L_0  original length
"""

import itertools
from collections.abc import Iterator
from dataclasses import replace

from posenc.scaling.rules import ntk_base
from posenc.scaling.settings import Settings

BASES = (
    *(10000.0, 500000.0, 1000000.0, 5000000.0, 10000000.0, 150000.0, 160000.0, 100000.0),
    *(50000.0, 25000.0, 40000.0, 130000.0, 200000.0, 1500000.0, 2000000.0, 3000000.0),
    *(4000000.0, 8000000.0, 11158840.0, 50000000.0, 75000000.0, 100000000.0, 1000000000.0),
)
FACTORS = (8.0, 4.0, 32.0, 2.0, 16.0, 40.0, 64.0, 128.0, 1.5, 2.5, 3.0, 5.0, 6.0, 10.0, 20.0, 48.0)
LENGTHS = (8192, 4096, 32768, 2048, 16384, 65536, 131072, 262144, 1024, 512)


def list_scaled(settings: Settings) -> Iterator[tuple[str, Settings]]:
    """Yield scaling rules of published models for the base and width of these settings, in words.

    The NTK-aware rule changes only the base, so its rope_type is "default".
    """
    for factor in FACTORS:
        yield f"linear factor {factor:g}", apply_rule(settings, "linear", factor=factor)
        keys = {"factor": factor, "original_max_position_embeddings": 8192}
        words = f"llama3 scaling (factor {factor:g}, original length 8192)"
        smoothing = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
        yield words, apply_rule(settings, "llama3", **keys, **smoothing)
    for factor, original in itertools.product(FACTORS, LENGTHS):
        keys = {"factor": factor, "original_max_position_embeddings": original}
        words = f"YaRN scaling (factor {factor:g}, original length {original}"
        yield f"{words})", apply_rule(settings, "yarn", **keys)
        if original == 4096:  # as gpt-oss has it
            exact = apply_rule(settings, "yarn", **keys, truncate=False)
            yield f"{words}, ramp ends not rounded)", exact
    if settings.dim >= 4:
        for factor in FACTORS:
            base = ntk_base(settings.base, factor, settings.dim)
            words = f"the NTK-aware base for factor {factor:g}"
            yield words, replace(apply_rule(settings, "default"), base=base)


def apply_rule(settings: Settings, rope_type: str, **keys: float | bool) -> Settings:
    """Return settings with the same base and width, and another rule."""
    return replace(settings, rope_type=rope_type, given=keys)
