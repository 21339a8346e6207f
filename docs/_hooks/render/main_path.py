"""The main path: the chapters that carry the book, for whoever has an evening.

A chapter is on it when its front matter says `status: path`; the navigation marks it, and the
first page lists them with the time that each takes.
"""

from os.path import relpath
from pathlib import Path

from check.page_source import get_front_matter, read_page
from render.chapters import estimate_minutes
from render.navigation import Chapter

STATUS = "path"
MARK = "<!-- path -->"


def is_on_main_path(text: str) -> bool:
    """Return whether the main path leads through a page."""
    return get_front_matter(text).get("status") == STATUS


def render_main_path(chapters: dict[Path, Chapter], page: Path) -> str:
    """Return the chapters of the main path as a list with reading times, and the total time."""
    lines, total = [], 0
    for path in chapters:
        text = read_page(path)
        if is_on_main_path(text):
            minutes = estimate_minutes(text)
            link = f"[{get_front_matter(text)['title']}]({relpath(path, page.parent)})"
            lines.append(f"1. {link}, {minutes} minutes")
            total += minutes
    hours = round(total / 30) / 2
    return "\n".join([*lines, "", f"Together they take about {hours:g} hours."])
