"""Notebooks and scripts: they run without the project, given only its wheel."""

import doctest
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from unittest import mock

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

from check import lab_source, labs, recordings
from check.cards import number_equations
from check.digits import NumberChecker
from check.fences import find_fences
from check.page_source import read_page
from check.paths import ROOT
from export import wheel
from export.cells import Cell, make_cells, split_session
from export.markdown import split_page
from export.notebooks import Origin, make_install_command, render_notebook, render_script
from export.publish import link_to_site
from render import citation
from render.page_markdown import Book
from tests import checking
from tests.nav import CHAPTERS

SITE = "https://book.example/sub/"
CELL = re.compile(r"^# %%(?P<kind>[^\n]*)\n(?P<source>(?:(?!# %%)[^\n]*\n)*)", re.MULTILINE)
ANSWER = re.compile(r"^#>(?: |$)(?P<line>.*)\n", re.MULTILINE)
LABS = [path.stem for path in lab_source.list_labs()]
PATHS = {name: ROOT / f"docs/chapters/{name}.md" for name in CHAPTERS}


@pytest.fixture(scope="module")
def chapters():
    """Return the cells of each chapter, by name."""
    book = Book(number_equations(PATHS.values()))
    return {
        name: make_cells(
            split_page(path, read_page(path), book, link_to_site(f"chapters/{name}.md", SITE))
        )
        for name, path in PATHS.items()
    }


