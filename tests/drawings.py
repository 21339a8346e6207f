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
    "errors": lambda: plots.errors([1, 10, 100], {"a": [1e-9, 1e-8, 1e-7], "b": [1e-9, 0, 2e-9]}),
    "gram": lambda: plots.gram(PE @ PE.T),
    "heatmap": lambda: plots.heatmap(PE),
    "matrix": lambda: plots.matrix(np.eye(16)),
    "regression": lambda: plots.regression([1, 2, 4], [[1, 2, 3], [4, 2, 1]], ["a", "b"]),
    "rotation": lambda: plots.rotation([0, 3, 7], 2, 0.5),
    "similarity": lambda: plots.similarity(PE, [0, 20, 39]),
    "similarity_by_distance": lambda: plots.similarity_by_distance(PE @ PE[0]),
    "spectrum": lambda: plots.spectrum(16),
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
