"""The head of a chapter: its number and part, how long it takes, what it gives and what it needs.

Nothing of it is written twice: the number comes from `nav`, the minutes from the text, the
two columns from the sentences "After this chapter you can …" and "You need …".
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from sybil import Document, Region

from check.cards import find_blocks
from check.fences import find_fences, keep_prose
from check.formulas import DISPLAY
from check.page_source import cache_by_text
from check.problems import make_problem
from render.navigation import Chapter

TITLE = re.compile(r"^# [^\n]+\n", re.MULTILINE)
LEAD = re.compile(r"^\{ \.lead \}\n", re.MULTILINE)
GOALS = re.compile(r"^After this chapter [^\n]+\n(?P<needs>You need) [^\n]+\n", re.MULTILINE)

FOLDED = re.compile(
    r"^(?P<slashes>/{3,}) (?:verification|answer|solution|details)\b.*?^(?P=slashes)$",
    re.MULTILINE | re.DOTALL,
)

WORDS = 200  # a minute: slower than a novel
SECONDS_A_FORMULA = 20  # one that stands on lines of its own
SECONDS_A_LINE = 2  # of code


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for what the head of a chapter lacks."""
    if Path(document.path).parent.name != "chapters":
        return
    if not LEAD.search(document.text):
        yield make_problem(0, "a chapter begins with a lead: a paragraph that ends with { .lead }")
    if not GOALS.search(document.text):
        yield make_problem(
            0,
            "after the lead, write on two lines what a chapter gives and what it needs: "
            "After this chapter you can … and You need …",
        )


@lru_cache(maxsize=256)
def estimate_minutes(text: str) -> int:
    """Return how long a page takes to read, in minutes, without what is folded."""
    text = FOLDED.sub("", text)
    words = len(re.findall(r"\w[\w'’-]*", DISPLAY.sub("", keep_prose(text))))
    formulas = len(DISPLAY.findall(text))
    proofs = [range(block.start, block.end) for block in find_blocks(text) if block.kind == "proof"]
    lines = sum(
        fence.source.count("\n")
        for fence in find_fences(text)
        if "figure" not in fence.classes and not any(fence.start in proof for proof in proofs)
    )
    return round(words / WORDS + (formulas * SECONDS_A_FORMULA + lines * SECONDS_A_LINE) / 60)


def add_chapter_head(
    page: Path, text: str, chapter: Chapter, *, checked: bool = True
) -> Iterator[tuple[int, int, str]]:
    """Yield what is put around the title and the first sentences of a chapter."""
    if title := TITLE.search(text):
        eyebrow = f'<p class="eyebrow">Chapter {chapter.number} · {chapter.part}</p>\n\n'
        yield title.start(), title.start(), eyebrow
    if lead := LEAD.search(text):
        yield lead.end(), lead.end(), f"\n{render_facts(page, text, checked=checked)}\n"
    if goals := GOALS.search(text):
        yield goals.start(), goals.start(), '<div class="goals" markdown>\n'
        yield goals.start("needs"), goals.start("needs"), "\n"
        yield goals.end(), goals.end(), "\n</div>\n"


def render_facts(page: Path, text: str, *, checked: bool) -> str:
    """Return the line of facts: how long it is, and where to take it."""
    said = "all checked" if checked else '<span class="waiting">not checked yet</span>'
    equations = sum(block.kind == "statement" for block in find_blocks(text))
    links = (
        f'<a href="../{page.stem}.{suffix}" download>{name}</a>'
        for suffix, name in (("ipynb", "notebook"), ("py", "script"))
    )
    parts: Iterable[str] = (
        f"{estimate_minutes(text)} minutes",
        f"{equations} equations, {said}",
        *links,
    )
    return f'<p class="facts">{"".join(f"<span>{part}</span>" for part in parts)}</p>\n'
