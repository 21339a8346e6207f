"""The catalogue of mistakes on its page: each entry of the files is an item, with its code."""

import pytest

from check.page_source import read_page
from check.paths import DOCS
from docs.reference.mistakes import MISTAKES
from render import mistakes

PAGE = read_page(DOCS / "reference/mistakes.md")

MODULE = '''
"""A module."""

from docs.reference.mistakes.catalogue import compared, keeps, mistake

D = 4
TABLE = compared("sinusoidal")


def encode(length):
    return length * D


@mistake(
    "paper",
    TABLE,
    right=encode,
    seen="owner/name#12",
    first=(0, 1),
    message="base**2 in place of base",
)
def squared(length):
    """The base is squared | twice."""
    return length


@mistake("scores", keeps(laws.unique, 3), right=encode, seen="old code", message="Rows are equal.")
def equal(length):
    """All rows are equal."""
    return 0
'''


def read_example() -> dict[str, mistakes.Section]:
    return mistakes.read_modules([MODULE])


def test_item_has_mistake_thread_index_and_message():
    text = mistakes.render_section(read_example()["paper"])

    assert text.splitlines()[:2] == [
        r"- **The base is squared \| twice.** Seen in "
        "[owner/name#12](https://github.com/owner/name/issues/12).  ",
        r"  First wrong at `[0, 1]`; `compare` says: *base\*\*2 in place of base*.",
    ]


def test_other_judges_are_named_and_sources_without_a_thread_are_words():
    text = mistakes.render_section(read_example()["scores"])

    assert text.splitlines()[:2] == [
        "- **All rows are equal.** Seen in old code.  ",
        "  `laws.unique` says: *Rows are equal*.",
    ]


def test_code_has_functions_and_helpers_without_judges_and_decorators():
    paper, scores = (read_example()[name].code for name in ("paper", "scores"))

    assert paper[:2] == ["D = 4", "def encode(length):\n    return length * D"]
    assert paper[2].startswith("def squared(length):")
    assert [code.partition("(")[0] for code in scores] == ["def equal"]


def test_page_shows_every_mistake_of_the_catalogue():
    sections = mistakes.read_catalogue()
    marks = mistakes.MARK.findall(PAGE)

    assert sorted(marks) == sorted(sections)
    for mistake in MISTAKES:
        section = sections[mistake.section]
        title = mistake.wrong.__doc__.splitlines()[0]
        (entry,) = (entry for entry in section.entries if entry.mistake == title)
        assert (entry.seen, entry.message) == (mistake.seen, mistake.message)
        assert entry.first == mistake.first
        assert any(code.startswith(f"def {mistake.name}(") for code in section.code)
    assert sum(len(section.entries) for section in sections.values()) == len(MISTAKES)


def test_unknown_section_is_reported():
    with pytest.raises(ValueError, match="is in the section nowhere"):
        list(mistakes.insert_mistakes("<!-- mistakes: nowhere -->"))
