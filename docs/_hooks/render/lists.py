"""Lists that are generated into pages: the main path, the labs, the claims.

The main path is the chapters to read first: those whose front matter has `status: path`. The
navigation marks them, too.
"""

import re
from collections.abc import Iterable
from os.path import relpath
from pathlib import Path

from check import lab_source
from check.page_source import get_front_matter, read_page
from render.heads import estimate_minutes

MAIN_PATH = "<!-- path -->"
LABS = "<!-- labs -->"
CLAIMS = "<!-- claims -->"

CLAIM = re.compile(
    r"^/// claim \| (?P<title>[^\n]+)\n    attrs: \{id: (?P<id>[\w-]+)\}\n+"
    r"\*\*(?P<verdict>\w+)\.\*\* (?P<correction>[^\n]+)$",
    re.MULTILINE,
)


def render_main_path(chapters: Iterable[Path], page: Path) -> str:
    """Return the chapters of the main path as a list with reading times, and the total time."""
    lines, total = [], 0
    for path in chapters:
        text = read_page(path)
        front = get_front_matter(text)
        if front.get("status") == "path":
            minutes = estimate_minutes(text)
            link = f"[{front['title']}]({relpath(path, page.parent)})"
            lines.append(f"1. {link}, {minutes} minutes")
            total += minutes
    hours = round(total / 30) / 2
    return "\n".join([*lines, "", f"Together they take about {hours:g} hours."])


def render_lab_table(pages: Iterable[Path], page: Path) -> str:
    """Return the labs as a table, in the order of the navigation."""
    rows = ["| lab | its question | minutes |", "| :-- | :-- | --: |"]
    for lab in filter(lab_source.is_lab, pages):
        front = get_front_matter(read_page(lab))
        link = f"[{front.get('title')}]({relpath(lab.with_suffix('.md'), page.parent)})"
        rows.append(f"| {link} | {front.get('question')} | {front.get('minutes')} |")
    return "\n".join(rows)


def render_claim_table(text: str) -> str:
    """Return the claims on a page as a table, with the verdict and first sentence of each."""
    rows = ["| claim | verdict | in one sentence |", "| :-- | :-- | :-- |"]
    for claim in CLAIM.finditer(text):
        link = f"[{claim['title']}](#{claim['id']})"
        rows.append(f"| {link} | {claim['verdict'].lower()} | {claim['correction']} |")
    return "\n".join(rows)
