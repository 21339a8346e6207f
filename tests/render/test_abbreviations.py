"""Abbreviations: told once, in a table, and none is lost."""

from check.page_source import read_page
from render import abbreviations


def test_abbreviations_are_read_from_their_table():
    told = abbreviations.read_abbreviations()

    assert told["RoPE"].startswith("rotary position embedding")
    assert "short" not in told
    assert len(told) > 10


def test_no_abbreviation_is_lost(monkeypatch, tmp_path):
    """Neither the first one, whatever the head says, nor one of the book's."""
    rows = read_page(abbreviations.NOTATION).partition("#abbreviations }")[2].split("\n## ")[0]
    assert len(abbreviations.read_abbreviations()) == rows.count("\n| ") - 2  # head and line

    page = tmp_path / "notation.md"
    table = "| short form | long |\n| :-- | :-- |\n| A | one |\n| B | two |\n"
    after = "\n## C { #c }\n\n| D | three |\n"
    page.write_text(f"## Words {{ #abbreviations }}\n\nHere.\n\n{table}{after}", "utf-8")
    monkeypatch.setattr(abbreviations, "NOTATION", page)
    assert abbreviations.render_definitions() == "\n*[A]: one\n*[B]: two\n"
