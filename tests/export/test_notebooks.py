"""Chapters to take along: they run where nothing of the project is but its wheel.

What runs is traced, too, so that no page has to run once more for that.
"""

import doctest
import json
import os
import re
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest import mock

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

from check import lab_source, labs
from check.cards import number_equations
from check.digits import NumberChecker
from check.fences import find_fences
from check.page_source import read_page
from check.paths import ROOT
from export import wheel
from export.cells import Cell, make_cells, split_session
from export.markdown import split_page
from export.notebooks import INLINE, Origin, make_install_command, render_notebook, render_script
from export.publish import link_to_site
from render import citation
from render.page_markdown import Book
from tests import checking
from tests.export import warm
from tests.nav import CHAPTERS

SITE = "https://book.example/sub/"
CELL = re.compile(r"^# %%(?P<kind>[^\n]*)\n(?P<source>(?:(?!# %%)[^\n]*\n)*)", re.MULTILINE)
ANSWER = re.compile(r"^#>(?: |$)(?P<line>.*)\n", re.MULTILINE)
LABS = [path.stem for path in lab_source.list_labs()]
PATHS = {name: ROOT / f"docs/chapters/{name}.md" for name in CHAPTERS}


@pytest.fixture(scope="module")
def chapters():
    """Return the cells of each chapter."""
    book = Book(number_equations(PATHS.values()))
    return {
        name: make_cells(
            split_page(path, read_page(path), book, link_to_site(f"chapters/{name}.md", SITE))
        )
        for name, path in PATHS.items()
    }


