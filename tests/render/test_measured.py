"""Benchmark results: how the page shows them, and whether the stored ones are well-formed."""

import json
import operator
import re
from datetime import date
from importlib.util import find_spec

import pytest

from check.page_source import read_page
from check.paths import DOCS, ROOT
from render import measured

PAGE = DOCS / "reference/measured.md"
STORED = sorted(measured.FOLDER.glob("*.json"))
ABOUT = {
    "date": "2026-11-03",
    "command": "uv run python -m benchmarks.shards",
    "machine": "x86_64",
    "cores": 2,
    "load": 0.26,
    "versions": {"Python": "3.11.7", "numpy": "2.4.6"},
}
LINES = [
    {"what": "out / fill", "measured": 2.04, "goal": "≤ 2.0", "met": False},
    {"what": "plain | new", "measured": 17.26, "goal": "≥ 15", "met": True},
    {"what": "rows", "measured": 100_000_000, "goal": "", "met": None},
    {"what": "packages", "measured": 8, "goal": "≤ 9", "met": True},
]


def test_results_with_goals_say_whether_they_meet_them():
    tables = measured.render_results({"about": ABOUT, "lines": LINES}, "table.json")

    assert tables.split("\n") == [
        "| what | measured | goal | met |",
        "| :-- | --: | --: | :-- |",
        "| out / fill | 2.04 | ≤\N{NO-BREAK SPACE}2.0 | **no** |",
        "| plain \\| new | 17.3 | ≥\N{NO-BREAK SPACE}15 | yes |",
        "| rows | 100\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}000 |  |  |",
        "| packages | 8 | ≤\N{NO-BREAK SPACE}9 | yes |",
        "",
        "3 November 2026; x86_64, 2 cores, load 0.3; Python 3.11.7, numpy 2.4.6. "
        "To repeat it: `uv run python -m benchmarks.shards`. "
        "[All numbers](measured/table.json)",
        "{ .provenance }",
    ]


def test_table_has_a_column_for_each_key_of_its_rows():
    rows = [
        {"who": "posenc", "times": 1.0, "worst error": 2.2e-16},
        {"who": "copy", "times": 0.125, "worst error": None},
    ]

    tables = measured.render_results({"about": ABOUT, "lines": [], "table": rows}, "a.json")

    assert tables.split("\n")[:4] == [
        "| who | times | worst error |",
        "| :-- | --: | --: |",
        r"| posenc | 1.00 | $2.2 \cdot 10^{-16}$ |",
        "| copy | 0.12 |  |",
    ]


def test_missing_results_are_reported_as_not_measured():
    text = "a\n\n<!-- measured: missing -->\n"
    ((start, end, new),) = measured.insert_results(text)

    assert text[start:end] == text.strip("a\n")
    assert new.startswith("Not measured yet.")


def test_page_shows_all_stored_results_once():
    marks = [match["name"] for match in measured.MARK.finditer(read_page(PAGE))]

    assert len(marks) == len(set(marks))
    sections = re.split(r"^## ", read_page(PAGE), flags=re.MULTILINE)[1:]
    for section in sections:  # results that every run checks are not stored
        assert measured.MARK.search(section) or re.search("every (run|build)", section)
    assert {file.stem for file in STORED} <= set(marks)


@pytest.mark.parametrize("file", STORED, ids=[file.stem for file in STORED])
def test_stored_results_name_their_command_and_meet_goals_as_they_say(file):
    stored = json.loads(file.read_text("utf-8"))
    about, lines = stored["about"], stored["lines"]

    assert date.fromisoformat(about["date"])
    module = re.search(r"python -m (?P<name>[\w.]+)|bash (?P<script>\S+)", about["command"])
    assert module, about["command"]
    name, script = module["name"], module["script"]
    assert find_spec(name) if name else (ROOT / script).is_file()
    assert lines or stored["table"]
    for line in lines:
        sign, _, bound = line["goal"].partition(" ")
        if sign:
            is_met = {"≤": operator.le, "≥": operator.ge}[sign](line["measured"], float(bound))
        assert line["met"] is (is_met if sign else None), line["what"]
