"""The order of the pages, as `nav` in mkdocs.yml has it, for whatever host builds the site."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from check import lab_source
from check.paths import DOCS, ROOT
from check.problems import suggest

SETTINGS = ROOT / "mkdocs.yml"


@dataclass(frozen=True)
class NavPage:
    """A page in the navigation: its file, its address in `docs`, its section, what it is called."""

    path: Path  # of a lab the script
    uri: str  # chapters/rotary.md
    section: str  # or nothing
    title: str  # or nothing: then its front matter says it


@dataclass(frozen=True)
class Chapter:
    """Where a chapter stands in the book."""

    number: int
    part: str
    url: str  # in the site


class _Settings(yaml.SafeLoader):  # type: ignore[misc]
    """Reads the settings, and leaves alone what only MkDocs understands."""


_Settings.add_multi_constructor("", lambda loader, tag, node: None)


def list_pages(settings: Path = SETTINGS) -> list[NavPage]:
    """Return the pages of the navigation that are there, in order."""
    return [place for place in _list_entries(settings) if place.path.exists()]


def find_problems(settings: Path = SETTINGS) -> Iterator[str]:
    """Yield by file and line what to mend: a page that is named and not there, or not named."""
    files = [*DOCS.rglob("*.md"), *lab_source.list_labs()]
    there = {file.relative_to(DOCS).with_suffix(".md").as_posix() for file in files}
    named = [place.uri for place in _list_entries(settings)]
    lines = settings.read_text("utf-8").splitlines()
    for uri in named:
        if uri not in there:
            number = next(n for n, line in enumerate(lines, start=1) if uri in line)
            said = f"nav names {uri}, and docs has no such page{suggest(uri, there)}"
            yield f"{settings.name}:{number}: {said}"
    for uri in sorted(there.difference(named)):
        yield f"docs/{uri}:1: no reader finds this page; name it in nav of {settings.name}"


def _list_entries(settings: Path) -> Iterator[NavPage]:
    return _flatten_nav(_read_nav(settings.read_text("utf-8")), "")


@lru_cache(maxsize=4)
def _read_nav(settings: str) -> list[Any]:
    nav: list[Any] = yaml.load(settings, _Settings)["nav"]
    return nav


def _flatten_nav(items: list[Any], section: str) -> Iterator[NavPage]:
    for item in items:
        for title, inner in item.items() if isinstance(item, dict) else [(None, item)]:
            if isinstance(inner, list):
                yield from _flatten_nav(inner, str(title))
            elif inner.endswith(".md") and "://" not in inner:
                yield NavPage(
                    lab_source.find_source(DOCS / inner), inner, section, str(title or "")
                )


def number_chapters(places: list[NavPage]) -> dict[Path, Chapter]:
    """Return the chapters in their order: the pages that lie in the folder of that name."""
    found: dict[Path, Chapter] = {}
    for place in places:
        if place.uri.startswith("chapters/"):
            url = f"{place.uri.removesuffix('.md')}/"
            found[place.path] = Chapter(len(found) + 1, place.section, url)
    return found
