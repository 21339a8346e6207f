"""Labs: percent scripts in docs/labs that run from top to bottom and become pages.

The cells of a lab run like the Python fences of a chapter, in one namespace. But the answers of
a chapter are written in its sessions and compared, whereas the answers of a lab (what its cells
print, and their last value) are put onto the page. So a lab asserts what it claims. A figure cell
has its alt text and caption in its `# %%` line. The standard error stream, for example a progress
bar, is not part of the page.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import accumulate, chain, groupby, repeat
from pathlib import Path
from typing import Any

from sybil import Document, Example, Region

from check import cards, figures, lab_source, recordings
from check.fences import Fence, find_fences
from check.figures import Drawing
from check.isolation import Printed
from check.page_source import get_front_matter
from check.problems import make_problem

CLASSES = {"cell", *lab_source.FOLDED}  # of fences, in addition to those of any page

# The line that begins a fold, by the tag of its cells.
FOLDS = {
    lab_source.SOLUTION: "\n//// solution\n",
    lab_source.VERDICT: "\n//// verdict\n",
}
ASK = "# Look for the mistake first. To see what the checks say, uncomment the code."
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,}")
UNMARKED_FIGURE = (
    'a figure without alt; write alt="…" caption="…" after the # %% that this cell begins with'
)
FRONT_MATTER = "between the lines # --- at the top of a lab, write"


@dataclass
class Answer:
    """What a cell printed, its last value, and what it drew."""

    printed: str = ""
    value: str = ""
    drawing: Drawing | None = None


class Lab(Document):
    """A lab as Markdown, which the same parsers read as any page."""

    def __init__(self, text: str, path: str) -> None:
        """Convert a script."""
        self.script = lab_source.convert_script(text)
        super().__init__(self.script.text, path)


def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each part of a lab that is invalid or missing."""
    if not isinstance(document, Lab):
        return
    starts = list_line_starts(document.text)
    for line, message in document.script.problems:
        yield make_problem(starts[min(line, len(starts) - 1)], message)
    front = get_front_matter(document.text)
    if not str(front.get("question", "")).endswith("?"):
        yield make_problem(0, f"{FRONT_MATTER} question: … with the question that it answers")
    if not isinstance(front.get("minutes"), int):
        yield make_problem(0, f"{FRONT_MATTER} minutes: … with the time that a reader needs")
    ids: set[str] = set()
    for fence in find_fences(document.text):
        if "figure" in fence.classes:
            name = fence.attributes.get("id", "")
            if name in ids:
                yield make_problem(fence.start, figures.REPEATED_ID.format(name))
            ids.add(name)
    for task in re.finditer(r"(?<=[^\n]\n)\*\*Task", document.text):
        yield make_problem(task.start(), "a task begins a paragraph: leave a line empty before it")
    for block in cards.find_blocks(document.text):
        if block.kind == "statement":
            yield make_problem(
                block.start, "a lab states no equations; link to a chapter that does"
            )


def make_region(fence: Fence) -> Region:
    """Return the example for a fence: a cell, or a problem for code in a cell of text."""
    if "cell" in fence.classes:
        return Region(fence.start, fence.end, fence, run_cell)
    message = "code in a cell of text doesn't run; give it a # %% line of its own"
    return make_problem(fence.start, message)


def run_cell(example: Example) -> str | None:
    """Run a cell, unless its region has an answer from the cache, and store its answer there."""
    fence: Fence = example.parsed
    path = Path(example.path)
    is_figure = "figure" in fence.classes
    if is_figure and recordings.read_text(path):
        return "a figure can't be recorded; print its numbers instead"
    if is_figure and (error := figures.check_header(fence)):
        return error
    results = example.region.lexemes
    if "answer" in results:
        return None
    if is_figure:
        try:
            results["answer"] = Answer(drawing=figures.draw_themes(make_runner(example)))
        except ValueError as error:
            return str(error)
        return None
    recorded = recordings.find_answer(path, fence.source)
    outdated = recordings.OUTDATED.format(recordings.get_file(path).name)
    if not recordings.can_run(path):
        results["answer"] = Answer(*recorded or ())
        return None if recorded else outdated
    with redirect_stdout(Printed()) as printed:
        value = run_source(example, example.namespace)
    if type(value).__name__ == "Figure":  # without importing Matplotlib
        return UNMARKED_FIGURE
    answer = Answer(printed.getvalue(), "" if value is None else repr(value))
    if address := ADDRESS.search(answer.printed + answer.value):
        return f"the answer has{address[0]}, which differs each time; print something else"
    results["answer"] = answer
    if recordings.read_text(path) and recorded != (answer.printed, answer.value):
        return outdated
    return None


