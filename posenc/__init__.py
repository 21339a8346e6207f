"""Positional encodings in NumPy: every equation stated, implemented and verified."""

from posenc import laws as laws
from posenc.analysis import (
    distance_by_offset,
    encoding_statistics,
    nearest_alias,
    separation,
    turns,
)
from posenc.costs import (
    addition_flops,
    attention_flops,
    feed_forward_flops,
    matmul_flops,
    rotation_flops,
)
from posenc.counting import binary_encoding, bit_frequencies, clock_hands, square_waves
from posenc.embedding import PositionalEmbedding
from posenc.encoder import SinusoidalPositionalEncoding
from posenc.frequencies import inv_freq, wavelengths
from posenc.learned import LearnedPositionalEncoding
from posenc.relative import (
    dot_product_distance,
    pe_similarity_by_distance,
    relative_position_matrix,
    rotation_matrix,
)
from posenc.scaled_dot_product import (
    attention,
    attention_weights,
    causal_mask,
    permutation_matrix,
    softmax,
)
from posenc.sinusoidal import sinusoidal_at, sinusoidal_positional_encoding
from posenc.terms import score_terms
from posenc.traffic import roofline_seconds, table_bytes, traffic_bytes

__all__ = [
    "LearnedPositionalEncoding",
    "PositionalEmbedding",
    "SinusoidalPositionalEncoding",
    "addition_flops",
    "attention",
    "attention_flops",
    "attention_weights",
    "binary_encoding",
    "bit_frequencies",
    "causal_mask",
    "clock_hands",
    "distance_by_offset",
    "dot_product_distance",
    "encoding_statistics",
    "feed_forward_flops",
    "inv_freq",
    "matmul_flops",
    "nearest_alias",
    "pe_similarity_by_distance",
    "permutation_matrix",
    "relative_position_matrix",
    "roofline_seconds",
    "rotation_flops",
    "rotation_matrix",
    "score_terms",
    "separation",
    "sinusoidal_at",
    "sinusoidal_positional_encoding",
    "softmax",
    "square_waves",
    "table_bytes",
    "traffic_bytes",
    "turns",
    "wavelengths",
]
