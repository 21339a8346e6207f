"""Questions: what readers ask, and the place in a chapter that answers.

A chapter has them in its front matter, by what the reader is about to do:

    questions:
      understand:
        "Why both sine and cosine?": both

`both` is an anchor of that chapter. The page of questions lists those of all chapters,
`of` returns those of one, and the search shows a place with the questions that it answers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os.path import relpath
from pathlib import Path
from typing import Any

from sybil import Document, Region

from check import references
from check.page_source import get_front_matter, read_outline, read_page
from check.paths import DOCS
from check.problems import make_problem

CHAPTERS = DOCS / "chapters"
MARK = "<!-- questions -->"

KINDS = {
    "understand": "Understand",
    "choose": "Choose",
    "build": "Build",
    "debug": "Find a mistake",
    "stretch": "Go beyond the training length",
}


@dataclass(frozen=True)
class Question:
    """A question, what kind of need it comes from, and the anchor that answers it."""

    text: str
    kind: str
    anchor: str


def list_questions(page: str) -> list[Question]:
    """Return the questions that a page answers, in its order; what is malformed is left out."""
    kinds: Any = get_front_matter(page).get("questions", {})
    return [
        Question(str(text), str(kind), str(anchor))
        for kind, asked in (kinds.items() if isinstance(kinds, dict) else ())
        for text, anchor in (asked.items() if isinstance(asked, dict) else ())
    ]


def group_by_anchor(page: str) -> dict[str, list[str]]:
    """Return the questions that each place of a page answers."""
    found: dict[str, list[str]] = {}
    for question in list_questions(page):
        found.setdefault(question.anchor, []).append(question.text)
    return found


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each question that is none, that nothing answers, or asked twice."""
    kinds: Any = get_front_matter(document.text).get("questions", {})
    if not isinstance(kinds, dict) or not all(isinstance(asked, dict) for asked in kinds.values()):
        yield make_problem(0, "questions is a mapping: kind, question, anchor on this page")
        return
    if not kinds:
        return
    page, anchors = Path(document.path), references.list_anchors(document.text)
    elsewhere = {
        question.text: other.name
        for other in sorted(CHAPTERS.glob("*.md"))
        if other != page
        for question in list_questions(read_outline(other))
    }
    for question in list_questions(document.text):
        place = max(document.text.find(question.text), 0)
        if question.kind not in KINDS:
            yield make_problem(place, f"{question.kind!r} is not one of {', '.join(KINDS)}")
        if not question.text.endswith("?"):
            yield make_problem(place, f"{question.text!r} does not end with a question mark")
        if question.anchor not in anchors:
            yield make_problem(
                place, f"{question.text!r}: no place #{question.anchor} on this page"
            )
        if question.text in elsewhere:
            yield make_problem(
                place, f"{question.text!r} is asked in {elsewhere[question.text]}, too"
            )


def render_questions(chapters: Iterable[Path], page: Path) -> str:
    """Return the body of the page of questions: kind by kind, in the order of the chapters."""
    lines: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for chapter in chapters:
        text, way = read_page(chapter), relpath(chapter, page.parent)
        title = get_front_matter(text).get("title", chapter.stem)
        for question in list_questions(text):
            link = f"- [{question.text}]({way}#{question.anchor})"
            lines.setdefault(question.kind, []).append(f"{link} *{title}*{{ .from }}")
    return "\n\n".join(
        "\n".join([f"## {KINDS.get(kind, kind)} {{ #{kind} }}", "", *asked])
        for kind, asked in lines.items()
        if asked
    )
