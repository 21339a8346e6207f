"""Which sentences of a chapter, or of a page beside them, need an entry; what is none."""

import json

import pytest
from sybil import Document

from engine.places import ROOT
from pages import compared
from pages.compared import Shown

CHAPTER = ROOT / "docs/chapters/invented.md"
BESIDE = ROOT / "docs/reference/invented.md"
SAID = "The second pair is slower than the first."
SESSION = "\n```pycon\n>>> list(posenc.inv_freq(4))\n[1.0, 0.01]\n>>> bool(1)\nTrue\n```\n"


@pytest.fixture
def complaints(monkeypatch, tmp_path):
    """Return what says what is wrong with a text, if some entries are listed."""

    def judge(text, *entries, page=CHAPTER):
        monkeypatch.setattr(compared, "BESIDE", (BESIDE, ROOT / "docs/labs/invented.py"))
        monkeypatch.setattr(compared, "FOLDER", tmp_path)
        lines = [
            "\n".join(f"{key} = {json.dumps(value)}" for key, value in entry.items())
            for entry in entries
        ]
        listed = "".join(f"[[sentence]]\n{line}\n" for line in lines)
        (tmp_path / "invented.toml").write_text(listed, "utf-8")
        return [region.parsed for region in compared.parse(Document(text, str(page)))]

    return judge


@pytest.mark.parametrize(
    "text",
    [
        SAID,
        "- It falls with the distance.",
        "The peak moves ahead, to later keys.",
        "**The last is slowest.**\nIt is so.",
        "/// statement | T\n\nIf all numbers are finite,\n\n$$\na = b\n$$\n///\n",
        "/// statement | T\n\nFor every real $p$, it is so.\n///\n",
        "/// statement | T\n\nThe mean of the squares is at most $d/n$.\n///\n",
        "/// statement | T\n\nIt holds up to $10^8$.\n///\n",
        "A step of two squares every frequency.",
        "It doubles the frequency.",
        "Each hand is twice as slow.",
        "With two of them, the score has four times the variance.",
        "It saves two fifths of the bytes.",
        "It moves by a third, in both directions.",
        "It has lost six ten-thousandths of its length.",
        "The waves cancel, and what is left dies out.",
        "It is in proportion to the offset, or inversely.",
        "The error is linear in the position, and its logarithm a parabola.",
        "The score depends on the offset alone.",
        "*T5*, if your kernel can look up a table.",
        "If it is so, go on.",
        "It stays, unless the mask is dropped.",
        "If you found 24, you counted pairs from 1.",
        "If you said $2d$, you left a layer out.",
        "ViT lists the rows first.",
        "The hand turns clockwise.",
        "In the *half* layout, the sines come first.",
        "The width comes first in `size` of PIL, and the height in `shape` of NumPy.",
        "Means know shares, not numbers.",
        "It is a number among tokens, not its column.",
        "The two differ in their order.",
        "It is computed from the width.",
        "The first pair needs no help.",
        "It has done its work before the kernel begins.",
        "/// answer\n\nThose with $c_{-1} = c_1$.\n///\n",
        "/// answer\n\nAll of them, as $p \\ge 1$.\n///\n",
        "The position of the query is subtracted.",
        "The sine stands in the first channel.",
        "It stands on the left.",
        "Here it is at most 1.",
        "A score stays below $1/2$.",
        "The encoding is added to the token.",
        "The mask comes before the mean.",
        "Every odd position is rounded.",
        "Slow pairs see far.",
        "It is 1/s for the last pair, and so $c = s^{d/(d-2)}$.",
        "Here $u_i = 2 v_i$.",
        "/// answer\n\nThose of $c_1$.\n///\n",
        "By [eq-slow][] there is none.",
        "Each head has the same frequencies.",
        "It sees the offset alone, whatever the position.",
        "## In short { #summary }\n\n- None is there.\n\n## Pitfalls\n",
        "They are copied, and not moved.",
        "It is not the row, but its place.",
        "| told apart | 1 |",
        "| $\\sin p$ | 1 |\n| :-- | --: |\n",
    ],
)
def test_sentences_that_claim_need_an_entry(complaints, text):
    (message,) = complaints(text)

    assert "give it an entry in" in message
    assert message.endswith("invented.toml")


