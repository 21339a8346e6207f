"""Labs with bugs: each function makes its mistake, and each solution repairs it."""

import re
from typing import Any

import jupytext
import pytest

from check import lab_source
from posenc import exercises

CHECK = re.compile(r'^exercises\.check\("(bug-\w+)", (\w+)\)$', re.MULTILINE)
REPAIR = re.compile(r'^repaired\("(bug-\w+)", (\w+)\)$', re.MULTILINE)
LABS = ("bugs", "plumbing")


@pytest.fixture(scope="module")
def reports():
    """Return the reports for the functions with bugs, and for the repaired ones, by exercise."""
    buggy: dict[str, exercises.Report] = {}
    repaired: dict[str, exercises.Report] = {}
    for lab in LABS:
        namespace: dict[str, Any] = {}
        for cell in jupytext.read(lab_source.FOLDER / f"{lab}.py").cells:
            if cell.cell_type != "code" or "alt" in cell.metadata:
                continue
            exec(cell.source, namespace)
            for pattern, kind in ((CHECK, buggy), (REPAIR, repaired)):
                for name, function in pattern.findall(cell.source):
                    assert exercises.find(name).asks.startswith(f"{function}("), name
                    kind[name] = exercises.check(name, namespace[function])
    return buggy, repaired


def test_all_bugs_are_in_the_labs_in_order_with_repairs(reports):
    for kind in reports:
        assert tuple(kind) == exercises.names("bug")


@pytest.mark.parametrize("name", exercises.names("bug"))
def test_function_has_the_bug_of_the_first_property_until_it_is_repaired(reports, name):
    buggy, repaired = reports
    wrong = exercises.check(name, exercises.find(name).properties[0].wrong)

    assert buggy[name].findings[0]
    assert [finding is None for finding in buggy[name].findings] == [
        finding is None for finding in wrong.findings
    ]
    assert repaired[name].holds
