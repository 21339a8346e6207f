"""What a reader changes: it runs as the page would, and is taken back."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sybil import Document

import posenc
from browser import edits, mutants, page_session
from browser.edits import Edit
from browser.page_session import FAILED, HELD, Running
from check import cards, code_blocks, page_check
from check.page_source import read_page
from check.paths import DOCS

PAGE = """# Page

/// statement | A sum
    attrs: {id: eq-sum}

$1 + 1 = 2$.
///

/// implementation
```{.python title="posenc/added/relative_position.py"}
--8<-- "posenc/added/relative_position.py:shift"
```
///

/// verification
```pycon
>>> 1 + 1
2
>>> import posenc
>>> posenc.rotation_matrix(1, 2).round(4).tolist()
[[0.5403, 0.8415], [-0.8415, 0.5403]]
```
///

```pycon
>>> posenc.inv_freq(4).tolist()
[1.0, 0.01]
```
"""
SESSION = {"page": "chapters/page.md", "card": "eq-sum", "part": "session", "number": 0}
LINES = {"page": "chapters/relative.md", "card": "eq-shift", "part": "lines", "number": 0}


@pytest.fixture
def page(tmp_path: Path) -> Running:
    """Return a page with one card."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters/page.md").write_text(PAGE, "utf-8")
    return Running(str(tmp_path / "chapters/page.md"))


def changed(page: Running, first: int, count: int, text: str, of: dict[str, object]) -> str:
    """Change lines, and return why they were refused."""
    told = json.dumps([{**of, "first": first, "count": count, "text": text}])
    refused: str = json.loads(page.edit(told))
    return refused


def outcomes(page: Running) -> list[dict[str, Any]]:
    """Return what comes of the page."""
    return [json.loads(outcome) for outcome in page.run()]


def shown(word: str) -> tuple[int, str]:
    """Return a line that the card shows, and its number: the first with a word in it."""
    (lines,) = [
        one
        for card in cards.find_cards(read_page(DOCS / "chapters/relative.md"))
        if card.id == "eq-shift"
        for one in mutants.shown(card.support.text)
    ]
    return next((n, line) for n, line in enumerate(edits.shown(lines).split("\n")) if word in line)


def test_an_edited_answer_is_refused_with_the_message_of_the_tests(page):
    assert changed(page, 1, 1, "3\n", SESSION) == ""

    first, *rest = outcomes(page)

    document = Document(PAGE.replace("\n2\n", "\n3\n"), str(page.path))
    for region in code_blocks.parse(document):
        if region.evaluator in page_check.RUNS_CODE:
            document.add(region)
    (failure,) = page_check.check_page(document).failures
    assert (first["came"], first["message"]) == (FAILED, failure.message)
    assert first["line"] == failure.line
    assert "Expected:\n    3\nGot:\n    2" in failure.message
    assert {one["came"] for one in rest} == {HELD}

    assert json.loads(page.edit("[]")) == ""
    assert {one["came"] for one in outcomes(page)} == {HELD}


def test_lines_are_in_place_while_the_page_runs(page):
    number, line = shown("0 - sin")
    before = posenc.rotation_matrix(3, 4)

    assert changed(page, number, 1, f"{line.replace('0 - sin', 'sin')}\n", LINES) == ""
    found = outcomes(page)

    assert [one["came"] for one in found] == [HELD, HELD, FAILED, HELD]
    assert "[0.8415, 0.5403]" in found[2]["message"]
    np.testing.assert_array_equal(posenc.rotation_matrix(3, 4), before)
    assert json.loads(page.edit("[]")) == ""
    assert {one["came"] for one in outcomes(page)} == {HELD}


