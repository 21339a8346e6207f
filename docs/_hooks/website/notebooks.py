"""Labs are run by mkdocs-jupyter, each in a kernel of its own, as a reader's Jupyter would.

It turns a script, or a notebook, into one that was run, and hands it to a template; ours, in
`notebook/`, hands it on. As a plugin it would make pages of labs, which are pages of the book
here, and be loaded in each build. Beside it lies what Jupyter is told: `engine.kernel` is
loaded into the kernel. What is set up at home for Jupyter counts for nothing here, since what a
lab answers should follow from the project alone.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from engine import labs
from engine.cache import FOLDER

HERE = Path(__file__).parent / "notebook"
HOOKS = Path(__file__).parents[1]


def answers(lab: Path) -> list[labs.Answer]:
    """Return what the cells of a lab answer, all of them, whatever fails."""
    with apart():
        from mkdocs_jupyter import convert  # here, as it takes seconds to import
        from mkdocs_jupyter.config import settings

        settings.templates_dir = str(HERE)
        said = convert.nb2html(str(lab), execute=True, allow_errors=True)
    notebook, _ = json.JSONDecoder().raw_decode(said)  # behind one from a notebook stands a style
    return labs.answers(notebook)


@contextmanager
def apart() -> Iterator[None]:
    """Let Jupyter see the settings that lie here, the engine, and a home of the book's own.

    What reaches a kernel lies in a folder that is new each time, with a short name: that of a
    socket has room for a hundred characters.
    """
    home, before = str(FOLDER / "jupyter"), os.environ.get("PYTHONPATH")
    with TemporaryDirectory() as runtime:
        own = {
            "IPYTHONDIR": home,
            "JUPYTER_CONFIG_DIR": str(HERE),
            "JUPYTER_DATA_DIR": home,
            "JUPYTER_RUNTIME_DIR": runtime,
            "PYTHONPATH": os.pathsep.join([str(HOOKS), *([before] if before else [])]),
        }
        with mock.patch.dict(os.environ, own):
            yield
