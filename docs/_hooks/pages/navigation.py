"""The order of the pages, as `nav` in mkdocs.yml has it, for whatever host builds the site."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from engine import scripts
from engine.places import DOCS, ROOT

SETTINGS = ROOT / "mkdocs.yml"


@dataclass(frozen=True)
class Place:
    """A page in the navigation: its file, its address in `docs`, and the section it is in."""

    path: Path  # of a lab the script
    uri: str  # chapters/rotary.md
    section: str  # or nothing


@dataclass(frozen=True)
class Chapter:
    """Where a chapter stands in the book."""

    number: int
    part: str
    url: str  # in the site


class _Settings(yaml.SafeLoader):  # type: ignore[misc]
    """Reads the settings, and leaves alone what only MkDocs understands."""


_Settings.add_multi_constructor("", lambda loader, tag, node: None)


def places(settings: Path = SETTINGS) -> list[Place]:
    """Return the pages of the navigation that are there, in order."""
    said = yaml.load(settings.read_text("utf-8"), _Settings)
    return [place for place in _within(said["nav"], "") if place.path.exists()]


def _within(items: list[Any], section: str) -> Iterator[Place]:
    for item in items:
        for title, inner in item.items() if isinstance(item, dict) else [(None, item)]:
            if isinstance(inner, list):
                yield from _within(inner, str(title))
            elif inner.endswith(".md") and "://" not in inner:
                yield Place(scripts.source(DOCS / inner), inner, section)


def chapters(places: list[Place]) -> dict[Path, Chapter]:
    """Return the chapters in their order: the pages that lie in the folder of that name."""
    found: dict[Path, Chapter] = {}
    for place in places:
        if place.uri.startswith("chapters/"):
            url = f"{place.uri.removesuffix('.md')}/"
            found[place.path] = Chapter(len(found) + 1, place.section, url)
    return found
