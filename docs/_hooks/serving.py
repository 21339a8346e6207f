"""In `mkdocs serve`, a page whose text has not changed is not converted again.

MkDocs makes all pages anew after every edit. Most of that time goes into Markdown and into
cutting pages up for the search index; both follow from the text of a page, what it includes
of the package, and the list of pages. They are kept here for as long as the process lives.
Converting a page also tells the plugins of its names and anchors: what they were told is
noted, and told again.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2.bccache import Bucket, BytecodeCache
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

PAGE = object()  # stands for the page in what was noted, since each build makes it anew
ATTRIBUTES = ("content", "toc", "_title_from_render", "present_anchor_ids")


Call = tuple[int, tuple[Any, ...], dict[str, Any]]  # which register, and what it was told


@dataclass
class Kept:
    """What became of a page, and of which text."""

    key: str
    attributes: dict[str, Any] = field(default_factory=dict)
    links: dict[str, dict[str, str]] = field(default_factory=dict)  # by address of the file
    calls: list[Call] = field(default_factory=list)  # of the registers, while it was converted
    entries: list[Any] = field(default_factory=list)  # of the search index


PAGES: dict[str, Kept] = {}


class Templates(BytecodeCache):
    """Templates of the theme as they were compiled; Jinja looks whether one has changed."""

    def __init__(self) -> None:
        self.compiled: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give Jinja a template that was compiled before."""
        if bucket.key in self.compiled:
            bucket.bytecode_from_string(self.compiled[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        self.compiled[bucket.key] = bucket.bytecode_to_string()


TEMPLATES = Templates()


def convert_once(page: Page, text: str, foundation: str) -> None:
    """Make the page take what was kept where nothing that it rests on has changed.

    `text` is its Markdown as it will be converted, `foundation` tells the package apart.
    """
    convert = page.render

    def render(config: MkDocsConfig, files: Files) -> None:
        settings = Path(config.config_file_path).read_text("utf-8")
        names = sorted(file.src_uri for file in files)
        rests_on = (text, page.meta, foundation, settings, names)
        key = hashlib.sha256(repr(rests_on).encode()).hexdigest()
        kept = PAGES.get(page.file.src_uri)
        if kept is None or kept.key != key:
            with noted(config, page) as calls:
                convert(config, files)
            kept = Kept(key, {name: getattr(page, name) for name in ATTRIBUTES}, calls=calls)
            links = page.links_to_anchors or {}
            kept.links = {file.src_uri: dict(anchors) for file, anchors in links.items()}
            PAGES[page.file.src_uri] = kept
        else:
            tell(kept.calls, config, page)
        for name, value in kept.attributes.items():
            setattr(page, name, value)
        by_name = files.src_uris
        page.links_to_anchors = {by_name[name]: links for name, links in kept.links.items()}

    page.render = render  # type: ignore[method-assign]


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
    return (
        tuple(new if value is old else value for value in args),
        {name: new if value is old else value for name, value in names.items()},
    )


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
