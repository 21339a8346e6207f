"""Lists that are generated into pages: the main path, the labs, the claims."""

import re

from check.lab_source import list_labs
from check.page_source import read_page
from check.paths import DOCS
from render import explorers, heads, lists, navigation

HOME = DOCS / "index.md"
PAGES = navigation.list_pages()
CHAPTERS = navigation.number_chapters(PAGES)
CLAIMS = """
/// claim | It is $x$
    attrs: {id: claim-x}

**Wrong.** It is $y$.
Common.
///

/// claim | It is vague
    attrs: {id: claim-vague}

**Imprecise.** Common.
///
"""


def test_main_path_lists_its_chapters_in_order_with_reading_times():
    text = lists.render_main_path(CHAPTERS, HOME)
    items = re.findall(r"\((chapters/\w+\.md)\), (\d+) minutes", text)
    paths, minutes = [DOCS / name for name, _ in items], [int(number) for _, number in items]

    assert paths == [path for path in CHAPTERS if "\nstatus: path\n" in read_page(path)]
    assert len(paths) > 5
    assert minutes == [heads.estimate_minutes(read_page(path)) for path in paths]
    (hours,) = re.findall(r"about ([\d.]+) hours", text)
    assert abs(60 * float(hours) - sum(minutes)) <= 15


def test_gallery_shows_each_explorer_once_with_its_figure():
    gallery = lists.render_gallery([page.path for page in PAGES], HOME)

    assert sorted(re.findall(r"#explore-(\w+)\)", gallery)) == explorers.list_explorers()
    assert 'src="assets/figures/chapters/biases/fig-penalties-light.svg#only-light"' in gallery


def test_lab_table_has_a_row_for_each_lab():
    table = lists.render_lab_table([page.path for page in PAGES], DOCS / "labs/index.md")

    assert len(table.split("\n")) == 2 + len(list_labs())
    assert "](build.md)<br>" in table
    assert 'build.ipynb" download>with&nbsp;tasks</a>' in table
    assert 'build-solved.ipynb" download>solved</a>' in table


def test_claims_are_a_table_with_verdicts_and_first_sentences():
    assert lists.render_claim_table(CLAIMS) == (
        "| claim | what is true |\n"
        "| :-- | :-- |\n"
        "| [It is $x$](#claim-x) | **Wrong.** It is $y$. |\n"
        "| [It is vague](#claim-vague) | **Imprecise.** Common. |"
    )


def test_every_claim_of_the_book_is_in_the_table():
    text = read_page(DOCS / "reference/claims.md")

    assert lists.CLAIMS in text
    rows = lists.render_claim_table(text).split("\n")[2:]
    assert len(rows) == text.count("\n/// claim | ") > 30
    assert all(row.count(" | ") == 1 for row in rows)


def test_versions_of_the_changelog_have_no_brackets():
    text = lists.read_changelog()

    assert text.count("\n## ") > 1
    assert "\n## [" not in text
