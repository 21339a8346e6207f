"""What nothing computes on a page needs somebody who vouches for it, word by word."""

import sys

import pytest
from sybil import Document

import vouch
from engine.places import DOCS, ROOT
from engine.texts import read
from pages import vouched

PAGE = DOCS / "chapters/invented.md"
TEXT = """\
# Title

Attention sees a *set*.
Is it so?
The second wave is slower than the first.

| head | of a table |
| :-- | --: |

1. It is so.

$$
a = b
$$

/// statement | Name
    attrs: {id: eq-name}

$$
c = d
$$
///
"""
TOLD = ["Attention sees a *set*.", "Is it so?", "It is so.", "a = b"]


@pytest.fixture
def unread(monkeypatch, tmp_path):
    """Return what nobody vouches for in a text."""
    monkeypatch.setattr(vouched, "KEPT", tmp_path / "vouched.json")
    monkeypatch.setattr(vouched, "pages", lambda: [PAGE])
    vouched.keep({})
    return lambda text: [one.text for one in vouched.unread(Document(text, str(PAGE)))]


def command(monkeypatch: pytest.MonkeyPatch, text: str, *words: object) -> None:
    monkeypatch.setattr(vouch, "read", lambda _: text)
    monkeypatch.setattr(sys, "argv", ["vouch.py", *map(str, words)])
    vouch.main()


def test_it_is_what_no_other_rule_shows_and_what_is_displayed_outside_of_statements(unread):
    assert unread(TEXT) == TOLD


@pytest.mark.parametrize(
    ("old", "new"),
    [("a *set*", "a *list*"), ("It is so", "It is not so"), ("a = b", "a = -b")],
)
def test_what_somebody_vouches_for_is_told_again_when_it_is_changed(
    unread, monkeypatch, capsys, old, new
):
    command(monkeypatch, TEXT, PAGE)
    assert "docs/chapters/invented.md:3: Attention sees a *set*.\n" in capsys.readouterr().out
    assert unread(TEXT) == TOLD, "to list is not to vouch"

    command(monkeypatch, TEXT, PAGE, "--true")
    assert unread(TEXT) == []
    assert len(unread(TEXT.replace(old, new))) == 1


def test_what_is_gone_is_no_longer_kept(unread, monkeypatch):
    command(monkeypatch, TEXT, "--true")
    command(monkeypatch, TEXT.replace("It is so.", ""), "--true")

    assert unread(TEXT) == ["It is so."]


def test_a_page_is_told_of_it_where_it_stands(unread):
    (first, *_) = vouched.parse(Document(TEXT, str(PAGE)))

    assert "nobody vouches for this" in first.parsed
    assert first.lexemes["line"] == 3


def test_nothing_is_kept_that_no_page_says():
    for page, digests in vouched.kept().items():
        document = Document(read(ROOT / page), str(ROOT / page))
        assert {vouched.digest(one) for one in vouched.told(document)} == set(digests), page
