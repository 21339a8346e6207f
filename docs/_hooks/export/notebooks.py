"""Chapters and labs to take along: as notebooks and as scripts, with the answers in them.

nbformat says what a notebook is. The script is in the percent format, which editors and
Jupytext open as a notebook: `# %%` begins a cell, and what follows `#> ` is an answer.
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

# Where Jupyter's own drawings are asked for: figures that come from no `pyplot`.
INLINE = "%matplotlib inline"
# Where Jupyter folds the code of a cell.
SOLUTION = {"tags": ["solution"], "jupyter": {"source_hidden": True}}


@dataclass(frozen=True)
class Origin:
    """Where a chapter or a lab is from."""

    name: str  # of the file, without its ending
    chapter: str  # its number; a lab has none
    site: str = ""  # the address of the site, ending with a slash, or nothing
    drawings: dict[str, str] = field(default_factory=dict, hash=False)  # SVG by id


def render_notebook(cells: list[Cell], origin: Origin) -> str:
    """Return a notebook, as text, with the answers and drawings of the page as outputs."""
    import nbformat  # here, as it is slow to load and seldom needed
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

    made: list[nbformat.NotebookNode] = []
    count = 0
    for cell in [*_make_first_cells(cells, origin, "notebook"), *cells[1:]]:
        name = f"{origin.name}-{len(made):03}"
        if cell.kind == "markdown":
            made.append(new_markdown_cell(cell.source, id=name))
            continue
        count += 1
        outputs = [new_output(**output) for output in _list_outputs(cell, count, origin)]
        folded = SOLUTION if cell.solves else {}
        made.append(
            new_code_cell(
                cell.source, id=name, execution_count=count, outputs=outputs, metadata=folded
            )
        )
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = new_notebook(
        cells=made, metadata={"kernelspec": kernel, "language_info": {"name": "python"}}
    )
    written: str = nbformat.writes(whole)
    return written + "\n"


def _list_outputs(cell: Cell, count: int, origin: Origin) -> Iterator[dict[str, Any]]:
    """Yield what nbformat makes the outputs of a cell of."""
    if cell.printed:
        yield {"output_type": "stream", "name": "stdout", "text": cell.printed}
    if drawing := origin.drawings.get(cell.figure):
        data, light = {"image/svg+xml": drawing}, {"needs_background": "light"}
        shown = {"data": data, "metadata": {"image/svg+xml": light}}
    elif cell.value:
        shown = {"data": {"text/plain": cell.value.rstrip("\n")}}
    else:
        return
    yield {"output_type": "execute_result", "execution_count": count, **shown}


def render_script(cells: list[Cell], origin: Origin) -> str:
    """Return a script in the percent format, with the answers of the page as comments."""
    made = []
    for cell in [*_make_first_cells(cells, origin, "script"), *cells[1:]]:
        if cell.kind == "markdown":
            lines = [f"# {line}".rstrip() for line in cell.source.split("\n")]
            made.append("\n".join(["# %% [markdown]", *lines]))
        elif cell.source != INLINE:
            answer = (cell.printed + cell.value).rstrip("\n")
            lines = [f"#> {line}".rstrip() for line in answer.split("\n")] if answer else []
            made.append("\n".join(["# %%", cell.source, *lines]))
    return "\n\n".join(made) + "\n"


def _make_first_cells(cells: list[Cell], origin: Origin, form: str) -> Iterable[Cell]:
    """Yield what stands first: the title, what this is and what it needs."""
    title, _, rest = cells[0].source.partition("\n")
    work = citation.read_citation()
    page = f"{origin.site}{'chapters' if origin.chapter else 'labs'}/{origin.name}/"
    book = f"[{work.title}]({page})" if origin.site else f"*{work.title}*"
    answers = "below the cells" if form == "notebook" else "behind `#>`"
    about = (
        f"{f'Chapter {origin.chapter}' if origin.chapter else 'A lab'} of {book}, "
        f"version {work.version}, as a {form}.\n"
        f"The answers {answers} are those of the page, "
        f"{'where they were checked when it was made' if origin.chapter else 'when it was made'}.\n"
        f"Run it with Python {_read_python_version()} or later, in an environment of its own:\n\n"
        f"```console\n{make_install_command(cells, origin.site)}\n```"
    )
    if not origin.site:
        about += f"\n\nThe wheel lies in the folder `assets` of the site that this {form} is from."
    yield Cell("markdown", f"{title}\n\n{about}")
    if any(cell.figure for cell in cells):
        yield Cell("code", INLINE)
    if rest.strip():
        yield Cell("markdown", rest.strip("\n"))


def make_install_command(cells: Iterable[Cell], site: str) -> str:
    """Return the command that installs what the cells import."""
    code = "\n".join(cell.source for cell in cells if cell.kind == "code")
    imported = {
        name.split(".")[0] for name in re.findall(r"^[ \t]*(?:import|from) ([\w.]+)", code, re.M)
    }
    wants = {
        "plots": "import posenc.plots" in code or "matplotlib" in imported,
        "experiments": "jax" in imported or "from posenc.experiments import" in code,
    }
    extras = ",".join(name for name in wants if wants[name])
    extra = f"[{extras}]" if extras else ""
    others = [other for other in _read_example_packages() if re.split(r"\W", other)[0] in imported]
    address = f"{site}assets/{wheel.get_name()}"
    package = f"posenc{extra} @ {address}" if site else f"./{wheel.get_name()}{extra}"
    wanted = [
        package,
        *(other for other in others if not other.startswith(("matplotlib", "posenc"))),
    ]
    return f"pip install {' '.join(_quote_word(word) for word in wanted)}"


def _quote_word(word: str) -> str:
    return f'"{word}"' if re.search(r"[^\w./-]", word) else word


def _read_python_version() -> str:
    """Return the first Python that the package runs on."""
    return str(_read_project()["project"]["requires-python"]).removeprefix(">=")


def _read_example_packages() -> list[str]:
    """Return what the examples of the pages need beside NumPy."""
    needed: list[str] = _read_project()["dependency-groups"]["examples"]
    return needed


def _read_project() -> dict[str, dict[str, Any]]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
