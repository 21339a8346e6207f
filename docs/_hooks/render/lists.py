"""Lists that are generated into pages: the main path, explorers, labs, claims.

The main path is the chapters to read first: those whose front matter has `status: path`. The
navigation marks them, too.
"""

import re
from collections.abc import Iterable
from os.path import relpath
from pathlib import Path

from check import lab_source
from check.fences import find_fences
from check.figures import THEMES
from check.page_source import get_front_matter, read_page
from check.paths import DOCS, ROOT
from render import explorers
from render.heads import estimate_minutes

MAIN_PATH = "<!-- path -->"
EXPLORERS = "<!-- explorers -->"
LABS = "<!-- labs -->"
CLAIMS = "<!-- claims -->"
CHANGELOG = "<!-- changelog -->"

# The attributes of the first explorer with a script on a page; the ids of others have a suffix.
FIRST_EXPLORER = re.compile(r"id: (?P<id>explore-(?P<name>\w+)), data-explorer: (?P=name)\b")
CLAIM = re.compile(
    r"^/// claim \| (?P<title>[^\n]+)\n    attrs: \{id: (?P<id>[\w-]+)\}\n+"
    r"\*\*(?P<verdict>\w+)\.\*\* (?P<correction>[^\n]+)$",
    re.MULTILINE,
)


def render_main_path(chapters: Iterable[Path], page: Path) -> str:
    """Return the chapters of the main path as a list with reading times, and the total time."""
    main_path = find_main_path(chapters)
    items = [
        f"1. [{title}]({relpath(path, page.parent)}), {minutes} minutes"
        for path, title, minutes in main_path
    ]
    hours = add_hours(main_path)
    return "\n".join([*items, "", f"Together they take about {hours:g} hours."])


def find_main_path(chapters: Iterable[Path]) -> list[tuple[Path, str, int]]:
    """Return the file, the title and the reading time in minutes of each chapter of the path."""
    texts = {path: read_page(path) for path in chapters}
    return [
        (path, str(front["title"]), estimate_minutes(texts[path]))
        for path, front in ((path, get_front_matter(text)) for path, text in texts.items())
        if front.get("status") == "path"
    ]


def add_hours(main_path: Iterable[tuple[Path, str, int]]) -> float:
    """Return the reading time of the main path, in hours, to the nearest half."""
    return round(sum(minutes for _, _, minutes in main_path) / 30) / 2


def render_gallery(pages: Iterable[Path], page: Path) -> str:
    """Return the first explorer of each script on other pages as a question with its figure."""
    items: dict[str, str] = {}
    for path in pages:
        for match in explorers.BLOCK.finditer(read_page(path) if path != page else ""):
            if name := FIRST_EXPLORER.search(match["attrs"]):
                item = _render_thumbnail(path, match, name["id"], page)
                items.setdefault(name["name"], item)
    return "\n".join(items.values())


def _render_thumbnail(path: Path, explorer: re.Match[str], anchor: str, page: Path) -> str:
    name = next(
        fence.attributes["id"]
        for fence in find_fences(explorer["body"])
        if "figure" in fence.classes
    )
    uri = path.relative_to(DOCS).with_suffix("").as_posix()
    folder = relpath(DOCS / "assets/figures" / uri, page.parent)
    # As HTML, because MkDocs would look for drawings that later pages have yet to add.
    images = " ".join(
        f'<img alt="" src="{folder}/{name}-{theme}.svg#only-{theme}" loading="lazy">'
        for theme in THEMES
    )
    return f"- [{images} {explorer['title']}]({relpath(path, page.parent)}#{anchor})"


def read_changelog() -> str:
    """Return the changelog without its title, and without the brackets around versions."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8").partition("\n")[2]
    return re.sub(r"^## \[(.+?)\]", r"## \1", text, flags=re.MULTILINE)


def render_lab_table(pages: Iterable[Path], page: Path) -> str:
    """Return the labs as a table, in the order of the navigation."""
    rows = ["| lab | its question | minutes |", "| :-- | :-- | --: |"]
    for lab in filter(lab_source.is_lab, pages):
        front = get_front_matter(read_page(lab))
        link = f"[{front.get('title')}]({relpath(lab.with_suffix('.md'), page.parent)})"
        folder = relpath(lab.parent, page.parent)
        downloads = "&nbsp;· ".join(
            f'<a href="{folder}/{lab.stem}{ending}" download>{name}</a>'
            for ending, name in ((".ipynb", "with&nbsp;tasks"), ("-solved.ipynb", "solved"))
        )
        rows.append(f"| {link}<br>{downloads} | {front.get('question')} | {front.get('minutes')} |")
    return "\n".join(rows)


def render_claim_table(text: str) -> str:
    """Return the claims on a page as a table, with the verdict and first sentence of each."""
    rows = ["| claim | what is true |", "| :-- | :-- |"]
    for claim in CLAIM.finditer(text):
        link = f"[{claim['title']}](#{claim['id']})"
        rows.append(f"| {link} | **{claim['verdict']}.** {claim['correction']} |")
    return "\n".join(rows)
