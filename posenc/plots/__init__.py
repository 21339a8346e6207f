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

from posenc.plots._curves import errors, similarity, similarity_by_distance
from posenc.plots._images import gram, heatmap, matrix
from posenc.plots._points import regression, rotation
from posenc.plots._waves import spectrum, waves

__all__ = [
    "errors",
    "gram",
    "heatmap",
    "matrix",
    "regression",
    "rotation",
    "similarity",
    "similarity_by_distance",
    "spectrum",
    "waves",
]
