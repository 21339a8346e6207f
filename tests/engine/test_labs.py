"""Labs: percent scripts that become pages, and cannot fail in silence."""

import re
from copy import deepcopy

import jupytext
import pytest

from engine import labs, scripts
from engine.fences import fences
from engine.texts import read
from tests.checking import cache, check
from website import notebooks, plugin

LABS = scripts.labs()

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


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return what the cells of the lab answer, run once for all tests that change only its text."""
    path = tmp_path_factory.mktemp("run") / "labs/small.py"
    path.parent.mkdir()
    path.write_text(LAB, "utf-8")
    return notebooks.answers(path)


def test_the_small_lab_holds(lab, answers):
    assert check(lab, answers=answers).failures == []
    assert [(answer.printed, answer.value) for answer in answers] == [
        ("half\n", "1.5707963267948966"),
        ("", ""),
        ("", ""),
        ("", "2"),
    ]


def test_a_cell_that_was_not_run_does_not_hold(lab, answers):
    report = check(lab, answers=answers[:-1])

    assert [(failure.line, failure.message) for failure in report.failures] == [
        (32, "this cell was not run")
    ]


def test_a_number_that_a_cell_has_answered_may_be_quoted(lab, answers):
    lab.write_text(LAB.replace("Text with", "Text with 1.57 and"), "utf-8")

    assert check(lab, answers=answers).failures == []


# What an author does to it: what stands there, what comes in its place, the line, the message.
BROKEN = [
    ("a figure without alt", ' alt="A line, rising."', "", 25, "a figure without alt"),
    ("a figure without caption", ' caption="Of $x$."', "", 25, "a figure without caption"),
    ("unknown metadata", "# %%\nlen", "# %% colour=3\nlen", 32, "unknown in a # %% line: colour"),
    ("metadata misspelled", "alt=", "atl=", 25, "perhaps alt"),
    ("a title in the line", "# %%\nlen", "# %% Length\nlen", 32, "unknown in a # %% line: title"),
    ("an unknown tag", '"solution"]\nx', '"solutoin"]\nx', 19, "unknown tag 'solutoin'"),
    ("an id of another kind", "alt=", 'id="line" alt=', 25, "write fig-line"),
    ("a wrong reference", "[eq-norm][]", "[eq-nrom][]", 11, "unknown reference 'eq-nrom'"),
    ("a link to nowhere", "Text with", "[Text](nowhere.md) with", 11, "leads to no file"),
    ("a number of nobody", "Text with", "Text with 1.58 and", 35, "line 11: the text says 1.58"),
    ("bad LaTeX", "with $x$", r"with $\nonsense$", 11, "LaTeX in"),
    ("code in text", "# Why so.", "# ```python\n# y = 1\n# ```", 23, "never run"),
    ("text that is no comment", "# Why so.", "Why so.", 23, "begins with '# '"),
    ("cells without a line between", "x = [1, 2]\n\n", "x = [1, 2]\n", 21, "leave a line empty"),
    ("code before the first cell", "# ---\n\n#", "# ---\n\nx = 1\n\n#", 1, "begin each cell with # %%"),
    ("no question", "# question: Does it hold?\n", "", 1, "question: …"),
    ("no minutes", "minutes: 5", "minutes: few", 1, "minutes: …"),
    ("a task within a paragraph", "# Why so.", "# Why so?\n# **Task 1.** Say why.", 24, "a task begins a paragraph"),
    ("an equation of its own", "# Why so.", "# /// statement | S\n#     attrs: {id: eq-s}\n#\n# $$\n# x\n# $$\n# ///", 23, "states no equation"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "message"),
    BROKEN,
    ids=[row[0] for row in BROKEN],
)
def test_a_broken_lab_is_red_on_its_line(lab, answers, name, old, new, line, message):
    assert old in LAB
    lab.write_text(LAB.replace(old, new, 1), "utf-8")

    report = check(lab, answers=deepcopy(answers))

    failures = [(failure.line, failure.message) for failure in report.failures]
    assert any(there == line and message in said for there, said in failures), failures


# What can only be seen in a kernel; all of it in one lab. A cell, and what is said of it, on the
# lines of the cell: the deepest, and the first, where that is another.
FIGURE = ' alt="A line." caption="A line."'
FAILING = [
    ("", "1 / 0", 1, "ZeroDivisionError: division by zero"),
    ("", "x = 1\n\nassert x == 2", 3, "AssertionError"),
    ("", "def f():\n    return y\n\n\nf()", 2, "NameError: name 'y' is not defined (through line "),
    ("", "x = 3\nf()", None, "NameError: name 'y' is not defined (through line "),
    ("", "\nint('x')", 2, "ValueError: invalid literal"),
    ("", "import warnings\n\nwarnings.warn('old')", 3, "UserWarning: old"),
    ("", "len(x", 1, "SyntaxError: "),
    ("", "object()", 0, "which differs each time"),
    ("", "from matplotlib.figure import Figure\nmade = Figure()\nimage = Figure()", None, ""),
    ("", "_ = made.subplots().plot([1, 2])\n_ = image.subplots().imshow([[1, 2]])", None, ""),
    ("", "made", 0, "a figure without alt"),
    ("", "Figure()", 0, "a figure without alt"),
    (FIGURE, "strange = Figure()\n_ = strange.subplots().plot([1])\n_ = strange.suptitle('\\u4e2d')\nstrange", 0,
     "UserWarning: Glyph"),
    (FIGURE, "made", None, ""),  # a drawing alone can be recoloured
    (FIGURE, "image", 0, "the same on light and on dark"),
    (FIGURE, "3", 0, "a figure is a matplotlib Figure, got 3"),
    (FIGURE, "Figure()", 0, "figure is empty"),
    (FIGURE, "x = []", 0, "a figure is a matplotlib Figure, got nothing"),
    (FIGURE, "new = Figure()\n_ = new.subplots().imshow([[x.append(3) or len(x)]])\nnew", 0,
     "other numbers the second time"),
    ("", "1 + 1", None, ""),
]  # fmt: skip


def test_what_fails_in_a_kernel_is_told_cell_by_cell(lab):
    head = LAB.partition("# %%\nimport math")[0].replace("Text with", "It is 3.14 with")
    text, expected = head, []
    for header, code, line, message in FAILING:
        marker = text.count("\n") + 1
        text += f"# %%{header}\n{code}\n\n"
        if message:
            expected.append((marker + line if line is not None else None, message))
    lab.write_text(text, "utf-8")
    second = text.split("\n").index("    return y") + 1
    calls = [number for number, said in enumerate(text.split("\n"), start=1) if said == "f()"]

    found = [(failure.line, failure.message) for failure in check(lab).failures]

    *cells, quoted = found
    assert "the text says 3.14" in quoted[1]
    assert len(cells) == len(expected), cells
    for (there, said), (line, message) in zip(cells, expected, strict=True):
        assert there == (second if line is None else line), (there, said)
        assert message in said, (there, said)
    assert [said.split("line ")[1] for _, said in cells if "through" in said] == [
        f"{line})" for line in calls
    ]


def test_a_lab_may_be_a_notebook(tmp_path):
    path = tmp_path / "labs/small.ipynb"
    path.parent.mkdir()
    for text, said in ((LAB, []), (LAB.replace("len(x)", "1 / 0"), ["ZeroDivisionError"])):
        jupytext.write(jupytext.reads(text, fmt="py:percent"), path, fmt="ipynb")

        report = check(path)

        assert [failure.message.partition(":")[0] for failure in report.failures] == said
        assert "math.pi / 2" in read(path)


@pytest.fixture
def ran(lab, answers, tmp_path):
    """Return a function that checks a text as the lab, and says whether its code was run."""
    kept, runs = cache(tmp_path / "kept"), []

    def run(path):
        runs.append(path)
        return deepcopy(answers)

    kept.run = run

    def judge(text: str) -> bool:
        before = len(runs)
        lab.write_text(text, "utf-8")
        report = kept.check_page(lab)
        assert report.failures == []
        assert report.answers[0][1].printed == "half\n"
        return len(runs) > before

    return judge


def test_an_edit_of_text_runs_nothing_and_one_of_code_runs_all(ran):
    assert ran(LAB)
    assert not ran(LAB)
    assert not ran(LAB.replace("Text with", "Other text with").replace("rising", "going up"))
    assert ran(LAB.replace("len(x)", "len(x) + 1"))


def test_a_lab_is_its_text_with_answers_and_folded_solutions(lab, answers):
    text, drawings = labs.executed(lab, read(lab), check(lab, answers=answers).answers)

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


def test_what_an_answer_holds_ends_no_fence(lab, answers):
    answers = [*answers[:-1], labs.Answer(printed="```\n# Title\n")]

    text, _ = labs.executed(lab, read(lab), check(lab, answers=answers).answers)

    assert "````{.text .printed}\n```\n# Title\n````\n" in text


def test_a_lab_that_takes_too_long_is_told(lab, answers, monkeypatch, caplog):
    monkeypatch.setattr(plugin, "ROOT", lab.parents[1])
    monkeypatch.setattr(plugin, "list_subjects", list)  # so that no other page is checked
    monkeypatch.setattr(labs, "MOST", 0.0)
    build = plugin.Build(None, "", serving=False)
    build.cache.folder = lab.parents[1] / "kept"
    build.cache.run = lambda path: answers

    build.check(lab, wait=True)

    assert build.failures == []
    assert "labs/small.py: ran " in caplog.text
