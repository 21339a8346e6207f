"""Labs: percent scripts in docs/labs, run from top to bottom and shown as pages.

The cells of a lab run as the Python fences of a chapter do, in one namespace. A chapter's sessions
are compared with the answers written beside them. A lab has no written answers: what its cells
print, and the value that they end with, goes onto the page. So a lab asserts what it claims. A
figure cell has its alt text and caption in its `# %%` line; if it shows an image, it runs once for
each theme. The standard error stream, for example a progress bar, is not part of the page.
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

from check import cards, figures, lab_source
from check.fences import Fence, find_fences
from check.figures import Drawing
from check.isolation import Printed
from check.page_source import get_front_matter
from check.problems import make_problem

CLASSES = {"cell", "solution"}  # of fences, in addition to those of any page

SOLUTION = "\n//// solution\n"
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,}")
UNMARKED = (
    'a figure without alt; write alt="…" caption="…" after the # %% that this cell begins with'
)
FRONT = "between the lines # --- at the top of a lab, write"


@dataclass
class Answer:
    """What a cell printed, the value that it ended with, and what it drew."""

    printed: str = ""
    value: str = ""
    drawing: Drawing | None = None


def read_answer(kept: dict[str, Any]) -> Answer:
    """Return an answer from the JSON of the cache."""
    drawing = kept.pop("drawing")
    return Answer(**kept, drawing=Drawing(**drawing) if drawing else None)


class Lab(Document):
    """A lab, as Markdown: examples are found in it as on any page, by the same parsers."""

    def __init__(self, text: str, path: str) -> None:
        """Read a script."""
        self.script = lab_source.convert_script(text)
        super().__init__(self.script.text, path)


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for what cannot be read as a lab, or what a lab lacks."""
    if not isinstance(document, Lab):
        return
    starts = list_line_starts(document.text)
    for line, message in document.script.wrong:
        yield make_problem(starts[min(line, len(starts) - 1)], message)
    said, names = get_front_matter(document.text), set()
    if not str(said.get("question", "")).endswith("?"):
        yield make_problem(0, f"{FRONT} question: … with the question that it answers")
    if not isinstance(said.get("minutes"), int):
        yield make_problem(0, f"{FRONT} minutes: … with how long it takes a reader")
    for fence in find_fences(document.text):
        if "figure" in fence.classes:
            name = fence.attributes.get("id", "")
            if name in names:
                yield make_problem(fence.start, f"the id {name} is taken; give this figure another")
            names.add(name)
    for task in re.finditer(r"(?<=[^\n]\n)\*\*Task", document.text):
        yield make_problem(task.start(), "a task begins a paragraph: leave a line empty before it")
    for block in cards.find_blocks(document.text):
        if block.kind == "statement":
            yield make_problem(block.start, "a lab states no equation; a chapter does, link to it")


def make_region(fence: Fence) -> Region:
    """Return the code of a lab as an example: a cell, or a complaint for code in a cell of text."""
    if "cell" in fence.classes:
        return Region(fence.start, fence.end, fence, run_cell)
    return make_problem(
        fence.start, "code in a cell of text is never run; give it a # %% of its own"
    )


def run_cell(example: Example) -> str | None:
    """Run a cell, unless its region already has the answer, and leave the answer in the region."""
    fence: Fence = example.parsed
    shows = "figure" in fence.classes
    if shows and (wrong := figures.check_header(fence)):
        return wrong
    known = example.region.lexemes
    if "answer" in known:
        return None
    if shows:
        try:
            known["answer"] = Answer(drawing=figures.draw_themes(make_runner(example)))
        except ValueError as error:
            return str(error)
        return None
    with redirect_stdout(Printed()) as printed:
        value = run_source(example, example.namespace)
    if type(value).__name__ == "Figure":  # known without an import of Matplotlib
        return UNMARKED
    answer = Answer(printed.getvalue(), "" if value is None else repr(value))
    if found := ADDRESS.search(answer.printed + answer.value):
        return f"the answer has{found[0]}, which differs each time; print what matters"
    known["answer"] = answer
    return None


def run_source(example: Example, namespace: dict[str, Any]) -> object:
    """Run a cell in a namespace and return the value that it ends with, or None."""
    fence: Fence = example.parsed
    module = ast.parse("\n" * example.line + fence.source, example.path)
    last = module.body.pop() if module.body and isinstance(module.body[-1], ast.Expr) else None
    exec(compile(module, example.path, "exec"), namespace)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), example.path, "eval"), namespace)


def make_runner(example: Example) -> Callable[[], object]:
    """Return what draws a figure: first for the cells below it, then with copies of their names."""
    namespaces = chain([example.namespace], map(dict, repeat(example.namespace)))
    return lambda: run_source(example, next(namespaces))


def add_answers(
    path: Path, text: str, answers: Iterable[tuple[Fence, Answer]]
) -> tuple[str, list[tuple[Fence, Drawing]]]:
    """Return a lab with the answers of its cells and with solutions folded, and its figures."""
    starts, drawings = list_line_starts(text), {}
    new: list[tuple[int, str]] = []
    for fence, answer in answers:
        new += ((fence.end, block) for block in format_answer(answer))
        if answer.drawing:
            drawings[fence.attributes["id"]] = answer.drawing
    cells = lab_source.convert_script(path.read_text("utf-8-sig")).cells
    for folded, group in groupby(cells, key=lambda cell: cell.solution):
        if folded:
            adjacent = list(group)
            new.append((starts[adjacent[0].first], SOLUTION))
            new.append((starts[adjacent[-1].end] - 1, "\n\n////\n"))
    new.sort(key=lambda edit: edit[0])
    for place, block in reversed(new):
        text = text[:place] + block + text[place:]
    found = [fence for fence in find_fences(text) if fence.attributes.get("id") in drawings]
    return text, [(fence, drawings[fence.attributes["id"]]) for fence in found]


def format_answer(answer: Answer) -> Iterator[str]:
    """Yield what a cell answers as fences."""
    for kind in ("printed", "value"):
        if said := getattr(answer, kind).rstrip("\n"):
            ticks = "`" * max(3, *(len(ticks) + 1 for ticks in re.findall("`+", said)), 3)
            yield f"\n\n{ticks}{{.text .{kind}}}\n{said}\n{ticks}\n"


def list_line_starts(text: str) -> list[int]:
    """Return where each line begins, and where the text ends."""
    return list(accumulate(map(len, text.splitlines(keepends=True)), initial=0))
