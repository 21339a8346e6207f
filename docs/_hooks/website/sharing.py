"""What a link to the site looks like where it is shared: `docs/_theme/main.html` says it.

All pages share one picture, drawn in the build. It needs a full address, so where the address of
the site is not known there is none.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from engine.cache import FOLDER, digest

SERVED = "assets/card.png"
INK, PAPER = "#16324f", "#fdfbf7"
SAID = "Every equation stated, implemented and verified"


def files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the picture, drawn where it is not there yet."""
    if config.site_url:
        kept = FOLDER / f"card-{digest([Path(__file__)])[:16]}.png"
        if not kept.exists():
            draw(kept, config.site_name)
        yield File.generated(config, SERVED, abs_src_path=str(kept))


def draw(path: Path, name: str) -> None:
    """Draw a name above a table of sines and cosines, of the size that hosts ask for."""
    from matplotlib.figure import Figure  # takes a second

    positions, pairs = np.arange(64)[:, None], np.arange(64)
    angles = positions * 10000.0 ** (-pairs / 64)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(64, 128)

    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 0.62))
    axes.imshow(table, cmap="RdBu_r", aspect="auto")
    axes.set_axis_off()
    figure.text(0.05, 0.83, name, size=44, family="STIXGeneral", color=INK, va="center")
    figure.text(0.05, 0.70, SAID, size=24, family="DejaVu Sans", color=INK, va="center")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
