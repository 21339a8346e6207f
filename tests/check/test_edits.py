"""Edits of a reader: they run as on the page, and are undone."""

import dis
import json
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest
from sybil import Document

import posenc
from browser import edits, mutants, page_session
from browser.edits import Edit
from browser.page_session import FAILED, PASSED, PageSession
from check import cards, code_blocks, page_check
from check.page_source import read_page
from check.paths import DOCS, ROOT

PAGE = """# Page

/// statement | A sum
    attrs: {id: eq-sum}

$1 + 1 = 2$.
///

/// implementation
```{.python title="posenc/tables/relative_position.py"}
--8<-- "posenc/tables/relative_position.py:shift"
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
SESSION_EDIT = {"page": "chapters/page.md", "card": "eq-sum", "part": "session", "number": 0}
LINES_EDIT = {"page": "chapters/relative.md", "card": "eq-shift", "part": "lines", "number": 0}


@pytest.fixture
def session(tmp_path: Path) -> PageSession:
    """Return the session of a page with one card."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters/page.md").write_text(PAGE, "utf-8")
    return PageSession(str(tmp_path / "chapters/page.md"))


def apply_edit(
    session: PageSession, first: int, count: int, text: str, target: dict[str, object]
) -> str:
    """Replace lines of a session or of the package, and return why that is refused."""
    edit = {**target, "first": first, "count": count, "text": text}
    refused: str = json.loads(session.apply_edits(json.dumps([edit])))
    return refused


def run_page(session: PageSession) -> list[dict[str, Any]]:
    """Return the outcomes of the page."""
    return [json.loads(outcome) for outcome in session.run()]


def list_statuses(session: PageSession) -> set[str]:
    """Return the statuses of all prompts of the page."""
    return {outcome["status"] for outcome in run_page(session)}


def find_shown_line(word: str) -> tuple[int, str]:
    """Return the number and the text of the first line that the card shows with a word in it."""
    (lines,) = [
        lines
        for card in cards.find_cards(read_page(DOCS / "chapters/relative.md"))
        if card.id == "eq-shift"
        for lines in mutants.find_shown_lines(card.support.text)
    ]
    shown = edits.format_shown_lines(lines).split("\n")
    return next((number, line) for number, line in enumerate(shown) if word in line)


def test_an_edited_answer_fails_with_the_message_of_the_tests(session):
    assert apply_edit(session, 1, 1, "3\n", SESSION_EDIT) == ""

    first, *rest = run_page(session)

    document = Document(PAGE.replace("\n2\n", "\n3\n"), str(session.path))
    for region in code_blocks.parse(document):
        if region.evaluator in page_check.RUNS_CODE:
            document.add(region)
    (failure,) = page_check.check_page(document).failures
    assert (first["status"], first["message"]) == (FAILED, failure.message)
    assert first["line"] == failure.line
    assert "Expected:\n    3\nGot:\n    2" in failure.message
    assert {outcome["status"] for outcome in rest} == {PASSED}

    assert json.loads(session.apply_edits("[]")) == ""
    assert list_statuses(session) == {PASSED}


def test_edited_lines_apply_while_the_page_runs(session):
    number, line = find_shown_line("0 - sin")
    before = posenc.rotation_matrix(3, 4)

    text = f"{line.replace('0 - sin', 'sin')}\n"
    assert apply_edit(session, number, 1, text, LINES_EDIT) == ""
    outcomes = run_page(session)

    assert [outcome["status"] for outcome in outcomes] == [PASSED, PASSED, FAILED, PASSED]
    assert "[0.8415, 0.5403]" in outcomes[2]["message"]
    np.testing.assert_array_equal(posenc.rotation_matrix(3, 4), before)
    assert json.loads(session.apply_edits("[]")) == ""
    assert list_statuses(session) == {PASSED}


def test_lines_can_be_removed_and_added(session):
    number, _ = find_shown_line("0 - sin")

    assert apply_edit(session, number, 1, "", LINES_EDIT) == ""
    assert run_page(session)[2]["status"] == FAILED
    assert apply_edit(session, number, 0, "twice = 2\n", LINES_EDIT) == ""
    assert run_page(session)[2]["status"] == PASSED


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("matrix = (\n", "'(' was never closed"),
        ("    two = 3\n", "unexpected indent"),
    ],
)
def test_a_syntax_error_is_refused_with_its_line(session, text, message):
    expected = f"line 1 of the lines of posenc/tables/relative_position.py: {message}"
    assert apply_edit(session, 0, 0, text, LINES_EDIT) == expected
    assert list_statuses(session) == {PASSED}


