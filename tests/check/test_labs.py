"""Labs: percent scripts that become pages."""

import re

import jupytext
import pytest

from check import lab_source, labs, recordings
from check.fences import find_fences
from check.page_source import read_page
from tests.checking import check_page, open_test_cache

LABS = lab_source.list_labs()
LONG = ("lengths", "stretching")

LAB = """\
# ---
# title: A lab
# description: A lab that is short enough to be broken in all possible ways.
# question: Does it hold?
# minutes: 5
# ---

# %% [markdown]
# # A lab
#
# <!-- check: 2 + 2 == 4 -->
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
def test_the_page_has_the_cells_of_the_script(script):
    text = script.read_text("utf-8")
    raw, *cells = jupytext.reads(text, fmt="py:percent").cells
    page = read_page(script).split("\n")

    assert raw.cell_type == "raw"
    assert len(page) in (
        text.count("\n") + 1,
        text.count("\n") + 2,
    )  # with the fence after the last cell
    for cell, where in zip(cells, lab_source.convert_script(text).cells, strict=True):
        lines = page[where.first : where.end]
        source = lines[1:-1] if cell.cell_type == "code" else lines
        assert "\n".join(source).strip("\n") == cell.source.strip("\n")


@pytest.mark.parametrize("script", LABS, ids=lambda path: path.stem)
def test_a_lab_has_tasks_solutions_and_checks(script):
    cells = [fence for fence in find_fences(read_page(script)) if "cell" in fence.classes]

    assert "**Task" in read_page(script)
    assert any("solution" in cell.classes for cell in cells)
    assert any(re.search(r"\bassert\b|\bverify\(", cell.source) for cell in cells)
    assert any("figure" in cell.classes for cell in cells) or recordings.read_text(script)


def test_a_lab_has_the_answers_of_its_cells(lab):
    report = check_page(lab)

    assert report.failures == []
    assert [(answer.printed, answer.value) for _, answer in report.answers] == [
        ("half\n", "1.5707963267948966"),
        ("", ""),
        ("", ""),
        ("", "2"),
    ]


def test_text_may_quote_a_number_of_an_answer(lab):
    lab.write_text(LAB.replace("Text with", "Text with 1.57 and"), "utf-8")

    assert check_page(lab).failures == []


# Name, old text, new text, line and message of the failure.
BROKEN = [
    ("a figure without alt", ' alt="A line, rising."', "", 26, "a figure without alt"),
    ("a figure without caption", ' caption="Of $x$."', "", 26, "a figure without caption"),
    ("unknown metadata", "# %%\nlen", "# %% colour=3\nlen", 33, "unknown in a # %% line: colour"),
    ("metadata misspelled", "alt=", "atl=", 26, "perhaps alt"),
    ("a title in the line", "# %%\nlen", "# %% Length\nlen", 33, "unknown in a # %% line: title"),
    ("an unknown tag", '"solution"]\nx', '"solutoin"]\nx', 20, "unknown tag 'solutoin'"),
    ("text that is a verdict", '[markdown] tags=["solution"]', '[markdown] tags=["verdict"]', 23, "only code can be a verdict"),
    ("an id of another kind", "alt=", 'id="line" alt=', 26, "write fig-line"),
    ("a wrong check", "2 + 2 == 4", "2 + 2 == 5", 11, "the check 2 + 2 == 5 is False, not True"),
    ("a wrong reference", "[eq-norm][]", "[eq-nrom][]", 12, "unknown reference 'eq-nrom'"),
    ("a link to nowhere", "Text with", "[Text](nowhere.md) with", 12, "leads to no file"),
    ("a number that no cell prints", "Text with", "Text with 1.58 and", 36, "line 12: the text says 1.58"),
    ("bad LaTeX", "with $x$", r"with $\nonsense$", 12, "LaTeX in"),
    ("code in text", "# Why so.", "# ```python\n# y = 1\n# ```", 24, "doesn't run"),
    ("text that is no comment", "# Why so.", "Why so.", 24, "begins with '# '"),
    ("cells without a line between", "x = [1, 2]\n\n", "x = [1, 2]\n", 22, "leave a line empty"),
    ("code before the first cell", "# ---\n\n#", "# ---\n\nx = 1\n\n#", 1, "begin each cell with # %%"),
    ("no question", "# question: Does it hold?\n", "", 1, "question: …"),
    ("no minutes", "minutes: 5", "minutes: few", 1, "minutes: …"),
    ("a task within a paragraph", "# Why so.", "# Why so?\n# **Task 1.** Say why.", 25, "a task begins a paragraph"),
    ("an equation of its own", "# Why so.", "# /// statement | S\n#     attrs: {id: eq-s}\n#\n# $$\n# x\n# $$\n# ///", 24, "states no equations"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "message"),
    BROKEN,
    ids=[row[0] for row in BROKEN],
)
def test_a_problem_is_reported_at_its_line(lab, name, old, new, line, message):
    assert old in LAB
    lab.write_text(LAB.replace(old, new, 1), "utf-8")

    report = check_page(lab)

    failures = [(failure.line, failure.message) for failure in report.failures]
    assert any(at == line and message in text for at, text in failures), failures


# Cells of one lab, the line of the failure within the cell, and its message. Line 0 is the # %%
# line, and None the line in the function `f`.
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
    ("", "from matplotlib.figure import Figure\nfigure = Figure()\nimage = Figure()", None, ""),
    ("", "_ = figure.subplots().plot([1, 2])\n_ = image.subplots().imshow([[1, 2]])", None, ""),
    ("", "figure", 0, "a figure without alt"),
    ("", "Figure()", 0, "a figure without alt"),
    (FIGURE, "strange = Figure()\n_ = strange.subplots().plot([1])\n_ = strange.suptitle('\\u4e2d')\nstrange", 0,
     "UserWarning: Glyph"),
    (FIGURE, "figure", 0, "the same on light and on dark"),
    (FIGURE, "image", 0, "the same on light and on dark"),
    (FIGURE, "3", 0, "a figure is a matplotlib Figure, got int"),
    (FIGURE, "Figure()", 0, "figure is empty"),
    (FIGURE, "x = []", 0, "a figure is a matplotlib Figure, got NoneType"),
    (FIGURE, "new = Figure()\n_ = new.subplots().imshow([[x.append(3) or len(x)]])\nnew", 0,
     "different numbers the second time"),
    ("", "1 + 1", None, ""),
]  # fmt: skip


def test_each_failing_cell_is_reported_at_its_line(lab):
    text, expected = LAB.partition("# %%\nimport math")[0], []
    for header, code, line, message in FAILING:
        marker = text.count("\n") + 1
        text += f"# %%{header}\n{code}\n\n"
        if message:
            expected.append((marker + line if line is not None else None, message))
    lab.write_text(text, "utf-8")
    in_function = text.split("\n").index("    return y") + 1

    failures = [(failure.line, failure.message) for failure in check_page(lab).failures]

    assert len(failures) == len(expected), failures
    for (at, text), (line, message) in zip(failures, expected, strict=True):
        assert at == (in_function if line is None else line), (at, text)
        assert message in text, (at, text)


def test_only_an_edit_of_code_runs_a_lab_again(lab, tmp_path, monkeypatch):
    store, ran, run_source = open_test_cache(tmp_path / "cache"), list[int](), labs.run_source

    def count(*arguments):
        ran.append(1)
        return run_source(*arguments)

    monkeypatch.setattr(labs, "run_source", count)

    def count_runs(text: str) -> int:
        ran.clear()
        lab.write_text(text, "utf-8")
        report = store.check_page(lab)
        assert report.failures == []
        assert report.answers[0][1].printed == "half\n"
        return len(ran)

    assert count_runs(LAB) == 4
    assert count_runs(LAB) == 0
    assert (
        count_runs(LAB.replace("Text with", "Other text with").replace("rising", "going up")) == 0
    )
    assert count_runs(LAB.replace("len(x)", "len(x) + 1")) == 4


def test_the_page_has_answers_and_folded_solutions(lab):
    text, drawings = labs.add_answers(lab, read_page(lab), check_page(lab).answers)

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


VERDICT = """
# %% tags=["verdict"]
print("It is wrong.")
"""


def test_a_verdict_is_folded_and_commented_out_where_a_reader_begins(lab):
    lab.write_text(LAB + VERDICT, "utf-8")
    text, _ = labs.add_answers(lab, read_page(lab), check_page(lab).answers)

    (folded,) = re.findall(r"\n//// verdict\n(.*?)\n////\n", text, re.DOTALL)
    assert 'print("It is wrong.")' in folded
    assert "It is wrong.\n```" in folded
    asked = labs.remove_solutions(lab)
    assert f'```{{.python .cell .verdict}}\n{labs.ASK}\n# print("It is wrong.")\n```' in asked
    assert "x = [1, 2]" not in asked
    assert "Why so." not in asked
    assert "len(x)" in asked


def find_task(code: str, namespace: dict[str, object]) -> str:
    """Run a cell, and return the message with which a task stops it, if one does."""
    try:
        exec(code, namespace)
    except NotImplementedError as error:
        return str(error)
    return ""


STUB = r"(task \d|.+ still has its bug)"


@pytest.mark.parametrize("script", LABS, ids=lambda path: path.stem)
def test_each_task_stops_a_reader_until_it_is_solved(script):
    """The first task in a lab that trains for long, all tasks in another."""
    if not recordings.can_run(script):
        pytest.skip("it needs a package that is not installed")
    stops, namespace, solutions = 0, dict[str, object](), list[str]()
    for fence in find_fences(read_page(script)):
        if not fence.classes & {"figure", "verdict"}:
            if "solution" in fence.classes:
                solutions.append(fence.source)
                continue
            message = find_task(fence.source, namespace)
            if message:
                assert re.match(STUB, message)
                stops += 1
                if script.stem in LONG:
                    return
                for code in [*solutions, fence.source]:
                    exec(code, namespace)
                solutions.clear()
    assert stops == read_page(script).count("**Task") - (script.stem == "build")  # its task 6
    assert not solutions


def test_the_fence_of_an_answer_is_longer_than_fences_in_it():
    (fence,) = labs.format_answer(labs.Answer(printed="```\n# Title\n"))

    assert fence == "\n\n````{.text .printed}\n```\n# Title\n````\n"
