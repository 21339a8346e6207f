"""The English of the book: each habit is seen, and what is right is not."""

import pytest
from sybil import Document

from engine.places import ROOT
from pages import english

PAGE = "docs/index.md"
LONG = "This sentence goes on for a while, since nine words and more make it long. "


@pytest.fixture
def complaints():
    """Return what says what is wrong with a text."""

    def judge(text, page=PAGE):
        found = english.parse(Document(text, str(ROOT / page)))
        return [(text.count("\n", 0, region.start) + 1, region.parsed) for region in found]

    return judge


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("You will often read that it ends.", "an argument with texts"),
        ("It is also said that it ends.", "an argument with texts"),
        ("It is said that it ends.", "an argument with texts"),
        ("Text 003 has no end.", "an argument with texts"),
        ("In one source text it ends.", "an argument with texts"),
        ("Some texts have no end.", "an argument with texts"),
        ("Who adds arcs has a distance.", "a sentence that begins with Who"),
        ("Asked is the smallest period.", "an order of words"),
        ("## What ALiBi can", "an order of words"),
        ("What ALiBi can and cannot.", "an order of words"),
        ("The rest is told in the next chapter.", "no English idiom"),
        ("The last lines remind of a wave.", "no English idiom"),
        ("To subtract the whole arrays meets a limit.", "no English idiom"),
        ("Three parts behind the point are right.", "no English idiom"),
        ("There are so many pairs a doubling.", "no English idiom"),
        ("It takes a thousand million steps.", "no English idiom"),
        ("Rows and columns come by turns.", "no English idiom"),
        ("The table is made anew.", "no English idiom"),
        ("It brings with it a second copy.", "no English idiom"),
        ("The reason lies in the exponent.", "no English idiom"),
        ("And, what is more, it ends.", "no English idiom"),
        ("The sum is very small.", "an idle word"),
        ("Simply add them.", "an idle word"),
        ("It is just a sum.", "an idle word"),
        ("Of course it ends.", "an idle word"),
        ("An amazing result.", "praise"),
        ("It works \U0001f680", "a picture"),
        ("The the sum is small.", "a word twice"),
        ("What he had had, and and no more.", "a word twice"),
        ("The sum of of them.", "a word twice"),
        ("---\ntitle: A very short one\n---\n", "an idle word"),
        ('---\nmirrors:\n  "004":\n    "A": a\ntitle: A very short one\n---\n', "an idle word"),
        ("/// pitfall | A very short one\nIt ends.\n///", "an idle word"),
        (
            '```{.python .figure #fig-a alt="A" caption="A very short one."}\nf()\n```',
            "an idle word",
        ),
    ],
)
def test_a_habit_is_seen(complaints, said, remedy):
    messages = [message for _, message in complaints(said)]

    assert any(remedy in message for message in messages), messages


@pytest.mark.parametrize(
    "said",
    [
        "codes",
        "A code has a length.",
        "The code of position 5 is near.",
        "the code of $p$",
        "the code vector",
        "Sinusoidal codes are bounded.",
        "A rotary code turns, and a learned code does not.",
        "without any code",
        "Its code is long.",
        "of the code",
        "the token's code",
        "the code of position 5",
        "*Codes are near*",
    ],
)
def test_an_encoding_is_not_called_code(complaints, said):
    ((_, message),) = complaints(said)

    assert "is an encoding meant? then write so" in message


@pytest.mark.parametrize(
    "said",
    [
        "Who adds arcs?",
        "## Who is nearest, and how near",
        "What can ALiBi represent?",
        "What a matrix can keep is its rank.",
        "The model is told where it stands, and the pair reminds us of a clock.",
        "It lies in the interval, just above 1.",
        "So many pairs are slow; this many for each doubling.",
        "the source code, a block of code, and lines of code",
        "Source code runs. Code that refuses nothing is short.",
        "The released code of BERT runs, as does Meta's code and the authors' code.",
        "It is written in code that runs; compare the code of `posenc.inv_freq`.",
        "You can read it from the table.",
        "Gray codes and a binary code",
        "The word *code* stands for programs.",
        "`codes` and [`posenc.codes`][], [eq-two-codes][] and [it](a.md#code)",
        "```pycon\n>>> codes  # very short\n```",
        "# Encodings { #codes }",
        "All that that he had had is right \u2713.",
        '---\ntitle: A\nmirrors:\n  "004":\n    "From Math to Code": a\n---\n',
    ],
)
def test_what_is_english_holds(complaints, said):
    assert complaints(said) == []


def test_it_is_told_where_it_stands(complaints):
    ((line, message),) = complaints("# A\n\nIt does.\nIt very nearly ends.\n")

    assert line == 4
    assert message == "'very': an idle word; leave it out"


@pytest.mark.parametrize("page", ["sources", "errata"])
def test_a_page_about_the_source_texts_may_speak_of_them(complaints, page):
    said = "Text 003 is one of them.\n\n| Very simple |\n"

    assert complaints(said, page=f"docs/reference/{page}.md") == []
    assert len(complaints(said)) == 2


def test_a_paragraph_of_short_sentences_alone_is_refused(complaints):
    assert complaints("It ends. It does. It may.") == [
        (1, "3 sentences of at most 8 words, and no other; join some")
    ]
    assert complaints(f"It ends. It does. {LONG}") == []
    assert complaints("It ends. It does.\n\nIt may.\n\n- It can.\n- It must.\n- It shall.") == []
    assert complaints("/// statement | A\nIt ends. It does. It may.\n///") == []


def test_a_page_of_short_sentences_is_refused(complaints):
    def page(short: int) -> str:
        return "\n\n".join(["It ends."] * short + [LONG.strip()] * (20 - short))

    assert complaints(page(5)) == []
    assert complaints(page(6)) == [
        (1, "6 of 20 sentences have at most 8 words, more than 25%; join some of them")
    ]
    links = "\n\n".join(["See [a chapter](a.md). **Wrong.** Texts 001, 002 and 004."] * 20)
    assert complaints(f"{links}\n\n{page(5)}", page="docs/reference/errata.md") == []