@pytest.fixture(scope="module")
def lab_cells():
    """Return the cells of each lab, with its answers, by name."""
    book, reports = Book(number_equations(PATHS.values())), checking.open_test_cache()
    cells = {}
    for name in LABS:
        path = lab_source.FOLDER / f"{name}.py"
        text, _ = labs.add_answers(path, read_page(path), reports.check_page(path).answers)
        resolve_link = link_to_site(f"labs/{name}.md", SITE)
        cells[name] = make_cells(split_page(path, text, book, resolve_link))
    return cells


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with nothing in it except the package, unpacked from its wheel."""
    folder = tmp_path_factory.mktemp("reader")
    with zipfile.ZipFile(wheel.build_wheel()) as packed:
        packed.extractall(folder / "package")
    return folder


def list_script_answers(text: str) -> list[str]:
    """Return the answer of each code cell of a script."""
    sources = (cell["source"] for cell in CELL.finditer(text) if not cell["kind"])
    return ["".join(f"{line}\n" for line in ANSWER.findall(source)) for source in sources]


def list_page_answers(path: Path) -> list[str]:
    """Return the answers in the sessions of a page, in order."""
    examples = (
        example
        for fence in find_fences(read_page(path))
        if fence.language == "pycon" and "not-run" not in fence.classes
        for example in doctest.DocTestParser().get_examples(fence.source)
    )
    answers = (example.exc_msg or example.want for example in examples)
    return [answer.replace("<BLANKLINE>", "") for answer in answers if answer]


@pytest.fixture(scope="module")
def _isolated_jupyter(folder) -> Iterator[None]:
    """Have Jupyter read no configuration of this machine, and find a kernel with the wheel."""
    kernel = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "reader",
        "language": "python",
        "env": {"PYTHONPATH": str(folder / "package"), "PYTHONSAFEPATH": "1"},
    }
    file = folder / "jupyter/kernels/reader/kernel.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(kernel), "utf-8")
    names = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    env = dict.fromkeys(names, str(folder / "home")) | {"JUPYTER_PATH": str(folder / "jupyter")}
    with mock.patch.dict(os.environ, env):
        yield


@pytest.mark.nightly  # runs all chapters and labs again
@pytest.mark.usefixtures("_isolated_jupyter")
@pytest.mark.parametrize("name", [*CHAPTERS, *LABS])
def test_every_notebook_runs_with_the_wheel_and_answers_as_its_page(
    name, chapters, lab_cells, folder
):
    if name in LABS and not recordings.can_run(lab_source.FOLDER / f"{name}.py"):
        pytest.skip("it needs a package that is not installed")
    cells = chapters[name] if name in chapters else lab_cells[name]
    text = render_notebook(cells, Origin(name, "1" if name in chapters else "", SITE))
    offered, executed = (nbformat.reads(text, as_version=4) for _ in range(2))
    for book in (offered, executed):
        assert book.cells.pop(1).source.startswith("%pip install")
    executed.cells.append(new_code_cell("import posenc\nprint(posenc.__file__)"))

    NotebookClient(
        executed,
        kernel_name="reader",
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=ERROR"],
    ).execute()

    package = Path(executed.cells.pop().outputs[0].text.strip())
    assert package.is_relative_to(folder), "not the package of the wheel"
    for expected, cell in zip(offered.cells, executed.cells, strict=True):
        expected_text, text = get_output_text(expected), get_output_text(cell)
        agrees = NumberChecker().check_output(expected_text, text, 0)
        assert agrees, f"{name} has the answer {expected_text!r}, but running it gives {text!r}"
        errors = [output.text for output in cell.get("outputs", ()) if is_stderr(output)]
        assert not any("Warning" in error for error in errors), errors


def is_stderr(output: nbformat.NotebookNode) -> bool:
    return bool(output.get("name") == "stderr")


def get_output_text(cell: nbformat.NotebookNode) -> str:
    """Return what a cell prints and its value, with single spaces, as Jupyter wraps values."""
    outputs = cell.get("outputs", ())
    printed = "".join(output.text for output in outputs if output.get("name") == "stdout")
    values = (output.data.get("text/plain", "") for output in outputs if "data" in output)
    values = (value for value in values if not value.startswith("<Figure"))
    return " ".join(f"{printed} {''.join(values)}".split())


def test_a_script_has_every_answer_of_its_page(chapters):
    for name, path in PATHS.items():
        script = render_script(chapters[name], Origin(name, "1"))
        answers = [answer.rstrip() for answer in list_script_answers(script) if answer]
        assert answers == [answer.rstrip() for answer in list_page_answers(path)]


def test_a_script_runs_with_the_wheel(chapters, folder):
    script = render_script(chapters["skipping"], Origin("skipping", "10"))
    (folder / "skipping.py").write_text(script, "utf-8")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env |= {"PYTHONPATH": str(folder / "package"), "MPLBACKEND": "Agg"}

    words = [sys.executable, "-P", "skipping.py"]
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr


def test_every_notebook_is_valid_and_has_the_answers_of_its_script(chapters, lab_cells):
    numbered = [(name, cells, "1") for name, cells in chapters.items()]
    for name, cells, chapter in [*numbered, *((*lab, "") for lab in lab_cells.items())]:
        figures = [cell.figure for cell in cells if cell.figure]
        origin = Origin(name, chapter, SITE, {figure: f"<svg>{figure}</svg>" for figure in figures})
        text = render_notebook(cells, origin)
        assert name != "order" or text == render_notebook(cells, origin), "not reproducible"
        book = nbformat.reads(text, as_version=4)
        nbformat.validate(book)
        assert len({cell.id for cell in book.cells}) == len(book.cells)
        outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
        answers = [output.get("text") or output.data.get("text/plain") for output in outputs]
        assert _lines(answers) == _lines(list_script_answers(render_script(cells, origin)))
        drawings = [output.get("data", {}).get("image/svg+xml") for output in outputs]
        assert [svg for svg in drawings if svg] == list(origin.drawings.values())


def _lines(answers: Iterable[str | None]) -> list[str]:
    return "\n".join(answer.rstrip("\n") for answer in answers if answer).split("\n")


def test_the_first_cell_names_the_book_and_how_to_install(chapters):
    notebook = render_notebook(chapters["costs"], Origin("costs", "9", SITE))
    first, install = (cell.source for cell in nbformat.reads(notebook, as_version=4).cells[:2])
    script = render_script(chapters["costs"], Origin("costs", "9", SITE))

    work = citation.read_citation()
    assert first.startswith("# What it costs\n")
    assert f"Chapter 9 of [{work.title}]({SITE}chapters/costs/)" in first
    assert f"version {work.version}" in first
    command = f'pip install "posenc[plots] @ {SITE}assets/{wheel.get_name()}"'
    assert install.startswith(f"%{command} ")
    assert f"# {command} " in script.partition("# %%\n")[0]


def test_without_an_address_the_wheel_is_a_file(chapters):
    notebook = render_notebook(chapters["adding"], Origin("adding", "5"))
    first, install = (cell.source for cell in nbformat.reads(notebook, as_version=4).cells[:2])

    assert install.startswith(f'%pip install "./{wheel.get_name()}[plots]"')
    assert f"First download `{wheel.get_name()}` from the folder `assets`" in first


@pytest.mark.parametrize("name", LABS)
def test_the_notebook_with_tasks_has_no_solutions_and_no_answers(name, lab_cells):
    path, resolve_link = lab_source.FOLDER / f"{name}.py", link_to_site(f"labs/{name}.md", SITE)
    book = Book(number_equations(PATHS.values()))
    cells = make_cells(split_page(path, labs.remove_solutions(path), book, resolve_link))
    origin = Origin(name, "", SITE, has_answers=False)
    offered = nbformat.reads(render_notebook(cells, origin), as_version=4)
    nbformat.validate(offered)
    sources = "\n".join(cell.source for cell in offered.cells)

    title = citation.read_citation().title
    assert f"A lab of [{title}]({SITE}labs/{name}/)" in sources
    assert f"[{name}-solved.ipynb]({SITE}labs/{name}-solved.ipynb)" in sources
    assert not any(cell.get("outputs") for cell in offered.cells)
    for tag in lab_source.FOLDED:
        folded = [f.source.strip() for f in find_fences(read_page(path)) if tag in f.classes]
        assert not {*folded} & {cell.source for cell in offered.cells}
        assert {*folded} <= {cell.source for cell in lab_cells[name]}
    assert "#>" not in render_script(cells, origin)


def test_notebooks_install_what_a_lab_imports(lab_cells):
    assert "mpmath" in make_install_command(lab_cells["build"], SITE)
    code = Cell("code", "import torch\nimport posenc.plots")
    assert make_install_command([code], "").endswith('whl[plots,torch]"')


def test_the_command_installs_what_a_chapter_imports():
    cells = [*split_session(">>> import mpmath\n>>> import autograd.numpy as np\n")]
    command = make_install_command(cells, "")

    assert "mpmath" in command
    assert "autograd" in command
    assert f" ./{wheel.get_name()} " in command  # without extras


def test_only_cells_that_train_need_the_extra_for_experiments():
    reading = Cell("code", "import posenc.plots\nfrom posenc import experiments")
    training = Cell("code", "from posenc.experiments import tasks")
    file = f"./{wheel.get_name()}"

    assert make_install_command([reading], "") == f'pip install "{file}[plots]"'
    assert make_install_command([training], "") == f'pip install "{file}[experiments]"'
    both = make_install_command([reading, training], "")
    assert both == f'pip install "{file}[plots,experiments]"'
