"""Faults in the lines that a card shows, and what counts as noticed."""

import dataclasses
import textwrap
from pathlib import Path
from types import FunctionType

import pytest

from engine import faults, strength
from engine.faults import Lines
from engine.places import ROOT
from tests.checking import parser

FILE = "posenc/core/frequencies.py"


def lines_of(file: str, start: str, end: str) -> Lines:
    """Return the lines of a file from one that begins so to one that begins so."""
    lines = (ROOT / file).read_text("utf-8").split("\n")
    first = next(n for n, line in enumerate(lines, 1) if line.startswith(start))
    last = next(n for n, line in enumerate(lines[first:], first + 1) if line.startswith(end))
    return Lines(file, first, last)


def changed(tmp_path, monkeypatch, code: str) -> list[tuple[str, str]]:
    """Return what is made wrong in some code: what it was, and is."""
    monkeypatch.setattr(faults, "ROOT", tmp_path)
    (tmp_path / "code.py").write_text(textwrap.dedent(code), "utf-8")
    found = faults.of(Lines("code.py", 1, code.count("\n")))
    return [(fault.was, fault.now) for fault in found]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = a + b", [("a + b", "a - b")]),
        ("x = a * b", [("a * b", "a / b")]),
        ("x += a", [("x += a", "x -= a")]),
        ("x = a < b", [("a < b", "a <= b")]),
        ("x = 3", [("3", "4")]),
        ("x = 0.5", [("0.5", "1.5"), ("0.5", "0.505")]),
        ("x = True", [("True", "False")]),
        ("x = np.sin(a)", [("np.sin", "np.cos")]),
        ("x = max(a)", [("max", "min")]),
        ("x = -a", [("-a", "+a")]),
        ("x = a[:b]", [(":b", "1:b")]),
        ("x = a.T", [("a.T", "a.real")]),
        ("x = a if b else c", [("a if b else c", "c if b else c")]),
        ("a[b] = c", [("a[b] = c", "_ = c")]),
        ("np.clip(a, b, c)", [("np.clip(a, b, c)", "None")]),
        ("return a", [("return a", "return a * 1.001")]),
        ("return (a, b)", []),
        ("if a:\n        raise ValueError(1)", []),
        ("checks.even(a, 2)", []),
        ('"""Add 1."""', []),
        ("def g(x):\n        return x", [("return x", "return x * 1.001")]),
    ],
)
def test_what_is_made_wrong(tmp_path, monkeypatch, body, expected):
    assert changed(tmp_path, monkeypatch, f"def f(a, b, c):\n    {body}\n") == expected


def test_constants_with_a_name_are_made_wrong_where_they_are_used(tmp_path, monkeypatch):
    monkeypatch.setattr(faults, "ROOT", tmp_path)
    (tmp_path / "code.py").write_text("TURN = 6\ndef f(a):\n    return a % TURN + g(a, TURN)\n")
    found = [*faults.of(Lines("code.py", 1, 3), faults.constants)]

    assert [fault.now for fault in found] == ["a % (TURN * 1.01)", "g(a, TURN * 1.01)"]
    assert FunctionType(found[0].code, {"TURN": 100, "g": min})(101) == 100


def test_of_a_function_with_overloads_the_one_that_runs_is_made_wrong(tmp_path, monkeypatch):
    code = """\
        @overload
        def f(a: int) -> int: ...
        @overload
        def f(a: str) -> str: ...
        def f(a):
            return a + a
        """

    assert changed(tmp_path, monkeypatch, code) == [
        ("return a + a", "return (a + a) * 1.001"),
        ("a + a", "a - a"),
    ]
    doubled, _ = faults.of(Lines("code.py", 1, 6))
    assert round(FunctionType(doubled.code, {})(1000)) == 2002


def asked(
    folder: Path,
    said: tuple[str, ...],
    asked: list[tuple[int, ...]],
    patience: int = strength.PATIENCE,
    function: str = "",
) -> list[str]:
    """Return who notices wavelengths that are a thousandth too long, in a process that may fork.

    Each time one prompt of a page is asked as a card's own, and those behind it as what is left of
    the page. The first two lines of the page import what the prompts use. What was put in place
    must be gone afterwards.
    """
    strength.PATIENCE = patience
    lines = lines_of(FILE, "def wavelengths", "    return")
    fault = next(fault for fault in faults.of(lines) if fault.was.startswith("return"))
    fault = dataclasses.replace(fault, function=function or fault.function)
    page = folder / "page.md"
    first = ">>> import posenc\n>>> from posenc import wavelengths\n"
    page.write_text(f"# T\n\n```pycon\n{first}{''.join(said)}```\n", "utf-8")
    found = [one for one in parser().parse(page) if one.region.evaluator in strength.RUN]
    assert strength.outcome(found[:2]) is None
    prompts = found[2:]
    came = []
    for own, *rest in asked:
        came.append(strength.in_fork(fault, [prompts[own]], [prompts[n] for n in rest]))
    assert strength.outcome(prompts) is None
    return came


def test_a_fault_is_noticed_by_whoever_has_the_function_and_stays_in_its_fork(tmp_path, alone):
    rounded = (
        ">>> round(float(posenc.wavelengths(2)[0]), 3)\n6.283\n",
        ">>> round(float(wavelengths(2)[0]), 3)\n6.283\n",
        ">>> round(float(wavelengths(2)[0]))\n6\n",
    )

    came = alone(asked, tmp_path, rounded, [(0,), (1,), (2, 1), (2, 2)])

    assert came == [strength.NOTICED, strength.NOTICED, strength.PAGE, strength.SURVIVED]


@pytest.mark.parametrize(
    ("said", "came"),
    [
        (">>> [0, 1][int(wavelengths(2)[0] > 6.2832) * 2]\n0\n", strength.CRASHED),
        (">>> while wavelengths(2)[0] > 6.2832: pass\n", strength.NOTICED),
        (">>> assert wavelengths(2)[0] < 6.2832\n", strength.NOTICED),
        (">>> bool(wavelengths(2)[0] < 7)\nTrue\n", strength.SURVIVED),
    ],
)
def test_what_crashes_says_nothing_and_what_never_ends_is_noticed(tmp_path, alone, said, came):
    assert alone(asked, tmp_path, (said,), [(0,)], patience=1) == [came]


def test_a_fault_that_cannot_be_put_in_place_is_not_called_noticed(tmp_path, alone):
    with pytest.raises(RuntimeError, match="could not be judged"):
        alone(asked, tmp_path, (">>> 1\n1\n",), [(0,)], function="nothing")


def test_faults_are_spread_over_the_lines():
    every = list(range(100))

    assert faults.spread(every[:12]) == every[:12]
    assert faults.spread(every) == [0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90, 99]
