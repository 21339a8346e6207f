"""Source of labs: a percent script is converted to Markdown, as chapters are written in.

Line 40 of the Markdown is line 40 of the script, so a failure on the page has the line of the
script. Jupytext parses the cells, and they are put into fences here: the fence of a code cell
begins at its `# %%` line and ends at the empty line after it.
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
FIGURE_OPTIONS = ("alt", "caption", "id")
CODE_OPTIONS = (*FIGURE_OPTIONS, "tags")
JUPYTEXT_OPTION = "lines_to_next_cell"
SOLUTION = "solution"  # what a reader is asked to write
VERDICT = "verdict"  # what the checks say about code that comes with a mistake
FOLDED = (SOLUTION, VERDICT)  # the tags of cells that a page folds

Problem = tuple[int, str]  # the line, counted from 0, and the message


@dataclass(frozen=True)
class Cell:
    """The lines of a cell, counted from 0: from its marker to its last line, exclusive."""

    first: int
    end: int
    fold: str  # its tag, if it has one


@dataclass(frozen=True)
class Script:
    """A lab as Markdown, with its cells, and with its problems."""

    text: str
    cells: tuple[Cell, ...]
    problems: tuple[Problem, ...]


def is_lab(path: str | Path) -> bool:
    """Return whether a file is a lab: a script in a folder "labs"."""
    path = Path(path)
    return path.suffix == SUFFIX and path.parent.name == FOLDER.name


def list_labs() -> list[Path]:
    """Return the files of all labs."""
    return sorted(FOLDER.glob(f"*{SUFFIX}"))


def find_source(page: Path) -> Path:
    """Return the source of a page: the script of a lab, or else the page itself."""
    script = page.with_suffix(SUFFIX)
    return script if is_lab(script) and script.exists() else page


@lru_cache(maxsize=64)
def convert_script(script: str) -> Script:
    """Return a script as Markdown; if its cells cannot be parsed, only its front matter."""
    import jupytext  # here, since it is slow to import

    lines = script.rstrip("\n").split("\n")
    marks = [number for number, line in enumerate(lines) if MARKER.match(line)]
    front_matter = _uncomment(lines[: marks[0] if marks else len(lines)])
    try:
        parsed = jupytext.reads(script, fmt="py:percent").cells
    except Exception as error:
        return Script(front_matter, (), ((0, f"jupytext cannot parse it: {error}"),))
    if parsed and parsed[0].cell_type == "raw":
        parsed = parsed[1:]
    if len(parsed) != len(marks):
        message = "begin each cell with # %%; only front matter may be before the first"
        return Script(front_matter, (), ((0, message),))
    markdown = front_matter.split("\n")[:-1]
    cells: list[Cell] = []
    problems: list[Problem] = []
    figures = 0
    for mark, end, cell in zip(marks, [*marks[1:], len(lines) + 1], parsed, strict=True):
        body = lines[mark + 1 : end]
        options = {key: value for key, value in cell.metadata.items() if key != JUPYTEXT_OPTION}
        problems += ((mark, text) for text in _find_option_problems(cell.cell_type, options))
        figures += any(key in options for key in FIGURE_OPTIONS)
        if cell.cell_type == "code":
            last = _count_lines(body)
            if last == len(body) and end <= len(lines):
                problems.append((end, "leave a line empty before # %%"))
                last = max(last - 1, 0)
            body[last : last + 1] = ["```"]
            converted = ["```" + _format_info(options, figures), *body]
        else:
            problems += (
                (mark + number, "each line of a cell of text begins with '# '")
                for number, line in enumerate(body, 1)
                if line.strip() and not re.match(r"#( |$)", line)
            )
            converted = ["", *(line[2:].rstrip() for line in body)]
        start, length = len(markdown), _count_lines(converted) or 1
        tags = [tag for tag in FOLDED if tag in _list_tags(options)]
        cells.append(Cell(start, start + length, "".join(tags[:1])))
        markdown += converted
    return Script("\n".join(markdown) + "\n", tuple(cells), tuple(problems))


def _count_lines(lines: list[str]) -> int:
    """Return the number of lines, without empty ones at the end."""
    return max((number for number, line in enumerate(lines, 1) if line.strip()), default=0)


def _uncomment(lines: list[str]) -> str:
    return "".join(f"{line[2:] if line.startswith('# ') else ''}\n" for line in lines)


def _list_tags(options: dict[str, Any]) -> list[str]:
    tags = options.get("tags") or []
    return [tags] if isinstance(tags, str) else [str(tag) for tag in tags]


def _find_option_problems(kind: str, options: dict[str, Any]) -> list[str]:
    """Return a message for each problem in the `# %%` line of a cell."""
    if kind not in ("code", "markdown"):
        return [f"a cell is code or [markdown], not [{kind}]"]
    known = CODE_OPTIONS if kind == "code" else ("tags",)
    messages = [
        f"unknown in a # %% line: {key}; a cell of {'code' if kind == 'code' else 'text'} may "
        f"have {', '.join(known)}{suggest(key, known)}"
        for key in options
        if key not in known
    ]
    messages += [
        f"unknown tag {tag!r}; a cell may have {' or '.join(map(repr, FOLDED))}"
        for tag in _list_tags(options)
        if tag not in FOLDED
    ]
    if kind == "markdown" and VERDICT in _list_tags(options):
        messages.append(f"only code can be a {VERDICT}; tag text as a {SOLUTION}")
    messages += [
        f"` in {key}; write it without" for key in FIGURE_OPTIONS if "`" in str(options.get(key))
    ]
    name = str(options.get("id", "fig-"))
    return (
        messages if name.startswith("fig-") else [*messages, f"the id {name!r}; write fig-{name}"]
    )


def _format_info(options: dict[str, Any], number: int) -> str:
    """Return the braces of a fence for the options of a cell; figures without id get a number."""
    words = [".python", ".cell", *(f".{tag}" for tag in _list_tags(options) if tag in FOLDED)]
    if any(key in options for key in FIGURE_OPTIONS):
        words += [".figure", f"#{options.get('id', f'fig-{number}')}"]
        words += [
            f"{key}={shlex.quote(str(options[key]).replace('`', ''))}"
            for key in ("alt", "caption")
            if key in options
        ]
    return f"{{{' '.join(words)}}}"
