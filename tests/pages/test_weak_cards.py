"""A card that notices too little stops the build, as it was measured last."""

from typing import Any

import pytest

from engine import strength as engine_strength
from engine.places import DOCS
from engine.strictness import Strictness
from engine.texts import read
from pages import strength
from pages.strength import Record
from tests.checking import package, parser

PAGE = DOCS / "chapters/relative.md"
KEYS = strength.keys(read(PAGE), package())
MISSED: dict[str, Any] = {"elsewhere": False}


def record(name: str, noticed: int, *unnoticed: dict[str, Any], **more: Any) -> Record:
    return Record(KEYS[name], noticed, noticed + len(unnoticed), list(unnoticed), **more)


@pytest.fixture
def complaints(monkeypatch):
    """Return what is complained of, if the cards of a page have been measured so."""

    def judge(records: dict[str, Record]) -> list[str]:
        monkeypatch.setattr(strength, "stored", lambda: records)
        return [
            region.parsed.partition(";")[0]
            for region in strength.parse(parser().parse(PAGE), package())
        ]

    return judge


FOUND = {"elsewhere": True}
EXCUSED = {"elsewhere": False, "reason": "it leaves the statement true"}
STATED = {"elsewhere": True, "file": "", "now": "1.001 * side 2"}


@pytest.mark.parametrize(
    ("noticed", "unnoticed", "said"),
    [
        (10, [], []),
        (8, [FOUND, FOUND], []),
        (7, [FOUND, FOUND], ["eq-norm notices 7 of the 9 faults that matter, below 80%"]),
        (7, [FOUND, EXCUSED], []),
        (0, [FOUND], ["eq-norm notices none of 1 faults in the lines that it shows"]),
        (9, [STATED], ["eq-norm does not notice its own statement made wrong: 1.001 * side 2"]),
        (9, [STATED | EXCUSED], []),
        (0, [], ["eq-norm cannot be told from one that checks nothing: no fault in its lines says "
                 "anything"]),
        (0, [EXCUSED], ["eq-norm notices none of 1 faults in the lines that it shows"]),
        (9, [MISSED], ["the cards of this page and the rest of it notice 9 of the 10 faults that "
                       "matter, below 95%"]),
    ],
)  # fmt: skip
def test_a_card_notices_what_matters_to_its_statement(complaints, noticed, unnoticed, said):
    assert complaints({"eq-norm": record("eq-norm", noticed, *unnoticed)}) == said


HOLLOW = {"relation": "a.min() < 1", "why": "leaves out 71% of its cases"}


@pytest.mark.parametrize(
    ("hollow", "said"),
    [
        ([], []),
        ([HOLLOW | {"reason": "the others are not defined"}], []),
        ([HOLLOW], ["eq-norm holds a relation that can hardly fail: a.min() < 1: leaves out 71% of "
                    "its cases"]),
    ],
)  # fmt: skip
def test_each_relation_of_a_card_can_fail(complaints, hollow, said):
    assert complaints({"eq-norm": record("eq-norm", 9, hollow=hollow)}) == said


@pytest.mark.parametrize("key", [KEYS["eq-group"], "another"])
@pytest.mark.parametrize(
    ("relations", "fewer", "refused"),
    [
        (5, {}, False),
        (6, {}, False),
        (7, {}, True),
        (7, {"6": "the last one is eq-norm"}, False),
        (7, {"5": "the last one is eq-norm"}, True),
    ],
)
def test_a_card_that_holds_fewer_relations_than_before_says_why(
    complaints, key, relations, fewer, refused
):
    found = complaints({"eq-group": Record(key, 9, 9, relations=relations, fewer=fewer)})

    said = "eq-group compares 6 things, and has compared 7"
    assert found == ([said] if refused else [])


WIDER = "holds something below 2e-15, and has held it below 1e-15"
SOME = "takes the largest, or asks all, 2 times, and has done so 3 times"


@pytest.mark.parametrize(
    ("bounds", "of_all", "weaker", "said"),
    [
        ([2e-15], 2, {}, ""),
        ([3e-15, 4e-15], 1, {}, ""),
        ([1e-15], 2, {}, WIDER),
        ([1e-15], 2, {WIDER: "an entry is rounded twice"}, ""),
        ([1e-15], 2, {SOME: "an entry is rounded twice"}, WIDER),
        ([2e-15], 3, {}, SOME),
        ([2e-15], 3, {SOME: "the last one was a repetition"}, ""),
    ],
)
def test_a_card_that_is_less_strict_than_before_says_why(complaints, bounds, of_all, weaker, said):
    before = Strictness(bounds=tuple(bounds), of_all=of_all)
    known = Record("another", 9, 9, strictness=before, weaker=weaker)

    assert complaints({"eq-group": known}) == ([f"eq-group {said}"] if said else [])