@pytest.fixture(scope="module")
def in_labs():
    """Return the cells of each lab, with its answers."""
    book, kept = Book(number_equations(PATHS.values())), checking.cache()
    found = {}
    for name in LABS:
        path = lab_source.FOLDER / f"{name}.py"
        text, _ = labs.add_answers(path, read_page(path), kept.check_page(path).answers)
        found[name] = make_cells(
            split_page(path, text, book, link_to_site(f"labs/{name}.md", SITE))
        )
    return found


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Return a folder with nothing in it but the package, from its wheel."""
    folder = tmp_path_factory.mktemp("elsewhere")
    with zipfile.ZipFile(wheel.build_wheel()) as packed:
        packed.extractall(folder / "package")
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env = {**kept, "PYTHONPATH": str(folder / "package"), "MPLBACKEND": "Agg"}
    return subprocess.run(
        [sys.executable, "-P", *words], cwd=folder, env=env, capture_output=True, text=True
    )


def answers(text: str) -> list[str]:
    """Return what the code cells of a script hold as answers."""
    found = (cell["source"] for cell in CELL.finditer(text) if not cell["kind"])
    return ["".join(f"{line}\n" for line in ANSWER.findall(source)) for source in found]


def written(path: Path) -> list[str]:
    """Return the answers of a page, in order, as its sessions have them."""
    examples = (
        example
        for fence in find_fences(read_page(path))
        if fence.language == "pycon" and "not-run" not in fence.classes
        for example in doctest.DocTestParser().get_examples(fence.source)
    )
    wanted = (example.exc_msg or example.want for example in examples)
    return [want.replace("<BLANKLINE>", "") for want in wanted if want]


@contextmanager
def apart(folder: Path) -> Iterator[None]:
    """Keep Jupyter from reading what is set up for it on this machine."""
    names = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    with mock.patch.dict(os.environ, dict.fromkeys(names, str(folder / "home"))):
        yield


@pytest.fixture(scope="module")
def kernels(elsewhere) -> Iterator[Path]:
    """Return where Jupyter finds two kernels: one has what `%matplotlib inline` imports.

    Nothing else that a notebook imports is there before it does: a missing import is an error.
    """
    folder = elsewhere / "jupyter"
    own = {"PYTHONPATH": str(elsewhere / "package"), "PYTHONSAFEPATH": "1"}
    with ExitStack() as stack:
        for kind, names in {"plain": (), "drawing": ("matplotlib_inline.backend_inline",)}.items():
            words = [sys.executable, warm.__file__]
            if warm.FORKS:
                listening = stack.enter_context(socket.socket(socket.AF_UNIX))
                listening.bind(str(elsewhere / f"{kind}.socket"))
                listening.listen()
                with apart(elsewhere):
                    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
                forks = subprocess.Popen(
                    [*words, str(listening.fileno()), "numpy", *names],
                    cwd=elsewhere,
                    env=kept | own,
                    pass_fds=[listening.fileno()],
                )
                stack.callback(forks.wait)
                stack.callback(forks.terminate)
                words = [sys.executable, "-I", "-S", "-c", warm.ASK, listening.getsockname()]
            words = [*words, "-f", "{connection_file}"]
            spec = {"argv": words, "display_name": kind, "language": "python", "env": own}
            file = folder / "kernels" / kind / "kernel.json"
            file.parent.mkdir(parents=True)
            file.write_text(json.dumps(spec), "utf-8")
        yield folder


@dataclass(frozen=True)
class Executed:
    """A notebook as it was handed out, and as it was run."""

    held: list[nbformat.NotebookNode]
    cells: list[nbformat.NotebookNode]
    home: Path


@pytest.fixture(scope="module")
def executed(chapters, in_labs, elsewhere, kernels) -> Callable[[str], Executed]:
    """Return a function that runs all cells of a notebook, from top to bottom, once.

    As with a reader who has installed the wheel.
    """

    @cache
    def run(name: str) -> Executed:
        found = chapters[name] if name in chapters else in_labs[name]
        text = render_notebook(found, Origin(name, "1" if name in chapters else "", SITE))
        held, book = nbformat.reads(text, as_version=4), nbformat.reads(text, as_version=4)
        book.cells.append(new_code_cell("import posenc\nprint(posenc.__file__)"))
        there, quiet = {"metadata": {"path": str(elsewhere)}}, ["--log-level=ERROR"]
        kind = "drawing" if INLINE in text else "plain"
        with apart(elsewhere), mock.patch.dict(os.environ, JUPYTER_PATH=str(kernels)):
            NotebookClient(book, kernel_name=kind, resources=there, extra_arguments=quiet).execute()
        home = book.cells.pop().outputs[0].text.strip()
        return Executed(held.cells, book.cells, Path(home))

    return run


@pytest.mark.nightly  # chapters and labs run once more
@pytest.mark.parametrize("name", [*CHAPTERS, *LABS])
def test_every_notebook_runs_in_a_kernel_elsewhere_and_answers_as_its_page(
    name, executed, elsewhere
):
    found = executed(name)

    assert found.home.is_relative_to(elsewhere), "not the package of the wheel"
    for want, got in zip(found.held, found.cells, strict=True):
        agrees = NumberChecker().check_output(shown(want), shown(got), 0)
        assert agrees, f"{name} says {shown(want)!r}, and answers {shown(got)!r}"
        loud = [one.text for one in got.get("outputs", ()) if one.get("name") == "stderr"]
        assert not any("Warning" in said for said in loud), loud


def shown(cell: nbformat.NotebookNode) -> str:
    """Return what a cell of a notebook prints, and its value, which Jupyter breaks into lines."""
    outputs = cell.get("outputs", ())
    said = "".join(one.text for one in outputs if one.get("name") == "stdout")
    values = (one.data.get("text/plain", "") for one in outputs if "data" in one)
    values = (value for value in values if not value.startswith("<Figure"))
    return " ".join(f"{said} {''.join(values)}".split())


def test_a_script_holds_every_answer_of_its_page(chapters):
    for name, path in PATHS.items():
        held = [
            answer for answer in answers(render_script(chapters[name], Origin(name, "1"))) if answer
        ]
        assert [answer.rstrip() for answer in held] == [want.rstrip() for want in written(path)]


def test_a_script_runs_as_a_whole(chapters, elsewhere):
    (elsewhere / "whole.py").write_text(
        render_script(chapters["skipping"], Origin("skipping", "10"))
    )

    done = run(elsewhere, "whole.py")

    assert done.returncode == 0, done.stderr


def test_every_notebook_is_valid_and_holds_what_the_script_holds(chapters, in_labs):
    numbered = [(name, found, "1") for name, found in chapters.items()]
    for name, found, chapter in [*numbered, *((*lab, "") for lab in in_labs.items())]:
        figures = [cell.figure for cell in found if cell.figure]
        origin = Origin(name, chapter, SITE, {figure: f"<svg>{figure}</svg>" for figure in figures})
        text = render_notebook(found, origin)
        assert name != "order" or text == render_notebook(found, origin)  # it takes long
        book = nbformat.reads(text, as_version=4)
        nbformat.validate(book)
        assert len({cell.id for cell in book.cells}) == len(book.cells)
        outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
        held = [output.get("text") or output.data.get("text/plain") for output in outputs]
        told = [answer for answer in answers(render_script(found, origin)) if answer]
        assert _lines(held) == _lines(told)
        drawn = [output.get("data", {}).get("image/svg+xml") for output in outputs]
        assert [svg for svg in drawn if svg] == list(origin.drawings.values())


def _lines(answers: Iterable[str | None]) -> list[str]:
    return "\n".join(answer.rstrip("\n") for answer in answers if answer).split("\n")


def test_what_stands_first_says_what_it_is_and_what_to_install(chapters):
    book = nbformat.reads(
        render_notebook(chapters["costs"], Origin("costs", "9", SITE)), as_version=4
    )
    said = book.cells[0].source

    assert said.startswith("# What it costs\n")
    assert f"Chapter 9 of [{citation.read_citation().title}]({SITE}chapters/costs/)" in said
    assert f"version {citation.read_citation().version}" in said
    assert f'pip install "posenc[plots] @ {SITE}assets/{wheel.get_name()}"' in said


def test_without_an_address_the_wheel_is_a_file(chapters):
    said = make_install_command(chapters["adding"], "")

    assert said.startswith(f'pip install "./{wheel.get_name()}[plots]"')


def test_a_lab_says_that_it_is_one_and_folds_its_solutions(in_labs):
    found = in_labs["build"]
    book = nbformat.reads(render_notebook(found, Origin("build", "", SITE)), as_version=4)

    assert f"A lab of [{citation.read_citation().title}]({SITE}labs/build/)" in book.cells[0].source
    folded = [cell.source for cell in book.cells if cell.metadata.get("tags") == ["solution"]]
    assert folded == [cell.source for cell in found if cell.solves]
    assert len(folded) > 5
    assert all("NotImplementedError" not in source for source in folded)
    assert "mpmath" in make_install_command(found, SITE)


def test_what_a_chapter_imports_is_installed():
    found = [*split_session(">>> import mpmath\n>>> import autograd.numpy as np\n")]

    assert "mpmath" in make_install_command(found, "")
    assert "autograd" in make_install_command(found, "")
    assert "[plots]" not in make_install_command(found, "")
    assert "posenc[" not in make_install_command(found, "")


def test_what_trains_asks_for_what_training_needs():
    reads = Cell("code", "import posenc.plots\nfrom posenc import experiments")
    trains = Cell("code", "from posenc.experiments import tasks")

    assert make_install_command([reads], "") == f'pip install "./{wheel.get_name()}[plots]"'
    assert make_install_command([trains], "") == f'pip install "./{wheel.get_name()}[experiments]"'
    assert (
        make_install_command([reads, trains], "")
        == f'pip install "./{wheel.get_name()}[plots,experiments]"'
    )
