"""Blocks of explorers: what is wrong with one is said where it stands."""

import pytest
from sybil import Document

from render import explorers

FENCE = '```{.python .figure #fig-x alt="x" caption="x"}\n1\n```\n'
GOOD = f"""//// explorer | What is it?
    attrs: {{id: explore-table, data-explorer: table, data-values: "d=32&base=100"}}

{FENCE}////
"""


def complaints(text: str) -> list[str]:
    return [region.parsed for region in explorers.parse(Document(text, "page.md"))]


def test_a_whole_block_is_accepted():
    assert complaints(f"Text.\n\n{GOOD}\nText.\n") == []
    assert complaints(GOOD.replace("explore-table", "explore-table-2")) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("What is it?", "What it is", "the title of an explorer is the question"),
        (" | What is it?", "", "the title of an explorer is the question"),
        ("data-explorer: table", "data-explorer: tabel", "no explorer 'tabel'"),
        ("data-explorer: table", "data-explorer: mount", "no explorer 'mount'"),
        (", data-explorer: table", "", "no explorer ''"),
        ("id: explore-table", "id: table", "write attrs: {id: explore-table"),
        ("data-values", "data-vlaues", "unknown in the attrs of an explorer: data-vlaues"),
        (FENCE, "", "holds one figure"),
        (FENCE, FENCE + FENCE, "holds one figure"),
        ("////", "///", "write //// explorer at the margin"),
        ("//// explorer", " //// explorer", "write //// explorer at the margin"),
    ],
)
def test_what_is_wrong_is_said(old, new, message):
    assert old in GOOD
    assert any(message in said for said in complaints(GOOD.replace(old, new)))


def test_an_id_is_given_once():
    assert complaints(GOOD + "\n" + GOOD) == ["the id explore-table is taken"]
