"""What the kernel of a lab is told when it starts: figures are drawings, warnings are errors.

An extension of IPython, loaded by its name in the process of the kernel. A cell that ends with
a figure answers with its drawing for light and for dark pages; each cell ends with a record
of its time, and of what failed in it, by cell and line. Both are outputs of a type of our own,
which `labs.py` reads in the notebook.
"""

import linecache
import time
import traceback
import warnings
from dataclasses import asdict
from typing import Any

from engine import figures

FIGURE = "application/vnd.posenc.figure+json"
RECORD = "application/vnd.posenc.record+json"


def load_ipython_extension(shell: Any) -> None:
    """Draw for light pages from now on, and look after each cell."""
    from IPython.core.formatters import BaseFormatter
    from matplotlib import style
    from matplotlib.figure import Figure
    from traitlets import ObjectName, Unicode

    class Drawings(BaseFormatter):
        format_type = Unicode(FIGURE)
        print_method = ObjectName("_repr_drawing_")
        _return_type = dict

    style.use(["default", figures.THEMES["light"]])
    drawings = Drawings(parent=shell.display_formatter)
    drawings.for_type(Figure, lambda figure: drawn(figure, shell))  # type: ignore[no-untyped-call]
    shell.display_formatter.formatters[FIGURE] = drawings
    shell.events.register("pre_run_cell", lambda info: warnings.simplefilter("error"))
    shell.events.register("post_run_cell", lambda result: record(result, shell))


def drawn(figure: object, shell: Any) -> dict[str, Any]:
    """Return the drawing of a figure, or what is wrong with it.

    Where its code has to run again, for dark pages, no later cell sees what that sets.
    """
    again = figures.runs(shell.user_ns["In"][-1], names=dict(shell.user_ns))
    runs = iter([lambda: figure, again])
    try:
        return asdict(figures.drawn(lambda: next(runs)()))
    except ValueError as error:
        return {"wrong": str(error)}
    except Exception as error:  # IPython would tell nobody
        return {"wrong": told(error)}


def record(result: Any, shell: Any) -> None:
    """Add what is to be known of a cell to its outputs."""
    from IPython.display import display

    warnings.resetwarnings()
    said: dict[str, Any] = {"seconds": time.process_time()}
    if error := result.error_before_exec or result.error_in_exec:
        said["failed"] = {"said": told(error), "frames": frames(error, shell.user_ns["In"])}
    display({RECORD: said}, raw=True)  # type: ignore[no-untyped-call]


def told(error: BaseException) -> str:
    """Return an exception as its last line would be printed."""
    if isinstance(error, SyntaxError):  # which would tell of files, too
        return f"{type(error).__name__}: {error.msg}"
    return "".join(traceback.format_exception_only(error)).strip()


def frames(error: BaseException, cells: list[str]) -> list[tuple[int, int]]:
    """Return the way to an error through the cells: which one, counted from 0, and which line."""
    if isinstance(error, SyntaxError) and error.lineno:
        return [(len(cells) - 2, error.lineno)]
    found = []
    for frame in traceback.extract_tb(error.__traceback__):
        text = "".join(linecache.getlines(frame.filename)).rstrip("\n")
        numbers = [n for n, cell in enumerate(cells[1:]) if cell.rstrip("\n") == text]
        if numbers and frame.lineno:
            found.append((numbers[-1], frame.lineno))
    return found
