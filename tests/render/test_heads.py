"""The heads of chapters and labs."""

from pathlib import Path

import pytest
from sybil import Document

from check.page_source import read_page
from check.paths import DOCS
from render import heads
from render.navigation import Chapter
from render.text_edits import apply_edits
from tests.nav import CHAPTERS

PAGE = DOCS / "chapters/invented.md"
TEXT = """# Waves

What waves are.
{ .lead }

After this chapter you can surf.
You need the [sea](sea.md).

Now.
"""
MINUTE = "word " * heads.WORDS_PER_MINUTE


def find_problems(text: str, path: Path = PAGE) -> list[str]:
    return [region.parsed for region in heads.parse(Document(text, str(path)))]


def test_chapter_head_has_number_part_downloads_and_columns():
    chapter = Chapter(3, "Oceans", "Waves")
    text = apply_edits(TEXT, heads.add_chapter_head(PAGE, TEXT, chapter))

    assert text.startswith('<p class="eyebrow">Chapter 3 · Oceans</p>\n\n# Waves\n')
    goals = '<div class="goals" markdown>\nAfter this chapter you can surf.\n\nYou need the'
    assert goals in text
    assert text.endswith("[sea](sea.md).\n\n</div>\n\nNow.\n")
    assert 'href="../invented.ipynb" download>' in text


def test_lab_head_has_question_length_and_downloads():
    lab = "---\nquestion: Why?\nminutes: 20\n---\n# Lab\n\nText.\n"
    text = apply_edits(lab, heads.add_lab_head(DOCS / "labs/invented.py", lab))

    assert '<p class="eyebrow">Lab</p>\n\n# Lab\n\nWhy?\n{ .lead }\n\n<p class="facts">' in text
    assert '<span>20 minutes</span><span><a href="../invented.ipynb" download>' in text


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("{ .lead }\n", "the chapter has no lead"),
        ("You need", "what it teaches and requires"),
        ("After this", "what it teaches and requires"),
    ],
)
def test_missing_parts_of_a_chapter_head_are_reported(missing, message):
    assert find_problems(TEXT) == []
    assert message in find_problems(TEXT.replace(missing, ""))[0]
    assert find_problems(TEXT.replace(missing, ""), DOCS / "index.md") == []


def test_reading_time_counts_words_formulas_and_lines_of_code():
    formula = "\n\n$$\nx\n$$\n"
    code = "\n```pycon\n" + ">>> 1\n" * 30 + "```\n"

    assert heads.estimate_minutes(MINUTE * 7) == 7
    assert heads.estimate_minutes(MINUTE + formula * 3) == 1 + 3 * heads.SECONDS_PER_FORMULA / 60
    assert heads.estimate_minutes(MINUTE + code * 2) == 1 + 60 * heads.SECONDS_PER_CODE_LINE / 60


@pytest.mark.parametrize("kind", ["verification | Both", "answer", "solution", "details | More"])
def test_reading_time_leaves_out_collapsed_blocks(kind):
    inside = f"/// statement | A\n{MINUTE}\n///\n"

    assert heads.estimate_minutes(f"# T\n\n{MINUTE}\n\n//// {kind}\n{inside}\n////\n") == 1
    assert heads.estimate_minutes(f"{MINUTE}\n\n/// {kind}\n{MINUTE}\n///\n{MINUTE}") == 2


def test_reading_time_leaves_out_code_of_figures_and_sessions_of_proofs():
    figure = "```{.python .figure #fig-x alt='a' caption='b'}\n" + "x = 1\n" * 300 + "```\n"
    session = "```pycon\n" + ">>> 1\n" * 60 + "```\n"

    assert heads.estimate_minutes(f"{MINUTE}\n{figure}") == 1
    assert heads.estimate_minutes(f"# T\n\n/// proof\n{MINUTE}\n\n{session}///\n") == 1


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_chapter_takes_10_to_60_minutes(name):
    assert 10 <= heads.estimate_minutes(read_page(DOCS / f"chapters/{name}.md")) <= 60
