"""Questions of readers, with links to the sections that answer them.

The front matter of a chapter lists its questions by what the reader wants to do:

    questions:
      understand:
        "Why both sine and cosine?":
          both: "Because …"

`both` is an anchor in that chapter, followed by the answer in one line. One page lists the
questions and answers of all chapters, and the search finds a section by its questions.
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
LONGEST = 140  # answer

KINDS = {
    "understand": "Understand",
    "choose": "Choose",
    "build": "Build",
    "debug": "Find a mistake",
    "stretch": "Go beyond the training length",
}


@dataclass(frozen=True)
class Question:
    """A question, its kind, the anchor of the section that answers it, and the answer."""

    text: str
    kind: str
    anchor: str
    answer: str


def list_questions(page: str) -> list[Question]:
    """Return the questions of a page, in order; malformed ones are skipped."""
    kinds: Any = get_front_matter(page).get("questions", {})
    return [
        Question(str(text), str(kind), str(anchor), str(answer or ""))
        for kind, questions in (kinds.items() if isinstance(kinds, dict) else ())
        for text, place in (questions.items() if isinstance(questions, dict) else ())
        for anchor, answer in (place.items() if isinstance(place, dict) else [(place, "")])
    ]


def group_by_anchor(page: str) -> dict[str, list[Question]]:
    """Return the questions of a page by the anchor of the answer."""
    questions: dict[str, list[Question]] = {}
    for question in list_questions(page):
        questions.setdefault(question.anchor, []).append(question)
    return questions


def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each malformed question, missing answer, or duplicate."""
    kinds: Any = get_front_matter(document.text).get("questions", {})
    if not isinstance(kinds, dict) or not all(isinstance(each, dict) for each in kinds.values()):
        yield make_problem(
            0, "questions must map kinds to questions, and those to anchors and answers"
        )
        return
    if not kinds:
        return
    page, anchors = Path(document.path), references.list_anchors(document.text)
    others = {
        question.text: other.name
        for other in sorted(CHAPTERS.glob("*.md"))
        if other != page
        for question in list_questions(read_outline(other))
    }
    for question in list_questions(document.text):
        start = max(document.text.find(question.text), 0)
        if question.kind not in KINDS:
            message = f"unknown kind of question {question.kind!r}; choose from {', '.join(KINDS)}"
            yield make_problem(start, message)
        if not question.text.endswith("?"):
            yield make_problem(start, f"{question.text!r} must end with a question mark")
        if question.anchor not in anchors:
            message = f"{question.text!r}: the page has no anchor #{question.anchor}"
            yield make_problem(start, message)
        if question.text in others:
            message = f"{others[question.text]} asks {question.text!r}, too; keep one of them"
            yield make_problem(start, message)
        if page.parent == CHAPTERS and not 0 < len(question.answer) <= LONGEST:
            message = f"{question.text!r} needs an answer after its anchor, in {LONGEST} letters"
            yield make_problem(start, message)


def render_questions(chapters: Iterable[Path], page: Path) -> str:
    """Return the questions of all chapters as a section for each kind."""
    lines: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for chapter in chapters:
        text, url = read_page(chapter), relpath(chapter, page.parent)
        title = get_front_matter(text).get("title", chapter.stem)
        for question in list_questions(text):
            link = f"- [{question.text}]({url}#{question.anchor})"
            line = f"{link} *{title}*{{ .from }}<br>{question.answer}"
            lines.setdefault(question.kind, []).append(line)
    return "\n\n".join(
        "\n".join([f"## {KINDS.get(kind, kind)} {{ #{kind} }}", "", *links])
        for kind, links in lines.items()
        if links
    )