def test_lines_that_are_left_out_or_added_count(page):
    number, _ = shown("0 - sin")

    assert changed(page, number, 1, "", LINES) == ""
    assert outcomes(page)[2]["came"] == FAILED
    assert changed(page, number, 0, "twice = 2\n", LINES) == ""
    assert outcomes(page)[2]["came"] == HELD


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("matrix = (\n", "line 1 of {} as shown: '(' was never closed"),
        (
            "    two = 3\n",
            "line 1 of posenc/added/relative_position.py as shown: unexpected indent",
        ),
    ],
)
def test_lines_that_are_no_python_are_refused_with_their_line(page, text, said):
    told = said.format("posenc/added/relative_position.py")
    assert changed(page, 0, 0, text, LINES) == told
    assert {one["came"] for one in outcomes(page)} == {HELD}


@pytest.mark.parametrize(
    ("of", "first", "count"),
    [
        ({**LINES, "page": "chapters/../../posenc/x.md"}, 0, 1),
        ({**LINES, "page": "chapters/nowhere.md"}, 0, 1),
        ({**LINES, "card": "eq-nowhere"}, 0, 1),
        ({**LINES, "number": 7}, 0, 1),
        ({**LINES, "number": -1}, 0, 1),
        (LINES, 0, 99),
        (LINES, -1, 1),
        ({**SESSION, "card": "eq-nowhere"}, 0, 1),
        ({**SESSION, "number": 1}, 0, 1),
    ],
)
def test_what_the_page_does_not_show_is_not_changed(page, of, first, count):
    assert changed(page, first, count, "two = 2\n", of) == edits.NOT_ON_PAGE


def test_a_session_is_read_as_any_other(page):
    assert "backticks" in changed(page, 0, 0, "```\n", SESSION)
    assert changed(page, 0, 0, "1 + 1\n", SESSION) == ""
    assert "belongs to no prompt" in outcomes(page)[0]["message"]
    assert changed(page, 0, 1, ">>> 1 +\n", SESSION) == ""
    assert "SyntaxError" in outcomes(page)[0]["message"]


def test_what_is_printed_is_cut_and_want_of_memory_told(page):
    assert changed(page, 0, 1, ">>> print('x' * 100_000)\n", SESSION) == ""
    message = outcomes(page)[0]["message"]
    assert len(message) < 2 * page_session.LONGEST
    assert "characters more" in message

    assert changed(page, 0, 1, ">>> raise MemoryError\n", SESSION) == ""
    assert outcomes(page)[0]["message"].endswith(page_session.MEMORY)


MODULE = '''"""A module."""

from functools import cache

ONE = 1


@cache
def one(more=0):
    return ONE + more


class Counted:
    start = 0

    def more(self):
        return self.start + 1
'''


@pytest.fixture
def module(monkeypatch, tmp_path):
    """Return a module that cards could show, and its file."""
    (tmp_path / "counted_here.py").write_text(MODULE)
    monkeypatch.setattr(edits, "ROOT", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return import_module("counted_here")


def test_functions_methods_constants_and_new_names_are_put_in_place(module):
    now = MODULE.replace("return ONE", "return two() * ONE").replace("ONE = 1", "ONE = 5")
    now = now.replace("more=0", "more=1").replace("start + 1", "start + 2")
    held, counted = module.one, module.Counted()

    with edits.in_place({"counted_here.py": now + "\n\ndef two():\n    return 2\n"}):
        held.cache_clear()
        assert held() == 11
        assert counted.more() == 2

    held.cache_clear()
    assert (held(), counted.more(), module.ONE) == (1, 1, 1)
    assert not hasattr(module, "two")


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("def one", "def another"),
        ("@cache", ""),
        ("start = 0", "start = 1"),
        ("class Counted", "class Other"),
        ("ONE = 1", "ONE = 1 / 0"),
    ],
)
def test_what_is_built_once_stays(module, was, now):
    with (
        pytest.raises(edits.RefusedError, match="counted_here"),
        edits.in_place({"counted_here.py": MODULE.replace(was, now)}),
    ):
        pass
    assert module.one() == 1


def test_an_edit_takes_lines_for_others():
    edit = Edit(**LINES, first=1, count=1, text="x\ny\n")
    assert edit.applied("a\nb\nc\n") == "a\nx\ny\nc\n"
