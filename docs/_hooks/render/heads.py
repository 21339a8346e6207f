"""The heads of chapters and labs: number and part, reading time, downloads, goals.

The number comes from `nav`, the reading time from the text, and the two columns of a chapter from
its sentences "After this chapter you can …" and "You need …".
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from sybil import Document, Region

from check.cards import find_blocks
from check.fences import find_fences, keep_prose
from check.folds import FOLD
from check.formulas import DISPLAY
from check.page_source import cache_by_text, get_front_matter
from check.problems import make_problem
from render.navigation import Chapter
from render.text_edits import Edit

TITLE = re.compile(r"^# [^\n]+\n", re.MULTILINE)
LEAD = re.compile(r"^\{ \.lead \}\n", re.MULTILINE)
GOALS = re.compile(r"^After this chapter [^\n]+\n(?P<needs>You need) [^\n]+\n", re.MULTILINE)

# The files of a page: the end of the name, and the words of the link.
DOWNLOADS = {".ipynb": "notebook", ".py": "script"}
LAB_DOWNLOADS = {".ipynb": "notebook", "-solved.ipynb": "solved notebook", ".py": "script"}

WORDS_PER_MINUTE = 200  # slower than for a novel
SECONDS_PER_FORMULA = 20  # displayed formulas only
SECONDS_PER_CODE_LINE = 2


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each part that the head of a chapter lacks."""
    if Path(document.path).parent.name != "chapters":
        return
    if not LEAD.search(document.text):
        yield make_problem(0, "the chapter has no lead; end its first paragraph with { .lead }")
    if not GOALS.search(document.text):
        yield make_problem(
            0,
            "the chapter doesn't say what it teaches and requires; add two lines after the lead: "
            "After this chapter you can … and You need …",
        )


@lru_cache(maxsize=256)
def estimate_minutes(text: str) -> int:
    """Return the time it takes to read a page, in minutes, without its collapsed blocks."""
    text = FOLD.sub("", text)
    words = len(re.findall(r"\w[\w'’-]*", DISPLAY.sub("", keep_prose(text))))
    formulas = len(DISPLAY.findall(text))
    proofs = [range(block.start, block.end) for block in find_blocks(text) if block.kind == "proof"]
    lines = sum(
        fence.source.count("\n")
        for fence in find_fences(text)
        if "figure" not in fence.classes and not any(fence.start in proof for proof in proofs)
    )
    seconds = formulas * SECONDS_PER_FORMULA + lines * SECONDS_PER_CODE_LINE
    return round(words / WORDS_PER_MINUTE + seconds / 60)


def add_chapter_head(
    page: Path, text: str, chapter: Chapter, *, checked: bool = True
) -> Iterator[Edit]:
    """Yield the edits that add number, part, facts and columns to the head of a chapter."""
    if title := TITLE.search(text):
        eyebrow = f'<p class="eyebrow">Chapter {chapter.number} · {chapter.part}</p>\n\n'
        yield title.start(), title.start(), eyebrow
    if lead := LEAD.search(text):
        status = "all checked" if checked else '<span class="waiting">not checked yet</span>'
        equations = sum(block.kind == "statement" for block in find_blocks(text))
        minutes = f"{estimate_minutes(text)} minutes"
        facts = render_facts(page, minutes, f"{equations} equations, {status}")
        yield lead.end(), lead.end(), f"\n{facts}\n"
    if goals := GOALS.search(text):
        yield goals.start(), goals.start(), '<div class="goals" markdown>\n'
        yield goals.start("needs"), goals.start("needs"), "\n"
        yield goals.end(), goals.end(), "\n</div>\n"


def add_lab_head(page: Path, text: str) -> Iterator[Edit]:
    """Yield the edits that add the question of a lab, its length and its downloads."""
    front = get_front_matter(text)
    if title := TITLE.search(text):
        facts = render_facts(page, f"{front.get('minutes')} minutes", downloads=LAB_DOWNLOADS)
        yield title.start(), title.start(), '<p class="eyebrow">Lab</p>\n\n'
        yield title.end(), title.end(), f"\n{front.get('question')}\n{{ .lead }}\n\n{facts}\n"


def render_facts(page: Path, *facts: str, downloads: dict[str, str] = DOWNLOADS) -> str:
    """Return a line with facts about a page and with links to download it."""
    links = (
        f'<a href="../{page.stem}{ending}" download>{name}</a>'
        for ending, name in downloads.items()
    )
    spans = "".join(f"<span>{part}</span>" for part in (*facts, *links))
    return f'<p class="facts">{spans}</p>\n'
