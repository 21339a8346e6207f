"""The first page lists the chapters that carry the book, with the time that each takes."""

import re

import pytest

from check.page_source import read_page
from check.paths import DOCS
from render import chapters, main_path, navigation

HOME = DOCS / "index.md"
BOOK = navigation.number_chapters(navigation.list_pages())


def test_the_path_has_its_chapters_in_the_order_of_the_book():
    listed = re.findall(
        r"\((chapters/\w+\.md)\), (\d+) minutes", main_path.render_main_path(BOOK, HOME)
    )
    files = [DOCS / name for name, _ in listed]

    assert files == [path for path in BOOK if "\nstatus: path\n" in read_page(path)]
    assert len(files) > 5
    assert [int(minutes) for _, minutes in listed] == [
        chapters.estimate_minutes(read_page(f)) for f in files
    ]


def test_it_says_how_long_all_of_it_takes():
    said = main_path.render_main_path(BOOK, HOME)
    whole = sum(map(int, re.findall(r"(\d+) minutes", said)))

    (hours,) = map(float, re.findall(r"about ([\d.]+) hours", said))
    assert abs(60 * hours - whole) <= 15


@pytest.mark.parametrize("kind", ["verification | Both", "answer", "solution", "details | More"])
def test_what_is_folded_takes_no_time(kind):
    words, inside = "word " * 400, "/// statement | A\n" + "word " * 400 + "\n///\n"

    assert chapters.estimate_minutes(f"# T\n\n{words}\n\n//// {kind}\n{inside}\n////\n") == 2
    assert chapters.estimate_minutes(f"# T\n\n{words}\n\n/// {kind}\n{words}\n///\n{words}") == 4


def test_the_check_of_a_proof_takes_no_time():
    session = "```pycon\n" + ">>> 1\n" * 60 + "```\n"
    words = "word " * 400

    assert chapters.estimate_minutes(f"# T\n\n/// proof\n{words}\n\n{session}///\n") == 2
    assert chapters.estimate_minutes(f"# T\n\n{words}\n\n{session}") == 4
