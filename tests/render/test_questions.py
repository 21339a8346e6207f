"""Questions of readers: well-formed, unique, and with an answer."""

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


def find_problems(text: str) -> list[str]:
    path = str(questions.CHAPTERS / "invented.md")
    return [region.parsed for region in questions.parse(Document(text, path))]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.stem)
def test_chapter_answers_4_to_10_questions_in_at_least_4_sections(chapter):
    listed = questions.list_questions(read_page(chapter))

    assert 4 <= len(listed) <= 10
    assert len({question.anchor for question in listed}) >= 4


def test_every_kind_has_at_least_10_questions():
    asked = [
        question.kind
        for chapter in CHAPTERS
        for question in questions.list_questions(read_page(chapter))
    ]

    assert set(asked) == set(questions.KINDS)
    assert min(asked.count(kind) for kind in questions.KINDS) >= 10


def test_well_formed_question_needs_an_answer():
    text = page("questions:", "  understand:", '    "Who?": humans')
    (problem,) = find_problems(text)
    assert "'Who?' needs an answer after its anchor" in problem

    text = page("questions:", "  understand:", '    "Who?":', '      humans: "All of us."')
    assert find_problems(text) == []
    expected = questions.Question("Who?", "understand", "humans", "All of us.")
    assert questions.list_questions(text) == [expected]
    assert questions.group_by_anchor(text) == {"humans": [expected]}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['  understand:\n    "Who": humans'], "must end with a question mark"),
        (['  understand:\n    "Who?": people'], "no anchor #people"),
        (['  wonder:\n    "Who?": humans'], "unknown kind of question 'wonder'"),
        (
            ['  understand:\n    "Why both sine and cosine?": humans'],
            "sinusoidal.md asks 'Why both",
        ),
        (['  "Who?": humans'], "must map kinds to questions"),
    ],
)
def test_malformed_question_is_reported(lines, message):
    problems = find_problems(page("questions:", *lines))

    assert any(message in problem for problem in problems)


def test_list_has_all_questions_by_kind_with_links():
    listed = questions.render_questions(
        CHAPTERS, questions.CHAPTERS.parent / "reference/questions.md"
    )

    headings = [line for line in listed.split("\n") if line.startswith("## ")]
    assert headings == [f"## {name} {{ #{kind} }}" for kind, name in questions.KINDS.items()]
    assert "- [Why both sine and cosine?](../chapters/sinusoidal.md#both) *" in listed
    assert listed.count("\n- ") == sum(
        len(questions.list_questions(read_page(path))) for path in CHAPTERS
    )
