"""Sentences about what was trained: which need evidence, and what is none."""

import pytest
from sybil import Document

from engine.places import ROOT
from pages import evidence

CHAPTER, HOME = "docs/chapters/invented.md", "docs/reference/experiments.md"
SESSION = '\n```pycon\n>>> order = experiments.load("order")\n```\n'
LINKED = "They [do not](../reference/experiments.md#order)."
TRUE, FALSE = "order.mean('rope') > order.mean('none')", "order.mean('rope') < order.mean('none')"


@pytest.fixture
def complaints(monkeypatch, tmp_path):
    """Return what says what is wrong with a text, if some evidence is listed."""

    def judge(text, listed="", page=CHAPTER):
        monkeypatch.setattr(evidence, "EVIDENCE", tmp_path / "evidence.toml")
        evidence.EVIDENCE.write_text(listed, "utf-8")
        return [region.parsed for region in evidence.parse(Document(text, str(ROOT / page)))]

    return judge


def entry(sentence: str, *, page: str = CHAPTER, holds: str = TRUE, why: str = "") -> str:
    shown = f'holds = "{holds}"\n' if holds else ""
    shown += f'why = "{why}"\n' if why else ""
    return f'[[evidence]]\npage = "{page}"\nsentence = "{sentence}"\n{shown}'


@pytest.mark.parametrize(
    "text",
    [
        LINKED,
        f"## A\n\nRotary encodings are best.\n{SESSION}",
        f"## A\n\n- ALiBi was quicker.\n{SESSION}",
        f"## A\n\nOne fails at once.\n{SESSION}",
        f"## A\n\n**T5 carries on**, as it did.\n{SESSION}",
        f"## A\n\n{SESSION}\nA mask alone does it.\n",
    ],
)
def test_what_tells_of_training_needs_evidence(complaints, text):
    (message,) = complaints(text)

    assert "has no evidence: give it an entry in evidence.toml" in message


@pytest.mark.parametrize(
    "text",
    [
        "Rotary encodings are best.",
        f"## A\n\nRotary encodings are best.\n\n## B\n{SESSION}",
        f"### Which are best?\n\nWhich are best?\n\n| best | 1 |\n{SESSION}",
        f"## A\n\nThere are eight models.\n{SESSION}",
        "[Experiments](../reference/experiments.md) show it.",
    ],
)
def test_other_sentences_need_none(complaints, text):
    assert complaints(text) == []


def test_claims_are_looked_at_where_they_link_an_experiment(complaints):
    said = "Small models [fail](experiments.md#order)."

    assert len(complaints(said, page="docs/reference/claims.md")) == 1
    assert complaints(f"## A\n\nOne fails.\n{SESSION}", page="docs/reference/claims.md") == []


def test_evidence_is_computed_from_the_results(complaints):
    assert complaints(LINKED, entry(LINKED)) == []
    (message,) = complaints(LINKED, entry(LINKED, holds=FALSE))
    assert message.endswith(f"{FALSE}, is false")
    (message,) = complaints(LINKED, entry(LINKED, holds="1 < 2"))
    assert message.endswith("1 < 2, reads no stored result")
    assert complaints(LINKED, entry(LINKED, holds="", why="It tells no result.")) == []


def test_a_changed_sentence_has_no_evidence_and_its_entry_is_left_over(complaints):
    none, left = complaints(LINKED.replace("do not", "do"), entry(LINKED))

    assert "has no evidence" in none
    assert left.startswith("evidence.toml shows 'They [do not]")
    assert len(complaints(LINKED, entry(LINKED, page="docs/chapters/other.md"))) == 1


def test_the_list_is_looked_at_on_the_page_of_the_experiments(complaints):
    assert complaints("", entry(LINKED, page="docs/index.md"), HOME) == []
    (message,) = complaints("", entry(LINKED), HOME)
    assert "no page 'docs/chapters/invented.md'" in message
    for shown in ({"why": "Both."}, {"holds": ""}):
        (message,) = complaints("", entry(LINKED, page="docs/index.md", **shown), HOME)
        assert "needs holds, or else why" in message
