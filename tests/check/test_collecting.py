"""Collection of pages by pytest: each line of a page belongs to exactly one item."""

from itertools import pairwise

import pytest

from check.page_check import Failure, Report
from check.paths import DOCS, PACKAGE, ROOT
from render.workers import list_subjects

PAGE = DOCS / "chapters/relative.md"


@pytest.fixture
def collect_file(request):
    """Return a function that collects a file as the root conftest.py does."""
    plugin = request.config.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
    return lambda path: plugin.pytest_collect_file(path, request.session)


def test_pytest_checks_what_the_build_checks(collect_file):
    files = [path for folder in (DOCS, PACKAGE) for path in folder.rglob("*") if path.is_file()]

    assert sorted(path for path in files if collect_file(path)) == sorted(list_subjects())
    assert collect_file(ROOT / "README.md")


def test_items_are_named_by_their_equation_figure_or_section(collect_file):
    names = [item.name for item in collect_file(PAGE).collect()]

    assert {"eq-norm", "eq-toeplitz", "fig-gram", "page"} <= set(names)


def test_each_failure_is_in_one_item_and_names_are_unique(collect_file):
    problems = []
    for path in [ROOT / "README.md", *list_subjects()]:
        page = collect_file(path)
        items = list(page.collect())
        count = path.read_text("utf-8").count("\n") + 2
        page.report = Report(failures=[Failure(n, f"line {n}.") for n in range(1, count)])
        messages = "\n".join(find_failures(item) for item in items)
        names = sorted(item.name for item in items)
        if any(messages.count(f"line {n}.") != 1 for n in range(1, count)):
            problems.append(f"{path.name}: a failure in two items, or in none")
        problems += [
            f"{path.name}: two items {one}" for one, other in pairwise(names) if one == other
        ]

    assert problems == []


def find_failures(item) -> str:
    """Return the message of a failing item, or "" if it passes."""
    try:
        item.runtest()
    except pytest.fail.Exception as error:
        return str(error)
    return ""
