"""Finished pages of the site, kept so that `mkdocs serve` shows an edit in seconds.

MkDocs makes every page again in each build, which takes 20 s. Where nothing that a page depends
on has changed, MkDocs converts an empty page instead, and a template writes the page as it was.
This uses events of MkDocs, `template` in the front matter, and public methods of autorefs and
mkdocstrings. Pages are kept by content, so they also speed up the next `mkdocs build`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files, InclusionLevel
from mkdocs.structure.pages import Page

from check.cache import HOOKS_DIGEST, Cache, digest_files, load, save
from check.fences import INCLUDE
from check.page_source import get_front_matter, read_page
from check.paths import ROOT
from render import api, navigation

EXCLUDED = InclusionLevel.EXCLUDED
TEMPLATE = "kept.html"  # writes the content of a page and nothing else
NAVIGATION = ("icon", "status", "subtitle", "title")  # front matter that all pages show


@dataclass
class KeptPage:
    """A finished page, and what other pages and files have from its conversion."""

    html: str = ""
    previews: dict[str, str] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    links: dict[str, dict[str, str]] = field(default_factory=dict)  # to ids, by page
    names: list[dict[str, Any]] = field(default_factory=list)  # that it documents
    entries: list[Any] = field(default_factory=list)  # of the search index


class PageCache:
    """The finished pages of one build."""

    def __init__(self, cache: Cache, config: MkDocsConfig, files: Files) -> None:
        self.cache = cache
        self.config = config
        self.files = files
        self.kept: dict[str, KeptPage] = {}  # by source; taken from the cache
        self.new: dict[str, tuple[Path, KeptPage]] = {}  # by source; where they will be kept
        places = navigation.list_pages()
        self.shared = repr(
            (
                HOOKS_DIGEST,
                Path(config.config_file_path).read_text("utf-8"),
                digest_files((ROOT / "docs/_theme").rglob("*.html")),
                digest_files((ROOT / "docs/_hooks").rglob("*.jinja")),
                (config.site_url, config.repo_url, config.extra),
                sorted(
                    one.src_uri for one in files if one.inclusion is not InclusionLevel.EXCLUDED
                ),
                [
                    (page.uri, *map(get_front_matter(read_page(page.path)).get, NAVIGATION))
                    for page in places
                ],
                [(section.page.name, section.id, section.names) for section in api.list_sections()],
            )
        )

    def find(self, page: Page, text: str) -> KeptPage | None:
        """Return a page as it was finished before, given all of it as Markdown, if it is kept."""
        shown = sorted({ROOT / include["path"] for include in INCLUDE.finditer(text)})
        code = [path.read_text("utf-8") for path in shown if path.is_file()]
        documented = self.cache.package if "\n::: " in text else ""
        file = self.cache.file("html", repr((self.shared, text, page.meta, code, documented)))
        if kept := load(file):
            self.kept[page.file.src_uri] = kept
            return kept  # type: ignore[no-any-return]
        self.new[page.file.src_uri] = file, KeptPage()
        return None

    def reuse(self, page: Page) -> str | None:
        """Return the article for a page that is kept: an empty one, as all else is finished."""
        kept = self.kept.get(page.file.src_uri)
        if kept is None:
            return None
        page.meta.update(template=TEMPLATE, search={"exclude": True})
        page.present_anchor_ids = kept.ids
        files = self.files.src_uris
        page.links_to_anchors = {files[uri]: links for uri, links in kept.links.items()}
        autorefs: Any = self.config.plugins["autorefs"]
        mkdocstrings: Any = self.config.plugins["mkdocstrings"]
        for name in kept.names:
            mkdocstrings.get_handler("python")  # whose style sheet is written if it is used
            mkdocstrings.handlers.inventory.register(**name)
            anchor = name["uri"].partition("#")[2]
            title, primary = anchor.rpartition(".")[2], anchor == name["name"]
            autorefs.register_anchor(page, name["name"], anchor, title=title, primary=primary)
        return ""

    def note_conversion(self, page: Page, previews: Mapping[str, str]) -> None:
        """Note what a page that was just converted has told others."""
        _, new = self.new[page.file.src_uri]
        new.previews = dict(previews)
        new.ids = page.present_anchor_ids or set()
        links = page.links_to_anchors or {}
        new.links = {file.src_uri: dict(anchors) for file, anchors in links.items()}
        mkdocstrings: Any = self.config.plugins["mkdocstrings"]
        inventory = mkdocstrings.handlers.inventory.values()
        new.names = [vars(one) for one in inventory if one.uri.startswith(f"{page.url}#")]

    def finish(self, page: Page, html: str) -> None:
        """Keep a page that is finished, with its entries in the search index."""
        file, new = self.new[page.file.src_uri]
        new.html = html
        new.entries = [
            entry
            for entry in search_entries(self.config)
            if entry["location"].partition("#")[0] == page.url
        ]
        save(new, file)


def search_entries(config: MkDocsConfig) -> list[Any]:
    """Return the entries of the search index that is being made."""
    search: Any = config.plugins["material/search"]
    entries: list[Any] = search.search_index.entries
    return entries
