"""Labs as text: a percent script becomes, line for line, Markdown as chapters are written in.

Line 40 of the Markdown is line 40 of the script, so whatever is found wrong on a page is
told with the line of the script. Jupytext says what the cells are; here they are put into
fences: a cell of code begins with its `# %%` line and ends with the empty line behind it.
"""

import re
import shlex
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from check.paths import DOCS
from check.problems import suggest

FOLDER = DOCS / "labs"
SUFFIX = ".py"

MARKER = re.compile(r"# ?%%(?!%)")
OPTIONS = ("alt", "caption", "id", "tags")
FIGURE_OPTIONS = ("alt", "caption", "id")
JUPYTEXT_OPTION = "lines_to_next_cell"  # what Jupytext notes for itself
SOLUTION = "solution"

Problem = tuple[int, str]  # on which line, counted from 0, and what


@dataclass(frozen=True)
class Cell:
    """Lines of a lab, counted from 0: from its marker to behind its last."""

    first: int
    end: int
    solution: bool


@dataclass(frozen=True)
class Script:
    """A lab as Markdown, where its cells are, and what is wrong with it."""

    text: str
    cells: tuple[Cell, ...]
    wrong: tuple[Problem, ...]


def is_lab(path: str | Path) -> bool:
    """Return whether a file is a lab: a script in a folder of that name."""
    path = Path(path)
    return path.suffix == SUFFIX and path.parent.name == FOLDER.name


def list_labs() -> list[Path]:
    """Return the files of all labs."""
    return sorted(FOLDER.glob(f"*{SUFFIX}"))


def find_source(page: Path) -> Path:
    """Return the file that a page is written in, which is a script for a lab."""
    script = page.with_suffix(SUFFIX)
    return script if is_lab(script) and script.exists() else page


@lru_cache(maxsize=64)
def convert_script(script: str) -> Script:
    """Return a script as Markdown; what cannot be read so is told, and left out."""
    import jupytext  # here, as it is slow to load

    lines = script.rstrip("\n").split("\n")
    marks = [number for number, line in enumerate(lines) if MARKER.match(line)]
    first = marks[0] if marks else len(lines)
    wrong: list[Problem] = []
    try:
        found = jupytext.reads(script, fmt="py:percent").cells
    except Exception as error:
        found, wrong = [], [(0, f"jupytext cannot read it: {error}")]
    found = found[1:] if found and found[0].cell_type == "raw" else found
    if len(found) != len(marks) and not wrong:
        wrong.append((0, "begin each cell with # %%; before the first stands front matter alone"))
    if wrong:
        return Script(_uncomment(lines[:first]), (), tuple(wrong))
    out = _uncomment(lines[:first]).split("\n")[:-1]
    cells, names = [], 0
    for mark, end, cell in zip(marks, [*marks[1:], len(lines) + 1], found, strict=True):
        body = lines[mark + 1 : end]
        options = {key: value for key, value in cell.metadata.items() if key != JUPYTEXT_OPTION}
        wrong += ((mark, said) for said in _find_option_problems(cell.cell_type, options))
        names += any(key in options for key in FIGURE_OPTIONS)
        if cell.cell_type == "code":
            last = max((n for n, line in enumerate(body, 1) if line.strip()), default=0)
            if last == len(body) and end <= len(lines):
                wrong.append((end, "leave a line empty before # %%"))
                last = max(last - 1, 0)
            body[last : last + 1] = ["```"]
            made = ["```" + _format_info(options, names), *body]
        else:
            wrong += (
                (mark + n, "in a cell of text, each line begins with '# '")
                for n, line in enumerate(body, 1)
                if line.strip() and not re.match(r"#( |$)", line)
            )
            made = ["", *(line[2:].rstrip() for line in body)]
        solution = SOLUTION in _list_tags(options)
        kept = max((n for n, line in enumerate(made, 1) if line.strip()), default=1)
        cells.append(Cell(len(out), len(out) + kept, solution))
        out += made
    return Script("\n".join(out) + "\n", tuple(cells), tuple(wrong))


def _uncomment(lines: list[str]) -> str:
    return "".join(f"{line[2:] if line.startswith('# ') else ''}\n" for line in lines)


def _list_tags(options: dict[str, Any]) -> list[str]:
    tags = options.get("tags") or []
    return [tags] if isinstance(tags, str) else [str(tag) for tag in tags]


def _find_option_problems(kind: str, options: dict[str, Any]) -> list[str]:
    """Return what is wrong with the line that a cell begins with."""
    if kind not in ("code", "markdown"):
        return [f"a cell is code or [markdown], not [{kind}]"]
    known = OPTIONS if kind == "code" else ("tags",)
    said = [
        f"unknown in a # %% line: {key}; a cell of {'code' if kind == 'code' else 'text'} may "
        f"have {', '.join(known)}{suggest(key, known)}"
        for key in options
        if key not in known
    ]
    said += [
        f"unknown tag {tag!r}; a cell may have {SOLUTION!r}"
        for tag in _list_tags(options)
        if tag != SOLUTION
    ]
    said += [
        f"` in {key}; write it without" for key in FIGURE_OPTIONS if "`" in str(options.get(key))
    ]
    name = str(options.get("id", "fig-"))
    return said if name.startswith("fig-") else [*said, f"the id {name!r}; write fig-{name}"]


def _format_info(options: dict[str, Any], number: int) -> str:
    """Return the braces of a fence with what the marker of a cell says."""
    words = [".python", ".cell", *(f".{tag}" for tag in _list_tags(options) if tag == SOLUTION)]
    if any(key in options for key in FIGURE_OPTIONS):
        words += [".figure", f"#{options.get('id', f'fig-{number}')}"]
        words += [
            f"{key}={shlex.quote(str(options[key]).replace('`', ''))}"
            for key in ("alt", "caption")
            if key in options
        ]
    return f"{{{' '.join(words)}}}"
