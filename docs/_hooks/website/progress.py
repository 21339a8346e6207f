"""What `mkdocs serve` shows before all is checked, and how it becomes what it says afterwards.

The first build waits for no check: a page that is not checked yet says so. A thread follows
the checks. It counts them in the terminal and in `checks.json`, which pages ask for, puts
drawings where pages show an empty frame, and has the site built again at the end, or as
soon as something fails: what is shown then is what the checks have found.
"""

import json
import sys
import threading
from collections.abc import Callable
from concurrent.futures import as_completed
from pathlib import Path

from mkdocs.utils import get_relative_url

from check.page_check import Report
from check.paths import ROOT
from render.page_markdown import get_drawing_folder
from render.workers import Workers, get_report

NAME = "checks.json"
FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="595" height="300" viewBox="0 0 595 300">'
    '<rect x="1" y="1" width="593" height="298" fill="none" stroke="#888" stroke-dasharray="6"/>'
    '<text x="297" y="155" text-anchor="middle" font-family="sans-serif" font-size="16" '
    'fill="#888">being drawn</text></svg>'
)


def watched(html: str, path: Path, url: str) -> str:
    """Return the HTML of a page that is not checked yet with the script that waits for it."""
    script = f"{get_relative_url('assets/scripts/checks.js', url)}"
    name = path.relative_to(ROOT).as_posix()
    asked = f'<script type="module" src="{script}" data-page="{name}"></script></body>'
    return html.replace("</body>", asked, 1)


class Progress(threading.Thread):
    """Follow the checks of one build until they end, or until another build begins."""

    def __init__(self, workers: Workers, site: Path, again: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.workers = workers
        self.site = site
        self.again = again
        self.given_up = threading.Event()
        self.done: dict[str, bool] = {}  # whether it holds, by name

    def run(self) -> None:
        """Count, draw, and ask for a build at the end."""
        self.tell()
        paths = {future: path for path, future in self.workers.futures.items()}
        for future in as_completed(paths):
            if self.given_up.is_set() or future.cancelled():
                return
            report = get_report(future)
            self.draw(paths[future], report)
            self.done[paths[future].relative_to(ROOT).as_posix()] = not report.failures
            self.tell()
            if report.failures:
                self.again()
        if not self.given_up.is_set():
            self.again()

    def tell(self) -> None:
        """Say how far it is, in the terminal and to the pages."""
        total, done = len(self.workers.futures), len(self.done)
        holding = sum(self.done.values())
        end = "\n" if done == total else ""
        print(f"\rchecked {done} of {total}, {holding} hold", end=end, file=sys.stderr, flush=True)
        said = json.dumps({"total": total, "done": self.done})
        file = self.site / NAME
        try:
            file.with_suffix(".new").write_text(said, "utf-8")
            file.with_suffix(".new").replace(file)
        except FileNotFoundError:  # the folder is being emptied for another build
            pass

    def draw(self, path: Path, report: Report) -> None:
        """Put drawings where the pages ask for them."""
        if path.is_relative_to(ROOT / "docs"):
            uri = path.relative_to(ROOT / "docs").as_posix()
            folder = self.site / get_drawing_folder(uri)
            for fence, drawing in report.drawings:
                for theme, svg in drawing.svg.items():
                    file = folder / f"{fence.attributes['id']}-{theme}.svg"
                    if file.exists():
                        file.write_text(svg, "utf-8")