@pytest.mark.parametrize(
    "text",
    [
        "There are two pairs.",
        "## The faster one\n\nThere are two pairs.",
        "Which pair is slower?",
        "**Is the second pair slower?** There are two.",
        "Read on as if it were so.",
        "If you said yes, you counted from 1.",
        "If *peak* fails, you took the other one.",
        "Fit it by least squares, on a grid of squares.",
        "Both halves are of one layout.",
        "A third pair gets a row and a column.",
        "NumPy adds the two.",
        "Write `pairs(rows)`: each row twice, if it is even.",
        "You need the logarithm.",
        "See [the pairs](other.md#faster).",
        "It no longer holds.",
        "It is here tonight, and not yet there.",
        "Queries and keys are turned.",
        "So far, each row is one of the table; above, it was another.",
        "That is right, and nothing is left.",
        "Those with $c_{-1} = c_1$.",
        "At $d = 64$ there are 32 pairs, for $n \\ge 1$.",
        "Let $x = 2 y$.",
        "Write those of [eq-slow][].",
        "## In short { #summary }\n\n## Pitfalls\n\nNone is there.\n",
        "/// statement | T\n\nIt holds up to rounding.\n///\n",
        "It needs two of them, so that none is left.",
        "| 8 | 1 |\n| :-- | --: |\n",
        "/// verification | T\n\nThe second is slower.\n///\n",
        "/// proof | T\n\nThe second is slower.\n///\n",
    ],
)
def test_other_sentences_need_none(complaints, text):
    assert complaints(text) == []


CLAIMED = "/// claim | It meets\n    attrs: {id: claim-it}\n\n**Wrong.** Text 003.\nThey part.\n///"
TABLE = "| type | bits |\n| :-- | --: |\n| half | 11 |"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Rows meet.", 1),
        ("It is a `float16`.", 1),
        ("It takes 12 steps.", 1),
        ("A wave takes $c/\\omega$ steps.", 1),
        ("fairseq has another one.", 1),
        ("The second does not follow.", 1),
        ("Multiply two of them.", 1),
        (CLAIMED, 1),
        ("[The first row](other.md)", 0),
        ("More: [The first row](other.md#before).", 0),
        ("Two of them meet, as $x$ in text 003.", 0),
        ("[Step 12](other.md) has it.", 0),
        ("**Task 1.** Meet them.", 0),
        ("**Without an error.** They meet.", 1),
    ],
)
def test_pages_beside_the_chapters_are_asked_for_more(complaints, text, said):
    assert complaints(text) == []
    assert len(complaints(text, page=BESIDE)) == said


def test_a_table_is_one_sentence_whose_entry_reads_its_cells(complaints):
    holds = "all(2 ** int(bits) == 2048 for name, bits in rows)"
    entry = {"sentence": TABLE, "holds": holds}

    assert complaints(f"{TABLE}\n\nAnd so on.", entry, page=BESIDE) == []
    assert len(complaints(TABLE.replace("11", "12"), entry, page=BESIDE)) == 2
    assert not compared.false(Shown(TABLE, holds=holds))
    assert compared.false(Shown(TABLE.replace("11", "12"), holds=holds))


def test_the_title_of_a_claim_is_a_sentence_with_its_verdict_and_its_texts(complaints):
    entry = {"sentence": "It meets: **Wrong.** Text 003.", "why": "so"}

    assert complaints(CLAIMED, entry, page=BESIDE) == []
    for was, now in (("meets", "parts"), ("Wrong", "Imprecise"), ("003", "004")):
        assert len(complaints(CLAIMED.replace(was, now), entry, page=BESIDE)) == 2


