"""Which words have a neighbour that would make a sentence false, and which changes pass."""

import pytest

import swapped
from engine.places import DOCS


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("The wave falls to the left.\n", ["rises", "right"]),
        ("Is it on the left?\n", []),
        ("See `left` and $left$ and [it](left.md#left).\n", []),
        ("## The left one\n", []),
        ("| above | 3 |\n", ["below"]),
        (
            '```{.python .figure #fig-a alt="It grows." caption="First rows."}\nleft\n```\n',
            ["falls", "columns"],
        ),
    ],
)
def test_words_are_exchanged_where_they_are_said(text, changed):
    assert [other for _, _, other in swapped.swaps(text)] == changed


def test_a_change_that_no_rule_refuses_is_counted(tmp_path, monkeypatch):
    page = tmp_path / "other.md"
    page.write_text("It turns to the left, or to the right.\n", "utf-8")
    monkeypatch.setattr(swapped, "complaints", lambda text, page: int("left" not in text))

    found, tried = swapped.passing(page)

    assert tried == 2
    assert len(found) == 1
    assert "'left' in" in found[0]


def test_a_word_of_a_caption_is_asked():
    page = DOCS / "chapters/grids.md"
    text = page.read_text("utf-8")
    was, now = "A step to the right turns", "A step to the left turns"
    assert text.count(was) == 1

    assert swapped.complaints(text, page) == 0
    assert swapped.complaints(text.replace(was, now), page) == 1
