"""Positional encodings in NumPy: every equation stated, implemented and verified."""

from posenc.analysis import encoding_statistics, nearest_alias, separation
from posenc.encoder import SinusoidalPositionalEncoding
from posenc.frequencies import inv_freq, wavelengths
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

__all__ = [
    "SinusoidalPositionalEncoding",
    "attention",
    "attention_weights",
    "causal_mask",
    "dot_product_distance",
    "encoding_statistics",
    "inv_freq",
    "nearest_alias",
    "pe_similarity_by_distance",
    "permutation_matrix",
    "relative_position_matrix",
    "rotation_matrix",
    "separation",
    "sinusoidal_at",
    "sinusoidal_positional_encoding",
    "softmax",
    "wavelengths",
]
