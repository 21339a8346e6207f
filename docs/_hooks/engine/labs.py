"""Labs: percent scripts in docs/labs, executed from top to bottom, and shown as pages.

A lab is not compared with what was written first, as a chapter is: what its cells print, and
the value that they end with, goes onto the page. So a lab asserts what it claims. All its
cells share one namespace. One that ends with a figure says in its `# %%` line what it shows,
and does nothing but draw, since it may be run once for each theme. What goes to the standard
error stream, such as a bar of progress, is for whoever waits, and is not part of the page.
"""

import ast
import io
import re
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

from sybil import Document, Example, Region

from engine import figures, scripts, statements
from engine.complaints import complaint
from engine.fences import Fence, fences
from engine.figures import Drawing
from engine.texts import front

CLASSES = {"cell", "solution"}  # of fences, beside those of any page
MOST = 60  # seconds that a lab may take

SOLUTION = "\n//// solution\n"
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,}")
UNMARKED = (
    'a figure without alt; write alt="…" caption="…" behind the # %% that this cell begins with'
)
FRONT = "between the lines # --- at the top of a lab, write"


@dataclass
class Answer:
    """What a cell printed, the value that it ended with, and what it drew."""

    printed: str = ""
    value: str = ""
    drawing: Drawing | None = None


def answer(kept: dict[str, Any]) -> Answer:
    """Return an answer as it was before it was kept."""
    drawing = kept["drawing"]
    return Answer(kept["printed"], kept["value"], Drawing(**drawing) if drawing else None)


class Lab(Document):
    """A lab, as Markdown: examples are found in it as on any page, by the same parsers."""

    def __init__(self, text: str, path: str) -> None:
        """Read a script."""
        super().__init__(scripts.read(text).text, path)
        self.script = scripts.read(text)


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for what cannot be read as a lab, or what a lab lacks."""
    if not isinstance(document, Lab):
        return
    starts = _starts(document.text)
    for line, message in document.script.wrong:
        yield complaint(starts[min(line, len(starts) - 1)], message)
    said, names = front(document.text), set()
    if not str(said.get("question", "")).endswith("?"):
        yield complaint(0, f"{FRONT} question: … with the question that it answers")
    if not isinstance(said.get("minutes"), int):
        yield complaint(0, f"{FRONT} minutes: … with how long it takes a reader")
    for fence in fences(document.text):
        if "figure" in fence.classes:
            name = fence.attributes.get("id", "")
            if name in names:
                yield complaint(fence.start, f"the id {name} is taken; give this figure another")
            names.add(name)
    for task in re.finditer(r"(?<=[^\n]\n)\*\*Task", document.text):
        yield complaint(task.start(), "a task begins a paragraph: leave a line empty before it")
    for block in statements.blocks(document.text):
        if block.kind == "statement":
            yield complaint(block.start, "a lab states no equation; a chapter does, link to it")


def region(fence: Fence) -> Region:
    """Return the code of a lab as an example: a cell, or a complaint for what is none."""
    if "cell" in fence.classes:
        return Region(fence.start, fence.end, fence, cell)
    return complaint(fence.start, "code in a cell of text is never run; give it a # %% of its own")


def cell(example: Example) -> str | None:
    """Run a cell, unless its region comes with the answer, and leave the answer there."""
    fence: Fence = example.parsed
    if "figure" in fence.classes and (wrong := figures.header(fence)):
        return wrong
    if "answer" not in example.region.lexemes:
        try:
            example.region.lexemes["answer"] = _run(example)
        except ValueError as error:
            frames = traceback.extract_tb(error.__traceback__)
            if any(frame.filename == example.path for frame in frames):
                raise  # by the code of the lab, on a line of it
            return str(error)
    return None


def _run(example: Example) -> Answer:
    fence: Fence = example.parsed
    names = example.namespace
    names.setdefault("__name__", "__main__")
    module = ast.parse("\n" * example.line + fence.source, example.path)
    last: ast.Expression | None = None
    if module.body and isinstance(module.body[-1], ast.Expr):
        last = ast.Expression(module.body.pop().value)  # type: ignore[attr-defined]
    said: list[str] = []

    def run(names: dict[str, Any]) -> object:
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(module, example.path, "exec"), names)
            value = eval(compile(last, example.path, "eval"), names) if last else None
        said.append(printed.getvalue())
        return value

    if "figure" in fence.classes:
        spaces = iter((names, dict(names)))  # what the second run sets, no later cell sees
        drawing = figures.drawn(lambda: run(next(spaces)))
        return Answer(said[0], drawing=drawing)
    value = run(names)
    matplotlib = sys.modules.get("matplotlib.figure")
    if matplotlib and isinstance(value, matplotlib.Figure):
        raise ValueError(UNMARKED)
    answered = Answer(said[0], "" if value is None else repr(value))
    if found := ADDRESS.search(answered.printed + answered.value):
        raise ValueError(f"the answer has{found[0]}, which differs each time; print what matters")
    return answered


def executed(
    path: Path, text: str, answers: Iterable[tuple[Fence, Answer]]
) -> tuple[str, list[tuple[Fence, Drawing]]]:
    """Return a lab with the answers of its cells, and solutions folded, and its figures there."""
    starts, drawings = _starts(text), {}
    new: list[tuple[int, str]] = []
    for fence, answer in answers:
        new += ((fence.end, block) for block in _answered(answer))
        if answer.drawing:
            drawings[fence.attributes["id"]] = answer.drawing
    cells = scripts.read(path.read_text("utf-8-sig")).cells
    for folded, group in groupby(cells, key=lambda cell: cell.solution):
        if folded:
            run = list(group)
            new.append((starts[run[0].first], SOLUTION))
            new.append((starts[run[-1].end] - 1, "\n\n////\n"))
    new.sort(key=lambda edit: edit[0])
    for place, block in reversed(new):
        text = text[:place] + block + text[place:]
    found = [fence for fence in fences(text) if fence.attributes.get("id") in drawings]
    return text, [(fence, drawings[fence.attributes["id"]]) for fence in found]


def _answered(answer: Answer) -> Iterator[str]:
    """Yield what a cell answers as fences."""
    for kind in ("printed", "value"):
        if said := getattr(answer, kind).rstrip("\n"):
            ticks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", said)), 3)
            yield f"\n\n{ticks}{{.text .{kind}}}\n{said}\n{ticks}\n"


def _starts(text: str) -> list[int]:
    """Return where each line begins, and what follows the last."""
    return list(accumulate(map(len, text.splitlines(keepends=True)), initial=0))
