"""Labs that need a package: their answers are recorded, and compared where the package is."""

import json

import pytest

from check import recordings
from export import record_lab
from tests.checking import check_page

LAB = """\
# ---
# title: A lab
# description: A lab that needs a package which the site may not have at all.
# question: What does it print?
# minutes: 5
# needs: {needs}
# ---

# %% [markdown]
# # A lab

# %%
print("half")
1 / 2
"""
CELL = {"source": 'print("half")\n1 / 2\n', "printed": "half\n", "value": "0.5"}


@pytest.fixture
def lab(tmp_path):
    folder = tmp_path / "labs"
    folder.mkdir()
    return folder / "small.py"


def write(lab, needs, **changes):
    lab.write_text(LAB.format(needs=needs), "utf-8")
    recordings.get_file(lab).write_text(json.dumps([CELL | changes]), "utf-8")


@pytest.mark.parametrize("needs", ["json", "not_installed"])
def test_the_answers_are_those_recorded(lab, needs):
    write(lab, needs)

    report = check_page(lab)

    assert report.failures == []
    assert [(answer.printed, answer.value) for _, answer in report.answers] == [("half\n", "0.5")]


@pytest.mark.parametrize(
    ("needs", "changes"),
    [
        ("json", {"value": "0.6"}),
        ("json", {"printed": "a half\n"}),
        ("json", {"source": "1 / 3\n"}),
        ("not_installed", {"source": "1 / 3\n"}),
    ],
)
def test_an_answer_of_other_code_is_refused(lab, needs, changes):
    write(lab, needs, **changes)

    (failure,) = check_page(lab).failures

    assert "small.json is not that of this code; record it again" in failure.message


def test_recording_writes_what_the_lab_answers(lab):
    lab.write_text(LAB.format(needs="json"), "utf-8")

    record_lab.record(lab)

    assert json.loads(recordings.read_text(lab)) == [CELL]
