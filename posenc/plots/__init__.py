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
    raise ImportError("posenc.plots needs Matplotlib: pip install posenc[plots]") from error

from posenc.plots._adding import lengths, panels
from posenc.plots._aliasing import first_aliases, protection, returns
from posenc.plots._biases import bias_maps, bucket_steps, slopes, windows
from posenc.plots._costs import flops, roofline
from posenc.plots._counting import clock, counting, ladders
from posenc.plots._curves import errors, similarity, similarity_by_distance
from posenc.plots._experiments import accuracies, accuracies_by_length, losses_by_place
from posenc.plots._extrapolation import bands
from posenc.plots._filters import filter_bank, responses, wave_parts
from posenc.plots._grids import grid_maps, strips
from posenc.plots._images import gram, heatmap, matrix
from posenc.plots._kernels import bumps, profiles
from posenc.plots._learned import cosines, distances, movement
from posenc.plots._masks import batches, leak, masks
from posenc.plots._permutations import attention_maps, differences, permutation
from posenc.plots._points import regression, rotation
from posenc.plots._requirements import closest, same_offset, twins
from posenc.plots._rotary import pair_layouts, rotary_decay, turned_pair
from posenc.plots._scaling import growth, stretch
from posenc.plots._sciences import fitted_curves, poses
from posenc.plots._separation import channel_statistics, separation, turns
from posenc.plots._waves import spectrum, waves

__all__ = [
    "accuracies",
    "accuracies_by_length",
    "attention_maps",
    "bands",
    "batches",
    "bias_maps",
    "bucket_steps",
    "bumps",
    "channel_statistics",
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
    "movement",
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
    "rotation",
    "same_offset",
    "separation",
    "similarity",
    "similarity_by_distance",
    "slopes",
    "spectrum",
    "stretch",
    "strips",
    "turned_pair",
    "turns",
    "twins",
    "wave_parts",
    "waves",
    "windows",
]
