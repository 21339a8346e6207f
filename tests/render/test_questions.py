"""Questions of readers: each is one, is asked once, and leads to a place that is there."""

import pytest
from sybil import Document

from check.page_source import read_page
from render import questions

CHAPTERS = sorted(questions.CHAPTERS.glob("*.md"))
PAGE = """---
title: Order
{asked}
---

# Order

## People {{ #humans }}
"""


def page(*lines: str) -> str:
    return PAGE.format(asked="\n".join(lines))


def complaints(text: str) -> list[str]:
    path = str(questions.CHAPTERS / "invented.md")
    return [region.parsed for region in questions.parse(Document(text, path))]


def test_a_chapter_answers_four_questions_at_least_at_several_places():
    wrong = {}
    for chapter in CHAPTERS:
        asked = questions.list_questions(read_page(chapter))
        places = {question.anchor for question in asked}
        if not 4 <= len(asked) <= 10 or len(places) < 4:
            wrong[chapter.stem] = f"{len(asked)} questions, {len(places)} places"

    assert wrong == {}


def test_every_kind_of_need_has_ten_questions():
    asked = [
        question.kind
        for chapter in CHAPTERS
        for question in questions.list_questions(read_page(chapter))
    ]

    assert set(asked) == set(questions.KINDS)
    assert min(asked.count(kind) for kind in questions.KINDS) >= 10


def test_a_sound_question_is_not_complained_of():
    text = page("questions:", "  understand:", '    "Who?": humans')

    assert complaints(text) == []
    assert questions.list_questions(text) == [questions.Question("Who?", "understand", "humans")]
    assert questions.group_by_anchor(text) == {"humans": ["Who?"]}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['  understand:\n    "Who": humans'], "does not end with a question mark"),
        (['  understand:\n    "Who?": people'], "no place #people"),
        (['  wonder:\n    "Who?": humans'], "'wonder' is not one of understand"),
        (['  understand:\n    "Why both sine and cosine?": humans'], "asked in sinusoidal.md, too"),
        (['  "Who?": humans'], "is a mapping: kind, question, anchor"),
    ],
)
def test_a_bad_question_is_complained_of(lines, message):
    (found,) = complaints(page("questions:", *lines))

    assert message in found


def test_the_list_has_all_questions_by_kind_and_links_to_their_answers():
    listed = questions.render_questions(
        CHAPTERS, questions.CHAPTERS.parent / "reference/questions.md"
    )

    headings = [line for line in listed.split("\n") if line.startswith("## ")]
    assert headings == [f"## {name} {{ #{kind} }}" for kind, name in questions.KINDS.items()]
    assert "- [Why both sine and cosine?](../chapters/sinusoidal.md#both) *" in listed
    assert listed.count("\n- ") == sum(
        len(questions.list_questions(read_page(path))) for path in CHAPTERS
    )
