"""One drawing by each function of posenc.plots, and what the tests of drawings look at."""

import io
import math
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from posenc import plots


def paper(length: int, d: int) -> np.ndarray[Any, Any]:
    """Section 3.5 of the paper read aloud, for tables that the drawings receive."""
    row = [[p / 10000 ** (2 * i / d) for i in range(d // 2)] for p in range(length)]
    return np.array([[f(x) for x in angles for f in (math.sin, math.cos)] for angles in row])


PE = paper(40, 16)

# One call of each function, for what all of them must do.
DRAWINGS: dict[str, Callable[[], Figure]] = {
    "attention_maps": lambda: plots.attention_maps(
        {"a": (["x", "y"], np.eye(2)), "b": (["y", "x"], np.full((2, 2), 0.5))}, marked=("y", "x")
    ),
    "channel_statistics": lambda: plots.channel_statistics(PE),
    "clock": lambda: plots.clock(PE[:3, :4], ["0", "1", "2"], ["fast", "slow"]),
    "closest": lambda: plots.closest({"a": lambda n: PE[:n], "b": lambda n: -PE[:n]}, [2, 9, 30]),
    "cosines": lambda: plots.cosines({"a": PE, "b": -PE}),
    "counting": lambda: plots.counting(16, 4),
    "differences": lambda: plots.differences(
        {"a / b": {"blind": 0, "sees": 0.3}, "c / d": {"blind": 2e-16, "sees": 0.02}}
    ),
    "distances": lambda: plots.distances([1, 2, 4], {"a": [0, 0, 0], "b": [1, 3, 2]}),
    "errors": lambda: plots.errors([1, 10, 100], {"a": [1e-9, 1e-8, 1e-7], "b": [1e-9, 0, 2e-9]}),
    "flops": lambda: plots.flops(16, 4096),
    "gram": lambda: plots.gram(PE @ PE.T),
    "heatmap": lambda: plots.heatmap(PE),
    "lengths": lambda: plots.lengths({"code": 16, "token": 22.6, "small token": 0.45}),
    "ladders": lambda: plots.ladders({"bits": [2, 4, 8], "others": [6.3, 62.8]}),
    "matrix": lambda: plots.matrix(np.eye(16)),
    "movement": lambda: plots.movement(PE, PE * (np.arange(40)[:, np.newaxis] < 30)),
    "panels": lambda: plots.panels({"a": PE[:8, :8], "b": -PE[8:16, :8], "c": PE[:8, 8:]}),
    "permutation": lambda: plots.permutation([0, 4, 2, 3, 1], list("abcde")),
    "regression": lambda: plots.regression([1, 2, 4], [[1, 2, 3], [4, 2, 1]], ["a", "b"]),
    "roofline": lambda: plots.roofline(
        {"addition": (1, 8), "product": (1000, 10)}, flops_per_second=80, bytes_per_second=4
    ),
    "rotation": lambda: plots.rotation([0, 3, 7], 2, 0.5),
    "same_offset": lambda: plots.same_offset({"a": PE + 1, "b": PE + 9}, 4),
    "separation": lambda: plots.separation([1, 2, 4, 6], 10_000),
    "similarity": lambda: plots.similarity(PE, [0, 20, 39]),
    "similarity_by_distance": lambda: plots.similarity_by_distance(PE @ PE[0]),
    "spectrum": lambda: plots.spectrum(16),
    "turns": lambda: plots.turns(16, 100, [100, 10000]),
    "twins": lambda: plots.twins(PE[:, 0], [(5, 17), (11, 33)]),
    "waves": lambda: plots.waves(16, 40, [0, 2]),
}


def in_ink(ink: str) -> Any:
    """Return settings as the book has them, with everything written in one colour."""
    names = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    settings: Any = dict.fromkeys(names, ink)
    return matplotlib.rc_context(settings)


def svg(figure: Figure) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def texts(figure: Figure) -> Iterator[Text]:
    """Yield all that is written on the figure and is not empty."""
    figure.draw_without_rendering()
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_text() and text.get_visible():
            yield text


def written(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def xy(line: Any) -> Any:
    return np.array(line.get_data())
