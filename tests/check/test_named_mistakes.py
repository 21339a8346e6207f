"""Each named mistake fails the cards of its page that it lists, and no others."""

import json
from typing import Any

import pytest

from browser import named_mistakes
from browser.named_mistakes import NamedMistake
from browser.page_session import FAILED, PageSession
from check import cards
from check.cards import Card
from check.page_source import read_page
from check.paths import DOCS
from tests import nav

PER_CHAPTER = 3
ENTRIES = named_mistakes.read_mistakes()
ON_PAGES = named_mistakes.list_mistakes()
CASES = [
    pytest.param(chapter, number, id=f"{chapter}-{entry['title'].replace(' ', '-')}")
    for chapter in nav.CHAPTERS
    for number, entry in enumerate(ON_PAGES[f"chapters/{chapter}.md"])
]


def open_page(chapter: str) -> PageSession:
    """Return the session of a chapter."""
    return PageSession(str(DOCS / f"chapters/{chapter}.md"))


def find_cards(chapter: str) -> list[Card]:
    """Return the cards of a chapter."""
    return [*cards.find_cards(read_page(DOCS / f"chapters/{chapter}.md"))]


def find_failures(session: PageSession, number: int) -> dict[str, str]:
    """Run a page with a mistake as the browser does; return each card that fails, with why."""
    entry = ON_PAGES[f"chapters/{session.path.name}"][number]
    failures: dict[str, str] = {}
    for outcome in map(json.loads, session.run("", entry["number"], entry["card"])):
        if outcome["card"] and outcome["status"] == FAILED:
            failures.setdefault(outcome["card"], outcome["message"])
    return failures


@pytest.mark.parametrize("chapter", nav.CHAPTERS)
def test_each_chapter_has_complete_entries(chapter):
    entries = ENTRIES.get(chapter, [])
    ids = {card.id for card in find_cards(chapter)}

    assert len(entries) >= PER_CHAPTER
    assert len({entry["title"] for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.keys() == {"card", "title", "was", "now", "red"}
        assert entry["card"] in entry["red"], "its own card has to fail"
        assert {*entry["red"]} <= ids
        assert len(entry["title"]) <= 40, "the title has to fit a button"


def test_only_chapters_have_entries():
    assert [*ENTRIES] == nav.CHAPTERS


@pytest.mark.nightly
@pytest.mark.parametrize(("chapter", "number"), CASES)
def test_the_listed_cards_fail_and_no_others(chapter, number):
    entry = ENTRIES[chapter][number]
    failures = find_failures(open_page(chapter), number)

    assert {*failures} == {*entry["red"]}
    message = failures[entry["card"]]
    assert "Traceback" not in message or "AssertionError" in message, f"a crash: {message}"
    assert not [message for message in failures.values() if "NameError" in message]


@pytest.mark.nightly
@pytest.mark.parametrize("chapter", nav.CHAPTERS)
def test_prompts_that_are_not_run_would_not_fail(chapter, monkeypatch):
    monkeypatch.setattr(named_mistakes, "select_affected", lambda examples, *_: examples)

    assert {*find_failures(open_page(chapter), 0)} == {*ENTRIES[chapter][0]["red"]}


def test_a_mistake_is_undone():
    session = open_page("relative")
    assert find_failures(session, 0)

    assert all(json.loads(outcome)["status"] != FAILED for outcome in session.run("eq-shift"))


def test_named_mistakes_come_before_generated_mutants():
    session = open_page("relative")
    listed = json.loads(session.list_mutants("eq-shift"))

    assert [mutant.get("title") for mutant in listed[:2]] == [
        entry["title"] for entry in ENTRIES["relative"] if entry["card"] == "eq-shift"
    ]
    assert listed[:2] == json.loads(session.list_named_mistakes("eq-shift"))
    assert not [mutant for mutant in listed[2:] if "title" in mutant]


def make_mistake(**changes: Any) -> NamedMistake:
    """Return the first mistake of a chapter, with some fields of its entry changed."""
    entry = {**ENTRIES["relative"][0], **changes}
    (card,) = (card for card in find_cards("relative") if card.id == entry["card"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(named_mistakes, "read_mistakes", lambda: {"relative": [entry]})
        (mistake,) = named_mistakes.make_mistakes(card, "relative")
    return mistake


def test_a_mistake_has_whole_dedented_lines():
    mistake = make_mistake(was="0 - sin, cos  #", now="sin, cos  #")

    assert mistake.was.startswith("matrix[c, s], matrix[c, c] = 0 - sin, cos  # ")
    assert mistake.now.startswith("matrix[c, s], matrix[c, c] = sin, cos  # ")
    assert mistake.function == "rotation_matrix"


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ("no such text", "x", "shows 'no such text' 0 times, not once"),
        ("matrix[c, ", "matrix[s, ", r"shows 'matrix\[c, ' 2 times, not once"),
        ("# -sin would", "# so it would", "changes nothing in rotation_matrix"),
    ],
)
def test_an_entry_that_does_not_fit_the_package_is_refused(was, now, message):
    with pytest.raises(ValueError, match=message):
        make_mistake(was=was, now=now)


def test_only_prompts_that_depend_on_the_function_run(tmp_path):
    (tmp_path / "page.md").write_text(
        "```pycon\n"
        ">>> import posenc\n"
        ">>> from posenc import rotation_matrix as turn, wavelengths\n"
        ">>> def entry(k):\n...     return turn(k, 2)[0, 1]\n"
        ">>> 1 + 1\n2\n"
        ">>> print(wavelengths(2))\n[6.28318531]\n"
        ">>> third = entry(3)\n"
        ">>> entry(0) == 0\nTrue\n"
        ">>> third > 0\nTrue\n"
        "```\n"
    )
    session = PageSession(str(tmp_path / "page.md"))
    card = Card("eq-all", *2 * [cards.Block("proof", "", 0, 0, "", 10_000, "")])

    examples = named_mistakes.select_affected(session.document, make_mistake(), [card])

    assert [example.region.parsed.source.split("\n")[0] for example in examples] == [
        "import posenc",
        "from posenc import rotation_matrix as turn, wavelengths",
        "def entry(k):",
        "third = entry(3)",
        "entry(0) == 0",
        "third > 0",
    ]