@pytest.mark.parametrize(
    ("target", "first", "count"),
    [
        ({**LINES_EDIT, "page": "chapters/../../posenc/x.md"}, 0, 1),
        ({**LINES_EDIT, "page": "chapters/nowhere.md"}, 0, 1),
        ({**LINES_EDIT, "card": "eq-nowhere"}, 0, 1),
        ({**LINES_EDIT, "number": 7}, 0, 1),
        ({**LINES_EDIT, "number": -1}, 0, 1),
        (LINES_EDIT, 0, 99),
        (LINES_EDIT, -1, 1),
        ({**SESSION_EDIT, "card": "eq-nowhere"}, 0, 1),
        ({**SESSION_EDIT, "number": 1}, 0, 1),
    ],
)
def test_only_lines_that_the_page_shows_can_be_edited(session, target, first, count):
    assert apply_edit(session, first, count, "two = 2\n", target) == edits.NOT_ON_PAGE


def test_an_edited_session_is_parsed_like_any_other(session):
    assert "backticks" in apply_edit(session, 0, 0, "```\n", SESSION_EDIT)
    assert apply_edit(session, 0, 0, "1 + 1\n", SESSION_EDIT) == ""
    assert "belongs to no prompt" in run_page(session)[0]["message"]
    assert apply_edit(session, 0, 1, ">>> 1 +\n", SESSION_EDIT) == ""
    assert "SyntaxError" in run_page(session)[0]["message"]


def test_long_messages_are_cut_and_memory_errors_explained(session):
    assert apply_edit(session, 0, 1, ">>> print('x' * 100_000)\n", SESSION_EDIT) == ""
    message = run_page(session)[0]["message"]
    assert len(message) < 2 * page_session.MESSAGE_LIMIT
    assert "characters more" in message

    assert apply_edit(session, 0, 1, ">>> raise MemoryError\n", SESSION_EDIT) == ""
    assert run_page(session)[0]["message"].endswith(page_session.OUT_OF_MEMORY)


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
    """Write a module that a card could show, and import it."""
    (tmp_path / "counted_here.py").write_text(MODULE)
    monkeypatch.setattr(edits, "ROOT", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return import_module("counted_here")


def test_edits_of_functions_methods_and_constants_apply_and_are_undone(module):
    source = MODULE.replace("return ONE", "return two() * ONE").replace("ONE = 1", "ONE = 5")
    source = source.replace("more=0", "more=1").replace("start + 1", "start + 2")
    imported, counted = module.one, module.Counted()

    with edits.apply_modules({"counted_here.py": source + "\n\ndef two():\n    return 2\n"}):
        imported.cache_clear()
        assert imported() == 11
        assert counted.more() == 2

    imported.cache_clear()
    assert (imported(), counted.more(), module.ONE) == (1, 1, 1)
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
def test_edits_of_definitions_are_refused(module, was, now):
    with (
        pytest.raises(edits.RefusedError, match="counted_here"),
        edits.apply_modules({"counted_here.py": MODULE.replace(was, now)}),
    ):
        pass
    assert module.one() == 1


def test_an_edit_replaces_lines():
    edit = Edit(**LINES_EDIT, first=1, count=1, text="x\ny\n")
    assert edit.apply("a\nb\nc\n") == "a\nx\ny\nc\n"


@pytest.mark.parametrize("chapter", ["sinusoidal", "rotary", "scaling"])
def test_a_mutant_is_an_edit_of_the_lines_that_its_card_shows(chapter):
    """Applied as an edit, it gives the function the code of the mutant, up to positions."""
    page = DOCS / f"chapters/{chapter}.md"
    session = PageSession(str(page))
    for card in session.cards:
        for mutant in session._make_mutants(card.id):
            change = edits.express_mutant(mutant, card, f"chapters/{chapter}.md")
            source = edits.edit_modules([change.edit])[mutant.file]
            changed = mutants.compile_function(
                mutants.parse_module(source), mutant.file, mutant.function
            )
            assert changed is not None
            assert list_instructions(changed) == list_instructions(mutant.code), str(mutant)
            lines = (ROOT / mutant.file).read_text("utf-8").split("\n")
            assert lines[change.line - 1].strip() == change.before.split("\n")[0].strip()


def list_instructions(code: CodeType) -> list[object]:
    """Return the instructions of a function and of those inside, without their positions."""
    return [
        list_instructions(each.argval)
        if isinstance(each.argval, CodeType)
        else (each.opname, each.argrepr)
        for each in dis.get_instructions(code)
    ]
