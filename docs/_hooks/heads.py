"""The head of a chapter: its number and part, how long it takes, what it gives and what it needs.

Nothing of it is written twice: the number comes from `nav`, the minutes from the text, the
two columns from the sentences "After this chapter you can …" and "You need …".
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from mkdocs.structure.nav import Navigation
from sybil import Document, Region

from complaints import complaint
from fences import fences, prose
from formulas import DISPLAY
from kept import by_text
from statements import blocks

TITLE = re.compile(r"^# [^\n]+\n", re.MULTILINE)
LEAD = re.compile(r"^\{ \.lead \}\n", re.MULTILINE)
GOALS = re.compile(r"^After this chapter [^\n]+\n(?P<needs>You need) [^\n]+\n", re.MULTILINE)

# A link to a page, in the navigation or at the foot; or what names the page that is read.
ENTRY = re.compile(
    r'(?P<before><(?:a href="(?P<to>[^"#]*)" class="md-(?:nav|footer)__link'
    r'|label class="md-nav__link md-nav__link--active" for="__toc"'
    r'|div class="md-header__topic" data-md-component="header-topic").*?class="md-ellipsis">)\s*'
    r"(?P<title>[^<]*?)\s*(?P<after></)",
    re.DOTALL,
)

WORDS = 200  # a minute: slower than a novel
SECONDS_A_FORMULA = 20  # one that stands on lines of its own
SECONDS_A_LINE = 2  # of code


@dataclass(frozen=True)
class Chapter:
    """Where a chapter stands in the book."""

    number: int
    part: str
    url: str  # in the site


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
            part = page.parent.title if page.parent else ""
            found[path] = Chapter(len(found) + 1, part, page.url)
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


def numbered(html: str, url: str, chapters: Iterable[Chapter]) -> str:
    """Return the built page of an address with the number of each chapter before its title."""
    numbers = {chapter.url: chapter.number for chapter in chapters}

    def number(entry: re.Match[str]) -> str:
        found = numbers.get(urljoin(url, entry["to"] or ""))
        mark = f'<span class="chapter">{found}</span> ' if found else ""
        return f"{entry['before']}{mark}{entry['title']}{entry['after']}"

    return ENTRY.sub(number, html)
