"""What is kept of a page between builds, what an edit runs again, and that a page runs once."""

import builtins
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distributions

import pytest

from check import cache, package
from check.cache import replace_file
from tests import checking

PAGE = "# Page\n\nProse.\n\n```python\nimport builtins\nbuiltins.ran.append(1)\n```\n"
FIGURE = """
```{.python .figure #fig-a alt="Rising." caption="A line."}
from matplotlib.figure import Figure
figure = Figure()
_ = figure.subplots().plot([1, 2])
figure
```
"""
OTHER = "# Other\n\nA sentence with [a link](page.md).\n"


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Return the folder of a small project with a page, another page, and a package."""
    for name, text in {
        "docs/page.md": PAGE + FIGURE,
        "docs/other.md": OTHER,
        "posenc/turns.py": "turns = 1",
        "mkdocs.yml": "site_name: Small",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    monkeypatch.setattr(cache, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(package, "PACKAGE", tmp_path / "posenc")
    return tmp_path


@pytest.fixture
def folder(tmp_path_factory):
    """Return a folder for the cache."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def build(book, folder, monkeypatch):
    """Return a function that checks the page as a new build: what it did, and the report.

    It parsed the page, ran its code, drew its figure.
    """

    def check():
        did = set()
        kept = checking.cache(folder)
        parse, find = kept.parse, kept.find_drawing

        def parse_page(path):
            did.add("parsed")
            return parse(path)

        def find_drawing(source):
            drawing = find(source)
            did.update(() if drawing else ("drew",))
            return drawing

        monkeypatch.setattr(builtins, "ran", [], raising=False)
        monkeypatch.setattr(kept, "parse", parse_page)
        monkeypatch.setattr(kept, "find_drawing", find_drawing)
        needed = kept.needs_run(book / "docs/page.md")
        report = kept.check_page(book / "docs/page.md")
        did.update(("ran",) if vars(builtins)["ran"] else ())
        assert needed == bool(did - {"parsed"}), "whether it needs a process of its own"
        return did, report

    return check


def test_a_page_that_nothing_has_changed_is_not_even_parsed(build):
    did, first = build()
    assert did == {"parsed", "ran", "drew"}
    assert first.failures == []

    did, again = build()
    assert did == set()
    assert again == first


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("docs/page.md", "Prose", "Other prose.\n\nProse", {"parsed"}),
        ("docs/page.md", "append(1)", "append(2)", {"parsed", "ran"}),
        ("docs/page.md", "```python\n", "```python\nx = 1\n```\n\n```python\n", {"parsed", "ran"}),
        ("docs/page.md", "Rising", "Falling", {"parsed"}),
        ("docs/page.md", "[1, 2]", "[2, 1]", {"parsed", "ran", "drew"}),
        ("docs/other.md", "A sentence", "Other words", set()),
        ("docs/other.md", "# Other", "# Another", {"parsed"}),
        ("docs/other.md", "page.md", "page.md#page", {"parsed"}),
        ("mkdocs.yml", "Small", "Smaller", {"parsed"}),
        ("posenc/turns.py", "1", "2", {"parsed", "ran", "drew"}),
    ],
)
def test_an_edit_repeats_no_more_than_it_may_change(build, book, name, old, new, expected):
    build()
    file = book / name
    file.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")

    did, _ = build()
    assert did == expected


def test_a_page_whose_code_fails_is_run_every_time(build, book):
    page = book / "docs/page.md"
    page.write_text(PAGE + "\n```pycon\n>>> 1\n2\n```\n", "utf-8")

    for _ in range(2):
        did, report = build()
        assert "ran" in did
        assert len(report.failures) == 1


def test_a_page_with_another_error_is_parsed_every_time_and_runs_once(build, book):
    page = book / "docs/page.md"
    page.write_text(PAGE + "\n[nowhere](nowhere.md)\n", "utf-8")

    for expected in ({"parsed", "ran"}, {"parsed"}):
        did, report = build()
        assert did == expected
        assert [failure.line for failure in report.failures] == [10]


def test_what_is_lost_is_made_again(build, folder):
    build()
    for kind, expected in (("figures", set()), ("reports", {"parsed", "drew"})):
        for file in (folder / kind).iterdir():
            file.unlink()
        did, report = build()
        assert did == expected
        assert report.drawings


def test_of_several_that_need_a_page_one_runs_it(book, folder, monkeypatch):
    ran: list[int] = []
    monkeypatch.setattr(builtins, "ran", ran, raising=False)
    page = book / "docs/page.md"
    slow = "import time; time.sleep(0.2); builtins.ran.append(1)"
    page.write_text(PAGE.replace("builtins.ran.append(1)", slow), "utf-8")
    kept = checking.cache(folder)

    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(kept.check_page, [page] * 4))

    assert len(ran) == 1
    assert [report.failures for report in reports] == [[]] * 4


def test_what_no_build_has_used_in_a_month_is_deleted(folder):
    kept = checking.cache(folder)
    old, wanted, young = (kept.file("pages", name) for name in ("old", "wanted", "young"))
    for file, days in ((old, 31), (wanted, 31), (young, 29)):
        cache.save("", file)
        os.utime(file, (time.time() - days * 86_400,) * 2)

    now = checking.cache(folder)
    assert now.file("pages", "wanted") == wanted
    now.delete_unused()
    assert set((folder / "pages").iterdir()) == {wanted, young}


def test_every_package_that_is_installed_is_known_with_its_version():
    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    known = {plain(folder.removesuffix(".dist-info")) for folder in cache.INSTALLED}
    assert {plain(f"{found.name}-{found.version}") for found in distributions()} == known


def test_a_file_is_replaced_when_it_is_complete_or_not_at_all(tmp_path):
    file = tmp_path / "folder/kept.txt"
    with replace_file(file) as draft:
        draft.write_text("first")
        assert not file.exists()
    with pytest.raises(UnicodeEncodeError), replace_file(file) as draft:
        draft.write_text("a part, and \udc80", "utf-8")

    assert file.read_text() == "first"
    assert [*file.parent.iterdir()] == [file]
