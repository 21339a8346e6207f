"""Whole numbers of chapters: what shows one, and what is left alone."""

import pytest
from sybil import Document

from engine import quoted_equals
from engine.places import DOCS, ROOT
from pages import wholes

PAGE = "docs/chapters/invented.md"
SESSION = "```pycon\n>>> part()\n{}\n```\n"
FIGURE = '```{{.python .figure #fig-a alt="{}" caption="A."}}\ndraw(72)\n```\n'


@pytest.fixture
def complaints(monkeypatch, tmp_path):
    """Return what says what is wrong with a text, if some numbers are listed."""

    def judge(text, listed="", page=PAGE):
        monkeypatch.setattr(wholes, "WHOLES", tmp_path / "wholes.toml")
        wholes.WHOLES.write_text(listed, "utf-8")
        return [region.parsed for region in wholes.parse(Document(text, str(ROOT / page)))]

    return judge


def entry(said: str = "has 36 numbers", *, page: str = PAGE, **shown: str) -> str:
    lines = "".join(f'{key} = "{said}"\n' for key, said in (shown or {"value": "6**2"}).items())
    return f'[[whole]]\npage = "{page}"\nsaid = "{said}"\n{lines}'


def section(said: str, shown: str = "72", title: str = "## One") -> str:
    return f"# T\n\n{title}\n\n{said}\n\n{SESSION.format(shown)}"


@pytest.mark.parametrize(
    ("sentence", "answer", "refused"),
    [
        ("It has 36 rows.", "36", False),
        ("It has 36 rows.", "36.0", False),
        ("It has 36 rows.", "35", True),
        ("It has 36 rows.", "36.4", True),
        ("It has 360 rows.", "360.4", False),
        ("It has 49 152 rows.", "49_152", False),
        ("It has 49,152 rows.", "49_151", True),
        ("Of the steps, 972 of 2000 go up.", "[972, 2000]", False),
        ("Of the steps, 872 of 2000 go up.", "[972, 2000]", True),
        ("It has $6 \\cdot 6$ rows: 36.", "1", True),
        ("It has $6 \\cdot 6 = 36$ rows: 36.", "1", False),
        ("So 16 beside 512 are 528.", "16, 512", False),
        ("Positions 0 to 31.", "32", False),
        ("It takes 31 steps.", "32", True),
        ("It has 6 rows.", "1", False),
        ("In 2017 they had it.", "1", False),
        ("It has less than 36 rows.", "1", False),
        ("If you found 36, you counted rows.", "1", False),
        ("[They](../reference/bibliography.md#a) have 36.", "1", False),
        ("| 36 | a |", "1", True),
        ("It takes 4 MiB.", "'4 MiB'", False),
        ("It takes 4 MiB.", "4194304", False),
        ("It takes 4 MiB.", "4", True),
        ("It takes 4 GiB.", "'4 MiB'", True),
        ("It is half at $6d$.", "6 * d", False),
        ("It is half at $4d$.", "6 * d", True),
        ("It is half at $4d$.", "4 * L", True),
        ("It is half at $4d_k$.\n\n$$\n4 d_k\n$$", "1", False),
    ],
)
def test_a_whole_number_is_shown_in_its_section(complaints, sentence, answer, refused):
    assert bool(complaints(section(sentence, answer))) is refused


def test_another_section_shows_large_numbers_alone_but_for_what_looks_back(complaints):
    shown = section("It runs.", "36, 360")

    assert complaints(f"{shown}\n## Two\n\nIt has 360 rows.\n") == []
    (message,) = complaints(f"{shown}\n## Two\n\nIt has 36 rows.\n")
    assert "the text says 36, and nothing in this section shows it" in message
    for title in ("## What to keep { #summary }", "## Pitfalls", "## Check yourself"):
        assert complaints(f"{shown}\n{title}\n\nIt has 36 rows.\n") == []


def test_captions_and_alternative_texts_are_looked_at(complaints):
    assert complaints(FIGURE.format("A line of 72 points")) == []
    assert len(complaints(FIGURE.format("A line of 27 points"))) == 1


def test_other_pages_are_left_alone(complaints):
    assert complaints("It has 36 rows.", page="docs/reference/notation.md") == []


def test_a_listed_number_is_computed(complaints):
    text = section("It has 36 numbers.")

    assert complaints(text, entry()) == []
    assert complaints(text, entry(why="An example.")) == []
    assert complaints(text, entry(value="5 * 7")) == ["wholes.toml: 5 * 7 is not 36"]
    assert len(complaints(text.replace("36", "35"), entry())) == 2  # the number, and the entry


def test_an_entry_is_needed_and_its_words_stand_once(complaints):
    (message,) = complaints(section("It has 36 numbers.", "36"), entry())
    assert "no number needs it" in message
    (message, *_) = complaints(section("It has 36 numbers. It has 36 numbers."), entry())
    assert "stands 2 times" in message


def test_the_list_is_looked_at_on_the_page_for_authors(complaints):
    def at_home(listed: str) -> list[str]:
        return [*complaints("", listed, "docs/reference/authors.md")]

    assert at_home(entry(page="docs/index.md")) == []
    assert at_home(entry()) == [f"wholes.toml: no page {PAGE!r}; remove the entry"]
    (message,) = at_home(entry(page="docs/index.md", value="1", why="Both."))
    assert "needs value, or else why" in message


@pytest.mark.parametrize(
    ("sentence", "refused"),
    [
        ("It moves by 6/18, a third, of it.", False),
        ("It moves by 6/18, a half, of it.", True),
        ("It is a quarter, 1/4, of it.", False),
        ("It is a quarter, 1/5, of it.", True),
        ("It is three quarters (6/8).", False),
        ("It is $2 \\cdot 8 + 1 = 17$.", False),
        ("It is $2 \\cdot 8 + 1 = 18$.", True),
        ("It is $2^{14} \\cdot 3 = 49\\,152$.", False),
        ("It is $2^{14} \\cdot 3 = 49\\,153$.", True),
        ("It is $1.77 \\cdot 0.37 = 0.65$.", False),
        ("It is $1.77 \\cdot 0.37 = 0.66$.", True),
        ("It is $1 / 0 = 1$, and $8 = 9^{99}$.", False),
        ("It is $d = 8$, and $2x = 7$.", False),
    ],
)
def test_what_stands_side_by_side_agrees(sentence, refused):
    document = Document(f"# T\n\n{sentence}\n", str(DOCS / "chapters/invented.md"))

    assert bool(list(quoted_equals.parse(document))) is refused
