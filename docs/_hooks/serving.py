"""In `mkdocs serve`, a page whose text has not changed is not converted again.

MkDocs makes all pages anew after every edit. Most of that time goes into Markdown and into
cutting pages up for the search index; both follow from the text of a page, what it includes
of the package, and the list of pages. They are kept here for as long as the process lives.
A page with API entries (`:::`) is always converted, since that also registers its names.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

ATTRIBUTES = ("content", "toc", "_title_from_render", "present_anchor_ids")


@dataclass
class Kept:
    """What became of a page, and of which text."""

    key: str
    attributes: dict[str, Any] = field(default_factory=dict)
    links: dict[str, dict[str, str]] = field(default_factory=dict)  # by address of the file
    entries: list[Any] = field(default_factory=list)  # of the search index


PAGES: dict[str, Kept] = {}


def convert_once(page: Page, text: str, foundation: str) -> None:
    """Make the page take what was kept where nothing that it rests on has changed.

    `text` is its Markdown as it will be converted, `foundation` tells the package apart.
    """
    if "\n::: " in text:
        return
    convert = page.render

    def render(config: MkDocsConfig, files: Files) -> None:
        settings = Path(config.config_file_path).read_text("utf-8")
        names = sorted(file.src_uri for file in files)
        key = hashlib.sha256(repr((text, foundation, settings, names)).encode()).hexdigest()
        kept = PAGES.get(page.file.src_uri)
        if kept is None or kept.key != key:
            convert(config, files)
            kept = Kept(key, {name: getattr(page, name) for name in ATTRIBUTES})
            links = page.links_to_anchors or {}
            kept.links = {file.src_uri: dict(anchors) for file, anchors in links.items()}
            PAGES[page.file.src_uri] = kept
        for name, value in kept.attributes.items():
            setattr(page, name, value)
        by_name = files.src_uris
        page.links_to_anchors = {by_name[name]: links for name, links in kept.links.items()}

    page.render = render  # type: ignore[method-assign]


def index(page: Page, config: MkDocsConfig) -> bool:
    """Put what was kept of a page into the search index; return whether there was anything."""
    kept = PAGES.get(page.file.src_uri)
    if kept is None or not kept.entries:
        return False
    entries(config.plugins).extend(kept.entries)
    return True


def keep_indexed(page: Page, config: MkDocsConfig) -> None:
    """Keep what the search index has of a page."""
    if page.file.src_uri in PAGES:
        place = page.url
        PAGES[page.file.src_uri].entries = [
            entry
            for entry in entries(config.plugins)
            if entry["location"].partition("#")[0] == place
        ]


def entries(plugins: Mapping[str, Any]) -> list[Any]:
    """Return the entries of the search index that is being made."""
    (search,) = (plugin for plugin in plugins.values() if hasattr(plugin, "search_index"))
    entries: list[Any] = search.search_index.entries
    return entries
