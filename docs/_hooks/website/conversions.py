"""A page whose text has not changed is not converted again, in this process or in another.

MkDocs makes all pages anew in every build. Most of that time goes into Markdown and into
cutting pages up for the search index; both follow from the text of a page, what it includes
of the package, and the list of pages. What became of a page is kept in the cache, by content.
Converting a page also tells the plugins of its names and anchors: what they were told is
noted, and told again.

Where no page can have been kept, a second process begins with the last.
"""

import logging
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from jinja2 import Environment, Template
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from engine.cache import Cache, digest
from engine.drafts import put, taken
from engine.fences import INCLUDE
from engine.places import ROOT
from pages.navigation import Chapter
from website.html import finished

PAGES = "main.html"  # the template of all pages
SHOWN = ("icon", "status", "subtitle")  # of a page's front matter, in the navigation of all
PAGE = "the page itself"  # stands for it in what was noted, since each build makes it anew
ATTRIBUTES = ("content", "toc", "_title_from_render", "present_anchor_ids")
HERE = Path(__file__).parent
WEBSITE = digest([*HERE.glob("*.py"), *HERE.glob("*.toml")])  # as it was when this process began

Call = tuple[int, tuple[Any, ...], dict[str, Any]]  # which register, and what it was told


@dataclass
class Kept:
    """What became of a page."""

    attributes: dict[str, Any] = field(default_factory=dict)
    links: dict[str, dict[str, str]] = field(default_factory=dict)  # by address of the file
    calls: list[Call] = field(default_factory=list)  # of the registers, while it was converted
    entries: list[Any] | None = None  # of the search index, which comes later


def remember(
    env: Environment, config: MkDocsConfig, files: Files, cache: Cache, chapters: Iterable[Chapter]
) -> None:
    """Have the template of pages write only what it has not written before.

    It is given the page and what all pages share; where neither has changed, what it wrote is
    handed out again, finished.
    """
    get = env.get_template
    theme = digest((ROOT / "docs/_theme").rglob("*.html"))
    pages = (file.page for file in files.documentation_pages())
    places = [(page.title, page.url, *map(page.meta.get, SHOWN)) for page in pages if page]
    settings = Path(config.config_file_path).read_text("utf-8")
    given = (places, *chapters, config.extra, config.site_url, config.repo_url)
    shared = repr((WEBSITE, theme, settings, given))

    def get_template(name: str, *others: Any) -> Any:
        template = get(name, *others)
        asked_by_mkdocs = name == PAGES and not others
        return Remembered(template, shared, cache, [*chapters]) if asked_by_mkdocs else template

    env.get_template = get_template  # type: ignore[assignment, method-assign]


@dataclass
class Remembered:
    """The template of pages, which writes what it has not written before."""

    template: Template
    shared: str
    cache: Cache
    chapters: list[Chapter]

    def render(self, context: TemplateContext) -> str:
        """Return the HTML of a page."""
        page = context["page"]
        assert page, "the template of pages is given one"
        file = self.cache.file("html", f"{self.shared}{_told(page)}")
        if not file.exists():
            written = finished(self.template.render(context), page.url, self.chapters)
            self.cache.keep(file, written)
        return file.read_text("utf-8")


def _told(page: Page) -> str:
    """Return all that the template is told of a page."""
    beside = [(one.title, one.url) if one else () for one in (page.previous_page, page.next_page)]
    return f"{beside}{page.title}{page.meta}{page.edit_url}{page.toc}{page.content}"


