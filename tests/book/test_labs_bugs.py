"""Labs of bugs: each function is the mistake that the judge knows, and each repair is one."""

import re
from typing import Any

import jupytext
import pytest

from check import lab_source
from posenc import exercises

ASKED = re.compile(r'^exercises\.check\("(bug-\w+)", (\w+)\)$', re.MULTILINE)
MENDED = re.compile(r'^repaired\("(bug-\w+)", (\w+)\)$', re.MULTILINE)
LABS = ("bugs", "plumbing")


@pytest.fixture(scope="module")
def tried():
    """Return, for each bug in turn, the reports of the function as it came and as repaired."""
    came: dict[str, exercises.Report] = {}
    mended: dict[str, exercises.Report] = {}
    for lab in LABS:
        names: dict[str, Any] = {}
        for cell in jupytext.read(lab_source.FOLDER / f"{lab}.py").cells:
            if cell.cell_type != "code" or "alt" in cell.metadata:
                continue
            exec(cell.source, names)
            solution = "solution" in cell.metadata.get("tags", [])
            for name, function in (MENDED if solution else ASKED).findall(cell.source):
                assert exercises.find(name).asks.startswith(f"{function}("), name
                kept = mended if solution else came
                kept[name] = exercises.check(name, names[function])
    return came, mended


def test_all_bugs_are_in_the_labs_in_order_and_repaired(tried):
    for reports in tried:
        assert tuple(reports) == exercises.names("bug")


@pytest.mark.parametrize("name", exercises.names("bug"))
def test_a_function_of_the_lab_makes_the_mistake_that_its_first_property_tells_of(tried, name):
    came, mended = tried
    wrong = exercises.check(name, exercises.find(name).properties[0].wrong)

    assert came[name].findings[0]
    assert [finding is None for finding in came[name].findings] == [
        finding is None for finding in wrong.findings
    ]
    assert mended[name].holds
