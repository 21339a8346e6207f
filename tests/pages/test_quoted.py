"""Shares in words and percents, and tables of numbers: shown where they are said, or refused."""

import pytest
from sybil import Document

from engine import quoted_shares, quoted_tables
from engine.places import DOCS

PAGE = str(DOCS / "chapters/invented.md")
SESSION = "```pycon\n>>> part()\n{}\n```\n"
TABLE = "| tokens | 64 | 128 | 512 |\n| :-- | --: | --: | --: |\n| far | {} | {} | {} |\n\n"


def said(parse, text: str) -> list[str]:
    return [region.parsed for region in parse(Document(text, PAGE))]


@pytest.mark.parametrize(
    ("sentence", "answer", "refused"),
    [
        ("It explains 38 % of it.", "0.38", False),
        ("It explains 38 % of it.", "'38 %'", False),
        ("It explains 38 % of it.", "0.3849", False),
        ("It explains 83 % of it.", "0.38", True),
        ("It explains 38 % of it.", "0.372", True),
        ("They are a seventh of it.", "0.14", False),
        ("They are a fifth of it.", "0.14", True),
        ("They are a fifth of it, $\\frac{2}{10}$.", "0.14", False),
        ("They are three quarters of it.", "0.25", True),
        ("They are three quarters.", "0.7469", False),
        ("It is less than a fifth of it.", "0.14", False),
        ("It is a third axis, and turns by a quarter turn.", "0.14", False),
        ("A tenth of it, by [them](../reference/bibliography.md#a2020).", "0.14", False),
    ],
)
def test_a_share_is_shown_in_its_section(sentence, answer, refused):
    text = f"# T\n\n## One\n\n{sentence}\n\n{SESSION.format(answer)}"

    assert bool(said(quoted_shares.parse, text)) is refused


def test_another_section_shows_no_share_but_for_a_summary_that_repeats_it():
    shown = f"## One\n\nIt is 38 %.\n\n{SESSION.format(0.38)}\n"

    assert said(quoted_shares.parse, f"# T\n\nIt is 38 %.\n\n{shown}") == []
    assert said(quoted_shares.parse, f"# T\n\n{shown}## S {{ #summary }}\n\n- It is 38 %.\n") == []
    (message,) = said(quoted_shares.parse, f"# T\n\n{shown}## Two\n\nIt is 38 %.\n")
    assert "the text says 38 %, and nothing in this section shows it" in message
    assert len(said(quoted_shares.parse, f"# T\n\nIt is 83 %.\n\n{shown}")) == 1


@pytest.mark.parametrize(
    ("row", "answer", "refused"),
    [
        ((0.16, 0.46, 0.83), "[0.16, 0.46, 0.83]", False),
        ((0.16, 0.46, 0.83), "[0.159, 64, 0.458, 128, 0.832]", False),
        ((0.16, 0.83, 0.46), "[0.16, 0.46, 0.83]", True),
        ((0.16, 0.46, 0.83), "0.16\n0.46\n0.83", True),
        (("2 of 9", "0.46 KiB", "0.83"), "2 9 0.46 0.83", False),
        (("3 of 9", "0.46 KiB", "0.83"), "2 9 0.46 0.83", False),  # what heads a row is its name
        (("0.3", "3 of 9", "0.83"), "0.3 2 9 0.83", True),
        (("a word", "−0.46", "$0.83$"), "-0.46 0.83", False),
        (("by [X](../reference/bibliography.md#x)", "0.46", "0.83"), "1", False),
    ],
)
def test_a_row_of_a_table_stands_in_a_session_in_its_order(row, answer, refused):
    text = TABLE.format(*row) + SESSION.format(answer)

    assert bool(said(quoted_tables.parse, text)) is refused


def test_columns_may_be_shown_instead_and_a_prompt_is_one_line():
    rows = "| a | b |\n| :-- | --: |\n| 0.5 | 7.5 |\n| 0.6 | 8.5 |\n\n"

    assert said(quoted_tables.parse, rows + SESSION.format("[0.5, 0.6]\n>>> 2\n[7.5, 8.5]")) == []
    assert said(quoted_tables.parse, rows + SESSION.format("[0.5, 0.6]\n>>> 2\n[8.5, 7.5]"))
    listed = "```pycon\n>>> both = [0.5, 7.5,\n...         0.6, 8.5]\n```\n"
    assert said(quoted_tables.parse, rows + listed) == []
    (message,) = said(quoted_tables.parse, rows + SESSION.format("0.5 8.5"))
    assert "the text says 7.5 behind 0.5 in a table, and no session has" in message


def test_the_row_is_named_where_it_stands_with_the_cell_that_breaks_it_off():
    rows = "| a | b | c |\n| :-- | --: | --: |\n| 0.5 | 7.5 | 2.5 |\n| 0.6 | 8.6 | 3.5 |\n\n"
    document = Document(rows + SESSION.format("0.5 7.5 2.5\n>>> 2\n0.6 8.5 3.5"), PAGE)

    (region,) = quoted_tables.parse(document)
    assert document.text[region.start :].startswith("| 0.6 | 8.6")
