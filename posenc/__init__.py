"""Positional encodings in NumPy: every equation stated, implemented and verified."""

from typing import TYPE_CHECKING, Any

from posenc import exercises as exercises
from posenc import laws as laws
from posenc.added.analysis import (
    distance_by_offset,
    encoding_statistics,
    nearest_alias,
    separation,
    turns,
)
from posenc.added.attention_terms import score_terms
from posenc.added.costs import (
    addition_flops,
    attention_flops,
    feed_forward_flops,
    matmul_flops,
    rotation_flops,
)
from posenc.added.counting import binary_encoding, bit_frequencies, clock_hands, square_waves
from posenc.added.embedding_layer import PositionalEmbedding
from posenc.added.learned_layer import LearnedPositionalEncoding
from posenc.added.memory_traffic import (
    cache_bytes,
    roofline_seconds,
    table_bytes,
    traffic_bytes,
)
from posenc.added.relative_position import (
    dot_product_distance,
    pe_similarity_by_distance,
    relative_position_matrix,
    rotation_matrix,
)
from posenc.added.sinusoidal import sinusoidal_at, sinusoidal_positional_encoding
from posenc.added.sinusoidal_layer import SinusoidalPositionalEncoding
from posenc.core.frequencies import inv_freq, wavelengths
from posenc.core.layouts import convert_layout, convert_weights
from posenc.core.scaled_dot_product import (
    attention,
    attention_weights,
    permutation_matrix,
    softmax,
)
from posenc.limits.aliasing import alias_bound, first_alias, least_distance
from posenc.limits.folded_frequencies import apparent_frequency
from posenc.limits.hybrid import hybrid_encoding
from posenc.limits.masks import (
    causal_mask,
    cu_seqlens,
    key_padding_mask,
    packed_mask,
    packed_positions,
    position_ids,
    real_tokens,
)
from posenc.limits.padding import masked_loss, masked_mean, zero_at_padding
from posenc.limits.regression import fit_linear, noise_gain
from posenc.limits.scaling import RopeParameters, ntk_base, rope_parameters
from posenc.positions.axial_rotary import (
    axial_cos_sin,
    mrope_axes,
    mrope_cos_sin,
    mrope_points,
)
from posenc.positions.dna_strands import mirror_pairs, reverse_complement
from posenc.positions.grids import axial_encoding, grid_points
from posenc.positions.orientations import (
    rotation_from_quaternion,
    rotation_from_six,
    six_from_rotation,
)
from posenc.positions.periods import period_power, periodic_encoding
from posenc.positions.poses import apply_poses, pose_matrices, relative_poses
from posenc.relative.alibi import alibi_bias, alibi_bias_at, alibi_slopes
from posenc.relative.contextual import cope_bias, cope_positions
from posenc.relative.deberta_buckets import deberta_bucket
from posenc.relative.disentangled import deberta_scores
from posenc.relative.distance_biases import fire_bias, kerple_bias
from posenc.relative.four_terms import transformer_xl_scores
from posenc.relative.fourier import fourier_encoding
from posenc.relative.kernels import (
    gaussian_bias,
    gaussian_encoding,
    gaussian_kernel,
    gaussian_ripple,
)
from posenc.relative.offset_vectors import relative_scores, relative_values
from posenc.relative.rotary import apply_rotary, rotary_cos_sin, rotate_pairs
from posenc.relative.rotary_scores import ScoreWaves, query_for, score_by_offset, score_waves
from posenc.relative.skewing import skew
from posenc.relative.t5_buckets import relative_position_bucket, t5_bias
from posenc.relative.window_offsets import window_index
from posenc.relative.xpos import xpos_scale

if TYPE_CHECKING:
    from posenc.judging import Comparison, Identity, compare, identify

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Identity",
    "LearnedPositionalEncoding",
    "PositionalEmbedding",
    "RopeParameters",
    "ScoreWaves",
    "SinusoidalPositionalEncoding",
    "addition_flops",
    "alias_bound",
    "alibi_bias",
    "alibi_bias_at",
    "alibi_slopes",
    "apparent_frequency",
    "apply_poses",
    "apply_rotary",
    "attention",
    "attention_flops",
    "attention_weights",
    "axial_cos_sin",
    "axial_encoding",
    "binary_encoding",
    "bit_frequencies",
    "cache_bytes",
    "causal_mask",
    "clock_hands",
    "compare",
    "convert_layout",
    "convert_weights",
    "cope_bias",
    "cope_positions",
    "cu_seqlens",
    "deberta_bucket",
    "deberta_scores",
    "distance_by_offset",
    "dot_product_distance",
    "encoding_statistics",
    "feed_forward_flops",
    "fire_bias",
    "first_alias",
    "fit_linear",
    "fourier_encoding",
    "gaussian_bias",
    "gaussian_encoding",
    "gaussian_kernel",
    "gaussian_ripple",
    "grid_points",
    "hybrid_encoding",
    "identify",
    "inv_freq",
    "kerple_bias",
    "key_padding_mask",
    "least_distance",
    "masked_loss",
    "masked_mean",
    "matmul_flops",
    "mirror_pairs",
    "mrope_axes",
    "mrope_cos_sin",
    "mrope_points",
    "nearest_alias",
    "noise_gain",
    "ntk_base",
    "packed_mask",
    "packed_positions",
    "pe_similarity_by_distance",
    "period_power",
    "periodic_encoding",
    "permutation_matrix",
    "pose_matrices",
    "position_ids",
    "query_for",
    "real_tokens",
    "relative_poses",
    "relative_position_bucket",
    "relative_position_matrix",
    "relative_scores",
    "relative_values",
    "reverse_complement",
    "roofline_seconds",
    "rope_parameters",
    "rotary_cos_sin",
    "rotate_pairs",
    "rotation_flops",
    "rotation_from_quaternion",
    "rotation_from_six",
    "rotation_matrix",
    "score_by_offset",
    "score_terms",
    "score_waves",
    "separation",
    "sinusoidal_at",
    "sinusoidal_positional_encoding",
    "six_from_rotation",
    "skew",
    "softmax",
    "square_waves",
    "t5_bias",
    "table_bytes",
    "traffic_bytes",
    "transformer_xl_scores",
    "turns",
    "wavelengths",
    "window_index",
    "xpos_scale",
    "zero_at_padding",
]


def __getattr__(name: str) -> Any:
    """Load the judges when one of them is first named: who wants a table does not wait for them."""
    if name in ("Comparison", "Identity", "compare", "identify"):
        from posenc import judging

        return getattr(judging, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
