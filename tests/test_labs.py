"""Labs: percent scripts that run alone, become pages, and cannot fail in silence."""

import os
import re
import subprocess
import sys
import time

import jupytext
import pytest

from engine import labs, scripts
from engine.fences import fences
from engine.places import ROOT
from engine.texts import read
from tests.checking import cache, check, package
from website import plugin

LABS = sorted(scripts.FOLDER.glob("*.py"))

LAB = """\
# ---
# title: A lab
# description: A lab that is short enough to be broken in every way there is.
# question: Does it hold?
# minutes: 5
# ---

# %% [markdown]
# # A lab
#
# Text with $x$, and see [eq-norm][].

# %%
import math

print("half")
math.pi / 2

# %% tags=["solution"]
x = [1, 2]

# %% [markdown] tags=["solution"]
# Why so.

# %% alt="A line, rising." caption="Of $x$."
from matplotlib.figure import Figure

figure = Figure(figsize=(3, 2))
_ = figure.subplots().plot(x)
figure

# %%
len(x)
"""


@pytest.fixture
def lab(tmp_path):
    """Return the file of a lab in a folder of labs."""
    folder = tmp_path / "labs"
    folder.mkdir()
    (folder / "small.py").write_text(LAB, "utf-8")
    return folder / "small.py"


@pytest.mark.thorough  # its page has run it
@pytest.mark.site
@pytest.mark.parametrize("script", LABS, ids=lambda path: path.stem)
def test_a_lab_runs_alone_in_less_than_a_minute(script):
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-W", "error", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert time.perf_counter() - start < labs.MOST


@pytest.mark.parametrize("script", LABS, ids=lambda path: path.stem)
def test_the_page_has_the_cells_that_jupytext_reads(script):
    text = script.read_text("utf-8")
    raw, *cells = jupytext.reads(text, fmt="py:percent").cells
    page = read(script).split("\n")

    assert raw.cell_type == "raw"
    assert len(page) in (text.count("\n") + 1, text.count("\n") + 2)  # a fence that ends the last
    for cell, where in zip(cells, scripts.read(text).cells, strict=True):
        lines = page[where.first : where.end]
        source = lines[1:-1] if cell.cell_type == "code" else lines
        assert "\n".join(source).strip("\n") == cell.source.strip("\n")


@pytest.mark.parametrize("script", LABS, ids=lambda path: path.stem)
def test_a_lab_has_tasks_solutions_and_checks(script):
    cells = [fence for fence in fences(read(script)) if "cell" in fence.classes]

    assert "**Task" in read(script)
    assert any("solution" in cell.classes for cell in cells)
    assert any(re.search(r"\bassert\b|\bcheck\(", cell.source) for cell in cells)
    assert any("figure" in cell.classes for cell in cells)


def test_the_small_lab_holds(lab):
    assert check(lab).failures == []


def test_a_number_that_a_cell_has_answered_may_be_quoted(lab):
    lab.write_text(LAB.replace("Text with", "Text with 1.57 and"), "utf-8")

    assert check(lab).failures == []


