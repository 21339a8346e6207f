"""The progress of checks in `mkdocs serve`, which shows pages before they are checked.

The first build doesn't wait for checks, so pages say that they are not checked yet. A thread
follows the checks. It counts them in the terminal and in `checks.json`, which pages poll, replaces
the placeholders of figures, and triggers a rebuild when a check fails and when all have ended.
"""

import json
import sys
import threading
from collections.abc import Callable
from concurrent.futures import as_completed
from pathlib import Path

from mkdocs.utils import get_relative_url

from check.page_check import Report
from check.paths import DOCS, ROOT
from render.page_markdown import get_drawing_folder
from render.workers import Workers, get_report

NAME = "checks.json"
PLACEHOLDER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="595" height="300" viewBox="0 0 595 300">'
    '<rect x="1" y="1" width="593" height="298" fill="none" stroke="#888" stroke-dasharray="6"/>'
    '<text x="297" y="155" text-anchor="middle" font-family="sans-serif" font-size="16" '
    'fill="#888">being drawn</text></svg>'
)


def add_progress_script(html: str, path: Path, url: str) -> str:
    """Return the HTML of a page that is not checked yet with the script that polls the checks."""
    address = get_relative_url("assets/scripts/checks.js", url)
    name = path.relative_to(ROOT).as_posix()
    script = f'<script type="module" src="{address}" data-page="{name}"></script>'
    return html.replace("</body>", f"{script}</body>", 1)


class Progress(threading.Thread):
    """A thread that follows the checks of one build until they end or another build begins."""

    def __init__(self, workers: Workers, site: Path, rebuild: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.workers = workers
        self.site = site
        self.rebuild = rebuild
        self.cancelled = threading.Event()
        self.done: dict[str, bool] = {}  # whether each checked page holds, by name

    def run(self) -> None:
        """Count the checks, write their figures, and trigger rebuilds."""
        self.write_progress()
        paths = {future: path for path, future in self.workers.futures.items()}
        for future in as_completed(paths):
            if self.cancelled.is_set() or future.cancelled():
                return
            report = get_report(future)
            self.write_drawings(paths[future], report)
            self.done[paths[future].relative_to(ROOT).as_posix()] = not report.failures
            self.write_progress()
            if report.failures:
                self.rebuild()
        if not self.cancelled.is_set():
            self.rebuild()

    def write_progress(self) -> None:
        """Write the count to the terminal, and all results to the file that pages poll."""
        total, done = len(self.workers.futures), len(self.done)
        holding = sum(self.done.values())
        end = "\n" if done == total else ""
        print(f"\rchecked {done} of {total}, {holding} hold", end=end, file=sys.stderr, flush=True)
        file = self.site / NAME
        draft = file.with_suffix(".new")
        try:
            draft.write_text(json.dumps({"total": total, "done": self.done}), "utf-8")
            draft.replace(file)
        except FileNotFoundError:  # the next build is emptying the folder
            pass

    def write_drawings(self, path: Path, report: Report) -> None:
        """Replace the placeholders of the figures of a page by the drawings."""
        if path.is_relative_to(DOCS):
            folder = self.site / get_drawing_folder(path.relative_to(DOCS).as_posix())
            for fence, drawing in report.drawings:
                for theme, svg in drawing.svg.items():
                    file = folder / f"{fence.attributes['id']}-{theme}.svg"
                    if file.exists():
                        file.write_text(svg, "utf-8")
