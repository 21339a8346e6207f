"""Drawings of positional encodings: each function returns a Matplotlib `Figure`.

Nothing is saved or shown, and no setting is changed. Colours, line colours and text size
are those of `matplotlib.rcParams` at the call, so one call suits a light page and a dark one.

Letters in these modules
    L  positions (seq_len)      p, q  positions     i  index of a pair, 0..d/2-1
    d  channels (d_model)       k  offset           ω  angular frequency, radians per position
"""

try:
    import matplotlib as _matplotlib  # noqa: F401
except ImportError as error:
    raise ImportError("posenc.plots needs Matplotlib: pip install matplotlib") from error

from posenc.plots.adding import lengths, panels
from posenc.plots.aliasing import first_aliases, protection, returns
from posenc.plots.biases import bias_maps, bucket_steps, slopes, windows
from posenc.plots.costs import flops, roofline
from posenc.plots.counters import bit_to_pair, clock, counting, ladders
from posenc.plots.curves import errors, similarity, similarity_by_distance
from posenc.plots.distances import channel_statistics, chords, separation, turns
from posenc.plots.experiments import accuracies, accuracies_by_length, losses_by_place
from posenc.plots.extrapolation import bands
from posenc.plots.filters import filter_bank, responses, wave_parts
from posenc.plots.grids import grid_maps, strips, token_points
from posenc.plots.images import gram, heatmap, matrix
from posenc.plots.kernels import bumps, profiles
from posenc.plots.learned import cosines, distances
from posenc.plots.masking import batches, leak, masks
from posenc.plots.permutations import attention_maps, differences, permutation, word_vectors
from posenc.plots.points import regression, rotation
from posenc.plots.requirements import closest, same_offset, twins
from posenc.plots.rotary import pair_layouts, rotary_decay, rotated_pair, rotated_pairs
from posenc.plots.scaling import growth, stretch
from posenc.plots.sciences import fitted_curves, poses
from posenc.plots.sinusoids import spectrum, waves

__all__ = [
    "accuracies",
    "accuracies_by_length",
    "attention_maps",
    "bands",
    "batches",
    "bias_maps",
    "bit_to_pair",
    "bucket_steps",
    "bumps",
    "channel_statistics",
    "chords",
    "clock",
    "closest",
    "cosines",
    "counting",
    "differences",
    "distances",
    "errors",
    "filter_bank",
    "first_aliases",
    "fitted_curves",
    "flops",
    "gram",
    "grid_maps",
    "growth",
    "heatmap",
    "ladders",
    "leak",
    "lengths",
    "losses_by_place",
    "masks",
    "matrix",
    "pair_layouts",
    "panels",
    "permutation",
    "poses",
    "profiles",
    "protection",
    "regression",
    "responses",
    "returns",
    "roofline",
    "rotary_decay",
    "rotated_pair",
    "rotated_pairs",
    "rotation",
    "same_offset",
    "separation",
    "similarity",
    "similarity_by_distance",
    "slopes",
    "spectrum",
    "stretch",
    "strips",
    "token_points",
    "turns",
    "twins",
    "wave_parts",
    "waves",
    "windows",
    "word_vectors",
]
