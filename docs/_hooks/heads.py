"""The head of a chapter: its number and part, how long it takes, what it gives and what it needs.

Nothing of it is written twice: the number comes from `nav`, the minutes from the text, the
two columns from the sentences "After this chapter you can …" and "You need …".
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from mkdocs.structure.nav import Navigation
from sybil import Document, Region

from complaints import complaint
from fences import fences, prose, read
from formulas import DISPLAY
from kept import by_text, front
from statements import blocks

TITLE = re.compile(r"^# [^\n]+\n", re.MULTILINE)
LEAD = re.compile(r"^\{ \.lead \}\n", re.MULTILINE)
GOALS = re.compile(r"^After this chapter [^\n]+\n(?P<needs>You need) [^\n]+\n", re.MULTILINE)

# A section of the page may have the title of another chapter: its entry is left alone.
ENTRY = re.compile(
    r'(?P<section><a href="#[^"]*" class="md-nav__link">\s*)?'
    r'(?P<before><(?:span|div) class="md-ellipsis">)\s*(?P<title>[^<]*?)\s*(?P<after></)'
)

WORDS = 200  # a minute: slower than a novel
SECONDS_A_FORMULA = 20  # one that stands on lines of its own
SECONDS_A_LINE = 2  # of code


@dataclass(frozen=True)
class Chapter:
    """Where a chapter stands in the book."""

    number: int
    part: str
    title: str


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for what the head of a chapter lacks."""
    if Path(document.path).parent.name != "chapters":
        return
    if not LEAD.search(document.text):
        yield complaint(0, "a chapter begins with a lead: a paragraph that ends with { .lead }")
    if not GOALS.search(document.text):
        yield complaint(
            0,
            "after the lead, write on two lines what a chapter gives and what it needs: "
            "After this chapter you can … and You need …",
        )


def chapters(nav: Navigation) -> dict[Path, Chapter]:
    """Return the chapters in the order of `nav`: the pages that lie in the folder of that name."""
    found: dict[Path, Chapter] = {}
    for page in nav.pages:
        if page.file.src_uri.startswith("chapters/"):
            path = Path(page.file.abs_src_path or "")
            title = str(front(read(path)).get("title", path.stem))
            part = page.parent.title if page.parent else ""
            found[path] = Chapter(len(found) + 1, part, title)
    return found


def minutes(text: str) -> int:
    """Return how long a page takes to read, in minutes."""
    words = len(re.findall(r"\w[\w'’-]*", DISPLAY.sub("", prose(text))))
    formulas = len(DISPLAY.findall(text))
    lines = sum(fence.source.count("\n") for fence in fences(text) if "figure" not in fence.classes)
    return round(words / WORDS + (formulas * SECONDS_A_FORMULA + lines * SECONDS_A_LINE) / 60)


def edits(page: Path, text: str, chapter: Chapter) -> Iterator[tuple[int, int, str]]:
    """Yield what is put around the title and the first sentences of a chapter."""
    if title := TITLE.search(text):
        eyebrow = f'<p class="eyebrow">Chapter {chapter.number} · {chapter.part}</p>\n\n'
        yield title.start(), title.start(), eyebrow
    if lead := LEAD.search(text):
        yield lead.end(), lead.end(), f"\n{facts(page, text)}\n"
    if goals := GOALS.search(text):
        yield goals.start(), goals.start(), '<div class="goals" markdown>\n'
        yield goals.start("needs"), goals.start("needs"), "\n"
        yield goals.end(), goals.end(), "\n</div>\n"


def facts(page: Path, text: str) -> str:
    """Return the line of facts: how long it is, and where to take it."""
    equations = sum(block.kind == "statement" for block in blocks(text))
    links = (
        f'<a href="../{page.stem}.{suffix}" download>{name}</a>'
        for suffix, name in (("ipynb", "notebook"), ("py", "script"))
    )
    parts: Iterable[str] = (
        f"{minutes(text)} minutes",
        f"{equations} equations, all checked",
        *links,
    )
    return f'<p class="facts">{"".join(f"<span>{part}</span>" for part in parts)}</p>\n'


def numbered(html: str, chapters: Iterable[Chapter]) -> str:
    """Return a built page with the number of each chapter before its title in the navigation."""
    numbers = {chapter.title: chapter.number for chapter in chapters}

    def number(match: re.Match[str]) -> str:
        if match["section"]:
            return match[0]
        found = numbers.get(unescape(match["title"]))
        mark = f'<span class="chapter">{found}</span> ' if found else ""
        return f"{match['before']}{mark}{match['title']}{match['after']}"

    return ENTRY.sub(number, html)