def test_in_a_lab_the_words_of_a_figure_are_sentences_and_lines_of_cells_show(complaints):
    figure = '```{.python .cell .figure #fig-a alt="Bars fall." caption="Two bars."}\ndraw()\n```\n'
    lab = ROOT / "docs/labs/invented.py"
    shown = [{"sentence": said, "shown": "draw()"} for said in ("Bars fall.", "Two bars.")]

    assert len(complaints(figure, page=lab)) == 2
    assert complaints(figure, *shown, page=lab) == []
    assert complaints(figure, page=BESIDE) == []


@pytest.mark.parametrize(
    "entry",
    [
        {"holds": "1 < 2"},
        {"broken": "1 < 2"},
        {"shown": "[1.0, 0.01]"},
        {"shown": "eq-slow"},
        {"why": "It says what comes next."},
    ],
)
def test_one_thing_shows_a_sentence(complaints, entry):
    text = f"{SAID}\n{SESSION}\n    attrs: {{id: eq-slow}}\n"

    assert complaints(text, {"sentence": SAID, **entry}) == []


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({}, "needs one of holds, broken, shown, why"),
        ({"holds": "1 < 2", "why": "so"}, "needs one of holds, broken, shown, why"),
        ({"shown": "[1.0, 0.02]"}, "no session of this page shows '[1.0, 0.02]'"),
        ({"shown": "True"}, "no session of this page shows 'True'"),
        ({"shown": "eq-slower"}, "no equation or figure has that id"),
    ],
)
def test_an_entry_that_shows_nothing_is_refused(complaints, entry, said):
    (message,) = complaints(f"{SAID}\n{SESSION}", {"sentence": SAID, **entry})

    assert said in message


@pytest.mark.parametrize(
    ("sentence", "holds", "missing"),
    [
        ("It doubles the angle.", "2 * 3 == 6", None),
        ("It doubles the angle.", "3 + 3 == 6", 2),
        ("It doubles the angle.", "12 > 3.2", 2),
        ("It halves the angle.", "6 / 2 == 3", None),
        ("It squares each frequency.", "3**2 == 9", None),
        ("It saves two fifths of it.", "160 - 96 == 2 / 5 * 160", None),
        ("It saves two fifths of it.", "160 - 96 == 64", 5),
        ("It saves less than half of it.", "64 < 80", None),
    ],
)
def test_what_shows_a_number_in_words_computes_with_it(complaints, sentence, holds, missing):
    said = complaints(sentence, {"sentence": sentence, "holds": holds})

    assert len(said) == (missing is not None)
    assert all(f"says {missing}, and {holds} computes nothing with it" in one for one in said)


def test_yes_and_no_are_told_with_their_question(complaints):
    text = "Is it so? And what of this?\n\n/// answer\n{}\nIt is.\n///\n"
    entries = [
        {"sentence": "And what of this? Yes.", "why": "so"},
        {"sentence": "It is.", "why": "so"},
    ]

    assert complaints(text.format("Yes."), *entries) == []
    none, _ = complaints(text.format("No."), *entries)
    assert "give it an entry" in none


def test_a_changed_sentence_has_no_entry_and_the_old_one_is_left_over(complaints):
    none, left = complaints(SAID.replace("slower", "faster"), {"sentence": SAID, "why": "so"})

    assert "nothing is listed that shows it" in none
    assert left.endswith("and no sentence needs it; remove it")


@pytest.mark.parametrize(
    ("entry", "false"),
    [
        (Shown("", holds="1 < 2"), False),
        (Shown("", holds="2 < 1"), True),
        (Shown("", broken="np.float64(2) < 1"), True),
        (Shown("", holds="1"), True),
        (Shown("", holds="np.array([1, 2]).all()"), False),
        (Shown("", holds="all(\n    x < 1  # of few\n    for x in (0, 1))"), True),
        (Shown("", shown="2 < 1"), False),
    ],
)
def test_only_what_is_true_holds(entry, false):
    assert compared.false(entry) is false


def test_an_expression_has_the_numbers_of_other_libraries():
    array = "goldens('relative')['swin_4x3.index']"

    assert not compared.false(Shown(holds=f"np.array_equal({array}, posenc.window_index(4, 3))"))
    assert compared.false(Shown(holds=f"np.array_equal({array}, posenc.window_index(3, 4))"))
