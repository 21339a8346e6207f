"""What a link to the site looks like where it is shared: `docs/_theme/main.html` says it.

All pages share one picture, drawn in the build. It needs a full address, so where the address of
the site is not known there is none.
"""

from collections.abc import Iterator
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from check.cache import FOLDER, digest_files, replace_file
from render.workers import start_process

SERVED = "assets/card.png"
INK, PAPER = "#16324f", "#fdfbf7"
SAID = "Every equation stated, implemented and verified"


def begun(config: MkDocsConfig) -> BaseProcess | None:
    """Begin to draw the picture, if there is to be one and it is not there yet."""
    if not config.site_url or kept().exists():
        return None
    return start_process(partial(draw, name=config.site_name), kept())


def kept() -> Path:
    """Return where it is kept."""
    return FOLDER / f"card-{digest_files([Path(__file__)])[:16]}.png"


def files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the picture, which has been begun."""
    if config.site_url:
        yield File.generated(config, SERVED, abs_src_path=str(kept()))


def draw(path: Path, name: str) -> None:
    """Draw a name above a table of sines and cosines, of the size that hosts ask for."""
    from matplotlib.figure import Figure  # what begins this has loaded it; the build has not

    positions, pairs = np.arange(64)[:, None], np.arange(64)
    angles = positions * 10000.0 ** (-pairs / 64)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(64, 128)

    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 0.62))
    axes.imshow(table, cmap="RdBu_r", aspect="auto")
    axes.set_axis_off()
    figure.text(0.05, 0.83, name, size=44, family="STIXGeneral", color=INK, va="center")
    figure.text(0.05, 0.70, SAID, size=24, family="DejaVu Sans", color=INK, va="center")
    with replace_file(path) as unfinished:
        figure.savefig(unfinished)
