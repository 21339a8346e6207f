"""The build cache: what an edit outdates, and that a page runs only once."""

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
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def build(book, folder, monkeypatch):
    """Return a function that checks the page as a new build does.

    It returns what this did ("parsed", "ran" or "drew"), and the report.
    """

    def check():
        did = set()
        store = checking.open_test_cache(folder)
        parse, find = store.parse, store.find_drawing

        def parse_page(path):
            did.add("parsed")
            return parse(path)

        def find_drawing(source):
            drawing = find(source)
            did.update(() if drawing else ("drew",))
            return drawing

        monkeypatch.setattr(builtins, "ran", [], raising=False)
        monkeypatch.setattr(store, "parse", parse_page)
        monkeypatch.setattr(store, "find_drawing", find_drawing)
        needed = store.needs_run(book / "docs/page.md")
        report = store.check_page(book / "docs/page.md")
        did.update(("ran",) if vars(builtins)["ran"] else ())
        assert needed == bool(did - {"parsed"}), "needs_run is wrong"
        return did, report

    return check


def test_an_unchanged_page_is_not_parsed_again(build):
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
def test_an_edit_repeats_only_what_depends_on_it(build, book, name, old, new, expected):
    build()
    file = book / name
    file.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")

    did, _ = build()
    assert did == expected


def test_a_page_with_failing_code_runs_every_time(build, book):
    page = book / "docs/page.md"
    page.write_text(PAGE + "\n```pycon\n>>> 1\n2\n```\n", "utf-8")

    for _ in range(2):
        did, report = build()
        assert "ran" in did
        assert len(report.failures) == 1


def test_a_page_with_another_failure_runs_only_once(build, book):
    page = book / "docs/page.md"
    page.write_text(PAGE + "\n[nowhere](nowhere.md)\n", "utf-8")

    for expected in ({"parsed", "ran"}, {"parsed"}):
        did, report = build()
        assert did == expected
        assert [failure.line for failure in report.failures] == [10]


def test_deleted_files_are_made_again(build, folder):
    build()
    for kind, expected in (("figures", set()), ("reports", {"parsed", "drew"})):
        for file in (folder / kind).iterdir():
            file.unlink()
        did, report = build()
        assert did == expected
        assert report.drawings


def test_a_page_that_several_threads_need_runs_once(book, folder, monkeypatch):
    ran: list[int] = []
    monkeypatch.setattr(builtins, "ran", ran, raising=False)
    page = book / "docs/page.md"
    slow = "import time; time.sleep(0.2); builtins.ran.append(1)"
    page.write_text(PAGE.replace("builtins.ran.append(1)", slow), "utf-8")
    store = checking.open_test_cache(folder)

    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(store.check_page, [page] * 4))

    assert len(ran) == 1
    assert [report.failures for report in reports] == [[]] * 4


def test_files_unused_for_a_month_are_deleted(folder):
    store = checking.open_test_cache(folder)
    old, wanted, young = (store.file("pages", name) for name in ("old", "wanted", "young"))
    for file, days in ((old, 31), (wanted, 31), (young, 29)):
        cache.save("", file)
        os.utime(file, (time.time() - days * 86_400,) * 2)

    later = checking.open_test_cache(folder)
    assert later.file("pages", "wanted") == wanted
    later.delete_unused()
    assert set((folder / "pages").iterdir()) == {wanted, young}


def test_the_key_has_every_installed_package_and_version():
    def normalize(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    names = {normalize(folder.removesuffix(".dist-info")) for folder in cache.INSTALLED}
    assert {normalize(f"{one.name}-{one.version}") for one in distributions()} == names


def test_a_file_is_replaced_only_when_it_is_complete(tmp_path):
    file = tmp_path / "folder/file.txt"
    with replace_file(file) as draft:
        draft.write_text("first")
        assert not file.exists()
    with pytest.raises(UnicodeEncodeError), replace_file(file) as draft:
        draft.write_text("a part, and \udc80", "utf-8")

    assert file.read_text() == "first"
    assert [*file.parent.iterdir()] == [file]
