"""The head of a chapter: what is put there follows from its text and its place."""

from pathlib import Path

import pytest
from sybil import Document

import heads
from examples import ROOT
from fences import read
from heads import Chapter
from tests.nav import CHAPTERS

PAGE = ROOT / "docs/chapters/invented.md"
TEXT = """# Waves

What waves are.
{ .lead }

After this chapter you can surf.
You need the [sea](sea.md).

Now.
"""


def headed(text: str, chapter: Chapter) -> str:
    for start, end, new in sorted(heads.edits(PAGE, text, chapter), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def complaints(text: str, path: Path = PAGE) -> list[str]:
    return [region.parsed for region in heads.parse(Document(text, str(path)))]


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
    assert complaints(TEXT.replace(missing, ""), ROOT / "docs/index.md") == []


def test_reading_time_counts_words_formulas_and_lines_of_code():
    words = "word " * heads.WORDS
    formula = "\n\n$$\nx\n$$\n"
    code = "\n```pycon\n" + ">>> 1\n" * 30 + "```\n"

    assert heads.minutes(words * 7) == 7
    assert heads.minutes(words + formula * 3) == 1 + 3 * heads.SECONDS_A_FORMULA / 60
    assert heads.minutes(words + code * 2) == 1 + 60 * heads.SECONDS_A_LINE / 60


def test_a_figure_costs_no_reading_of_its_code():
    figure = "```{.python .figure #fig-x alt='a' caption='b'}\n" + "x = 1\n" * 300 + "```\n"

    assert heads.minutes("word " * heads.WORDS + "\n" + figure) == 1


def test_chapters_are_numbered_in_the_navigation_and_nothing_else_is():
    html = (
        '<span class="md-ellipsis">\n  Waves &amp; more\n </span><div class="md-ellipsis">Sea</div>'
    )

    assert heads.numbered(html, [Chapter(7, "", "Waves & more")]) == (
        '<span class="md-ellipsis"><span class="chapter">7</span> Waves &amp; more</span>'
        '<div class="md-ellipsis">Sea</div>'
    )


@pytest.mark.parametrize("stem", CHAPTERS)
def test_a_chapter_is_read_in_less_than_an_hour(stem):
    assert 10 <= heads.minutes(read(ROOT / f"docs/chapters/{stem}.md")) <= 60


def test_a_section_with_the_title_of_a_chapter_gets_no_number():
    entry = '<a href="#{}" class="md-nav__link">\n  <span class="md-ellipsis">\n Sea </span>'
    chapters = [Chapter(7, "", "Sea")]

    assert heads.numbered(entry.format("sea"), chapters) == entry.format("sea")
    assert ">7</span> Sea" in heads.numbered(entry.replace("#{}", "../sea/"), chapters)
