"""The order of the pages and the numbers of the chapters, from `nav` in mkdocs.yml."""

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
    """A page in the navigation."""

    path: Path  # of a lab, the script
    uri: str  # relative to docs, such as chapters/rotary.md
    section: str  # may be empty
    title: str  # empty if nav gives none, so that the front matter's applies


@dataclass(frozen=True)
class Chapter:
    """The number of a chapter, the part that it belongs to, and its address on the site."""

    number: int
    part: str
    url: str


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Loads mkdocs.yml without the tags that only MkDocs understands."""


_Loader.add_multi_constructor("", lambda loader, tag, node: None)


def list_pages(settings: Path = SETTINGS) -> list[NavPage]:
    """Return the pages in the navigation whose files exist, in order."""
    return [page for page in _list_entries(settings) if page.path.exists()]


def find_problems(settings: Path = SETTINGS) -> Iterator[str]:
    """Yield a message, with file and line, for each missing page and each page outside of nav."""
    files = [*DOCS.rglob("*.md"), *lab_source.list_labs()]
    existing = {file.relative_to(DOCS).with_suffix(".md").as_posix() for file in files}
    listed = [page.uri for page in _list_entries(settings)]
    lines = settings.read_text("utf-8").splitlines()
    for uri in listed:
        if uri not in existing:
            number = next(n for n, line in enumerate(lines, start=1) if uri in line)
            message = f"nav lists {uri}, but docs has no such page{suggest(uri, existing)}"
            yield f"{settings.name}:{number}: {message}"
    for uri in sorted(existing.difference(listed)):
        yield f"docs/{uri}:1: readers can't find this page; add it to nav in {settings.name}"


def _list_entries(settings: Path) -> Iterator[NavPage]:
    return _flatten_nav(_read_nav(settings.read_text("utf-8")), "")


@lru_cache(maxsize=4)
def _read_nav(settings: str) -> list[Any]:
    nav: list[Any] = yaml.load(settings, _Loader)["nav"]
    return nav


def _flatten_nav(items: list[Any], section: str) -> Iterator[NavPage]:
    for item in items:
        for title, value in item.items() if isinstance(item, dict) else [("", item)]:
            if isinstance(value, list):
                yield from _flatten_nav(value, str(title))
            elif value.endswith(".md") and "://" not in value:
                yield NavPage(lab_source.find_source(DOCS / value), value, section, str(title))


def number_chapters(pages: list[NavPage]) -> dict[Path, Chapter]:
    """Return the chapters by path, numbered in the order of the navigation."""
    chapters: dict[Path, Chapter] = {}
    for page in pages:
        if page.uri.startswith("chapters/"):
            url = f"{page.uri.removesuffix('.md')}/"
            chapters[page.path] = Chapter(len(chapters) + 1, page.section, url)
    return chapters
