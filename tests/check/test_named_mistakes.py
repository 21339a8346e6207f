"""Mistakes with a name: each turns those cards of its page red that it says, and no other."""

import json
from typing import Any

import pytest

from browser import named_mistakes
from browser.named_mistakes import Breakage
from browser.page_session import FAILED, Running
from check import cards
from check.cards import Card
from check.page_source import read_page
from check.paths import DOCS
from tests import nav

LEAST = 3
STORED = named_mistakes.stored()
CASES = [
    pytest.param(chapter, place, id=f"{chapter}-{said['title'].replace(' ', '-')}")
    for chapter in nav.CHAPTERS
    for place, said in enumerate(named_mistakes.listed()[f"chapters/{chapter}.md"])
]
# Of each chapter one is tried with every prompt of the page.
WHOLE = [pytest.param(chapter, 0, id=chapter) for chapter in nav.CHAPTERS]


def page(chapter: str) -> Running:
    """Return a chapter that can be run."""
    return Running(str(DOCS / f"chapters/{chapter}.md"))


def fallen(chapter: str, place: int) -> dict[str, str]:
    """Return the cards that fall by a breakage of a chapter, with the first thing that each says.

    In the way of the browser: by the number that the page has for it.
    """
    said, chapter_page = named_mistakes.listed()[f"chapters/{chapter}.md"][place], page(chapter)
    run = chapter_page.run("", said["number"], said["card"])
    found: dict[str, str] = {}
    for outcome in map(json.loads, run):
        if outcome["card"] and outcome["came"] == FAILED:
            found.setdefault(outcome["card"], outcome["message"])
    return found


@pytest.mark.parametrize("chapter", nav.CHAPTERS)
def test_a_chapter_has_three_of_its_own(chapter):
    entries = STORED.get(chapter, [])
    on_page = {card.id for card in cards.find_cards(read_page(DOCS / f"chapters/{chapter}.md"))}

    assert len(entries) >= LEAST
    assert len({said["title"] for said in entries}) == len(entries)
    for said in entries:
        assert said.keys() == {"card", "title", "was", "now", "red"}
        assert said["card"] in said["red"], "its own card has to fall"
        assert {*said["red"]} <= on_page
        assert len(said["title"]) <= 40, "the title stands on a button"


def test_there_is_none_of_what_is_no_chapter():
    assert [*STORED] == nav.CHAPTERS


@pytest.mark.nightly
@pytest.mark.parametrize(("chapter", "place"), CASES)
def test_the_cards_that_it_names_fall_and_no_other(chapter, place):
    said = STORED[chapter][place]
    found = fallen(chapter, place)

    assert {*found} == {*said["red"]}
    own = found[said["card"]]
    assert "Traceback" not in own or "AssertionError" in own, f"a crash is no check: {own}"
    assert not [message for message in found.values() if "NameError" in message]


@pytest.mark.nightly
@pytest.mark.parametrize(("chapter", "place"), WHOLE)
def test_what_is_left_out_would_not_notice_it(chapter, place, monkeypatch):
    monkeypatch.setattr(named_mistakes, "noticing", lambda run, *_: run)

    assert {*fallen(chapter, place)} == {*STORED[chapter][place]["red"]}


def test_a_breakage_is_taken_back():
    relative = page("relative")
    assert fallen("relative", 0)

    assert all(json.loads(one)["came"] != FAILED for one in relative.run("eq-shift"))


def test_breakages_come_before_the_faults_that_are_measured():
    told = json.loads(page("relative").broken("eq-shift"))

    assert [fault.get("title") for fault in told[:2]] == [
        said["title"] for said in STORED["relative"] if said["card"] == "eq-shift"
    ]
    assert told[:2] == json.loads(page("relative").named("eq-shift"))
    assert not [fault for fault in told[2:] if "title" in fault]


def shift(**changes: Any) -> list[Breakage]:
    """Return a breakage of the first card of a chapter, with something changed of what is said."""
    said = {**STORED["relative"][0], **changes}
    (card,) = (card for card in _cards("relative") if card.id == said["card"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(named_mistakes, "stored", lambda: {"relative": [said]})
        return [*named_mistakes.of(card, "relative")]


def _cards(chapter: str) -> list[Card]:
    return [*cards.find_cards(read_page(DOCS / f"chapters/{chapter}.md"))]


def test_it_shows_whole_lines_at_the_margin():
    (found,) = shift(was="0 - sin, cos  #", now="sin, cos  #")

    assert found.was.startswith("matrix[c, s], matrix[c, c] = 0 - sin, cos  # ")
    assert found.now.startswith("matrix[c, s], matrix[c, c] = sin, cos  # ")
    assert found.function == "rotation_matrix"


@pytest.mark.parametrize(
    ("was", "now", "wrong"),
    [
        ("nothing of the kind", "x", "shows 'nothing of the kind' 0 times, not once"),
        ("matrix[c, ", "matrix[s, ", r"shows 'matrix\[c, ' 2 times, not once"),
        ("# -sin would", "# so it would", "changes nothing in rotation_matrix"),
    ],
)
def test_what_cannot_be_put_in_place_is_refused(was, now, wrong):
    with pytest.raises(ValueError, match=wrong):
        shift(was=was, now=now)


def test_what_cannot_notice_it_does_not_run(tmp_path):
    (found,) = shift()
    (tmp_path / "page.md").write_text(
        "```pycon\n"
        ">>> import posenc\n"
        ">>> from posenc import rotation_matrix as turn, wavelengths\n"
        ">>> def entry(k):\n...     return turn(k, 2)[0, 1]\n"
        ">>> 1 + 1\n2\n"
        ">>> print(wavelengths(2))\n[6.28318531]\n"
        ">>> kept = entry(3)\n"
        ">>> entry(0) == 0\nTrue\n"
        ">>> kept > 0\nTrue\n"
        "```\n"
    )
    small = Running(str(tmp_path / "page.md"))
    card = Card("eq-all", *2 * [cards.Block("proof", "", 0, 0, "", 10_000, "")])

    left = named_mistakes.noticing(small.document, found, [card])

    assert [one.region.parsed.source.split("\n")[0] for one in left] == [
        "import posenc",
        "from posenc import rotation_matrix as turn, wavelengths",
        "def entry(k):",
        "kept = entry(3)",
        "entry(0) == 0",
        "kept > 0",
    ]