class Conversions:
    """What became of the pages of one build, kept for the next.

    `files` are those of the site before any page of it is made: what a page adds, its text says.
    """

    def __init__(self, cache: Cache, config: MkDocsConfig, files: Files) -> None:
        self.cache = cache
        self.config = config
        self.settings = Path(config.config_file_path).read_text("utf-8")
        shown = (file for file in files if file.inclusion is not InclusionLevel.EXCLUDED)
        self.names = sorted(file.src_uri for file in shown)
        self.made: dict[str, tuple[Path, Kept]] = {}  # by address of the page
        self.again: set[str] = set()  # pages that were kept with their search entries
        self.begun = multiprocessing.RawValue("i", 0)  # pages, by the process of the build

    def from_the_end(
        self, pages: list[Page], convert: Callable[[Page], object]
    ) -> BaseProcess | None:
        """Have another process convert pages, too, from the last on until both meet.

        It is a fork, since the settings of a build cannot be handed to another program. What it
        has converted is kept, and this process takes it; where it comes to nothing, no more is
        lost than time.
        """

        def work() -> None:
            logging.disable()
            sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115, as long as the process lives
            theirs, self.begun = self.begun, multiprocessing.RawValue("i", 0)
            for number, page in reversed([*enumerate(pages, start=1)]):
                if number <= theirs.value:
                    break
                convert(page)

        if sys.platform != "linux":  # elsewhere a fork may not do much
            return None
        process = multiprocessing.get_context("fork").Process(target=work, daemon=True)
        process.start()
        return process

    def once(self, page: Page, text: str) -> None:
        """Make the page take what was kept where nothing that it rests on has changed.

        `text` is its Markdown as Python-Markdown is given it.
        """

        def render(config: MkDocsConfig, files: Files) -> None:
            self.begun.value += 1
            file = self.cache.file("converted", self.rests_on(page, text))
            kept: Kept | None = taken(file)
            if kept is None:
                with noted(config, page) as calls:
                    Page.render(page, config, files)
                links = page.links_to_anchors or {}
                kept = Kept({name: getattr(page, name) for name in ATTRIBUTES}, calls=calls)
                kept.links = {file.src_uri: dict(anchors) for file, anchors in links.items()}
                put(kept, file)
            else:
                tell(kept.calls, config, page)
                if kept.entries is not None:
                    self.again.add(page.file.src_uri)
            self.made[page.file.src_uri] = file, kept
            for name, value in kept.attributes.items():
                setattr(page, name, value)
            by_name = files.src_uris
            page.links_to_anchors = {by_name[name]: links for name, links in kept.links.items()}

        page.render = render  # type: ignore[method-assign]

    def rests_on(self, page: Page, text: str) -> str:
        """Return everything that decides what becomes of a page."""
        shown = sorted({ROOT / include["path"] for include in INCLUDE.finditer(text)})
        code = [path.read_text("utf-8") for path in shown if path.is_file()]
        documented = self.cache.package.content if "\n::: " in text else ""
        return repr((text, page.meta, self.settings, self.names, code, documented, WEBSITE))

    def index(self, page: Page) -> bool:
        """Put what was kept of a page into the search index; return whether there was anything."""
        if page.file.src_uri not in self.again:
            return False
        entries(self.config.plugins).extend(self.made[page.file.src_uri][1].entries or ())
        return True

    def keep(self, page: Page) -> None:
        """Keep what became of a page, with what the search index now has of it."""
        if page.file.src_uri in self.made:
            file, kept = self.made[page.file.src_uri]
            kept.entries = [
                entry
                for entry in entries(self.config.plugins)
                if entry["location"].partition("#")[0] == page.url
            ]
            put(kept, file)


def registers(config: MkDocsConfig) -> list[tuple[object, str]]:
    """Return what plugins are told while a page is converted, as objects and their methods."""
    autorefs: Any = config.plugins["autorefs"]
    handlers = config.plugins["mkdocstrings"].handlers  # type: ignore[attr-defined]
    return [
        (autorefs, "register_anchor"),
        (handlers.inventory, "register"),  # `objects.inv`
        (handlers, "get_handler"),  # only those asked for write their style sheet
    ]


@contextmanager
def noted(config: MkDocsConfig, page: Page) -> Iterator[list[Call]]:
    """Note in a list what the registers are told."""
    calls: list[Call] = []

    def noting(number: int, tell: Callable[..., Any]) -> Callable[..., Any]:
        def note(*args: Any, **names: Any) -> Any:
            calls.append((number, *_swapped(args, names, page, PAGE)))
            return tell(*args, **names)

        return note

    watched = registers(config)
    for number, (register, method) in enumerate(watched):
        setattr(register, method, noting(number, getattr(register, method)))
    try:
        yield calls
    finally:
        for register, method in watched:
            delattr(register, method)  # so that the one of the class shows again


def tell(calls: list[Call], config: MkDocsConfig, page: Page) -> None:
    """Tell the registers again what they were told of a page."""
    watched = registers(config)
    for number, args, names in calls:
        register, method = watched[number]
        args, names = _swapped(args, names, PAGE, page)
        getattr(register, method)(*args, **names)


def _swapped(
    args: tuple[Any, ...], names: dict[str, Any], old: object, new: object
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments with one in place of another."""

    def swap(value: object) -> object:
        return new if value is old or (isinstance(old, str) and value == old) else value

    return tuple(map(swap, args)), {name: swap(value) for name, value in names.items()}


def entries(plugins: Mapping[str, Any]) -> list[Any]:
    """Return the entries of the search index that is being made."""
    (search,) = (plugin for plugin in plugins.values() if hasattr(plugin, "search_index"))
    entries: list[Any] = search.search_index.entries
    return entries
