"""Drawings of points: encodings on the circle, predictions against the truth."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch
from matplotlib.path import Path
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.plots import figure_style


def rotation(positions: ArrayLike, offset: float, omega: float) -> Figure:
    """Draw one pair on the unit circle: the same offset rotates every position equally far.

    Args:
        positions: Shape (n,), real numbers p. Three are enough, five are many.
        offset: k, in positions. Arrows lead from p to p + k.
        omega: ω, radians per position.

    Returns:
        A figure with a point (sin ωp, cos ωp) for every p and every p + k. Angles run
        clockwise from the top, as they do wherever the sine is the horizontal axis.

    Raises:
        TypeError: `positions` does not hold real numbers, or `offset` or `omega` is not
            a real number.
        ValueError: `positions` does not have 1 axis or is empty, or a number is not finite.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.rotation([0, 3, 7], 2, 0.5)
        >>> print(figure.axes[0].texts[0].get_text())
        every arrow
        turns by
        ω·2 = 1.00 rad
    """
    starts = figure_style.filled("positions", positions, ndim=1)
    offset = checks.real("offset", offset)
    omega = checks.real("omega", omega)

    figure = figure_style.new_figure(4.8, 4.8, square=True)
    axes = figure.subplots()
    figure_style.bare(axes, "sin(ωp)", "cos(ωp)")
    axes.add_patch(Circle((0, 0), 1, fill=False, color=figure_style.muted()))
    axes.text(
        0,
        0,
        f"every arrow\nturns by\nω·{offset:g} = {omega * offset:.2f} rad",
        horizontalalignment="center",
        verticalalignment="center",
    )
    radii = np.linspace(0.87, 0.6, len(starts))
    for order, (p, radius) in enumerate(zip(starts, radii, strict=True)):
        _turn(axes, omega * p, omega * (p + offset), radius, f"C{order}")
    for group in _neighbours(np.unique([starts, starts + offset]), omega):
        x, y = _on_circle(omega * group[0], 1.09)
        side = "left" if x > 0.4 else "right" if x < -0.4 else "center"
        level = "bottom" if y > 0.9 else "top" if y < -0.9 else "center"
        text = "p = " + ", ".join(f"{p:g}" for p in group)
        axes.text(x, y, text, horizontalalignment=side, verticalalignment=level)
    axes.set(aspect="equal", xlim=(-1.4, 1.4), ylim=(-1.4, 1.4))
    axes.set(xticks=(-1, 0, 1), yticks=(-1, 0, 1))
    return figure


def _turn(axes: Axes, start: float, stop: float, radius: float, colour: str) -> None:
    """Draw two points of the circle, and inside it an arrow from one angle to the other."""
    for angle in (start, stop):
        spoke = np.array([_on_circle(angle, radius), _on_circle(angle, 1)])
        axes.plot(*spoke.T, color=colour, linewidth=1)
        axes.plot(*spoke[1], "o", color=colour)
    arc = np.array([_on_circle(angle, radius) for angle in np.linspace(start, stop, 100)])
    axes.add_patch(
        FancyArrowPatch(
            path=Path(arc), arrowstyle="-|>", mutation_scale=14, linewidth=2, color=colour
        )
    )


def _neighbours(positions: NDArray[np.float64], omega: float) -> list[list[float]]:
    """Return the positions in groups that lie so close on the circle that they share a label."""
    groups: list[list[float]] = []
    for p in positions.tolist():
        for group in groups:
            if math.dist(_on_circle(omega * p, 1), _on_circle(omega * group[0], 1)) < 0.2:
                group.append(p)
                break
        else:
            groups.append([p])
    return groups


def _on_circle(angle: float, radius: float) -> tuple[float, float]:
    """Return the point at an angle in radians, clockwise from the top."""
    return radius * math.sin(angle), radius * math.cos(angle)


def regression(targets: ArrayLike, predictions: ArrayLike, labels: Sequence[str]) -> Figure:
    """Draw predicted against true values, a panel for each model, with its R².

    Args:
        targets: Shape (n,), the true values, not all equal.
        predictions: Shape (m, n), the values that each of m models predicts, in the unit
            of `targets`.
        labels: m names, one for each model.

    Returns:
        A figure of m panels with the same axes. The title of each is
        R² = 1 - Σ(target - prediction)² / Σ(target - mean)²; on the diagonal a prediction
        is right.

    Raises:
        TypeError: `targets` or `predictions` does not hold real numbers.
        ValueError: A shape does not fit the others, a number is not finite, or all
            targets are equal.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.regression([1, 2, 3], [[1, 2, 3], [2, 2, 2]], ["exact", "mean"])
        >>> [axes.get_title(loc="left").split() for axes in figure.axes]
        [['exact', 'R²', '=', '1.000'], ['mean', 'R²', '=', '0.000']]
    """
    true = figure_style.filled("targets", targets, ndim=1)
    models = checks.finite("predictions", predictions, ndim=2)
    labels = list(labels)
    if models.shape != (len(labels), len(true)) or not labels:
        raise ValueError(
            f"predictions must have shape (labels, targets) = ({len(labels)}, {len(true)}) "
            f"with at least one label, got shape {models.shape}"
        )
    if not np.ptp(true) > 0:
        raise ValueError("targets must not be all equal")

    figure = figure_style.new_figure(0.6 + figure_style.WIDTH / max(len(labels), 2), square=True)
    panels = figure.subplots(1, len(labels), sharey=True, squeeze=False)[0]
    ends = (min(true.min(), models.min()), max(true.max(), models.max()))
    for axes, predicted, label in zip(panels, models, labels, strict=True):
        figure_style.bare(axes, "true value")
        axes.plot(ends, ends, color=figure_style.muted(), linestyle="--")
        axes.plot(true, predicted, "o", color="C0", markersize=4, markeredgewidth=0, alpha=0.6)
        r2 = f"{_r2(true, predicted):.3f}".replace("-", "−")
        axes.set_title(f"{label}\nR² = {r2}", loc="left", fontsize="medium")
        axes.set_aspect("equal")
        axes.locator_params(nbins=4)
    panels[0].set_ylabel("predicted value")
    return figure


def _r2(true: NDArray[np.float64], predicted: NDArray[np.float64]) -> float:
    """Return the share of the variance of the true values that the prediction explains."""
    return float(1 - ((true - predicted) ** 2).sum() / ((true - true.mean()) ** 2).sum())
