"""Explorer blocks: mistakes in them are reported."""

import pytest
from sybil import Document

from render import explorers

FENCE = '```{.python .figure #fig-x alt="x" caption="x"}\n1\n```\n'
GOOD = f"""//// explorer | What is it?
    attrs: {{id: explore-table, data-explorer: table, data-values: "d=32&base=100"}}

{FENCE}////
"""


def find_problems(text: str) -> list[str]:
    return [region.parsed for region in explorers.parse(Document(text, "page.md"))]


def test_complete_block_has_no_problems():
    assert find_problems(f"Text.\n\n{GOOD}\nText.\n") == []
    assert find_problems(GOOD.replace("explore-table", "explore-table-2")) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("What is it?", "What it is", "the title of an explorer must be a question"),
        (" | What is it?", "", "the title of an explorer must be a question"),
        ("data-explorer: table", "data-explorer: tabel", "has no explorer 'tabel'"),
        ("data-explorer: table", "data-explorer: mount", "has no explorer 'mount'"),
        (", data-explorer: table", "", "has no explorer ''"),
        ("id: explore-table", "id: table", "add attrs: {id: explore-table"),
        ("data-values", "data-vlaues", "unknown attributes of an explorer: data-vlaues"),
        (FENCE, "", "this one has 0"),
        (FENCE, FENCE + FENCE, "this one has 2"),
        ("////", "///", "write //// explorer in the first column"),
        ("//// explorer", " //// explorer", "write //// explorer in the first column"),
    ],
)
def test_mistakes_are_reported(old, new, message):
    assert old in GOOD
    assert any(message in problem for problem in find_problems(GOOD.replace(old, new)))


def test_duplicate_ids_are_reported():
    assert find_problems(GOOD + "\n" + GOOD) == ["two explorers have the id explore-table"]
