"""The picture that other sites show with a link to the book; `docs/_theme/main.html` names it.

All pages share one picture. Its link has to be a full address, so there is none without SITE_URL.
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

SITE_PATH = "assets/card.png"
INK, PAPER = "#16324f", "#fdfbf7"
TAGLINE = "Every equation stated, implemented and verified"


def start_drawing(config: MkDocsConfig) -> BaseProcess | None:
    """Start to draw the picture if the site needs one and it doesn't exist yet."""
    if not config.site_url or get_path().exists():
        return None
    return start_process(partial(draw_card, name=config.site_name), get_path())


def get_path() -> Path:
    """Return the cache file of the picture."""
    return FOLDER / f"card-{digest_files([Path(__file__)])[:16]}.png"


def list_files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the picture if the site needs one; it may still be being drawn."""
    if config.site_url:
        yield File.generated(config, SITE_PATH, abs_src_path=str(get_path()))


def draw_card(path: Path, name: str) -> None:
    """Draw the name of the book above a table of sines and cosines, 1200 by 630 pixels."""
    from matplotlib.figure import Figure  # slow; the worker has loaded it, the build hasn't

    positions, pairs = np.arange(64)[:, None], np.arange(64)
    angles = positions * 10000.0 ** (-pairs / 64)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(64, 128)

    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 0.62))
    axes.imshow(table, cmap="RdBu_r", aspect="auto")
    axes.set_axis_off()
    figure.text(0.05, 0.83, name, size=44, family="STIXGeneral", color=INK, va="center")
    figure.text(0.05, 0.70, TAGLINE, size=24, family="DejaVu Sans", color=INK, va="center")
    with replace_file(path) as draft:
        figure.savefig(draft)
