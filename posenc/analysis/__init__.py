"""Analysis of encodings: distances, aliasing, rotary scores, regression."""

from posenc.analysis.aliasing import alias_bound, first_alias, least_distance
from posenc.analysis.attention_terms import score_terms
from posenc.analysis.distances import distance_by_offset, nearest_alias, separation
from posenc.analysis.folded_frequencies import apparent_frequency
from posenc.analysis.gaussian import gaussian_kernel, gaussian_ripple
from posenc.analysis.periods import period_power
from posenc.analysis.permutations import permutation_matrix
from posenc.analysis.regression import fit_linear, noise_gain
from posenc.analysis.rotary_scores import ScoreWaves, query_for_offset, score_by_offset, score_waves
from posenc.analysis.rotations import count_rotations
from posenc.analysis.rounded_rows import first_equal_neighbours, first_equal_rows

__all__ = [
    "ScoreWaves",
    "alias_bound",
    "apparent_frequency",
    "count_rotations",
    "distance_by_offset",
    "first_alias",
    "first_equal_neighbours",
    "first_equal_rows",
    "fit_linear",
    "gaussian_kernel",
    "gaussian_ripple",
    "least_distance",
    "nearest_alias",
    "noise_gain",
    "period_power",
    "permutation_matrix",
    "query_for_offset",
    "score_by_offset",
    "score_terms",
    "score_waves",
    "separation",
]
