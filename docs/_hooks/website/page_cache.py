"""A cache of finished pages, so that `mkdocs serve` shows an edit in seconds.

MkDocs renders every page in each build, which takes 20 s. If nothing that a page depends on has
changed, MkDocs converts an empty page instead, and a template writes the cached one. This uses
events of MkDocs, `template` in the front matter, and public methods of autorefs and mkdocstrings.
The keys are digests of the content, so the cache also speeds up the next `mkdocs build`.
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
TEMPLATE = "cached_page.html"  # writes the content of a page and nothing else
NAVIGATION = ("icon", "status", "subtitle", "title")  # front matter that all pages show


@dataclass
class FinishedPage:
    """A finished page, and what other pages and files need from its conversion."""

    html: str = ""
    previews: dict[str, str] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    links: dict[str, dict[str, str]] = field(default_factory=dict)  # links to ids, by page
    names: list[dict[str, Any]] = field(default_factory=list)  # names that the page documents
    search_entries: list[Any] = field(default_factory=list)


class PageCache:
    """The finished pages of one build."""

    def __init__(self, cache: Cache, config: MkDocsConfig, files: Files) -> None:
        self.cache = cache
        self.config = config
        self.files = files
        self.cached: dict[str, FinishedPage] = {}  # by source
        self.new: dict[str, tuple[Path, FinishedPage]] = {}  # by source, with their cache files
        pages = navigation.list_pages()
        self.shared = repr(
            (
                HOOKS_DIGEST,
                Path(config.config_file_path).read_text("utf-8"),
                digest_files((ROOT / "docs/_theme").rglob("*.html")),
                digest_files((ROOT / "docs/_hooks").rglob("*.jinja")),
                (config.site_url, config.repo_url, config.extra),
                sorted(file.src_uri for file in files if file.inclusion is not EXCLUDED),
                [
                    (page.uri, *map(get_front_matter(read_page(page.path)).get, NAVIGATION))
                    for page in pages
                ],
                [(section.page.name, section.id, section.names) for section in api.list_sections()],
            )
        )

    def find(self, page: Page, text: str) -> FinishedPage | None:
        """Return a finished page from the cache, if it is there; `text` is its full Markdown."""
        included = sorted({ROOT / include["path"] for include in INCLUDE.finditer(text)})
        code = [path.read_text("utf-8") for path in included if path.is_file()]
        package = self.cache.package if "\n::: " in text else ""
        file = self.cache.file("html", repr((self.shared, text, page.meta, code, package)))
        if cached := load(file):
            self.cached[page.file.src_uri] = cached
            return cached  # type: ignore[no-any-return]
        self.new[page.file.src_uri] = file, FinishedPage()
        return None

    def reuse(self, page: Page) -> str | None:
        """Return an empty article for a cached page, and tell plugins what it contains."""
        cached = self.cached.get(page.file.src_uri)
        if cached is None:
            return None
        page.meta.update(template=TEMPLATE, search={"exclude": True})
        page.present_anchor_ids = cached.ids
        files = self.files.src_uris
        page.links_to_anchors = {files[uri]: links for uri, links in cached.links.items()}
        autorefs: Any = self.config.plugins["autorefs"]
        mkdocstrings: Any = self.config.plugins["mkdocstrings"]
        for name in cached.names:
            mkdocstrings.get_handler("python")  # its style sheet is written only if it is used
            mkdocstrings.handlers.inventory.register(**name)
            anchor = name["uri"].partition("#")[2]
            title, primary = anchor.rpartition(".")[2], anchor == name["name"]
            autorefs.register_anchor(page, name["name"], anchor, title=title, primary=primary)
        return ""

    def record_conversion(self, page: Page, previews: Mapping[str, str]) -> None:
        """Record what plugins have learned from a page that has just been converted."""
        _, new = self.new[page.file.src_uri]
        new.previews = dict(previews)
        new.ids = page.present_anchor_ids or set()
        links = page.links_to_anchors or {}
        new.links = {file.src_uri: dict(anchors) for file, anchors in links.items()}
        mkdocstrings: Any = self.config.plugins["mkdocstrings"]
        inventory = mkdocstrings.handlers.inventory.values()
        new.names = [vars(item) for item in inventory if item.uri.startswith(f"{page.url}#")]

    def save(self, page: Page, html: str) -> None:
        """Save a finished page with its entries in the search index."""
        file, new = self.new[page.file.src_uri]
        new.html = html
        new.search_entries = [
            entry
            for entry in get_search_entries(self.config)
            if entry["location"].partition("#")[0] == page.url
        ]
        save(new, file)


def get_search_entries(config: MkDocsConfig) -> list[Any]:
    """Return the entries of the search index of this build, as a list to change."""
    search: Any = config.plugins["material/search"]
    entries: list[Any] = search.search_index.entries
    return entries