# What an author does to it: what stands there, what comes in its place, the line, the message.
BROKEN = [
    ("an exception", "len(x)\n", "len(x) / 0\n", 33, "ZeroDivisionError"),
    ("an exception in a function", "x = [1, 2]\n", "def f():\n    return y\n\n\nx = f()\n", 21, "is not defined (through line 24)"),
    ("an assertion", "len(x)\n", "assert x == 3\n", 33, "AssertionError"),
    ("a wrong value", "len(x)\n", "int('x')\n", 33, "ValueError: invalid literal"),
    ("a warning", "len(x)\n", "import warnings\n\nwarnings.warn('old')\n", 35, "UserWarning: old"),
    ("a syntax error", "len(x)\n", "len(x\n", 33, "SyntaxError"),
    ("a figure without alt", ' alt="A line, rising."', "", 25, "a figure without alt"),
    ("a figure without caption", ' caption="Of $x$."', "", 25, "a figure without caption"),
    ("a figure that is not marked", ' alt="A line, rising." caption="Of $x$."', "", 25, "a figure without alt"),
    ("no figure", "\nfigure\n", "\nlen(x)\n", 25, "got int"),
    ("an empty figure", ".plot(x)", "", 25, "figure is empty"),
    ("a figure made before", "x = [1, 2]\n", "x = [1, 2]\nfrom matplotlib.figure import Figure\nmade = Figure()\n_ = made.subplots().plot(x)\n", 28, "the same on light and on dark"),
    ("an image that changes", ".plot(x)", ".imshow([x.append(3) or x])", 25, "other numbers the second time"),
    ("unknown metadata", "# %%\nlen", "# %% colour=3\nlen", 32, "unknown in a # %% line: colour"),
    ("metadata misspelled", "alt=", "atl=", 25, "perhaps alt"),
    ("a title in the line", "# %%\nlen", "# %% Length\nlen", 32, "unknown in a # %% line: title"),
    ("an unknown tag", '"solution"]\nx', '"solutoin"]\nx', 19, "unknown tag 'solutoin'"),
    ("an id of another kind", "alt=", 'id="line" alt=', 25, "write fig-line"),
    ("a wrong reference", "[eq-norm][]", "[eq-nrom][]", 11, "unknown reference 'eq-nrom'"),
    ("a link to nowhere", "Text with", "[Text](nowhere.md) with", 11, "leads to no file"),
    ("a number of nobody", "Text with", "Text with 1.58 and", 35, "line 11: the text says 1.58, and no cell does"),
    ("bad LaTeX", "with $x$", r"with $\nonsense$", 11, "LaTeX in"),
    ("code in text", "# Why so.", "# ```python\n# y = 1\n# ```", 23, "never run"),
    ("text that is no comment", "# Why so.", "Why so.", 23, "begins with '# '"),
    ("cells without a line between", "x = [1, 2]\n\n", "x = [1, 2]\n", 21, "leave a line empty"),
    ("code before the first cell", "# ---\n\n#", "# ---\n\nx = 1\n\n#", 1, "begin each cell with # %%"),
    ("no question", "# question: Does it hold?\n", "", 1, "question: …"),
    ("no minutes", "minutes: 5", "minutes: few", 1, "minutes: …"),
    ("an address in memory", "len(x)\n", "object()\n", 32, "which differs each time"),
    ("a task within a paragraph", "# Why so.", "# Why so?\n# **Task 1.** Say why.", 24, "a task begins a paragraph"),
    ("an equation of its own", "# Why so.", "# /// statement | S\n#     attrs: {id: eq-s}\n#\n# $$\n# x\n# $$\n# ///", 23, "states no equation"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "message"),
    BROKEN,
    ids=[row[0] for row in BROKEN],
)
def test_a_broken_lab_is_red_on_its_line(lab, name, old, new, line, message):
    assert old in LAB
    text = LAB.replace(old, new, 1)
    if name == "a figure made before":
        text = text.replace("\nfigure\n", "\nmade\n")
    lab.write_text(text, "utf-8")

    failures = [(failure.line, failure.message) for failure in check(lab).failures]

    assert any(there == line and message in said for there, said in failures), failures


@pytest.fixture
def ran(lab, tmp_path, capfd):
    """Return a function that checks a text as the lab, and says whether its code was run."""
    kept = cache(tmp_path / "kept")

    def judge(text: str) -> bool:
        text = text.replace("import math\n", 'import math, sys\nsys.stderr.write("run")\n')
        lab.write_text(text, "utf-8")
        report = kept.checked(lab)
        assert report.failures == []
        assert report.answers[0][1].printed == "half\n"
        return "run" in capfd.readouterr().err

    return judge


def test_an_edit_of_text_runs_nothing_and_one_of_code_runs_all(ran):
    assert ran(LAB)
    assert not ran(LAB)
    assert not ran(LAB.replace("Text with", "Other text with").replace("rising", "going up"))
    assert ran(LAB.replace("len(x)", "len(x) + 1"))


def test_a_lab_is_its_text_with_answers_and_folded_solutions(lab):
    text, drawings = labs.executed(lab, read(lab), check(lab).answers)

    assert text.count("\n//// solution\n") == 1
    folded = text.partition("//// solution\n")[2].partition("\n////\n")[0]
    assert "x = [1, 2]" in folded
    assert folded.rstrip().endswith("Why so.")
    assert 'print("half")\nmath.pi / 2\n```\n\n```{.text .printed}\nhalf\n```\n' in text
    assert "```{.text .value}\n1.5707963267948966\n```\n" in text
    assert "```{.text .value}\n2\n```\n" in text
    ((fence, drawing),) = drawings
    assert fence.attributes == {"id": "fig-1", "alt": "A line, rising.", "caption": "Of $x$."}
    assert text[fence.start :].startswith("```{.python .cell .figure #fig-1 ")
    assert drawing.svg["light"] != drawing.svg["dark"]


def test_what_an_answer_holds_ends_no_fence(lab):
    lab.write_text(LAB.replace("len(x)\n", 'print("```\\n# Title")\n'), "utf-8")

    text, _ = labs.executed(lab, read(lab), check(lab).answers)

    assert "````{.text .printed}\n```\n# Title\n````\n" in text


def test_a_lab_that_takes_too_long_is_told(lab, monkeypatch, caplog):
    monkeypatch.setattr(plugin, "ROOT", lab.parents[1])
    monkeypatch.setattr(plugin, "subjects", list)  # so that no other page is checked
    monkeypatch.setattr(labs, "MOST", 0.0)
    build = plugin.Build(None, package())
    build.cache.folder = lab.parents[1] / "kept"

    build.check(lab, wait=True)

    assert build.failures == []
    assert "labs/small.py: ran " in caplog.text
