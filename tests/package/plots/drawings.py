"""One drawing by each function of posenc.plots, and helpers of their tests."""

import io
import math
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import numpy as np
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
    "accuracies": lambda: plots.accuracies(
        {"a": [0.4, 0.6], "b": [1, 0.9]}, chance=0.5, xlabel="right"
    ),
    "accuracies_by_length": lambda: plots.accuracies_by_length(
        [8, 16],
        {"t": {"a": [[1, 0.9], [1, 0.7]], "b": [[1, 0.2]]}, "u": {"b": [[0.9, 0.1]]}},
        chance={"t": 0.5, "u": 0.1},
        ylabel="right",
    ),
    "attention_maps": lambda: plots.attention_maps(
        {"a": (["x", "y"], np.eye(2)), "b": (["y", "x"], np.full((2, 2), 0.5))}, marked=("y", "x")
    ),
    "word_vectors": lambda: plots.word_vectors(
        {"a": (["x", "y"], PE[:2], PE[:2]), "b": (["y", "x"], PE[1::-1], PE[:2])}
    ),
    "batches": lambda: plots.batches({"left": ([[-1, 0, 0], [1, 1, 1]], [[0, 0, 1], [0, 1, 2]])}),
    "bands": lambda: plots.bands(
        [0, 1, 2, 3],
        {"t": {"a": [[1, 2, 3, 4], [1, 3, 9, 9]], "b": [[1, 1, 2, 3]]}, "u": {"b": [[1, 1, 1, 5]]}},
        seen=1.5,
        xlabel="position",
        ylabel="error",
    ),
    "bias_maps": lambda: plots.bias_maps(
        {"a": np.array([[0, -math.inf], [-1, 0]]), "b": -abs(PE[:3, :3])}
    ),
    "bit_to_pair": lambda: plots.bit_to_pair(3, [2, 5]),
    "bucket_steps": lambda: plots.bucket_steps(20, num_buckets=8, max_distance=16),
    "bumps": lambda: plots.bumps(range(40), abs(PE[:, ::4]), 12),
    "channel_statistics": lambda: plots.channel_statistics(PE),
    "chords": lambda: plots.chords(5, 50, 8),
    "clock": lambda: plots.clock(PE[:3, :4], ["0", "1", "2"], ["fast", "slow"]),
    "closest": lambda: plots.closest({"a": lambda n: PE[:n], "b": lambda n: -PE[:n]}, [2, 9, 30]),
    "cosines": lambda: plots.cosines({"a": PE, "b": -PE}),
    "counting": lambda: plots.counting(16, 4),
    "differences": lambda: plots.differences(
        {"a / b": {"blind": 0, "sees": 0.3}, "c / d": {"blind": 2e-16, "sees": 0.02}}
    ),
    "distances": lambda: plots.distances([1, 2, 4], {"a": [0, 0, 0], "b": [1, 3, 2]}),
    "errors": lambda: plots.errors([1, 10, 100], {"a": [1e-9, 1e-8, 1e-7], "b": [1e-9, 0, 2e-9]}),
    "filter_bank": lambda: plots.filter_bank({"slow": PE[:, 5], "fast": PE[:, 1]}, -20),
    "first_aliases": lambda: plots.first_aliases([1, 4], 20_000),
    "fitted_curves": lambda: plots.fitted_curves(
        [0, 1, 2, 3, 50, 51],
        {"a": [1, 2, 3, 2, 1, 2], "b": [0, 0, 1, 1, 2, 2]},
        measured=[1, 2, 2, 2, 1, 1],
        marked=(1, 3, "here"),
    ),
    "flops": lambda: plots.flops(16, 4096),
    "gram": lambda: plots.gram(PE @ PE.T),
    "growth": lambda: plots.growth([2, 8], 4),
    "grid_maps": lambda: plots.grid_maps({"a": abs(PE[:8, :12]), "b": PE[:8, :12] ** 2}),
    "heatmap": lambda: plots.heatmap(PE),
    "leak": lambda: plots.leak([0, 1, 4], {"a": [0, 0.4, 0.9], "b": [0, 0, 0]}),
    "lengths": lambda: plots.lengths({"code": 16, "token": 22.6, "small token": 0.45}),
    "ladders": lambda: plots.ladders({"bits": [2, 4, 8], "others": [6.3, 62.8]}),
    "losses_by_place": lambda: plots.losses_by_place(
        {"a": [[1, 2, 4], [3, 2, 4]], "b": [[2, 1, 1.5]]}, seq_len=12, trained=3, xlabel="place"
    ),
    "masks": lambda: plots.masks({"a": PE[:6, :4] > 0.5, "b": PE[:4, :4] > 2}),
    "matrix": lambda: plots.matrix(np.eye(16)),
    "pair_layouts": lambda: plots.pair_layouts(10, rotary_dim=8),
    "panels": lambda: plots.panels({"a": PE[:8, :8], "b": -PE[8:16, :8], "c": PE[:8, 8:]}),
    "permutation": lambda: plots.permutation([0, 4, 2, 3, 1], list("abcde")),
    "profiles": lambda: plots.profiles(
        [0, 1, 2], {"u": {"a": [0, 1, 0], "b": [1, 1, 1]}, "v": {"b": [2, 1, 0]}}, xlabel="x"
    ),
    "poses": lambda: plots.poses(
        {"m": [[0, 0, 0], [3, 1, 2]], "n": [[1, 1, 4], [0, 3, 5]]}, ["p", "q"]
    ),
    "protection": lambda: plots.protection(64, 20_000),
    "regression": lambda: plots.regression([1, 2, 4], [[1, 2, 3], [4, 2, 1]], ["a", "b"]),
    "responses": lambda: plots.responses([-2, 0, 1], {"a": [0, 3, 1], "b": [-1, 2, 2]}),
    "returns": lambda: plots.returns([1, 4], 1000),
    "roofline": lambda: plots.roofline(
        {"addition": (1, 8), "product": (1000, 10)}, flops_per_second=80, bytes_per_second=4
    ),
    "rotary_decay": lambda: plots.rotary_decay(16, 60, rng=np.random.default_rng(0)),
    "rotation": lambda: plots.rotation([0, 3, 7], 2, 0.5),
    "same_offset": lambda: plots.same_offset({"a": PE + 1, "b": PE + 9}, 4),
    "separation": lambda: plots.separation([1, 2, 4, 6], 10_000),
    "similarity": lambda: plots.similarity(PE, [0, 20, 39]),
    "similarity_by_distance": lambda: plots.similarity_by_distance(PE @ PE[0]),
    "slopes": lambda: plots.slopes({"a": [0.5, 0.25], "b": [0.5, 0.1, 0.7]}),
    "spectrum": lambda: plots.spectrum(16),
    "token_points": lambda: plots.token_points({"a": [[0, 0, 0], [1, 1, 1], [1, 1, 2]]}),
    "strips": lambda: plots.strips({"a": "xxxxyy", "b": ["y", "long name", "x"] * 4}),
    "rotated_pairs": lambda: plots.rotated_pairs([1, 0.2, 0, 1], [0.5, 1, 1, 0], 2, 5),
    "rotated_pair": lambda: plots.rotated_pair(
        [1, 0.2], [0.5, 1], [(2, 5), (9, 12)], frequency=0.3
    ),
    "stretch": lambda: plots.stretch({"a": 0.5 ** np.arange(1, 9), "b": 0.1 ** np.arange(8)}, 512),
    "turns": lambda: plots.turns(16, 100, [100, 10000]),
    "twins": lambda: plots.twins(PE[:, 0], [(5, 17), (11, 33)]),
    "wave_parts": lambda: plots.wave_parts([2, 1], [0.5, -0.2], 30),
    "waves": lambda: plots.waves(16, 40, [0, 2]),
    "windows": lambda: plots.windows([0.5, 0.05], 100),
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


def visible_texts(figure: Figure) -> Iterator[Text]:
    """Yield all that is written on a figure and is not empty."""
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_text() and text.get_visible():
            yield text


def xy(line: Any) -> Any:
    return np.array(line.get_data())
