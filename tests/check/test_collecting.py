"""What pytest makes of a page: items that one can name, and every line in exactly one of them."""

from itertools import pairwise

import pytest

from check.page_check import Failure, Report
from check.paths import DOCS, PACKAGE, ROOT
from render.workers import list_subjects

PAGE = DOCS / "chapters/relative.md"


@pytest.fixture
def collected(request):
    """Return a function that collects a file as the conftest.py of the project does."""
    collector = request.config.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
    return lambda path: collector.pytest_collect_file(path, request.session)


def test_pytest_checks_what_the_build_checks(collected):
    files = [path for folder in (DOCS, PACKAGE) for path in folder.rglob("*") if path.is_file()]

    assert sorted(path for path in files if collected(path)) == sorted(list_subjects())
    assert collected(ROOT / "README.md")


def test_items_are_named_by_the_equation_or_the_section_that_they_belong_to(collected):
    names = [item.name for item in collected(PAGE).collect()]

    assert {"eq-norm", "eq-toeplitz", "fig-gram", "page"} <= set(names)


def test_a_failure_on_any_line_of_any_page_makes_one_item_red(collected):
    """And no two items of a page have one name."""
    wrong = []
    for path in [ROOT / "README.md", *list_subjects()]:
        page = collected(path)
        items = list(page.collect())
        count = path.read_text("utf-8").count("\n") + 2
        page.report = Report(failures=[Failure(n, f"line {n}.") for n in range(1, count)])
        told = "\n".join(red(item) for item in items)
        names = sorted(item.name for item in items)
        if any(told.count(f"line {n}.") != 1 for n in range(1, count)):
            wrong.append(f"{path.name}: a line of two items, or of none")
        wrong += [f"{path.name}: two items {one}" for one, other in pairwise(names) if one == other]

    assert wrong == []


def red(item) -> str:
    """Return what an item says; nothing if it passes."""
    try:
        item.runtest()
    except AssertionError as error:
        return str(error)
    return ""
