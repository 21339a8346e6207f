"""The head of a chapter: what is put there follows from its text and its place."""

from pathlib import Path

import pytest
from sybil import Document

from check.page_source import read_page
from check.paths import DOCS
from render import chapters
from render.navigation import Chapter
from tests.nav import CHAPTERS

PAGE = DOCS / "chapters/invented.md"
TEXT = """# Waves

What waves are.
{ .lead }

After this chapter you can surf.
You need the [sea](sea.md).

Now.
"""


def headed(text: str, chapter: Chapter) -> str:
    for start, end, new in sorted(chapters.add_chapter_head(PAGE, text, chapter), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def complaints(text: str, path: Path = PAGE) -> list[str]:
    return [region.parsed for region in chapters.parse(Document(text, str(path)))]


def test_number_and_part_stand_above_the_title_and_the_goals_in_two_columns():
    made = headed(TEXT, Chapter(3, "Oceans", "Waves"))

    assert made.startswith('<p class="eyebrow">Chapter 3 · Oceans</p>\n\n# Waves\n')
    goals = '<div class="goals" markdown>\nAfter this chapter you can surf.\n\nYou need the'
    assert goals in made
    assert made.endswith("[sea](sea.md).\n\n</div>\n\nNow.\n")
    assert 'href="../invented.ipynb" download>' in made


@pytest.mark.parametrize(
    ("missing", "message"),
    [("{ .lead }\n", "a lead"), ("You need", "gives and what it needs"), ("After this", "After")],
)
def test_a_chapter_without_a_head_is_complained_of(missing, message):
    assert complaints(TEXT) == []
    assert message in complaints(TEXT.replace(missing, ""))[0]
    assert complaints(TEXT.replace(missing, ""), DOCS / "index.md") == []


def test_reading_time_counts_words_formulas_and_lines_of_code():
    words = "word " * chapters.WORDS
    formula = "\n\n$$\nx\n$$\n"
    code = "\n```pycon\n" + ">>> 1\n" * 30 + "```\n"

    assert chapters.estimate_minutes(words * 7) == 7
    assert chapters.estimate_minutes(words + formula * 3) == 1 + 3 * chapters.SECONDS_A_FORMULA / 60
    assert chapters.estimate_minutes(words + code * 2) == 1 + 60 * chapters.SECONDS_A_LINE / 60


def test_a_figure_costs_no_reading_of_its_code():
    figure = "```{.python .figure #fig-x alt='a' caption='b'}\n" + "x = 1\n" * 300 + "```\n"

    assert chapters.estimate_minutes("word " * chapters.WORDS + "\n" + figure) == 1


def test_a_chapter_is_read_in_less_than_an_hour():
    found = {
        stem: chapters.estimate_minutes(read_page(DOCS / f"chapters/{stem}.md"))
        for stem in CHAPTERS
    }

    assert {stem: minutes for stem, minutes in found.items() if not 10 <= minutes <= 60} == {}
