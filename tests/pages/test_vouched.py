"""What nothing computes on a page needs somebody who vouches for it, word by word."""

import sys

import pytest
from sybil import Document

import vouch
from engine.places import DOCS
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

```pycon
>>> 1 + 1
2
```

```{.python .figure #fig-one alt="One."}
1
```

```{.python .cell}
2
```
"""
TOLD = ["Attention sees a *set*.", "Is it so?", "It is so.", "a = b", ">>> 1 + 1\n2", "2"]


@pytest.fixture
def unread(monkeypatch, tmp_path):
    """Return what nobody vouches for in a text."""
    monkeypatch.setattr(vouched, "KEPT", tmp_path / "vouched")
    monkeypatch.setattr(vouched, "pages", lambda: [PAGE])
    return lambda text: [one.text for one in vouched.unread(Document(text, str(PAGE)))]


def command(monkeypatch: pytest.MonkeyPatch, text: str, *words: object) -> None:
    monkeypatch.setattr(vouch, "read", lambda _: text)
    monkeypatch.setattr(sys, "argv", ["vouch.py", *map(str, words)])
    vouch.main()


def test_it_is_what_no_other_rule_shows_and_what_is_displayed_outside_of_statements(unread):
    assert unread(TEXT) == TOLD


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a *set*", "a *list*"),
        ("It is so", "It is not so"),
        ("a = b", "a = -b"),
        ("1 + 1", "3 - 1"),
        ("}\n2\n", "}\n3\n"),
    ],
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
    first, *_, last = vouched.parse(Document(TEXT, str(PAGE)))

    assert "nobody vouches for this: ask of each word" in first.parsed
    assert first.lexemes["line"] == 3
    assert "nobody vouches for this code: ask of each comparison" in last.parsed
    assert last.lexemes["line"] == TEXT[: TEXT.index("```{.python .cell}")].count("\n") + 1


def test_a_page_that_needs_nobody_is_refused(unread, monkeypatch, capsys):
    with pytest.raises(SystemExit):
        command(monkeypatch, TEXT, DOCS / "reference/authors.md", "--true")

    assert "nobody has to vouch for docs/reference/authors.md" in capsys.readouterr().err
    assert not vouched.file(DOCS / "reference/authors.md").exists()


def test_nothing_is_kept_that_no_page_says():
    assert vouched.left() == []
    for page in vouched.pages():
        document = Document(read(page), str(page))
        assert {vouched.digest(one) for one in vouched.told(document)} == vouched.kept(page), page
