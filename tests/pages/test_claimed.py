"""Sentences that claim: what shows them, what may go without, and that no exception outlives it."""

import pytest
from sybil import Document

from engine.places import ROOT
from pages import claimed

PAGE = "docs/chapters/invented.md"
SESSION = "\n```pycon\n>>> 1 + 1\n2\n```\n"


@pytest.fixture
def complaints(monkeypatch, tmp_path):
    """Return what says what is wrong with a text, if some sentences are accepted."""

    def judge(text, accepted="", page=PAGE):
        monkeypatch.setattr(claimed, "ACCEPTED", tmp_path / "claimed.toml")
        claimed.ACCEPTED.write_text(accepted, "utf-8")
        found = claimed.parse(Document(text, str(ROOT / page)))
        return [(text.count("\n", 0, region.start) + 1, region.parsed) for region in found]

    return judge


def entry(page: str = PAGE, sentence: str = "It never ends", why: str = "It is a game.") -> str:
    return f'[[accepted]]\npage = "{page}"\nsentence = "{sentence}"\nwhy = "{why}"\n'


@pytest.mark.parametrize(
    "said",
    [
        "It never ends.",
        "It does. Most models do so.",
        "- a list\n- that Often goes on",
        "| a row | hardly |",
        "It is the only one.\nSee [a page](a.md#place).",
        "It never ends.\n[The figure][fig-a] has it.",
        f"It never ends.\n\nA paragraph between.\n{SESSION}",
        f"/// verification | Sums\nOne.\n{SESSION}///\n\nIt never ends.",
        f"It never ends.\n\n/// proof\n{SESSION}///",
        "```text\nnot run\n```\n\nIt never ends.",
        "He says *no*, and always so.",
    ],
)
def test_a_claim_that_nothing_shows_is_refused(complaints, said):
    ((_, message),) = complaints(said)

    assert "claims, and nothing here shows it: refer in this sentence to" in message


@pytest.mark.parametrize(
    "said",
    [
        "Such models learn to look back.",
        "The transformer quickly learned it.",
        "Every trained model has it.",
        "Transformers keep such a head.",
        "No transformer does without.",
        "Models nowadays always have it.",
        "One with sinusoids fails right after.",
        "Every model learns it, by [eq-norm][].",
        "Transformers keep it.\nSo say [they](../reference/bibliography.md#su2021).",
        f"Every model has it.\n{SESSION}",
        "All models, such as [theirs](../reference/bibliography.md#su2021), have it.",
        "Models, [theirs](../reference/bibliography.md#su2021) and the rest, have it.",
        "Libraries have it, [theirs](../reference/bibliography.md#su2021), as do all the others.",
        "Some models had it in 2020, and now all of them do.",
    ],
)
def test_what_is_said_of_models_names_its_source_itself(complaints, said):
    ((_, message),) = complaints(said)

    assert "link the paper or the experiment in the same sentence" in message


@pytest.mark.parametrize(
    "said",
    [
        f"It never ends.\n{SESSION}",
        f"{SESSION}\nIt never ends.",
        "It never ends, by [eq-norm][].",
        "It never ends, say [they](../reference/bibliography.md#su2021).",
        "It never ends, as the [claims](../reference/claims.md) say.",
        "It never ends, as the [errata](../reference/errata.md) say.",
        "/// statement | No end\nIt never ends.\n///",
        "/// claim | It always ends\n**Wrong.** It never ends.\n///",
        "# It never ends",
        "**It never ends.** By this.",
        "Does it never end?",
        'They say "it never ends".',
        "The word *never* is strong.",
        "It does not always end, and takes three steps at most.",
        "How often does it end, and as often as that?",
        "As is said so often, it ends.",
        "It is `never` that ends.",
        "Models learn to look back, as [trained](../reference/experiments.md#lengths).",
        f"Such models learn to look back.\n{SESSION}",
        "All models have it ([they](../reference/bibliography.md#su2021)).",
        "Some models had it, and now all of them do ([they](../reference/bibliography.md#su2021)).",
        "Two programs agree on the first row, and the rest is noise.",
        "Of five keys, the first has a bias, and all the others have none.",
        "Every part of a model has it.",
        "Whether a model learns it is an open question.",
        "This shows what models learn.",
        "A model with learned positions adds them.",
    ],
)
def test_a_claim_that_something_shows_holds(complaints, said):
    assert complaints(said) == []


def test_it_is_told_where_the_sentence_stands(complaints):
    ((line, message),) = complaints("# A\n\nIt ends.\nSoon. It never ends.\n")

    assert line == 4
    assert message.startswith("'never' claims")


def test_what_is_accepted_may_stand(complaints):
    assert complaints("It never ends.", entry()) == []
    assert len(complaints("It hardly ends.", entry())) == 2
    assert len(complaints("It never ends.", entry("docs/chapters/other.md"))) == 1


@pytest.mark.parametrize("text", ["It ends.", f"It never ends.\n{SESSION}"])
def test_an_entry_that_nothing_needs_is_refused(complaints, text):
    assert complaints(text, entry()) == [
        (1, "claimed.toml accepts 'It never ends', and no sentence needs it; remove the entry")
    ]


def test_the_list_is_looked_at_on_the_page_that_explains_it(complaints):
    def at_home(accepted: str) -> list[str]:
        return [message for _, message in complaints("", accepted, "docs/contributing/english.md")]

    assert at_home(entry("docs/index.md")) == []
    assert at_home(entry()) == [f"claimed.toml: no page {PAGE}; remove the entry"]
    for lacking in ({"why": ""}, {"sentence": ""}, {"sentence": "It"}, {"page": ""}):
        (message,) = at_home(entry(**{"page": "docs/index.md", **lacking}))
        assert "lacks one of" in message
    (message,) = at_home(entry("docs/index.md") * 31)
    assert message == "claimed.toml accepts more than 30 sentences; say less in some"
