"""The navigation: it names every page, and none that is not there."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure import StructureItem
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Link, Navigation, Section

from engine.complaints import perhaps


def wrong(nav: Navigation, config: MkDocsConfig, files: Files) -> Iterator[str]:
    """Yield what to mend in `nav`, by file and line."""
    if config.nav is None:
        return
    settings = Path(config.config_file_path)
    lines = settings.read_text("utf-8").splitlines()
    there = {file.src_uri for file in files.documentation_pages()}
    for link in _links(nav.items):
        if link.url.endswith(".md") and "://" not in link.url:
            number = next((n for n, line in enumerate(lines, start=1) if link.url in line), 1)
            said = f"nav names {link.url}, and docs has no such page{perhaps(link.url, there)}"
            yield f"{settings.name}:{number}: {said}"
    for uri in sorted(there - {page.file.src_uri for page in nav.pages}):
        yield f"docs/{uri}:1: no reader finds this page; name it in nav of {settings.name}"


def _links(items: Iterable[StructureItem]) -> Iterator[Link]:
    for item in items:
        if isinstance(item, Link):
            yield item
        elif isinstance(item, Section):
            yield from _links(item.children)
