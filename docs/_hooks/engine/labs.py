"""Labs: percent scripts in docs/labs, run from top to bottom in a kernel, and shown as pages.

A lab is not compared with what was written first, as a chapter is: what its cells print, and
the value that they end with, goes onto the page. So a lab asserts what it claims. One that
ends with a figure says in its `# %%` line what it shows, and does nothing but draw, since it
may be run once for each theme. What goes to the standard error stream, such as a bar of
progress, is for whoever waits, and is not part of the page.

Who runs it is not said here: whoever does hands over the notebook that came of it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

from sybil import Document, Example, Region

from engine import figures, kernel, scripts, statements
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


class CellError(Exception):
    """What failed in a cell, and on which lines of which cells, from the first to the deepest."""

    def __init__(self, said: str, frames: Iterable[tuple[int, int]]) -> None:
        """Take cells as they are counted from 0, and lines from 1."""
        super().__init__(said)
        self.frames = [(cell, line) for cell, line in frames]


@dataclass
class Answer:
    """What a cell printed, the value that it ended with, and what it drew; or what failed."""

    printed: str = ""
    value: str = ""
    drawing: Drawing | None = None
    wrong: str = ""  # why what it drew is no figure
    failed: dict[str, Any] = field(default_factory=dict)  # as the kernel told it
    seconds: float = 0.0  # of computing, from the first cell on


def answer(kept: dict[str, Any]) -> Answer:
    """Return an answer as it was before it was kept."""
    drawing = kept.pop("drawing")
    return Answer(**kept, drawing=Drawing(**drawing) if drawing else None)


def answers(notebook: dict[str, Any]) -> list[Answer]:
    """Return the answers of the cells of a notebook that was run with `kernel.py`."""
    return [_read(cell["outputs"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _read(outputs: Iterable[dict[str, Any]]) -> Answer:
    found = Answer()
    for output in outputs:
        data = output.get("data", {})
        if output["output_type"] == "stream" and output["name"] == "stdout":
            found.printed += output["text"]
        elif record := data.get(kernel.RECORD):
            found.seconds, found.failed = record["seconds"], record.get("failed", {})
        elif drawn := data.get(kernel.FIGURE):
            found.wrong = drawn.pop("wrong", "")
            found.drawing = Drawing(**drawn) if drawn else None
        elif output["output_type"] == "execute_result":
            found.value = data["text/plain"]
    return found


class Lab(Document):
    """A lab, as Markdown: examples are found in it as on any page, by the same parsers."""

    def __init__(self, text: str, path: str) -> None:
        """Read a script, or a notebook as one."""
        self.script = scripts.read(scripts.as_script(text, Path(path).suffix))
        super().__init__(self.script.text, path)


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
    """Look at the answer that the region of a cell came with, if it was run."""
    fence: Fence = example.parsed
    shows = "figure" in fence.classes
    if shows and (wrong := figures.header(fence)):
        return wrong
    answer: Answer | None = example.region.lexemes.get("answer")
    if answer is None:
        return "this cell was not run"
    if answer.failed:
        raise CellError(**answer.failed)
    if shows and not answer.drawing:
        return answer.wrong or figures.no_figure(answer.value or "nothing")
    if (answer.drawing or answer.wrong) and not shows:
        return UNMARKED
    if found := ADDRESS.search(answer.printed + answer.value):
        return f"the answer has{found[0]}, which differs each time; print what matters"
    return None


def line(example: Example, number: int) -> int:
    """Return on which line of the script a line of a cell stands."""
    fence: Fence = example.parsed
    empty = len(fence.source) - len(fence.source.lstrip("\n"))
    return example.line + empty + number


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
    cells = scripts.read(scripts.text(path)).cells
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
