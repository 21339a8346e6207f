"""The captions and alternative texts of figures are true of the drawn data.

Each figure has a function, registered by its id, that asserts the claims in its words. When you
reword a caption, compare it with the function.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from matplotlib import style

import posenc
from check import figures
from check.fences import Fence, find_fences
from check.page_source import read_page
from check.paths import DOCS
from posenc import experiments


@dataclass(frozen=True)
class DrawnFigure:
    """A drawn figure, with its panels, lines, images and labels by index."""

    axes: list[Any]

    def x(self, line: int = 0, panel: int = 0) -> Any:
        """Return the x values of a line."""
        return np.asarray(self.axes[panel].lines[line].get_xdata(), dtype=float)

    def y(self, line: int = 0, panel: int = 0) -> Any:
        """Return the y values of a line."""
        return np.asarray(self.axes[panel].lines[line].get_ydata(), dtype=float)

    def pixels(self, panel: int = 0) -> Any:
        """Return the values of an image."""
        return np.ma.filled(np.ma.asarray(self.axes[panel].images[0].get_array(), float), np.nan)

    def labels(self, panel: int = 0) -> list[str]:
        """Return the labels inside a panel."""
        return [text.get_text() for text in self.axes[panel].texts]


CHECKS: dict[str, Callable[[DrawnFigure], None]] = {}


def describes(
    figure: str,
) -> Callable[[Callable[[DrawnFigure], None]], Callable[[DrawnFigure], None]]:
    """Register a function that checks the words about a figure."""

    def register(check: Callable[[DrawnFigure], None]) -> Callable[[DrawnFigure], None]:
        CHECKS[figure] = check
        return check

    return register


@describes("fig-room")
def room(f):
    chance = np.arange(201) / 384
    assert [axes.get_ylabel() for axes in f.axes] == ["share, constructed", "share, trained"]
    for panel in (0, 1):
        positions, tokens = f.y(0, panel), f.y(1, panel)
        assert positions[100] > 0.98
        assert tokens[100] < 0.4
        assert (np.diff(tokens) >= 0).all()
    assert abs(f.y(1, 0) - chance).max() < 0.03
    assert (f.y(1, 1)[1:11] < chance[1:11] / 2).all()


@describes("fig-four-terms")
def four_terms(f):
    assert len(f.axes) == 4
    assert all(f.pixels(n).shape == (24, 24) for n in range(4))
    assert np.trace(f.pixels(0)) > 4 * abs(f.pixels(0) - np.diag(np.diag(f.pixels(0)))).mean() * 24
    assert abs(np.diff(f.pixels(1), axis=1)).mean() < abs(np.diff(f.pixels(1), axis=0)).mean() / 2
    assert abs(np.diff(f.pixels(2), axis=0)).mean() < abs(np.diff(f.pixels(2), axis=1)).mean() / 2
    assert [
        all(np.ptp(np.diagonal(f.pixels(n), k)) < 1e-09 for k in range(-23, 24)) for n in range(4)
    ] == [False, False, False, True]
    assert max(range(-23, 24), key=lambda k: np.diagonal(f.pixels(3), k)[0]) == -3


@describes("fig-returns")
def returns(f):
    def dashed(panel):
        return f.y(1, panel)[0]

    assert f.y(0, 0).min() < 0.1
    assert f.x(2, 0)[0] == 710
    assert (f.y(0, 1) < dashed(1)).sum() > 5
    assert f.x(2, 1)[0] == 6283
    assert f.y(2, 1)[0] == min(f.y(2, 1)[0], *f.y(0, 1))
    assert f.y(0, 2)[1:].min() > 5
    assert 1.45 < dashed(2) < 1.5
    assert [text.get_text() for text in f.axes[0].texts] == ["neighbour"]
    assert f.axes[0].lines[1].get_linestyle() == "--"
    assert f.x(0)[1] - f.x(0)[0] == 50
    assert f.axes[2].get_xlabel().startswith("offset")


@describes("fig-ghost")
def ghost(f):
    needles = [f.x(0, n)[f.y(0, n) > f.y(0, n).max() / 3] for n in range(3)]
    assert 20 <= len(needles[0]) <= 26
    assert [needle.tolist() for needle in needles[1:]] == [[-402, 0], [0]]
    assert f.y(0, 1)[-403] > 0.8 * f.y(0, 1)[-1]
    assert f.y(0, 2)[-1] > 0.99
    assert all(len(f.x(0, n)) == 601 for n in range(3))


@describes("fig-protection")
def protection(f):
    slow = f.y(1)
    proved = f.y(0)
    band = f.axes[0].collections[0].get_paths()[0].vertices
    assert slow.max() > 1.999
    assert f.x(0)[1] - f.x(0)[0] == 300
    assert abs(f.x(1)[100:220][slow[100:220].argmin()] - 47117) < 300
    assert abs(f.x(1)[280:][slow[280:].argmin()] - 94234) < 300
    assert proved[0] < 0.1
    assert 2.5 < proved[1] < 3.2 < 3 + proved[2]
    assert 3 < proved[2:].min() < proved[2:].max() < 7
    assert band[band[:, 0] > 1000, 1].min() > 5.5
    assert band[band[:, 0] > 1000, 1].max() < 9.8
    assert f.labels() == ["neighbour", "slowest pair", "proved"]
    assert 1.4 < f.y(2)[0] < 1.5


@describes("fig-first-aliases")
def first_aliases(f):
    assert (f.y(1)[:5] == 6).all()
    assert f.y(1)[5] == 14495
    assert (np.diff(f.y(1)[5:10]) > 0).all()
    assert 19000000.0 < f.y(1)[10] < 19500000.0 < f.y(1)[9] < 20500000.0
    assert (f.y(0) > f.y(1)).all()
    assert (np.diff(f.y(0)) > 0).all()
    assert 6.5 < f.y(0)[0] < 7
    assert 300000000000.0 < f.y(0)[10] < 310000000000.0
    assert f.axes[0].lines[0].get_linestyle() != "-"
    assert f.axes[0].get_yscale() == "log"


@describes("fig-penalties")
def penalties(f):
    assert [f.y(n, 0).min() for n in range(4)] == [-12, -6, -3, -1.5]
    assert f.axes[0].get_ylabel().startswith("bias")
    assert all(f.y(n, 0)[0] == f.y(n, 0)[-1] and f.y(n, 0)[24] == 0 for n in range(4))
    assert all(f.y(n, 1)[24] == 1 == f.y(n, 1).max() for n in range(4))
    assert all(np.allclose(f.y(n + 1, 1) ** 2, f.y(n, 1)) for n in range(3))  # twice as wide
    assert all(np.allclose(f.y(n, 1), np.exp(f.y(n, 0))) for n in range(4))
    assert f.x(0)[0] == -24


@describes("fig-bias-maps")
def bias_maps(f):
    assert np.isnan(f.pixels(0)[np.triu_indices(12, 1)]).all()
    assert (np.diag(f.pixels(0)) == 0).all()
    assert f.pixels(0)[11, 0] == np.nanmin(f.pixels(0)) == -2.75
    assert f.axes[0].get_ylabel() == "query"
    assert np.array_equal(f.pixels(1), f.pixels(1).T)
    assert f.axes[0].get_ylim()[0] > f.axes[0].get_ylim()[1]
    assert np.array_equal(np.tril(f.pixels(1)), np.nan_to_num(f.pixels(0)))
    assert all(np.ptp(np.diagonal(f.pixels(1), k)) == 0 for k in range(-11, 12))
    assert f.pixels(1)[0, 1] == -1 / 4


@describes("fig-slopes")
def slopes(f):
    assert f.y(0)[0] == 1 / 2
    assert f.y(0)[7] == 1 / 256
    assert round(f.y(0)[8], 4) == 0.7071
    assert 11 < 1 / f.y(0)[11] < 11.5
    assert [k for k in range(11) if f.y(0)[k + 1] > f.y(0)[k]] == [7]
    assert (np.diff(f.y(1)) < 0).all()
    assert round(f.y(1)[0], 2) == 0.63
    assert math.isclose(f.y(1)[11], 1 / 256)
    assert f.axes[0].get_yscale() == "log"
    assert np.allclose(f.y(1), [2 ** (-8 * (h + 1) / 12) for h in range(12)])


@describes("fig-gates")
def gates(f):
    alibi, window, gated = (f.y(n) for n in range(3))
    k = f.x(0)
    assert (k[0], k[-1]) == (-47, 0)
    assert np.allclose(alibi[:-1] / alibi[1:], math.exp(-1 / 8))
    assert round(alibi[-1], 2) == 0.12
    assert np.array_equal(window, np.where(k > -16, 1 / 16, 0))
    ratios = dict(zip(k[1:], gated[:-1] / gated[1:], strict=True))  # by the gate of the later key
    assert math.isclose(ratios.pop(-17), 0.05)
    assert np.allclose(list(ratios.values()), 0.99)
    assert round(gated[-1], 2) == 0.06
    assert gated[k < -17].max() < 0.003


@describes("fig-window-loss")
def window_loss(f):
    rope, alibi, windowed = (f.y(n) for n in range(3))
    assert (f.x(0)[0], f.x(0)[-1]) == (32, 512)
    assert 1.65 < rope[:4].min() < rope[:4].max() < 1.75
    assert (np.diff(rope[3:12]) > 0).all()
    assert round(rope[-1], 1) == 4
    assert rope[3] < alibi[3]
    assert rope[6] > alibi[6]
    assert np.ptp(alibi[1:]) < 0.02
    assert np.ptp(windowed[1:]) < 0.01
    assert [round(loss[-1], 1) for loss in (alibi, windowed)] == [1.8, 1.6]
    assert (windowed < alibi).all()


@describes("fig-windows")
def windows(f):
    assert [f.x(n)[0] for n in (1, 3, 5, 7)] == [2, 8, 32, 256]
    assert all(
        (
            np.allclose(f.y(n), np.exp(-f.x(n) / s))
            and (np.diff(f.y(n)) <= 0).all()
            and (round(f.y(n + 1)[0], 2) == 0.37)
            for n, s in zip((0, 2, 4, 6), (2, 8, 32, 256), strict=False)
        )
    )
    assert f.axes[0].get_xscale() == "log"
    assert f.x(0)[0] == 1
    assert round(f.x(0)[-1]) == 2000


@describes("fig-roofline")
def roofline(f):
    assert 295 < f.x(0)[1] < 296
    assert f.y(0)[1] == f.y(0)[2] == 989000000000000.0
    assert round(f.y(0)[0] / f.x(0)[0] / 1000000000000.0, 2) == 3.35
    assert [f.x(n)[0] for n in (2, 3)] == [1 / 6, 1]
    assert f.y(4)[0] == 989000000000000.0
    assert sum(f.y(n)[0] < 989000000000000.0 for n in (2, 3, 4)) == 2
    assert f.labels()[1:] == ["addition", "decoding one token", "matrix product"]
    assert f.axes[0].get_xscale() == f.axes[0].get_yscale() == "log"


@describes("fig-flops")
def flops(f):
    assert f.x(4)[0] == 2 * 4096 == 8192
    assert (f.y(1)[f.x(1) < 8192] < f.y(0)[f.x(0) < 8192]).all()
    assert (f.y(1)[f.x(1) > 8200] > f.y(0)[f.x(0) > 8200]).all()
    assert all(np.allclose(f.y(n) / f.x(n), f.y(n)[0]) for n in (0, 2, 3))
    assert (f.y(3) * 3000 < np.minimum(f.y(0), f.y(1))).all()
    assert f.axes[0].get_xscale() == "log"
    assert {"addition", "rotation", "feed-forward", "attention"} <= {*f.labels()}


@describes("fig-counting")
def counting(f):
    assert [f.axes[n].get_title(loc="left") for n in range(3)] == ["bits", "square waves", "sines"]
    assert all(f.axes[n].yaxis_inverted() for n in (1, 2))
    assert f.axes[0].get_position().y0 > f.axes[1].get_position().y0 > f.axes[2].get_position().y0
    assert all(
        np.allclose(f.y(n, 1)[:-1] - n, [0.36 if p >> n & 1 else -0.36 for p in range(32)])
        for n in range(5)
    )
    assert all(
        ((f.y(2 * n + 1, 2) - n > 0) == [p >> n & 1 for p in range(32)]).all() for n in range(5)
    )
    assert all(
        np.allclose(
            f.y(2 * n, 2) - n, -0.36 * np.sin(2 * math.pi * (f.x(2 * n, 2) + 0.5) / 2 ** (n + 1))
        )
        for n in range(5)
    )


@describes("fig-dials")
def dials(f):
    assert [f.axes[n].get_xlabel() for n in range(5)] == [f"p = {p}" for p in (0, 1, 2, 3, 44)]
    assert len(f.axes[0].lines) == 4
    assert all(f.x(n, 0)[1] == 0 < f.y(n, 0)[1] for n in range(4))
    assert all(
        (
            abs(math.atan2(f.x(n, k)[1], f.y(n, k)[1]) - p * w) < 1e-09
            for k, p in ((1, 1), (2, 2), (3, 3))
            for n, w in enumerate((1, 0.1, 0.01, 0.001))
        )
    )
    assert abs(f.x(0, 4)[1]) < 0.02 < f.y(0, 4)[1]
    assert f.x(1, 4)[1] < -0.7


@describes("fig-bit-to-pair")
def bit_to_pair(f):
    assert f.y(0, 0)[:-1].tolist() == [p >> 3 & 1 for p in range(32)]
    assert (f.y(0, 1) == 1 - 2 * f.y(0, 0)).all()
    assert all(
        (wave > 0) == (bit == 0) for wave, bit in zip(f.y(0, 2)[10::20], f.y(0, 0), strict=False)
    )
    (sine_2, cosine_2), (sine_5, cosine_5) = f.y(2, 2), f.y(3, 2)
    assert math.isclose(sine_2, sine_5)
    assert cosine_5 < 0 < cosine_2
    assert f.labels(3) == ["2", "5"]


@describes("fig-clock")
def clock(f):
    assert [f.axes[n].get_xlabel() for n in range(5)] == [
        "0:00:00",
        "0:00:20",
        "0:01:00",
        "1:00:00",
        "4:30:15",
    ]
    assert all(len(f.axes[n].lines) == 3 for n in range(5))
    assert all(f.x(n, 0)[1] == 0 for n in range(3))
    assert abs(math.degrees(math.atan2(f.x(2, 4)[1], f.y(2, 4)[1])) - (4.5 * 30 + 15 / 120)) < 1e-06


@describes("fig-ladders")
def ladders(f):
    rows = [
        [
            line.get_xdata()[0]
            for line in f.axes[0].lines
            if abs(np.mean(line.get_ydata()) - row) < 0.1
        ]
        for row in range(4)
    ]
    assert [len(r) for r in rows] == [16, 16, 32, 256]
    assert [round(r[0], 1) for r in rows] == [2, 6.3, 6.3, 6.3]
    assert all(abs(np.diff(np.log(r), 2)).max() < 1e-06 for r in rows)
    assert rows[2][-1] < 100000.0 > rows[3][-1]
    assert all(math.isclose(r[1] / r[0], 2) for r in rows[:2])
    assert rows[3][1] / rows[3][0] < rows[2][1] / rows[2][0] < 2


@describes("fig-models")
def models(f):
    assert [*f.x(0)] == [32, 64, 128, 256]
    assert min(f.y(n)[0] for n in range(5)) > 0.97
    assert max(f.y(0)[1], f.y(1)[1]) < 0.18
    assert 0.5 < f.y(2)[1] < 0.53
    assert f.y(2)[2] < 0.14
    assert round(f.y(4)[-1], 2) == 0.28
    assert f.y(3)[1:].min() > 0.87
    assert f.y(3)[-1] == max(f.y(n)[-1] for n in range(5))
    assert f.y(3, 1).min() > 0.99
    assert min(f.y(n, 1)[0] for n in range(5)) > 0.97
    assert all(0.6 <= round(f.y(n, 1)[-1], 1) <= 0.8 for n in (0, 1, 2, 4))
    assert [round(v, 1) for v in f.y(5)[[0, -1]]] == [0.3, 0.2]
    assert f.y(5, 1)[0] > 0.9
    assert round(f.y(5, 1)[-1], 1) == 0.7


@describes("fig-text")
def text(f):
    def at(line, place):
        return float(f.y(line)[list(f.x(line)).index(place)])

    assert [round(at(n, 48), 1) for n in (5, 0)] == [1.6, 1.7]
    assert f.y(2)[0] == max(f.y(n)[0] for n in range(6)) > 2.2
    assert at(5, 48) < at(0, 48) < min(at(n, 48) for n in (1, 2, 3, 4))
    assert f.x(6)[0] == 64
    assert min(at(1, 80), at(3, 80)) > 3
    assert round(f.y(5)[-1], 1) == 3.5
    assert (np.diff(f.y(5)[2:]) > 0).all()
    assert abs(at(0, 112) - 1.7) < 0.05
    assert round(f.y(0)[-1]) == 4
    assert (abs(f.y(4) - 1.8) < 0.05).all()
    assert round(f.y(2)[-1], 1) == 2.6
    assert (np.diff(f.y(2)) > 0).all()


@describes("fig-gain")
def gain(f):
    assert all((f.y(n, k)[:64] < 1).all() for n in range(3) for k in (0, 1))
    assert [f.y(n)[64:].max() > 40 for n in range(3)] == [True] * 3
    assert f.y(0).max() < f.y(1).max() < f.y(2).max() < 600
    assert f.y(0)[90] < f.y(1)[90] < f.y(2)[90]
    assert all(2 < f.y(n, 1).max() < 10 for n in range(3))
    assert len(f.x(0)) == 256
    assert f.axes[0].get_yscale() == "log"
    assert f.axes[0].get_title(loc="left") == "ridge 1e-06"


@describes("fig-offsets")
def offsets(f):
    assert all((f.y(n)[:16] < 0.1).all() for n in range(3))
    assert f.y(0)[16:].min() > 0.8
    assert round(f.y(1).max(), 1) >= 0.2
    assert round(f.y(2)[-1], 2) == 0.76
    assert all(np.allclose(f.y(n), f.y(n, 1)) for n in (0, 1))
    assert 0.2 < f.y(2, 1).min() < f.y(2, 1).max() < 0.5
    assert len(f.x(0)) == 32
    assert f.x(3)[0] == 15.5
    assert [f.axes[n].get_title(loc="left") for n in (0, 1)] == [
        "query at position 0",
        "query at position 128",
    ]


@describes("fig-one-back")
def one_back(f):
    assert f.x(0)[0] == -100
    assert f.x(0)[-1] == 0
    assert [line.get_label() for line in f.axes[0].lines] == ["1 pair", "32 pairs"]
    assert [
        f.x(0)[k] for k in range(1, 100) if f.y(0)[k] > max(0.05, f.y(0)[k - 1], f.y(0)[k + 1])
    ] == [-89, -45, -1]
    assert f.y(0).max() < 0.4
    assert f.x(1)[f.y(1).argmax()] == -1
    assert f.y(1).max() > 0.95
    assert (f.y(1) > 0.05).sum() == 1


@describes("fig-wave-parts")
def wave_parts(f):
    assert f.x(1, 4)[0] == 6
    assert [f.axes[n].get_ylabel() for n in range(5)] == [
        "pair 0",
        "pair 1",
        "pair 2",
        "pair 3",
        "score",
    ]
    assert f.x(0)[0] == -40
    assert f.x(0)[-1] == 40
    assert np.allclose(sum(f.y(0, n) for n in range(4)), f.y(0, 4))
    assert f.y(0, 4).max() - f.y(1, 4)[0] < 0.05
    assert len({round(f.x(1, n)[0], 2) for n in range(4)}) == 4
    assert abs(f.x(1, 1)[0] - 6) < 1
    assert abs(f.x(1, 0)[0] + 2 * math.pi - 6) < 0.1
    assert abs(f.x(0, 4)[f.y(0, 4).argmax()] - 6) < 0.5


@describes("fig-filter-bank")
def filter_bank(f):
    turns = [(np.diff(np.sign(row)) != 0).sum() for row in f.pixels()]
    assert f.pixels().shape == (8, 81)
    assert turns[0] > turns[1] > turns[2] >= turns[3] >= turns[4]
    assert np.ptp(f.pixels()[4]) < np.ptp(f.pixels()[3])
    assert f.pixels()[5].argmax() == 32
    eight = f.pixels()[5]
    far = abs(np.arange(-40, 41) + 8) > 3
    assert eight[far].max() < 0.6 * eight.max()


@describes("fig-trained-waves")
def trained_waves(f):
    waves, dots = f.axes[0].lines[::2], f.axes[0].lines[1::2]
    crossings = [(np.diff(np.sign(wave.get_ydata())) != 0).sum() for wave in waves]
    assert crossings[0] > crossings[1] > crossings[2] > 0
    assert [round(float(dot.get_xdata()[0]), 1) for dot in dots] == [-0.9, -1.1, -0.9]
    k, means = f.x(0, 1), f.y(0, 1)
    peaks = [
        k[n] for n in range(1, 30) if means[n] > max(means[n - 1], means[n + 1]) and abs(k[n]) < 10
    ]
    assert peaks == [-7, -1, 5]
    assert k[means.argmax()] == -1
    total = np.interp(k, f.x(1, 1), f.y(1, 1))
    assert np.corrcoef(means, total)[0, 1] > 0.98


@describes("fig-recall")
def recall(f):
    then_none, twice, *without_first = (f.y(line) for line in range(4))
    assert min(then_none[0], twice[0]) > 0.99
    assert round(then_none[3], 1) == 0.5
    assert 0.2 < twice[3] < 0.3
    for means in without_first:
        assert means[0] < 0.6
        assert means[3] < twice[3]
    for means in (then_none, twice, *without_first):
        assert np.all(np.diff(means) < 0)


@describes("fig-trained-constructed")
def trained_and_constructed_head(f):
    constructed, trained = f.y(0), f.y(1)
    assert [line.get_label() for line in f.axes[0].lines] == ["constructed", "trained"]
    assert np.allclose(constructed, 1 / 8)
    assert np.allclose(trained[:2], 0.4, atol=0.02)
    assert trained[2:].max() < 0.1
    assert [*f.x(0, 1)] == [*range(-31, 0, 2)]
    for scores in (f.y(0, 1), f.y(1, 1)):
        assert scores.argmax() == 15
    assert [round(f.y(n, 1)[-1], 2) for n in (0, 1)] == [1, 0.72]
    assert round(f.y(0, 1)[f.x(0, 1) == -7][0], 2) == 0.81
    assert f.y(0, 1).min() > 0.2
    assert f.y(1, 1)[:-1].max() < 0.45


@describes("fig-look-maps")
def look_maps(f):
    assert all(
        (
            (f.pixels(n).argmax(axis=1)[4:10] - np.arange(4, 10) == k).all()
            for n, k in ((0, -1), (1, -4), (2, 2))
        )
    )
    assert all(f.pixels(n)[0].argmax() == 0 for n in (0, 1))
    assert np.allclose(f.pixels(3).sum(axis=1), 1)
    assert f.pixels(0).shape == (12, 12)
    assert f.axes[2].get_xlabel() == "key"
    assert f.axes[0].get_ylabel() == "query"


@describes("fig-comb")
def comb(f):
    assert all(
        [f.x(n)[k] for k in range(80) if f.y(n)[k] > f.y(n).max() - 1e-09] == [-40, -20, 0, 20]
        for n in range(3)
    )
    assert f.labels() == ["κ = 0.5", "κ = 2", "κ = 8"]
    assert f.y(0).min() > f.y(1).min() > f.y(2).min()
    assert f.y(2).min() < 0.0001
    assert f.y(0).min() > 0.005
    assert (
        (f.y(0) > f.y(0).max() / 2).sum()
        > (f.y(1) > f.y(1).max() / 2).sum()
        > (f.y(2) > f.y(2).max() / 2).sum()
    )


@describes("fig-cross")
def cross(f):
    assert all(f.pixels(n).shape == (24, 40) for n in range(3))
    assert all(f.pixels(n)[9, 12] == np.max(f.pixels(n)) for n in range(3))
    assert f.pixels(0)[9, 5:20].mean() > 1.5 * f.pixels(0)[2:7, 12].mean()
    assert f.pixels(1)[9].mean() > 1.3 * f.pixels(1)[2].mean()
    assert f.pixels(1)[:, 12].mean() > 1.3 * f.pixels(1)[:, 30].mean()
    assert (f.pixels(2) > 0.5).sum() < (f.pixels(1) > 0.5).sum()


@describes("fig-cell-hands")
def cell_hands(f):
    assert [f.axes[n].get_xlabel() for n in range(3)] == [
        "row 2, column 3",
        "row 2, column 4",
        "row 3, column 3",
    ]
    assert [[n for n in range(4) if f.x(n, 0)[1] != f.x(n, k)[1]] for k in (1, 2)] == [
        [2, 3],
        [0, 1],
    ]
    assert [posenc.inv_freq(4, 100)[k] for k in (0, 1)] == [1, 0.1]
    assert all(
        (
            abs(f.x(n, 0)[1] / math.hypot(f.x(n, 0)[1], f.y(n, 0)[1]) - math.sin(p * w)) < 1e-09
            for n, (p, w) in enumerate(((2, 1), (2, 0.1), (3, 1), (3, 0.1)))
        )
    )
    assert all(
        (
            (f.y(n, 0)[1] > 0) == (math.cos(p * w) > 0)
            for n, (p, w) in enumerate(((2, 1), (2, 0.1), (3, 1), (3, 0.1)))
        )
    )


@describes("fig-orders")
def orders(f):
    assert f.labels() == [
        "sin x",
        "cos x",
        "sin y",
        "cos y",
        "sin y",
        "cos y",
        "sin x",
        "cos x",
        "sin y",
        "sin x",
        "cos y",
        "cos x",
    ]
    assert [t.get_text() for t in f.axes[0].get_yticklabels()] == [
        "MAE",
        "transformers",
        "timm",
        "positional-\nencodings",
    ]
    assert [r.get_width() for r in f.axes[0].patches] == [8] * 12 + [1] * 32
    assert [r.get_x() + 0.5 for r in f.axes[0].patches[12:]] == [*range(32)]
    assert len({r.get_facecolor() for r in f.axes[0].patches[12:28:2]}) == 1


@describes("fig-diagonal")
def diagonal(f):
    assert f.pixels(0).shape == f.pixels(1).shape == (11, 11)
    assert np.diag(f.pixels(1)).mean() > 3 * np.diag(f.pixels(1)[:, ::-1]).mean()
    assert f.pixels(0)[5, 5] == f.pixels(0).max()
    assert f.pixels(0)[5].mean() > 2 * f.pixels(0)[3].mean()
    assert abs(np.linalg.svd(f.pixels(0))[1][1]) < 1e-09 < np.linalg.svd(f.pixels(1))[1][1]
    assert f.axes[0].get_ylim()[0] > f.axes[0].get_ylim()[1]


@describes("fig-video")
def video(f):
    t, h, w = zip(*([f.y(line, panel) for line in range(3)] for panel in range(3)), strict=True)
    assert f.axes[0].get_legend_handles_labels()[1] == ["t", "h", "w"]
    assert [np.diff(t[panel][3:21:6]).tolist() for panel in (0, 1)] == [[1, 1], [4, 4]]
    assert all((h[n][3:9] == h[n][9:15]).all() and (w[n][3:9] == w[n][9:15]).all() for n in (0, 1))
    grids = [t[2][start : start + 6] for start in (5, 13, 21)]
    assert all(np.ptp(grid) == 0 for grid in grids)
    assert [len(one) for one in t] == [23, 23, 29]


@describes("fig-mrope")
def mrope(f):
    assert f.labels() == ["t", "h", "w", "t"]
    assert [(r.get_x() + 0.5, r.get_width()) for r in f.axes[0].patches[:3]] == [
        (0, 16),
        (16, 24),
        (40, 24),
    ]
    assert [t.get_text() for t in f.axes[0].get_yticklabels()] == ["Qwen2-VL", "Qwen3-VL"]
    assert (f.axes[0].patches[-1].get_x() + 0.5, f.axes[0].patches[-1].get_width()) == (60, 4)


@describes("fig-induced")
def induced(f):
    assert f.labels() == ["parabola", "Gaussian"]
    assert round(f.y(0, 0).max(), 2) == 1.77
    assert f.y(0, 0)[0] < 0.004
    assert (np.diff(f.y(1, 0)[20:]) < 0).all()
    assert 0.045 < f.y(0, 1).max() < 0.055
    assert round(f.y(0, 1).min(), 3) == 0.009
    assert 0.065 < f.y(1, 1).max() < 0.075
    assert f.y(1, 1).min() < 0.0002
    assert f.x(0)[0] == -20
    assert [f.axes[n].get_ylabel() for n in (0, 1)] == ["score", "weight"]


@describes("fig-heights")
def heights(f):
    assert f.labels() == ["20", "15", "10", "5", "1.77"]
    assert (f.x(0)[0], f.x(0)[-1]) == (2, 6)
    assert f.y(0)[f.x(0) >= 3].min() > 0.9
    assert f.y(4).max() < 0.001
    assert all((np.diff(f.y(n)) > 0).all() for n in range(5))
    halves = [np.interp(0.5, f.y(n), f.x(n)) for n in (1, 2)]  # exponents of 10
    assert 1.5 < halves[1] - halves[0] < 2.5
    assert all((f.y(n) > f.y(n + 1)).all() for n in range(4))


@describes("fig-bumps")
def bumps(f):
    assert [f.x(n)[f.y(n).argmax()] for n in range(7)] == [0, 4, 8, 12, 16, 20, 24]
    assert all(f.y(n).max() == 1 for n in range(7))
    assert f.x(7)[0] == 10
    assert sorted({round(v, 2) for v in f.y(8)}) == [0, 0.04, 0.32, 0.88]
    assert [round(v, 2) for v in f.y(8)[2:4]] == [0.88, 0.88]
    assert 10 == (8 + 12) / 2


@describes("fig-borders")
def borders(f):
    assert f.labels(0) == ["no margin", "margin"]
    assert round(f.y(0)[0], 1) == 1.4
    assert round(f.y(0)[32], 2) == 1.77
    assert round(f.y(0)[63], 1) == 0.6
    assert np.allclose(f.y(1), 1.7725, atol=0.001)
    assert (f.y(1, 1) == 0).all()
    assert f.y(0, 1)[0] == 2
    assert f.y(0, 1)[63] == -4
    assert abs(f.y(0, 1)).max() == 4
    assert f.axes[0].get_ylabel() == "squared length"


@describes("fig-trained")
def trained(f):
    """The path goes round once for each full angle between its points."""
    turns = []
    for panel, axes in enumerate(f.axes):
        z = f.x(0, panel) + 1j * f.y(0, panel)
        path = f.x(1, panel) + 1j * f.y(1, panel)
        assert z.shape == (511,)
        assert (path == z[199:223]).all()  # rows 200 to 223
        assert abs(z).min() > 0.4 * abs(z).mean()  # a ring: nothing near the centre
        steps = np.angle(path[1:] / path[:-1])
        turns.append(abs(steps.sum()) / (2 * np.pi))
        assert axes.get_xlabel().startswith("period ")
    assert len(turns) == 5
    assert 3.5 < turns[0] < 4.5
    assert 1 < turns[1] < 1.5
    assert 0.35 < turns[2] < 0.6
    assert turns[2] > 2 * turns[3] > 4 * turns[4]


@describes("fig-trained-heads")
def trained_heads(f):
    assert [line.get_label() for line in f.axes[0].lines] == [f"head {h}" for h in (2, 5, 4, 3)]
    x = f.x(0)
    assert (x[0], x[-1]) == (-12, 12)
    two, five, four, three = (f.y(line) for line in range(4))
    assert x[two.argmax()] == x[five.argmax()] == -1
    assert round(two.max(), 2) == 0.86
    assert round(five.max(), 2) == 0.74
    assert round(five[x == -2].item(), 2) == 0.19
    assert x[four.argmax()] == 0
    assert 3 < (four > four.max() / 2).sum() < 8
    assert three.max() < four.max() / 2
    assert (three > three.max() / 2).sum() > 8


@describes("fig-scars")
def scars(f):
    y = f.y()
    assert sorted(y.argsort()[:4]) == [0, 126, 127, 510]
    assert y[[0, 126, 127, 510]].round(2).tolist() == [0.28, 0.44, 0.55, 0.52]
    assert round(float(np.median(y)), 2) == 0.85


@describes("fig-starts")
def starts(f):
    assert f.pixels(0).shape == (64, 64)
    assert 0.07 < abs(f.pixels(0)).max() < 0.085
    assert 0.99 < abs(f.pixels(2)).max() <= 1
    assert (
        lambda c, s: (
            np.allclose(np.diag(c), 1)
            and abs(c - np.eye(64)).mean() < 0.15
            and (s.argmax(axis=1) == range(64)).all()
            and (np.diagonal(s, 1).mean() > np.diagonal(s, 10).mean() > np.diagonal(s, 40).mean())
        )
    )(f.pixels(1), f.pixels(3))
    trained, channels = f.pixels(5), f.pixels(4)
    assert channels.shape == (64, 384)
    by_offset = [np.diagonal(trained, k).mean() for k in range(14)]
    peaks = [k for k in range(1, 13) if by_offset[k] > max(by_offset[k - 1], by_offset[k + 1])]
    assert peaks == [6, 12]
    step = np.corrcoef(channels[:, :-1].ravel(), channels[:, 1:].ravel())[0, 1]
    assert abs(step) < 0.1  # neighbouring channels are unrelated


@describes("fig-beyond")
def beyond(f):
    assert f.labels() == ["clamp", "sinusoidal", "wrap"]
    assert (f.y(0) == 0).all()
    assert f.x(0)[0] == 511
    assert f.x(0)[-1] == 1100
    assert [int(f.x(1)[k]) for k in range(590) if f.y(1)[k] == 0] == [511, 1023]
    assert 1.37 < f.y(1)[1] < 1.44
    assert round(f.y(2)[-1], 1) == 1.2
    assert f.y(2)[100] > f.y(2)[489] / 2
    assert not (np.diff(f.y(2)) > 0).all()


@describes("fig-diagonals")
def diagonals(f):
    assert f.pixels(0).shape == f.pixels(1).shape == (12, 12)
    assert all(np.ptp(np.diagonal(f.pixels(1), k)) < 1e-09 for k in range(-11, 12))
    assert min(np.ptp(np.diagonal(f.pixels(0), k)) for k in range(-10, 11)) > 0.01
    assert np.ptp(f.pixels(1)[0, 4:]) < 1e-09 < np.ptp(f.pixels(1)[0, 3:])
    assert np.ptp(f.pixels(1)[4:, 0]) < 1e-09
    assert f.axes[0].get_position().x0 < f.axes[1].get_position().x0


@describes("fig-skew")
def skew(f):
    table, padded, skewed = (f.pixels(n) for n in range(3))
    assert (table == [[-2, -1, 0, 1, 2]] * 3).all()
    assert np.isnan(padded[:, 0]).all()
    assert (padded[:, 1:] == table).all()
    assert (skewed[:, :3] == np.subtract.outer(range(3), range(3)).T).all()
    assert [text.get_alpha() < 1 for text in f.axes[2].texts] == [
        column >= 3 for _ in range(3) for column in range(5)
    ]


@describes("fig-buckets")
def buckets(f):
    assert f.labels() == ["causal", "both directions"]
    assert (f.x(0)[0], f.x(0)[-1]) == (-160, 160)
    assert f.y(0)[0] == 15
    assert f.y(0)[160] == 0
    assert f.y(0)[161] == 17
    assert f.y(0)[-1] == 31
    assert f.y(1)[0] == 31
    assert (f.y(1)[160:] == 0).all()
    assert len({*f.y(0)} | {*f.y(1)}) == 32
    assert (f.y(0) == 15).sum() > (f.y(0) == 3).sum() == 1
    assert (f.x(2)[0], f.x(3)[0]) == (-128, 128)


@describes("fig-fall")
def fall(f):
    assert f.labels() == ["ALiBi", "power", "log", "T5"]
    assert np.allclose(f.y(0), f.y(0)[1] * f.x(0))
    assert f.y(0)[-1] == min(f.y(n)[-1] for n in range(4))
    assert np.allclose(f.y(1), f.y(1)[1] * f.x(1) ** (1 / 2))
    assert all((np.diff(f.y(n)) <= 0).all() for n in range(4))
    assert (np.diff(f.y(3))[-50:] == 0).all()
    assert np.diff(f.y(2))[100] > np.diff(f.y(1))[100]
    assert f.x(0)[-1] == 200


@describes("fig-shuffle")
def shuffle(f):
    order = [2, 1, 0, 3, 4]
    assert (
        f.labels(1) == [f.labels(0)[r] for r in order] == ["cats", "chase", "dogs", "at", "night"]
    )
    for image in (0, 1):  # inputs and outputs
        before, after = (np.asarray(f.axes[n].images[image].get_array()) for n in (0, 1))
        assert before.shape == (4, 5)
        assert np.allclose(after, before[:, order])
    assert not f.axes[1].patches


@describes("fig-causal")
def causal(f):
    framed = {round(patch.get_x() + 0.5) for patch in f.axes[1].patches}
    assert [f.labels(1)[column] for column in sorted(framed)] == ["cats", "chase", "dogs"]
    before, after = (np.asarray(f.axes[n].images[1].get_array()) for n in (0, 1))
    same = np.isclose(after, before[:, [2, 1, 0, 3, 4]]).all(axis=0)
    assert same.tolist() == [False, False, False, True, True]


@describes("fig-permutation")
def permutation(f):
    assert (
        lambda ones: (
            ones[0] == [(n, n) for n in range(7)]
            and ones[1] == [(0, 0), (1, 4), (2, 2), (3, 3), (4, 1), (5, 5), (6, 6)]
        )
    )(
        [
            sorted(
                (int(r.get_y() + 0.5), int(r.get_x() + 0.5))
                for r in f.axes[k].patches
                if r.get_width() == 1
            )
            for k in (0, 1)
        ]
    )
    assert [r.get_y() + 0.5 for r in f.axes[1].patches if r.get_width() == 7] == [1, 4]
    assert {"parrot, from row 4", "aunt, from row 1"} <= {*f.labels(1)}


@describes("fig-leak")
def leak(f):
    assert f.labels() == ["key mask", "token and encoding", "zeros"]
    assert 0.72 < f.y(0)[-1] < 0.8
    assert abs(f.y(0) - f.y(1)).max() < 0.05
    assert (f.y(2) == 0).all()
    assert f.x(0)[-1] == 56


@describes("fig-masks")
def masks(f):
    assert (
        lambda seen: (
            [seen(k) for k in range(6)]
            == [
                {(q, c) for q in range(5) for c in range(5) if allowed(q, c)}
                for allowed in (
                    lambda q, c: c < 3,
                    lambda q, c: c > 1,
                    lambda q, c: c <= q,
                    lambda q, c: c <= q and c < 3,
                    lambda q, c: 1 < c <= q,
                    lambda q, c: c <= q and (c < 3) == (q < 3),
                )
            ]
        )
    )(lambda k: {(round(r.get_y() + 0.45), round(r.get_x() + 0.45)) for r in f.axes[k].patches})
    assert [f.y(n, 4)[0] for n in (0, 1)] == [0, 1]
    assert f.axes[4].get_xlabel() == "key"
    assert f.axes[3].get_ylabel() == "query"


@describes("fig-batches")
def batches(f):
    assert (
        lambda coloured: (
            [[sorted(coloured(k, row)) for row in range(3)] for k in (0, 1)]
            == [[[0, 1, 2, 3, 4], [0, 1, 2], [0]], [[0, 1, 2, 3, 4], [2, 3, 4], [4]]]
            and sorted(coloured(2, 0)) == [*range(9)]
        )
    )(
        lambda k, row: {
            round(r.get_x() + 0.45)
            for r in f.axes[k].patches
            if r.get_facecolor()[3] > 0 and round(r.get_y() + 0.42) == row
        }
    )
    assert all(f.labels(k) == [*"012340120"] for k in range(3))
    assert f.axes[0].get_title(loc="left").endswith("right")


@describes("fig-rotation")
def rotation(f):
    assert [
        round(math.atan2(f.x(n)[0], f.y(n)[0]) % (2 * math.pi) / 2 / math.pi * 360 / 18.1187)
        for n in (1, 3, 5, 7, 9, 11)
    ] == [0, 2, 3, 5, 9, 11]
    assert [f.axes[0].get_xlabel(), f.axes[0].get_ylabel()] == ["sin(ωp)", "cos(ωp)"]
    assert math.isclose(math.degrees(posenc.inv_freq(16)[1]), 18.1187, abs_tol=0.001)


@describes("fig-matrix")
def matrix(f):
    assert f.pixels().shape == (16, 16)
    assert (f.pixels()[np.kron(np.eye(8), np.ones((2, 2))) == 0] == 0).all()
    assert np.allclose(
        f.pixels() @ posenc.sinusoidal_positional_encoding(9, 16)[5],
        posenc.sinusoidal_positional_encoding(9, 16)[8],
    )
    assert (
        abs(f.pixels()[14:, 14:] - np.eye(2)).max()
        < 0.01
        < 1
        < abs(f.pixels()[:2, :2] - np.eye(2)).max()
    )


@describes("fig-gram")
def gram(f):
    assert f.pixels().shape == (128, 128)
    assert all(np.ptp(np.diagonal(f.pixels(), k)) < 1e-09 for k in range(-127, 128))
    assert (f.pixels().argmax(axis=1) == range(128)).all()
    assert len({*np.sign(np.diff(f.pixels()[0]))}) == 2
    assert f.pixels()[0, 0] == 64 / 2


@describes("fig-similarity")
def similarity(f):
    assert [int(f.x(n)[0]) for n in range(3)] == [-30, -100, -170]
    assert all(f.x(n)[f.y(n).argmax()] == 0 and abs(f.y(n).max() - 32) < 1e-09 for n in range(3))
    assert np.allclose(f.y(1), f.y(1)[::-1])
    assert np.allclose(f.y(0)[:131], f.y(1)[70:])
    assert np.allclose(f.y(2)[70:], f.y(1)[:131])


@describes("fig-ripples")
def ripples(f):
    assert f.x(0)[0] == 0
    assert f.x(0)[-1] == 127
    assert round(f.y(0)[0]) == 32
    assert round(f.y(0)[-1]) == 11
    assert (np.diff(f.y(0)) > 0).sum() == 49
    assert len(f.axes[0].lines) == 50
    assert [*f.x(1)] == [5, 6]
    assert all(f.y(n)[1] > f.y(n)[0] for n in range(1, 50))


@describes("fig-three-groups")
def three_groups(f):
    for n in (0, 2, 4):
        assert np.allclose(np.hypot(f.x(n), f.y(n)), math.hypot(f.x(n)[0], f.y(n)[0]))
    assert all(np.allclose(f.y(n, 1), f.y(n, 1)[0]) for n in range(8))
    speed = [f.x(n, 1)[-1] - f.x(n, 1)[0] for n in (0, 2, 4, 6)]
    assert speed[0] < 0 == speed[1] < speed[2] < speed[3]
    for n in range(0, 8, 2):
        assert np.allclose(f.x(n, 2) * f.y(n, 2)[0], f.y(n, 2) * f.x(n, 2)[0])
        assert (np.diff(np.hypot(f.x(n + 1, 2), f.y(n + 1, 2)), 2) > 0).all()


@describes("fig-commuting")
def commuting(f):
    assert np.ptp(f.y(0)) < 1e-9
    assert (round(f.y(1).max()), round(f.y(1).min())) == (4, -3)
    assert [f.x(0)[0], f.x(0)[-1]] == [0, 20]


@describes("fig-trained-shift")
def trained_shift(f):
    shift, learned = f.pixels(), f.pixels(1)
    outside = np.kron(np.eye(5), np.ones((2, 2))) == 0
    assert (shift[outside] == 0).all()
    assert abs(learned[outside]).max() < 0.06
    for block in (shift[:2, :2], learned[:2, :2]):
        assert (np.sign(block) == [[1, 1], [-1, 1]]).all()
    assert math.isclose(math.atan2(shift[0, 1], shift[0, 0]), 1.058, abs_tol=0.001)
    assert abs(learned[:2, :2]).min() > 1.5 * abs(learned[2:, 2:]).max()


@describes("fig-regression")
def regression(f):
    assert [f.axes[n].get_title(loc="left").split("\n") for n in (0, 1)] == [
        ["sine alone", "R² = 0.294"],
        ["sine and cosine", "R² = 1.000"],
    ]
    assert np.allclose(f.x(1, 1), f.y(1, 1))
    assert np.allclose(f.x(1), np.sin(np.arange(1, 201)))
    assert round(np.corrcoef(f.x(1), f.y(1))[0, 1] ** 2, 2) == 0.29


@describes("fig-gap")
def gap(f):
    tokens, shifted = f.pixels(0), f.pixels(1)
    assert tokens.shape == shifted.shape == (60, 60)
    apart = ~np.eye(60, dtype=bool)
    assert np.allclose(np.diag(tokens), 1)
    assert abs(tokens[apart]).max() < 0.2
    assert shifted[5:, 5:].min() > 0.95
    assert shifted[0, 1:].max() < 0.2
    assert f.axes[0].get_title(loc="left") == "tokens"


@describes("fig-products")
def products(f):
    assert f.labels() == ["sinusoids", "index"]
    assert round(f.y(0)[0], -3) == 3000
    assert 4.8e6 < f.y(0)[-1] < 5e6
    assert f.y(1).min() > 100
    assert f.y(1).max() - f.y(1).min() < 1e-9
    assert f.y(1).max() < 200
    assert f.axes[0].get_yscale() == "log"


@describes("fig-twins")
def twins(f):
    assert len(f.x(0)) == 356
    assert [[*f.x(n)] for n in range(1, 5)] == [[11, 344], [13, 342], [0, 355], [71, 284]]
    assert abs(f.y(0) - f.y(0)[::-1]).max() < 3.1e-05
    assert np.allclose(f.y(0), np.sin(f.x(0)))


@describes("fig-closest")
def closest(f):
    assert f.labels() == ["one sine", "one pair", "index / L", "32 pairs"]
    assert (np.diff(f.y(0)) < 0).all()
    assert math.isclose(f.y(0)[-1], 0.001)
    assert 1e-07 < f.y(1)[-1] < 2e-07
    assert f.y(2)[-1] < 0.0001
    assert (f.y(3) > 1.47).all()
    assert (f.y(3) < 1.475).all()
    assert (f.x(0)[0], f.x(0)[-1]) == (2, 1000)
    assert (np.diff(f.y(1)) <= 0).all()


@describes("fig-rotary-layouts")
def rotary_layouts(f):
    assert (
        lambda arcs: (
            arcs(0) == [(0, 1), (2, 3), (4, 5), (6, 7)]
            and arcs(1) == [(0, 4), (1, 5), (2, 6), (3, 7)]
        )
    )(
        lambda k: [
            (a.center[0] - a.width / 2, a.center[0] + a.width / 2)
            for a in f.axes[k].patches
            if type(a).__name__ == "Arc"
        ]
    )
    assert f.labels() == [*map(str, range(10))]
    assert [f.axes[k].get_ylabel() for k in (0, 1)] == ["interleaved", "half"]
    assert sum(type(a).__name__ == "Rectangle" for a in f.axes[0].patches) == 8


@describes("fig-rotary-pairs")
def rotary_pairs(f):
    assert [axes.get_xlabel() for axes in f.axes] == ["ω = 1", "ω = 0.316", "ω = 0.1", "ω = 0.0316"]
    for axes in f.axes:
        before, after = ([complex(*p._posA_posB[1]) for p in axes.patches[k::2]] for k in (0, 1))
        turns = [np.angle(b / a) / (2 * np.pi) % 1 for a, b in zip(before, after, strict=True)]
        omega = float(axes.get_xlabel().removeprefix("ω = "))
        assert np.allclose(
            turns, [5 * omega / (2 * np.pi) % 1, 8 * omega / (2 * np.pi) % 1], atol=1e-3
        )
    assert 5 / (2 * np.pi) > 0.75  # most of the way round
    assert 8 * 0.0316 / (2 * np.pi) < 0.05  # hardly moved


@describes("fig-rotary-pair")
def rotary_pair(f):
    assert [f.axes[n].get_title() for n in range(3)] == [
        "p = 0, q = 0",
        "p = 2, q = 5",
        "p = 12, q = 15",
    ]
    assert [f.axes[n].get_xlabel().split()[-1] for n in range(3)] == ["0.58", "−0.33", "−0.33"]
    assert f.labels() == ["query", "key"]
    assert [[p._posA_posB[1] for p in f.axes[0].patches][k] for k in (0, 2)] == [
        (1, 0.2),
        (0.4, 0.9),
    ]


@describes("fig-rotary-decay")
def rotary_decay(f):
    assert f.labels(0) == ["upper bound", "equal vectors"]
    assert 0.15 < f.y(1)[-1] < 0.25 < 0.29 < f.y(2)[-1] < 0.36
    assert f.x(1)[-1] == 500
    assert (abs(f.y(2, 1) - 1) < 0.2).all()
    assert f.y(1, 1).max() < 0.3
    assert f.y(1, 1).min() > -2.5
    assert f.y(1)[100] < 0.5
    assert f.labels(1)[0] == "one score"


@describes("fig-stretched-models")
def stretched_models(f):
    assert f.labels() == ["interpolated", "as trained", "YaRN"]
    assert [round(v, 1) for v in f.y(0)[:2]] == [1, 0.5]
    assert f.y(0)[-1] < 0.14
    assert (f.y(1)[1:] < 0.13).all()
    assert (f.y(2)[:2] > 0.99).all()
    assert round(f.y(2)[-1], 2) == 0.95
    assert [*f.x(0)] == [32, 64, 128, 256]
    assert round(f.y(0, 1)[-1], 2) == 0.58
    assert all(abs(f.y(n, 1)[-1] - 0.77) < 0.02 for n in (1, 2))
    assert f.y(0, 1)[0] > 0.97


@describes("fig-turns-stretched")
def turns_stretched(f):
    assert [round(f.y(n)[0]) for n in (0, 1)] == [652, 652]
    assert f.y(0)[45] > 1 > f.y(0)[46]
    assert f.y(1)[36] > 1 > f.y(1)[37]
    assert [(f.y(n) < 1).sum() for n in (0, 1)] == [18, 27]
    assert f.y(0)[-1] < 0.1
    assert math.isclose(f.y(0)[-1] / f.y(1)[-1], 8, rel_tol=0.0001)
    assert len(f.x(0)) == 64
    assert f.labels()[1:] == ["b = 82,685", "b = 10,000"]
    assert f.axes[0].get_yscale() == "log"


@describes("fig-stretched-text")
def stretched_text(f):
    trained, interpolated, yarn, alibi = (f.y(n) for n in range(4))
    assert f.labels() == ["ALiBi", "YaRN by 8", "interpolated by 8", "as trained"]
    assert (trained[:4] < np.minimum(interpolated, yarn)[:4]).all()
    assert (trained[:8] < yarn[:8]).all()
    assert round(trained[-1]) == 4
    assert (abs(interpolated[1:] - 3.7) < 0.05).all()
    assert (alibi < 1.9).all()
    assert 1.8 < yarn[1] < 1.9
    assert round(yarn[3], 1) == 2.9
    assert round(yarn[-1], 1) == 3.1 < trained[-1]


@describes("fig-slower")
def slower(f):
    assert [f.axes[n].get_xlabel() for n in range(3)] == ["p = 20", "p = 40", "p = 40, slowed"]
    assert 40 / 20 == 2
    assert all(
        np.allclose(f.axes[0].lines[n].get_xydata(), f.axes[2].lines[n].get_xydata())
        and (
            not np.allclose(
                f.axes[0].lines[n].get_xydata(), f.axes[1].lines[n].get_xydata(), atol=0.03
            )
        )
        for n in range(4)
    )
    assert all(
        abs(math.atan2(f.x(n)[1], f.y(n)[1]) - math.remainder(20 * 100 ** (-n / 4), 2 * math.pi))
        < 1e-09
        for n in range(4)
    )


@describes("fig-growth")
def growth(f):
    assert f.labels() == ["L / L₀", "s = 2", "s = 4", "s = 8"]
    assert [f.y(n)[-1] for n in range(4)] == [4, 7, 13, 25]
    assert all((f.y(n)[f.x(n) <= 1] == 1).all() for n in range(1, 4))
    assert all(abs(np.diff(f.y(n)[f.x(n) >= 1], 2)).max() < 1e-09 for n in range(4))
    assert f.axes[0].lines[0].get_linestyle() == ":"


@describes("fig-stretch")
def stretch(f):
    assert f.labels()[1:] == ["linear (PI)", "YaRN", "Llama 3", "NTK-aware"]
    assert f.axes[0].get_xlim()[0] > f.axes[0].get_xlim()[1]
    assert (f.y(1) == 1 / 8).all()
    assert f.y(4)[0] == 1
    assert all(math.isclose(f.y(n)[-1], 1 / 8) for n in range(1, 5))
    assert (np.diff(f.y(4)) < 0).all()
    assert f.y(2)[f.x(2) > 38].min() == 1
    assert (f.y(2)[f.x(2) < 1] == 1 / 8).all()
    assert f.y(3)[f.x(3) > 4].min() == 1 > f.y(3)[f.x(3) < 3.9].max()


@describes("fig-gaps")
def gaps(f):
    assert (
        lambda dots, time, index: (
            np.corrcoef(dots, time)[0, 1] > 0.9
            and abs(np.corrcoef(dots, index)[0, 1]) < 0.4
            and (index.std() < dots.std() / 2)
        )
    )(f.y(0), f.y(1), f.y(2))
    assert round(f.x(0)[-1] - f.x(0)[0]) == 14
    assert round(f.x(0)[0]) == 28
    assert f.labels() == ["by index", "by time"]


@describes("fig-path")
def path(f):
    assert f.labels() == ["j = 1", "j = 3", "j = 2"]
    assert [(np.diff(np.sign(f.y(n))) != 0).sum() for n in range(3)] == [1, 2, 3]
    assert all(f.y(n)[0] > 0 for n in range(3))
    assert (np.diff(f.y(0)) < 0).all()
    assert len(f.x(0)) == 24


@describes("fig-poses")
def poses(f):
    def target_from_robot(panel):
        p, ahead, q = (complex(f.x(n, panel)[0], f.y(n, panel)[0]) for n in (0, 1, 2))
        return (q - p) / (ahead - p) * abs(ahead - p)

    assert abs(target_from_robot(0) - target_from_robot(1)) < 1e-9


@describes("fig-separation")
def separation(f):
    assert f.labels() == [
        "710 on",
        "1,885 on",
        "2,840 on",
        "6,283 on",
        "9,513 on",
        "neighbour",
        "nearest of 10,000",
    ]
    assert 5e-05 < f.y(1)[0] < 7e-05
    assert [round(v, 2 if v < 0.1 else 1) for v in f.y(1)[1:5]] == [0.04, 0.2, 0.2, 0.5]
    assert (f.y(1)[5:] == f.y(0)[5:]).all()
    assert (f.y(1)[:5] < f.y(0)[:5]).all()
    assert 0.9 < f.y(0).min() < f.y(0).max() < 1.5
    assert f.x(0)[5] == 6


@describes("fig-chords")
def chords(f):
    lengths = [math.dist(*zip(f.x(0, n), f.y(0, n), strict=True)) for n in range(4)]
    assert [round(length, 2) for length in lengths] == [0.97, 1.56, 0.45, 0.04]
    assert all(f.y(0, n).min() > 0.8 for n in (2, 3))
    angles = [math.dist(*posenc.sinusoidal_at([5, 50], 8)[:, 2 * n : 2 * n + 2]) for n in range(4)]
    assert np.allclose(lengths, angles)


@describes("fig-turns")
def turns(f):
    assert [round(f.y(n)[0]) for n in range(3)] == [326] * 3
    assert f.labels()[1:] == ["b = 100,000", "b = 10,000", "b = 100"]
    assert round(f.y(0)[-1], 1) == 3.3
    assert round(f.y(1)[-1], 3) == 0.034
    assert round(f.y(2)[-1], 4) == 0.0034
    assert [(f.y(n) >= 1).sum() for n in (1, 2)] == [161, 129]
    assert len(f.x(0)) == 256


@describes("fig-statistics")
def statistics(f):
    assert f.labels() == ["sin", "cos"]
    assert all(
        (abs(f.y(n)[:28]) < 0.05).all() and (abs(f.y(n, 1)[:28] - 1 / 2) < 0.05).all()
        for n in (1, 2)
    )
    assert f.y(2)[-1] > 0.99
    assert 0.65 < f.y(1).max() < 0.75
    assert round(f.y(1)[-1], 1) == 0.1
    assert max(f.y(1, 1)[-1], f.y(2, 1)[-1]) < 0.005


@describes("fig-turning")
def turning(f):
    assert [f.axes[n].get_xlabel() for n in range(3)] == ["p = 5", "p = 6", "p = 7"]
    assert all(len(f.axes[n].lines) == 4 for n in range(3))
    assert all(
        (
            abs(f.x(n, k)[1] / math.hypot(f.x(n, k)[1], f.y(n, k)[1]) - math.sin((5 + k) * w))
            < 1e-09
            for k in range(3)
            for n, w in enumerate((1, 0.1, 0.01, 0.001))
        )
    )
    assert all(
        f.y(n, k)[1] > 0.9 * math.hypot(f.x(n, k)[1], f.y(n, k)[1])
        for k in range(3)
        for n in (2, 3)
    )


@describes("fig-spectrum")
def spectrum(f):
    assert (
        lambda paper, other: (
            abs(paper[0] - 2 * math.pi) < 1e-09 > abs(other[0] - 2 * math.pi) - 1e-09
            and round(paper[-1]) == 47117
            and math.isclose(other[-1], 2 * math.pi * 10000)
            and (paper[-1] < 2 * math.pi * 10000)
            and (len(paper) == 64 / 2)
            and (abs(np.diff(np.log(paper), 2)).max() < 1e-09)
        )
    )(f.y(2), f.y(3))
    assert f.axes[0].get_yscale() == "log"
    assert f.labels()[2:] == ["paper", "tensor2tensor"]


@describes("fig-heatmap")
def heatmap(f):
    turns = [(np.diff(np.sign(c)) != 0).sum() for c in f.pixels().T]
    assert np.allclose(f.pixels(), posenc.sinusoidal_positional_encoding(64, 32))
    assert all((a >= b for a, b in itertools.pairwise(turns[::2])))
    assert turns[0] > 15
    assert np.ptp(f.pixels()[:, -1]) < 0.01
    assert np.ptp(f.pixels()[:, -2]) < 0.05


@describes("fig-base-100")
def base_100(f):
    turns = [(np.diff(np.sign(c)) != 0).sum() for c in f.pixels().T]
    assert f.pixels().shape == (64, 32)
    assert turns[0] > turns[10] > turns[30] >= 0
    assert np.ptp(f.pixels(), axis=0).min() > 0.3
    assert np.allclose(f.pixels(), posenc.sinusoidal_positional_encoding(64, 32, base=100))


@describes("fig-waves")
def waves(f):
    assert [f.axes[n].get_title(loc="left").split(",")[0] for n in range(3)] == [
        "pair 0",
        "pair 4",
        "pair 8",
    ]
    assert [*f.x(1)] == [*range(48)]
    assert [round(47 * w / 2 / math.pi, 2) for w in posenc.inv_freq(32)[[0, 4, 8]]] == [
        7.48,
        0.75,
        0.07,
    ]
    assert all(
        (
            np.allclose(f.y(1, n), np.sin(f.x(1, n) * w))
            and np.allclose(f.y(3, n), np.cos(f.x(3, n) * w))
            for n, w in enumerate(posenc.inv_freq(32)[[0, 4, 8]])
        )
    )


@describes("fig-pairs")
def pairs(f):
    assert [line.get_label() for line in f.axes[0].lines[:3]] == [
        "no positions",
        "causal mask",
        "positions",
    ]
    assert (f.x(0) == 1e-14).tolist() == [True, True, True, False, False]
    assert (np.diff(f.y(0)) > 0).all()
    assert f.x(0)[3:].min() > 0.3
    assert min(f.x(1).min(), f.x(2).min()) > 0.1
    assert f.axes[0].get_xscale() == "log"


@describes("fig-without")
def without(f):
    """Rows 1 and 4 are two occurrences of *the*."""
    model, blind = f.pixels(0), f.pixels(1)
    assert model.shape == blind.shape == (14, 14)
    assert (model.argmax(axis=1)[1:] == np.arange(13)).all()
    assert model[1:].max(axis=1).min() > 0.99
    assert np.allclose(blind[1], blind[4])
    assert not np.allclose(model[1], model[4])
    assert len(set(blind.argmax(axis=1))) < 6


@describes("fig-shares")
def shares(f):
    assert (f.y(0) == 0.125).all()
    assert round(f.y(1)[0], 2) == 0.34
    assert round(f.y(1)[-1], 3) == 0.016
    assert round(f.y(2)[0], 2) == 0.56
    assert round(f.y(2)[-1], 3) == 0.002
    assert all((np.diff(f.y(n)) < 0).all() for n in (1, 2))
    assert [line.get_label() for line in f.axes[0].lines[:3]] == ["1 layer", "2 layers", "3 layers"]


@describes("fig-first")
def first(f):
    assert [n for n in range(8) if f.x(2 * n).mean() < 0.6] == [0, 4]
    assert all((f.x(2 * n) > 0.99).all() for n in range(8) if n not in (0, 4))
    assert len(f.x(0)) == 5
    assert [f.y(2 * n)[0] for n in range(8)] == [*range(8)]
    assert [f.axes[0].get_yticklabels()[k].get_text() for k in (0, 4)] == ["none", "alibi"]


@describes("fig-precision")
def precision(f):
    single = f.y(0)
    once = f.y(1)
    double = f.y(2)

    def slope(curve):
        return np.polyfit(np.log(f.x(0)), np.log(curve), 1)[0]

    assert len(f.axes) == 1
    assert len(f.axes[0].lines) == 3
    assert f.axes[0].get_xscale() == f.axes[0].get_yscale() == "log"
    assert f.x(0)[0] == 10
    assert f.x(0)[-1] == 1000000.0
    assert single[0] < 1e-06
    assert 0.01 < single[-1] < 0.1
    assert (np.log10(single / double) > 8).all()
    assert (np.log10(single / double) < 9).all()
    assert 0.9 < slope(single) < 1.1 > slope(double) > 0.9
    assert once.min() > 2.5e-08
    assert once.max() < 3.5e-08
    assert set(f.labels()) == {"float64 angles", "float32 entries, rounded once", "float32 angles"}


@describes("fig-conventions")
def conventions(f):
    rows = np.arange(6)
    half = posenc.sinusoidal_positional_encoding(6, 8, layout="half")
    sines = posenc.sinusoidal_positional_encoding(6, 8)[:, ::2]
    assert len(f.axes) == 7
    assert all(f.pixels(n).shape == (6, 8) for n in range(7))
    assert abs(f.pixels(0)[:, ::2] - sines).max() < 1e-12
    assert abs(f.pixels(0)[:, 1::2] - half[:, 4:]).max() < 1e-12
    assert abs(f.pixels(1) - half).max() < 1e-12
    assert abs(f.pixels(6)[:, 4:] - sines).max() < 1e-12
    assert all(
        (
            abs(f.pixels(n)[:, 0] - size * np.sin(rows)).max() < 1e-12
            for n, size in ((2, 8 ** (-0.5)), (3, 1))
        )
    )
    assert abs(f.pixels(5)[:, 4] - np.sin(rows)).max() < 1e-12
    assert abs(f.pixels(4)[:-2] - f.pixels(3)[2:]).max() < 1e-12
    assert np.ptp(f.pixels(3)[:, 3]) < np.ptp(f.pixels(1)[:, 3]) / 2
    assert abs(f.pixels(2)).max() < 0.5
    assert all(abs(f.pixels(n)).max() > 0.9 for n in (0, 1, 3, 4, 5, 6))


@describes("fig-door")
def door(f):
    def down(channel):
        return (np.diff(np.sign(f.pixels(0)[1:, channel])) != 0).sum()

    assert f.pixels(0).shape == (96, 64)
    assert down(0) > 25 > down(10) > down(20) > down(62) == 0
    assert abs(f.pixels(0) - posenc.sinusoidal_positional_encoding(96, 64)).max() < 1e-12
    assert f.pixels(0)[:, 62].max() < 0.05
    assert f.pixels(0)[:, 63].min() > 0.95


@describes("fig-bases")
def bases(f):
    hundred, thousand, usual, large = range(4)
    assert [*f.x(0)] == [32, 64, 128, 256]
    assert min(f.y(n, panel)[0] for n in range(4) for panel in (0, 1)) > 0.99
    assert abs(f.y(usual)[1] - 1 / 2) < 0.02
    assert max(abs(f.y(usual)[2:] - 1 / 8)) < 0.01
    assert f.y(large)[1] > 0.99
    assert abs(f.y(large)[3] - 1 / 8) < 0.01
    assert min(f.y(hundred)[1:3].min(), f.y(thousand)[1:3].min()) > 0.7
    assert min(f.y(hundred)[3], f.y(thousand)[3]) > 0.2
    assert f.y(large, 1)[1] == max(f.y(n, 1)[1] for n in range(4))
    assert f.y(large, 1)[3] == min(f.y(n, 1)[3] for n in range(4))
    assert abs(f.y(large, 1)[3] - 1 / 2) < 0.01
    assert f.y(thousand, 1)[3] == max(f.y(n, 1)[3] for n in range(4))


@describes("fig-tables")
def tables(f):
    random = f.y(0)
    sines = f.y(1)
    mean = experiments.load("tables").mean
    assert f.x(0).tolist() == f.x(1).tolist() == [*range(32)]
    assert random[0] == sines[0] == 1
    assert abs(random[1:31]).max() < 0.1
    assert 0.1 < random[31] < 0.15
    assert 0.9 < sines[1] < 0.95
    assert 0.25 < sines[25:].min() < 0.35
    assert 0.45 < sines[25:].max() < 0.6
    assert (np.diff(sines) > 0).any()
    assert sines[16:].mean() < sines[:16].mean() - 0.1
    assert set(f.labels()) == {"random start", "sinusoidal start"}
    assert all(
        mean(f"{start}, 1000 steps", "accuracy") > 0.9995 for start in ("random", "sinusoidal")
    )


FIGURES = {
    fence.attributes["id"]: fence
    for page in sorted(DOCS.rglob("*.md"))
    for fence in find_fences(read_page(page))
    if "figure" in fence.classes and "id" in fence.attributes and page.parent.name != "contributing"
}


def draw(fence: Fence) -> DrawnFigure:
    """Return the figure that a fence draws on light pages."""
    with style.context(["default", figures.THEMES["light"]]):
        figure: Any = figures.compile_figure(fence.source)()
    return DrawnFigure([axes for axes in figure.axes if axes.get_label() != "<colorbar>"])


@pytest.mark.parametrize("figure", FIGURES)
def test_words_about_a_figure_are_true_of_its_data(figure):
    assert figure in CHECKS, "write a function with the facts that its words claim"
    CHECKS[figure](draw(FIGURES[figure]))


def test_every_check_belongs_to_a_figure():
    assert set(CHECKS) <= set(FIGURES)
