"""The pictures that other sites show with a link to a page; `docs/_theme/main.html` names them.

A chapter has a picture of its first figure, and all other pages share one. The link has to be a
full address, so there are none without SITE_URL.
"""

import io
import os
from collections.abc import Iterator
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from check.cache import FOLDER, digest_files
from check.fences import find_fences
from check.figures import THEMES, compile_figure
from check.page_source import get_front_matter, read_page
from check.paths import list_modules
from render import navigation
from render.workers import start_process

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SITE_FOLDER = "assets/cards"
SHARED = "book"
INK, PAPER = "#16324f", "#fdfbf7"
TAGLINE = "Every equation stated, implemented and verified"


def start_drawing(config: MkDocsConfig) -> BaseProcess | None:
    """Start to draw the pictures if the site needs them and they don't exist yet."""
    if not config.site_url or get_folder().exists():
        return None
    return start_process(partial(draw_cards, name=config.site_name), get_folder())


def get_folder() -> Path:
    """Return the folder of the pictures in the cache, by all that they are drawn from."""
    sources = [Path(__file__), *_list_chapters().values(), *list_modules()]
    return FOLDER / f"cards-{digest_files(sources)[:16]}"


def list_files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the pictures if the site needs them; they may still be being drawn."""
    for name in [SHARED, *_list_chapters()] if config.site_url else []:
        path = f"{SITE_FOLDER}/{name}.png"
        yield File.generated(config, path, abs_src_path=str(get_folder() / f"{name}.png"))


def _list_chapters() -> dict[str, Path]:
    chapters = navigation.number_chapters(navigation.list_pages())
    return {path.stem: path for path in chapters}


def draw_cards(folder: Path, name: str) -> None:
    """Draw the shared picture, and one for each chapter, 1200 by 630 pixels each."""
    draft = folder.with_name(f"{os.getpid()}-{folder.name}")
    draft.mkdir(parents=True)
    _draw_shared_card(name).savefig(draft / f"{SHARED}.png")
    for stem, path in _list_chapters().items():
        _draw_chapter_card(path, name).savefig(draft / f"{stem}.png")
    draft.replace(folder)


def _draw_shared_card(name: str) -> "Figure":
    """Return the name of the book above a table of sines and cosines."""
    positions, pairs = np.arange(64)[:, None], np.arange(64)
    angles = positions * 10000.0 ** (-pairs / 64)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(64, 128)

    card = _start_card(name)
    _write(card, (0.05, 0.73), TAGLINE)
    axes = card.add_axes((0, 0, 1, 0.62))
    axes.imshow(table, cmap="RdBu_r", aspect="auto")
    axes.set_axis_off()
    return card


def _draw_chapter_card(path: Path, name: str) -> "Figure":
    """Return the title of a chapter above its first figure."""
    from matplotlib import pyplot, style

    text = read_page(path)
    fence = next(fence for fence in find_fences(text) if "figure" in fence.classes)
    with style.context(["default", THEMES["light"]]):
        figure = compile_figure(fence.source)()
        image = io.BytesIO()
        figure.savefig(image, format="png", dpi=200)  # type: ignore[attr-defined]

    card = _start_card(str(get_front_matter(text)["title"]))
    _write(card, (0.95, 0.87), name, ha="right")
    axes = card.add_axes((0.05, 0.03, 0.9, 0.75))
    image.seek(0)
    axes.imshow(pyplot.imread(image))
    axes.set_axis_off()
    return card


def _start_card(title: str) -> "Figure":
    from matplotlib.figure import Figure  # slow; the worker has loaded it, the build hasn't

    card = Figure(figsize=(12, 6.3), dpi=100, facecolor=PAPER)
    card.text(0.05, 0.87, title, size=40, family="STIXGeneral", color=INK, va="center")
    return card


def _write(card: "Figure", at: tuple[float, float], text: str, ha: str = "left") -> None:
    card.text(*at, text, size=24, family="DejaVu Sans", color=INK, va="center", ha=ha)
