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
from posenc.plots._costs import flops, roofline
from posenc.plots._counting import clock, counting, ladders
from posenc.plots._curves import errors, similarity, similarity_by_distance
from posenc.plots._images import gram, heatmap, matrix
from posenc.plots._learned import cosines, distances, movement
from posenc.plots._permutations import attention_maps, differences, permutation
from posenc.plots._points import regression, rotation
from posenc.plots._requirements import closest, same_offset, twins
from posenc.plots._separation import channel_statistics, separation, turns
from posenc.plots._waves import spectrum, waves

__all__ = [
    "attention_maps",
    "channel_statistics",
    "clock",
    "closest",
    "cosines",
    "counting",
    "differences",
    "distances",
    "errors",
    "flops",
    "gram",
    "heatmap",
    "ladders",
    "lengths",
    "matrix",
    "movement",
    "panels",
    "permutation",
    "regression",
    "roofline",
    "rotation",
    "same_offset",
    "separation",
    "similarity",
    "similarity_by_distance",
    "spectrum",
    "turns",
    "twins",
    "waves",
]
