"""What the words of a figure say of it: each alternative text and caption has what shows it.

*Left* for *right*, *row* for *column*, *falls* for *rises* would pass in them, as no number is
wrong. So both, whole, stand in `pictured.toml` with `holds`, an expression over the figure as
Matplotlib has it: `axes`, its panels; `x(n, panel)` and `y(n, panel)` of a line; `pixels(panel)`
of a map; `labels(panel)`, the words beside its lines. That the words are there is asked on every
build; a test draws each figure and computes what holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sybil import Document, Region

from engine.complaints import afterthought
from engine.fences import Fence, fences
from engine.scripts import is_lab
from engine.texts import toml
from pages import compared

PICTURED = Path(__file__).with_name("pictured.toml")


@dataclass(frozen=True)
class Pictured:
    """A figure by its id, its words, and what holds of what it draws."""

    id: str = ""
    alt: str = ""
    caption: str = ""
    holds: str = ""


def listed() -> dict[str, Pictured]:
    """Return what is listed, by the ids of figures."""
    return {entry["id"]: Pictured(**entry) for entry in toml(PICTURED).get("figure", [])}


def figures(text: str) -> Iterator[Fence]:
    """Yield the figures of a page."""
    return (fence for fence in fences(text) if "figure" in fence.classes)


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each figure of a page, not of a lab, whose words nothing shows."""
    if not compared.looked_at(Path(document.path)) or is_lab(document.path):
        return
    entries = listed()
    for fence in figures(document.text):
        said = fence.attributes
        entry = entries.get(said.get("id", ""), Pictured())
        for words in ("alt", "caption"):
            if said.get(words, "") != getattr(entry, words):
                yield afterthought(
                    document,
                    fence.start,
                    f"the {words} of this figure is not the one that {PICTURED.name} shows; write "
                    "there what it says now, and hold the figure against it",
                )


def false(entry: Pictured, figure: Any) -> bool:
    """Return whether what is said to hold of a figure does not."""
    axes = [one for one in figure.axes if one.get_label() != "<colorbar>"]

    def x(line: int = 0, panel: int = 0) -> Any:
        return np.asarray(axes[panel].lines[line].get_xdata(), dtype=float)

    def y(line: int = 0, panel: int = 0) -> Any:
        return np.asarray(axes[panel].lines[line].get_ydata(), dtype=float)

    def pixels(panel: int = 0) -> Any:
        return np.ma.filled(np.ma.asarray(axes[panel].images[0].get_array(), float), np.nan)

    def labels(panel: int = 0) -> list[str]:
        return [text.get_text() for text in axes[panel].texts]

    known = {"axes": axes, "x": x, "y": y, "pixels": pixels, "labels": labels}
    return not eval(f"(\n{entry.holds}\n)", compared.names() | known)