def run_source(example: Example, namespace: dict[str, Any]) -> object:
    """Run a cell in a namespace and return the value of its last expression, or None."""
    fence: Fence = example.parsed
    module = ast.parse("\n" * example.line + fence.source, example.path)
    last = module.body.pop() if module.body and isinstance(module.body[-1], ast.Expr) else None
    exec(compile(module, example.path, "exec"), namespace)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), example.path, "eval"), namespace)


def make_runner(example: Example) -> Callable[[], object]:
    """Return a function that runs a figure cell: first in the namespace of the lab, then in copies.

    So running it again for the dark theme doesn't change what later cells see.
    """
    namespaces = chain([example.namespace], map(dict, repeat(example.namespace)))
    return lambda: run_source(example, next(namespaces))


def add_answers(
    path: Path, text: str, answers: Iterable[tuple[Fence, Answer]]
) -> tuple[str, list[tuple[Fence, Drawing]]]:
    """Return a lab with the answers of its cells and with its folds, and its figures."""
    starts, drawings = list_line_starts(text), {}
    insertions: list[tuple[int, str]] = []
    for fence, answer in answers:
        insertions += ((fence.end, block) for block in format_answer(answer))
        if answer.drawing:
            drawings[fence.attributes["id"]] = answer.drawing
    cells = lab_source.convert_script(path.read_text("utf-8-sig")).cells
    for tag, group in groupby(cells, key=lambda cell: cell.fold):
        if tag:
            adjacent = list(group)
            insertions.append((starts[adjacent[0].first], FOLDS[tag]))
            insertions.append((starts[adjacent[-1].end] - 1, "\n\n////\n"))
    insertions.sort(key=lambda insertion: insertion[0])
    for position, block in reversed(insertions):
        text = text[:position] + block + text[position:]
    fences = [fence for fence in find_fences(text) if fence.attributes.get("id") in drawings]
    return text, [(fence, drawings[fence.attributes["id"]]) for fence in fences]


def remove_solutions(path: Path) -> str:
    """Return a lab as a reader begins it: no solutions and no answers, and verdicts commented out.

    A task without a cell of its own is in the cell with the mistake that it asks to repair.
    """
    script = lab_source.convert_script(path.read_text("utf-8-sig"))
    lines = script.text.split("\n")
    for cell in reversed(script.cells):
        if cell.fold == lab_source.SOLUTION:
            lines[cell.first : cell.end] = [""]
        elif cell.fold == lab_source.VERDICT:
            code = slice(cell.first + 1, cell.end - 1)  # between the lines of its fence
            lines[code] = [ASK, *(f"# {line}".rstrip() for line in lines[code])]
    return "\n".join(lines)


def format_answer(answer: Answer) -> Iterator[str]:
    """Yield a fence with the output of a cell and another with its value, where it has these."""
    for kind in ("printed", "value"):
        if content := getattr(answer, kind).rstrip("\n"):
            length = max([3, *(len(ticks) + 1 for ticks in re.findall("`+", content))])
            ticks = "`" * length  # longer than any in the content
            yield f"\n\n{ticks}{{.text .{kind}}}\n{content}\n{ticks}\n"


def list_line_starts(text: str) -> list[int]:
    """Return the position of each line, and that of the end."""
    return list(accumulate(map(len, text.splitlines(keepends=True)), initial=0))
