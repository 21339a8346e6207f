"""Chapters and labs as notebooks and as scripts, with their answers.

A lab has two notebooks: one with its answers and solutions, and one without, like its script.
Scripts are in the percent format, which editors and Jupytext open as notebooks: `# %%` begins a
cell, and `#> ` begins a line of an answer.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from check.paths import ROOT
from export import wheel
from export.cells import Cell
from render import citation

INLINE = "%matplotlib inline"  # shows figures that were not created by `pyplot`


@dataclass(frozen=True)
class Origin:
    """The chapter or lab that a notebook comes from."""

    name: str  # of the file, without suffix
    chapter: str  # its number; empty for a lab
    site: str = ""  # the address of the site, which ends with a slash, or nothing
    has_answers: bool = True
    drawings: dict[str, str] = field(default_factory=dict, hash=False)  # SVG by id


def render_notebook(cells: list[Cell], origin: Origin) -> str:
    """Return a notebook as JSON, with the answers and drawings of the page as outputs."""
    import nbformat  # slow, and only needed if a page has changed
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

    nodes: list[nbformat.NotebookNode] = []
    count = 0
    for cell in [*_make_first_cells(cells, origin, "notebook"), *cells[1:]]:
        name = f"{origin.name}-{len(nodes):03}"
        if cell.kind == "markdown":
            nodes.append(new_markdown_cell(cell.source, id=name))
            continue
        node = new_code_cell(cell.source, id=name)
        if origin.has_answers and not cell.source.startswith("%"):
            count += 1
            node.execution_count = count
            node.outputs = [new_output(**output) for output in _list_outputs(cell, count, origin)]
        nodes.append(node)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    text: str = nbformat.writes(new_notebook(cells=nodes, metadata=metadata))
    return text + "\n"


def _list_outputs(cell: Cell, count: int, origin: Origin) -> Iterator[dict[str, Any]]:
    """Yield the outputs of a cell as arguments of nbformat's `new_output`."""
    if cell.printed:
        yield {"output_type": "stream", "name": "stdout", "text": cell.printed}
    if drawing := origin.drawings.get(cell.figure):
        data, light = {"image/svg+xml": drawing}, {"needs_background": "light"}
        result = {"data": data, "metadata": {"image/svg+xml": light}}
    elif cell.value:
        result = {"data": {"text/plain": cell.value.rstrip("\n")}}
    else:
        return
    yield {"output_type": "execute_result", "execution_count": count, **result}


def render_script(cells: list[Cell], origin: Origin) -> str:
    """Return a script in the percent format, with the answers of the page as comments."""
    blocks = []
    for cell in [*_make_first_cells(cells, origin, "script"), *cells[1:]]:
        if cell.kind == "markdown":
            lines = [f"# {line}".rstrip() for line in cell.source.split("\n")]
            blocks.append("\n".join(["# %% [markdown]", *lines]))
        elif cell.source != INLINE:
            answer = (cell.printed + cell.value).rstrip("\n") if origin.has_answers else ""
            lines = [f"#> {line}".rstrip() for line in answer.split("\n")] if answer else []
            blocks.append("\n".join(["# %%", cell.source, *lines]))
    return "\n\n".join(blocks) + "\n"


def _make_first_cells(cells: list[Cell], origin: Origin, form: str) -> Iterable[Cell]:
    """Yield the cells at the beginning: title, origin and requirements, and the first text."""
    title, _, rest = cells[0].source.partition("\n")
    command = make_install_command(cells, origin.site)
    about = [title, _describe_origin(origin, form)]
    if form == "script":
        about.append("In a virtual environment, install what it needs:")
        about.append(f"```console\n{command}\n```")
    else:
        about.append(
            "The next cell installs what it needs. "
            "In Colab, choose *File*, then *Upload notebook*, to open the file that you downloaded."
        )
    if not origin.site:
        about.append(
            f"First download `{wheel.get_name()}` from the folder `assets` of the site that offers "
            f"this {form}, and put it next to this file; in Colab, upload it to the *Files* panel."
        )
    yield Cell("markdown", "\n\n".join(about))
    if form == "notebook":
        yield Cell("code", f"%{command}")
    if any(cell.figure for cell in cells):
        yield Cell("code", INLINE)
    if rest.strip():
        yield Cell("markdown", rest.strip("\n"))


def _describe_origin(origin: Origin, form: str) -> str:
    """Return sentences that name the page of a notebook, and what the notebook has of it."""
    work = citation.read_citation()
    page = f"{origin.site}{'chapters' if origin.chapter else 'labs'}/{origin.name}/"
    book = f"[{work.title}]({page})" if origin.site else f"*{work.title}*"
    text = (
        f"{f'Chapter {origin.chapter}' if origin.chapter else 'A lab'} of {book}, "
        f"version {work.version}, as a {form} for Python {_read_python_version()} or later.\n"
    )
    if not origin.has_answers:
        solved = f"{origin.name}-solved.ipynb"
        solved = f"[{solved}]({origin.site}labs/{solved})" if origin.site else f"`{solved}`"
        return f"{text}It has the tasks without their solutions, which are in {solved}."
    answers = "below the cells" if form == "notebook" else "behind `#>`"
    checked = "where they were checked" if origin.chapter else "when it was built"
    return f"{text}The answers {answers} are those of the page, {checked}."


def make_install_command(cells: Iterable[Cell], site: str) -> str:
    """Return the command that installs what the cells import."""
    code = "\n".join(cell.source for cell in cells if cell.kind == "code")
    imports = {
        name.split(".")[0] for name in re.findall(r"^[ \t]*(?:import|from) ([\w.]+)", code, re.M)
    }
    extras = []
    if "import posenc.plots" in code or "matplotlib" in imports:
        extras.append("plots")
    if "jax" in imports or "from posenc.experiments import" in code:
        extras.append("experiments")
    if "torch" in imports:
        extras.append("torch")
    extra = f"[{','.join(extras)}]" if extras else ""
    if site:
        package = f"posenc{extra} @ {site}assets/{wheel.get_name()}"
    else:
        package = f"./{wheel.get_name()}{extra}"
    others = [
        requirement
        for requirement in _read_pyproject()["dependency-groups"]["examples"]
        if re.split(r"\W", requirement)[0] in imports - {"matplotlib", "posenc"}
    ]
    return f"pip install {' '.join(_quote_word(word) for word in (package, *others))}"


def _quote_word(word: str) -> str:
    return f'"{word}"' if re.search(r"[^\w./-]", word) else word


def _read_python_version() -> str:
    """Return the oldest Python that the package supports."""
    return str(_read_pyproject()["project"]["requires-python"]).removeprefix(">=")


def _read_pyproject() -> dict[str, dict[str, Any]]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
