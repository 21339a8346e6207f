"""Abbreviations, as the table on the notation page defines them."""

from check.page_source import read_page
from render import abbreviations


def test_all_abbreviations_of_the_notation_page_are_read():
    rows = read_page(abbreviations.NOTATION).partition("#abbreviations }")[2].split("\n## ")[0]
    long_forms = abbreviations.read_abbreviations()

    assert long_forms["RoPE"].startswith("rotary position embedding")
    assert len(long_forms) == rows.count("\n| ") - 2 > 10  # without the two lines of the head


def test_definitions_contain_every_row_of_the_table(monkeypatch, tmp_path):
    page = tmp_path / "notation.md"
    table = "| short form | long |\n| :-- | :-- |\n| A | one |\n| B | two |\n"
    after = "\n## C { #c }\n\n| D | three |\n"
    page.write_text(f"## Words {{ #abbreviations }}\n\nHere.\n\n{table}{after}", "utf-8")
    monkeypatch.setattr(abbreviations, "NOTATION", page)

    assert abbreviations.render_definitions() == "\n*[A]: one\n*[B]: two\n"
