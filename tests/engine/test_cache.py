"""What is kept of a page between builds, what an edit runs again, and that a page runs once."""

import builtins
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distributions
from pathlib import Path

import pytest
from sybil import Document

from engine import cache
from engine.checks import Report
from tests import checking

PAGE = "# Page\n\nProse.\n\n```python\nimport builtins\nbuiltins.ran.append(1)\n```\n"


@pytest.fixture
def page(tmp_path):
    return tmp_path / "page.md"


@pytest.fixture
def kept(tmp_path):
    """Return a cache with nothing in it."""
    return checking.cache(tmp_path / "kept")


@pytest.fixture
def ran(monkeypatch):
    """Return the list that the code of the page adds to."""
    runs: list[int] = []
    monkeypatch.setattr(builtins, "ran", runs, raising=False)
    return runs


@pytest.fixture
def runs(page, kept, ran):
    """Return a function that checks a text as the page, and says whether its code was run."""

    def check(text: str) -> bool:
        page.write_text(text, "utf-8")
        ran.clear()
        kept.checked(page)
        return bool(ran)

    return check


def test_an_edit_of_prose_runs_no_code(runs):
    assert runs(PAGE)
    assert not runs(PAGE)
    assert not runs(PAGE.replace("Prose", "Other prose, and a paragraph more.\n\nProse"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ran.append(1)", "ran.append(2)"),
        ("```python\n", "```python\nx = 1\n```\n\n```python\n"),
        ("append(1)\n```\n", "append(1)\n```\n\n```pycon\n>>> 1\n2\n```\n"),
    ],
)
def test_an_edit_of_code_runs_all_of_it(runs, old, new):
    assert runs(PAGE)
    assert runs(PAGE.replace(old, new))


def test_a_page_whose_code_fails_is_run_every_time(runs):
    broken = PAGE + "\n```pycon\n>>> 1\n2\n```\n"

    assert runs(broken)
    assert runs(broken)


def test_what_is_wrong_beside_the_code_is_told_every_time_and_runs_nothing(page, kept, runs):
    """A link leads nowhere as long as the page there is not written, and then it does."""
    broken = PAGE + "\n[nowhere](nowhere.md)\n"
    assert runs(broken)

    assert not runs(broken)
    assert [failure.line for failure in kept.checked(page).failures] == [10]
    assert kept.knows(page), "its code holds"

    (page.parent / "nowhere.md").touch()
    assert kept.checked(page).failures == []


FIGURE = """
```{.python .figure #fig-a alt="Rising." caption="A line."}
from matplotlib.figure import Figure
figure = Figure()
_ = figure.subplots().plot([1, 2])
figure
```
"""


def test_a_figure_is_drawn_once_whatever_else_is_edited(page, kept, runs):
    runs(PAGE + FIGURE)
    (file,) = (kept.folder / "figures").glob("*")
    file.write_text(file.read_text("utf-8").replace('"panel,', '"kept,panel,'), "utf-8")

    runs(PAGE.replace("(1)", "(2)") + FIGURE.replace("Rising", "Going up"))
    ((_, drawing),) = kept.checked(page).drawings
    assert drawing.data.startswith("kept,")

    assert kept.knows(page)
    file.unlink()
    assert not kept.knows(page), "it has to be drawn again"


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Return the folder of a small book with one page and one drawing."""
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    monkeypatch.setattr(cache, "DOCS", tmp_path / "docs")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text(PAGE + FIGURE, "utf-8")
    return tmp_path


@pytest.fixture
def folder(tmp_path_factory):
    """Return where things are kept, apart from the book."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def build(book, folder, monkeypatch):
    """Return a function that checks the page as a new build: its report, and what was parsed."""

    def check() -> tuple[Report, bool]:
        kept = checking.cache(folder)
        looked_at: list[Path] = []
        parse = kept.parse

        def noted(path: Path) -> Document:
            looked_at.append(path)
            return parse(path)

        monkeypatch.setattr(kept, "parse", noted)
        return kept.checked(book / "docs/page.md"), bool(looked_at)

    return check


def test_where_nothing_has_changed_a_page_is_not_even_looked_at(build, ran):
    first, looked_at = build()
    assert (first.failures, looked_at, ran) == ([], True, [1])

    again, looked_at = build()

    assert (again, looked_at, ran) == (first, False, [1])


OTHER = "# Other\n\nA sentence with [a link](page.md).\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("docs/new.md", "new", True),
        ("docs/other.md", OTHER.replace("Other", "Another"), True),
        ("docs/other.md", OTHER.replace("page.md", "page.md#page"), True),
        ("docs/other.md", OTHER.replace("A sentence", "More words"), False),
        ("docs/_hooks/pages/list.toml", "new", True),
        ("docs/_hooks/pages/lists/page.toml", "new", True),
        ("docs/_hooks/pages/lists/deep/page.json", "new", True),
        ("docs/_hooks/pages/lists/other.toml", "new", False),
        ("mkdocs.yml", "new", True),
    ],
)
def test_any_file_may_change_what_is_true_of_a_page_but_words_and_lists_of_another(
    build, book, ran, name, text, expected
):
    (book / "docs/other.md").write_text(OTHER, "utf-8")
    build()
    (book / name).parent.mkdir(parents=True, exist_ok=True)
    (book / name).write_text(text, "utf-8")

    report, looked_at = build()

    assert (report.failures, looked_at, ran) == ([], expected, [1])


def test_an_edited_page_is_looked_at_and_one_that_fails_each_time(build, book, ran):
    build()
    page = book / "docs/page.md"
    page.write_text(PAGE + "\n```pycon\n>>> 1 + 1\n3\n```\n", "utf-8")
    for _ in range(2):
        report, looked_at = build()
        assert looked_at
        assert len(report.failures) == 1


def test_a_drawing_that_is_lost_is_drawn_again(build, folder):
    first, _ = build()
    (drawing,) = (folder / "figures").iterdir()
    drawing.unlink()

    again, looked_at = build()

    assert (again, looked_at) == (first, True)


def test_of_several_that_ask_for_a_page_one_runs_it(page, kept, ran):
    slow = PAGE.replace(
        "builtins.ran.append(1)", "import time; time.sleep(0.2); builtins.ran += [1]"
    )
    page.write_text(slow, "utf-8")

    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(kept.checked, [page] * 4))

    assert len(ran) == 1
    assert [report.failures for report in reports] == [[]] * 4


def test_what_no_build_has_asked_for_in_a_month_is_deleted(kept):
    old, wanted, young = (kept.file("pages", name) for name in ("old", "wanted", "young"))
    for file, days in ((old, 31), (wanted, 31), (young, 29)):
        kept.keep(file, "")
        os.utime(file, (time.time() - days * 86_400,) * 2)

    now = checking.cache(kept.folder)
    assert now.file("pages", "wanted") == wanted
    now.tidy()
    assert set((kept.folder / "pages").iterdir()) == {wanted, young}

    checking.cache(kept.folder).tidy()
    assert wanted.exists(), "it was asked for just now"


def test_every_package_that_is_installed_is_known_with_its_version():
    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    known = {plain(folder.removesuffix(".dist-info")) for folder in cache.INSTALLED}
    assert {plain(f"{found.name}-{found.version}") for found in distributions()} == known
