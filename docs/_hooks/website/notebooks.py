"""Cells of labs, run and rendered by mkdocs-jupyter.

The plugin gets a copy of a lab with its code cells and without text, so that an edited sentence
doesn't run the lab again. Text, formulas, references and figures are rendered as on other pages;
then each cell of the page and its answer are replaced by those of the plugin.
"""

import re
from itertools import groupby
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from check.cache import Cache, replace_file
from check.fences import Fence, find_fences
from check.page_source import read_page

# A cell of a lab with its answers, as Markdown renders the fences.
CELL = re.compile(
    r'<div class="language-python cell\b[^"]*">.*?</pre></div>'
    r'(?:\s*<div class="language-text (?:printed|value) highlight">.*?</pre></div>)*',
    re.DOTALL,
)


def write_copy(lab: Path, cache: Cache) -> Path:
    """Write the code cells of a lab into a script for mkdocs-jupyter.

    The plugin runs a script again when its text has changed. So the copy contains a digest of what
    the lab depends on: the package and the versions of what is installed.
    """
    key = cache.code_file(lab).name
    copy = (cache.folder / "notebooks" / "labs" / key).with_suffix(".py")
    cells = "".join(f"\n# %%\n{fence.source}" for fence in find_code_cells(lab))
    if not copy.exists():
        with replace_file(copy) as draft:
            draft.write_text(f"# %% [markdown]\n# {key}\n{cells}", "utf-8")
    cache.used.add(copy)
    return copy


def find_code_cells(lab: Path) -> list[Fence]:
    """Return the code cells of a lab."""
    return [fence for fence in find_fences(read_page(lab)) if "cell" in fence.classes]


def insert_cells(page: str, notebook: str, lab: Path, cache: Cache) -> str:
    """Return the page of a lab with the cells of an executed notebook, except for figures."""
    rendered = cache.compute_once("cells", notebook, lambda: render_cells(notebook))
    pairs = zip(find_code_cells(lab), rendered, strict=True)
    cells = iter([cell for fence, cell in pairs if "figure" not in fence.classes])
    return CELL.sub(lambda _: next(cells), page)


def render_cells(notebook: str) -> list[str]:
    """Return the code cells of a notebook with their answers, in HTML like that of other pages."""
    return [*map(render_cell, BeautifulSoup(notebook, "html.parser").select(".jp-CodeCell[id]"))]


def render_cell(cell: Tag) -> str:
    """Return the code of a cell, and below it what the cell printed and the value it ended with."""
    (code,) = cell.select(".highlight-ipynb > pre")
    answers = cell.select('.jp-OutputArea-output:not([data-mime-type$="stderr"])')
    blocks = [render_code_block("python cell", code.decode_contents())]
    for kind, group in groupby(answers, key=find_kind):  # a kernel prints in several pieces
        text = "".join((answer.pre or answer).decode_contents() for answer in group)
        blocks.append(render_code_block(f"text {kind}", text))
    return "\n".join(blocks)


def find_kind(answer: Tag) -> str:
    """Return the CSS class of an answer."""
    return "value" if answer.find_parent(class_="jp-OutputArea-executeResult") else "printed"


def render_code_block(kind: str, code: str) -> str:
    """Return code as Markdown renders a fence, for the style sheet and the copy button."""
    return (
        f'<div class="language-{kind} highlight">'
        f"<pre><span></span><code>{code.removeprefix('<span></span>')}</code></pre></div>"
    )
