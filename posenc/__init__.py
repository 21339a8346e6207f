"""Positional encodings in NumPy: every equation stated, implemented and verified.

The encodings, rotations and biases that models use are at the top. What belongs to one subject
has a namespace of its own, which is loaded when it is first used: `posenc.analysis`,
`posenc.batches`, `posenc.costs`, `posenc.counting`, `posenc.geometry`, `posenc.judging`,
`posenc.laws`, `posenc.trained` and `posenc.exercises`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from posenc.biases.alibi import alibi_bias, alibi_bias_at, alibi_slopes
from posenc.biases.cope import cope_bias, cope_positions
from posenc.biases.deberta_buckets import deberta_bucket
from posenc.biases.deberta_scores import deberta_scores
from posenc.biases.fire import fire_bias
from posenc.biases.gaussian import gaussian_bias
from posenc.biases.kerple import kerple_bias
from posenc.biases.relative_vectors import relative_scores, relative_values
from posenc.biases.skewing import skew_scores
from posenc.biases.swin import window_index
from posenc.biases.t5 import relative_position_bucket, t5_bias
from posenc.biases.transformer_xl import transformer_xl_scores
from posenc.core.attention import attention, attention_weights, softmax
from posenc.core.frequencies import inv_freq, wavelengths
from posenc.core.layouts import convert_layout, convert_weights
from posenc.layers.embedding import PositionalEmbedding
from posenc.layers.learned import LearnedPositionalEncoding
from posenc.layers.sinusoidal import SinusoidalPositionalEncoding
from posenc.rotary.axial import axial_cos_sin
from posenc.rotary.cached_keys import rerotate_keys
from posenc.rotary.mrope import mrope_axes, mrope_cos_sin, mrope_points
from posenc.rotary.rotation import apply_rotary, rotary_cos_sin, rotate_pairs
from posenc.rotary.xpos import xpos_scale
from posenc.scaling.models import model_positions
from posenc.scaling.parameters import RopeParameters, rope_parameters
from posenc.scaling.rules import ntk_base
from posenc.tables.fourier import fourier_encoding
from posenc.tables.gaussian import gaussian_encoding
from posenc.tables.grids import axial_encoding, grid_points
from posenc.tables.hybrid import hybrid_encoding
from posenc.tables.periodic import periodic_encoding
from posenc.tables.relative_position import (
    dot_product_distance,
    pe_similarity_by_distance,
    relative_position_matrix,
    rotation_matrix,
)
from posenc.tables.sinusoidal import sinusoidal_at, sinusoidal_positional_encoding
from posenc.tables.statistics import encoding_statistics

if TYPE_CHECKING:
    from posenc import analysis as analysis
    from posenc import batches as batches
    from posenc import costs as costs
    from posenc import counting as counting
    from posenc import exercises as exercises
    from posenc import geometry as geometry
    from posenc import judging as judging
    from posenc import laws as laws
    from posenc import trained as trained
    from posenc.judging import compare, identify

__version__ = "0.2.0.dev0"

__all__ = [
    "LearnedPositionalEncoding",
    "PositionalEmbedding",
    "RopeParameters",
    "SinusoidalPositionalEncoding",
    "alibi_bias",
    "alibi_bias_at",
    "alibi_slopes",
    "apply_rotary",
    "attention",
    "attention_weights",
    "axial_cos_sin",
    "axial_encoding",
    "compare",
    "convert_layout",
    "convert_weights",
    "cope_bias",
    "cope_positions",
    "deberta_bucket",
    "deberta_scores",
    "dot_product_distance",
    "encoding_statistics",
    "fire_bias",
    "fourier_encoding",
    "gaussian_bias",
    "gaussian_encoding",
    "grid_points",
    "hybrid_encoding",
    "identify",
    "inv_freq",
    "kerple_bias",
    "model_positions",
    "mrope_axes",
    "mrope_cos_sin",
    "mrope_points",
    "ntk_base",
    "pe_similarity_by_distance",
    "periodic_encoding",
    "relative_position_bucket",
    "relative_position_matrix",
    "relative_scores",
    "relative_values",
    "rerotate_keys",
    "rope_parameters",
    "rotary_cos_sin",
    "rotate_pairs",
    "rotation_matrix",
    "sinusoidal_at",
    "sinusoidal_positional_encoding",
    "skew_scores",
    "softmax",
    "t5_bias",
    "transformer_xl_scores",
    "wavelengths",
    "window_index",
    "xpos_scale",
]

NAMESPACES = (
    "analysis",
    "batches",
    "costs",
    "counting",
    "exercises",
    "geometry",
    "judging",
    "laws",
    "trained",
)


def __getattr__(name: str) -> Any:
    """Import a namespace, or `compare` and `identify`, when it is first used."""
    if name in NAMESPACES:
        return import_module(f"posenc.{name}")
    if name in ("compare", "identify"):
        return getattr(import_module("posenc.judging"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *NAMESPACES})
