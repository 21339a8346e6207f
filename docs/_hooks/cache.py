"""What was found true stays true until something that it rests on changes.

Kept by content, never by time. That a page's code holds rests on that code, the package,
these hooks, and the version of everything installed, so examples read no other files.
A drawing rests on its own code in place of the page. Formulas, statements and references
are looked at in every build, since they rest on other pages too, and cost nothing. A page
on which something failed is not kept.
"""

import hashlib
import importlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from importlib.metadata import distributions
from pathlib import Path

import labs
import percent
from examples import ROOT, Report, check, docstrings, pages
from fences import fences, read
from figures import Drawing

FOLDER = ROOT / ".cache"
KINDS = ("derived", "figures", "labs", "pages")
MONTH = 30 * 24 * 60 * 60  # seconds


class Cache:
    """Pages that hold and figures that are drawn, for the package as it is now."""

    def __init__(self) -> None:
        self.foundation = foundation()
        self.asked: set[Path] = set()

    def file(self, kind: str, content: str) -> Path:
        """Return where what rests on the content is kept."""
        key = hashlib.sha256(f"{self.foundation}\0{content}".encode()).hexdigest()
        file = FOLDER / kind / key[:40]
        self.asked.add(file)
        return file

    def checked(self, path: Path) -> Report:
        """Return the report of a page, without running again what is known to hold."""
        if percent.is_lab(path):
            return self.executed(path)
        book = docstrings if path.suffix == ".py" else pages
        text = read(path)
        page = self.file("pages", text if book is docstrings else code(text))
        if book is docstrings and page.exists():  # nothing else can have made it fail
            return Report(examples=int(page.read_text("utf-8")))
        report = check(path, book, holds=page.exists(), drawn=self.drawn)
        for fence, drawing in report.drawings:
            self.keep(self.file("figures", fence.source), json.dumps(asdict(drawing)))
        if not report.failures:
            self.keep(page, str(report.examples))
        return report

    def executed(self, path: Path) -> Report:
        """Return the report of a lab, without running again cells whose answers are kept."""
        file = self.file("labs", code(read(path)))
        kept = json.loads(file.read_text("utf-8")) if file.exists() else []
        wall, cpu = time.perf_counter(), time.process_time()
        report = check(path, pages, answers=map(labs.answer, kept))
        # Of two clocks the lesser: a machine that is busy with other work is no fault of a lab.
        report.seconds = min(time.perf_counter() - wall, time.process_time() - cpu)
        if not report.failures:
            self.keep(file, json.dumps([asdict(answer) for _, answer in report.answers]))
        return report

    def drawn(self, source: str) -> Drawing | None:
        """Return the drawing of a figure's code, if there is one."""
        file = self.file("figures", source)
        return Drawing(**json.loads(file.read_text("utf-8"))) if file.exists() else None

    @staticmethod
    def keep(file: Path, text: str) -> None:
        """Write a file that is not there yet."""
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")

    def tidy(self) -> None:
        """Delete what no build has asked for in a month."""
        now = time.time()
        for file in (file for kind in KINDS for file in (FOLDER / kind).glob("*")):
            with suppress(FileNotFoundError):  # deleted by another build just now
                if file in self.asked:
                    os.utime(file)
                elif file.stat().st_mtime < now - MONTH:
                    file.unlink()


def code(text: str) -> str:
    """Return what decides whether the code of a page holds: all of it in order, without prose."""
    return repr([(f.language, sorted(f.classes), f.source) for f in fences(text)])


def digest(paths: Iterable[Path]) -> str:
    """Return a digest of files, their names and what is in them."""
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


# As they were when this process began: what is edited or installed later does not run here.
HOOKS = digest(Path(__file__).parent.glob("*.py"))
INSTALLED = sorted(f"{found.name} {found.version}" for found in distributions())


def foundation() -> str:
    """Return everything but the pages that an example's outcome rests on, as text."""
    return f"{sys.version} {INSTALLED} {HOOKS} {package()}"


def package() -> str:
    """Return a digest of the package as it is on disk."""
    return digest(path for path in ROOT.glob("posenc/**/*") if path.suffix in (".py", ".npz"))


IMPORTED: list[str] = []  # the package that this process was last told to import


def forget_package() -> None:
    """Make the next `import posenc` read the source as it is now.

    Python takes compiled files for current that are of the same second and size as the
    source; an edit can be both.
    """
    if [now := package()] == IMPORTED:
        return
    IMPORTED[:] = [now]
    for name in [name for name in sys.modules if name.partition(".")[0] == "posenc"]:
        del sys.modules[name]
    for folder in (ROOT / "posenc").glob("**/__pycache__"):
        shutil.rmtree(folder, ignore_errors=True)
    importlib.invalidate_caches()
