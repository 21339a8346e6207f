"""A blind answer of a page stops the build, as it was measured last, but for a reason."""

import pytest

from engine.blind import Blind
from engine.places import DOCS, named
from engine.texts import read
from pages import blind
from pages.blind import Allowed, Record
from tests.checking import package, parser

PAGE = DOCS / "chapters/relative.md"
KEY = blind.key(read(PAGE), package())
PROMPT = 'posenc.relative_position_matrix(half, 7, layout="half")[1] < 1e-14\n'
SAID = "says True (verdict 1), whichever half of what the package returns is wrong, in 8 of 8 tries"
ANSWER = Blind(PROMPT, SAID)


@pytest.fixture
def complaints(monkeypatch):
    """Return what is complained of, and where, if the page was measured so."""

    def judge(record: Record | None, *allowed: Allowed) -> list[tuple[int, str]]:
        monkeypatch.setattr(blind, "stored", lambda: {named(PAGE): record} if record else {})
        monkeypatch.setattr(blind, "allowed", lambda: list(allowed))
        found = blind.parse(parser().parse(PAGE), package())
        return [(region.lexemes["line"], region.parsed.partition(";")[0]) for region in found]

    return judge


def test_a_blind_answer_is_told_where_it_stands(complaints):
    ((line, said),) = complaints(Record(KEY, 9, (ANSWER,)))

    assert read(PAGE).split("\n")[line - 1] == f">>> {PROMPT}".rstrip()
    assert said == f"{PROMPT.rstrip()} {SAID}"


def test_a_reason_allows_it_and_is_needed_by_it(complaints):
    reason = Allowed(named(PAGE), PROMPT, "It shows so.")
    other = Allowed(named(DOCS / "chapters/order.md"), "another()", "It shows so.")

    assert complaints(Record(KEY, 9, (ANSWER,)), reason, other) == []
    ((_, said),) = complaints(Record(KEY, 9), reason, other)
    assert said == f"blind.toml: {PROMPT.strip()!r} is not blind, or gone"


def test_what_was_not_measured_as_it_is_now_is_not_judged_here(complaints):
    assert complaints(None) == []
    assert complaints(Record("another", 9, (ANSWER,))) == []
    assert complaints(Record(KEY, 9)) == []


def test_a_reason_on_no_page_is_told(monkeypatch):
    entry = Allowed("docs/chapters/none.md", "a()", "It shows so.")
    monkeypatch.setattr(blind, "allowed", lambda: [entry])

    (region,) = blind.parse(parser().parse(blind.HOME), package())

    assert region.parsed == "blind.toml: no page 'docs/chapters/none.md'; remove the entry"


def test_the_key_of_a_chapter_is_of_its_code_and_not_of_its_prose():
    text = read(PAGE)

    assert blind.key(text.replace("A shift", "Some shift") + "\nMore.\n", package()) == KEY
    assert blind.key(text.replace(PROMPT, PROMPT.replace("14", "13")), package()) != KEY


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ("a < 1e-14 or b < 1e-14", True),
        ("bool(a < 1e-14 or b < 1e-14), c", True),
        ("assert a < 1e-14 or b < 1e-14", True),
        ("a < 1e-14 and b < 1e-14", False),
        ("f = lambda a: a or 1", False),
    ],
)
def test_an_answer_with_alternatives_is_refused_outside_of_cards(tmp_path, said, refused):
    text = f"# T\n\n```pycon\n>>> {said}\nTrue\n```\n"

    assert [*blind.alternatives(text)] == [(text.index(">>>"), f"{said}\n")] * refused
    card = DOCS / "chapters/rotary.md"
    assert [*blind.alternatives(read(card))] == []