@pytest.mark.parametrize(("missed", "refused"), [(None, 0), (0, 1), (1, 1), (2, 0), (3, 0)])
def test_a_card_misses_no_more_than_before(complaints, missed, refused):
    missing: list[dict[str, Any]] = [FOUND, FOUND, EXCUSED]
    found = complaints({"eq-norm": record("eq-norm", 18, *missing, missed=missed)})

    said = f"eq-norm misses 2 faults, and has missed no more than {missed}"
    assert found == [said] * refused


FELL = {"wrong": "f: 1 -> 2", "relations": 1}


@pytest.mark.parametrize("fell", [[], [FELL], [FELL | {"reason": "one was a repetition"}]])
def test_a_relation_that_has_stopped_to_look_says_why(complaints, fell):
    found = complaints({"eq-norm": record("eq-norm", 9, seen={"f: 1 -> 2": 2}, fell=fell)})

    said = "eq-norm notices f: 1 -> 2 by 1 of its relations, and has done so by 2"
    assert found == ([said] if fell == [FELL] else [])


@pytest.mark.parametrize(
    ("now", "most", "fell"),
    [
        ({"a": 2, "b": 1}, {"a": 2, "b": 1}, {}),
        ({"a": 1, "b": 2}, {"a": 2, "b": 2}, {"a": 1}),
        ({"b": 1}, {"a": 2, "b": 1}, {"a": 0}),
        ({"a": 3, "b": 1}, {"a": 3, "b": 1}, {}),
    ],
)
def test_by_how_many_relations_a_fault_was_noticed_is_kept(monkeypatch, now, most, fell):
    old = Record("old", 4, 4, seen={"a": 2, "b": 1, "gone": 1})
    found = engine_strength.Strength("eq-group", tried=["a", "b", "c"], seen=now)
    monkeypatch.setattr(strength, "stored", lambda: {"eq-group": old})
    monkeypatch.setattr(engine_strength, "measured", lambda document: [found])

    ((_, new),) = strength.measured(parser().parse(PAGE), package())

    assert new.seen == most
    assert {one["wrong"]: one["relations"] for one in new.fell} == fell


def test_what_was_known_of_a_card_stays_when_it_is_measured_again(monkeypatch):
    fault = {"file": "f.py", "function": "f", "was": "1", "now": "2", "elsewhere": False}
    old = Record(
        "old", 4, 5, [fault | {"line": 1, "reason": "why"}],
        [HOLLOW | {"reason": "so"}], relations=9, missed=0, fewer={"6": "because"},
        strictness=Strictness((1e-15,), of_all=1), weaker={WIDER: "because"},
    )  # fmt: skip
    found = engine_strength.Strength("eq-group", {"noticed": 4, "survived": 2})
    found.unnoticed = [fault | {"line": 7}, fault | {"line": 8, "was": "3"}]
    found.hollow = [HOLLOW, HOLLOW | {"relation": "b"}]
    monkeypatch.setattr(strength, "stored", lambda: {"eq-group": old})
    monkeypatch.setattr(engine_strength, "measured", lambda document: [found])

    ((_, new),) = strength.measured(parser().parse(PAGE), package())

    assert [one.get("reason") for one in new.unnoticed] == ["why", None]
    assert [one.get("reason") for one in new.hollow] == ["so", None]
    assert (new.relations, new.missed, new.misses, new.fewer) == (9, 0, 1, {"6": "because"})
    assert (new.strictness, new.weaker) == (old.strictness, {WIDER: "because"})


def test_a_page_is_judged_by_all_of_its_cards(complaints):
    weak = {"eq-norm": record("eq-norm", 9, MISSED)}

    assert complaints(weak | {"eq-dot": record("eq-dot", 10)}) == []


def test_what_was_not_measured_as_it_is_now_is_not_judged_here(complaints):
    assert complaints({}) == []
    assert complaints({"eq-norm": Record("another", 0, 9, [FOUND] * 9)}) == []
