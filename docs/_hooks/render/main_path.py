"""The main path: the chapters that carry the book, for whoever has an evening.

A chapter is on it when its front matter says `status: path`; the navigation marks it, and the
first page lists them with the time that each takes.
"""

from os.path import relpath
from pathlib import Path

from check.page_source import get_front_matter, read_page
from render.chapters import minutes
from render.navigation import Chapter

STATUS = "path"
MARK = "<!-- path -->"


def on_it(text: str) -> bool:
    """Return whether the main path leads through a page."""
    return get_front_matter(text).get("status") == STATUS


def listing(chapters: dict[Path, Chapter], page: Path) -> str:
    """Return the chapters of the path in order, each with its minutes, and the time of all."""
    found = [(path, read_page(path)) for path in chapters if on_it(read_page(path))]
    lines = [
        f"1. [{get_front_matter(text)['title']}]({relpath(path, page.parent)}), "
        f"{minutes(text)} minutes"
        for path, text in found
    ]
    hours = round(sum(minutes(text) for _, text in found) / 30) / 2
    return "\n".join([*lines, "", f"Together they take about {hours:g} hours."])
