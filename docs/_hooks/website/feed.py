"""A feed of the changelog, for readers who follow the book. It needs the address of the site."""

import hashlib
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from check.paths import ROOT

SITE_PATH = "changes.xml"
PAGE = "reference/changelog/"
VERSION = re.compile(r"^## \[(?P<version>[^\]]+)\]", re.MULTILINE)
CHANGE = re.compile(r"^- (?P<text>.+)$", re.MULTILINE)


def list_files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the feed, if the address of the site is known."""
    if config.site_url:
        changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
        content = render_feed(changelog, config.site_name, config.site_url)
        yield File.generated(config, SITE_PATH, content=content)


def render_feed(changelog: str, name: str, site_url: str) -> str:
    """Return the changes as RSS 2.0, one item for each."""
    feed = ElementTree.Element("rss", version="2.0")
    channel = ElementTree.SubElement(feed, "channel")
    _add(channel, title=f"Changes of {name}", link=site_url, description=f"What changes in {name}")
    for version, change in _list_changes(changelog):
        item = ElementTree.SubElement(channel, "item")
        _add(item, title=f"{version}: {change.partition('. ')[0]}", description=change)
        _add(item, link=f"{site_url}{PAGE}")
        guid = ElementTree.SubElement(item, "guid", isPermaLink="false")
        guid.text = hashlib.sha256(change.encode()).hexdigest()
    return ElementTree.tostring(feed, "unicode", xml_declaration=True) + "\n"


def _list_changes(changelog: str) -> Iterator[tuple[str, str]]:
    """Yield each change with its version, as plain text."""
    _, *parts = VERSION.split(changelog)
    for version, text in zip(parts[::2], parts[1::2], strict=True):
        for change in CHANGE.finditer(text):
            links_removed = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", change["text"])
            yield version, links_removed.replace("`", "")


def _add(element: ElementTree.Element, **texts: str) -> None:
    for tag, text in texts.items():
        ElementTree.SubElement(element, tag).text = text
