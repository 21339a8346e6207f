"""What was found true stays true until something that it rests on changes.

Kept by content, never by time. That a page's code holds rests on that code, on the
definitions of the package that it names and all that these name, on this engine, and on the
version of everything installed, so examples read no other files. A drawing rests on its own
code in place of the page, and formulas that were computed on their page and the register of
what their letters are. Statements and references rest on the outlines of other pages, too,
and on every other file of the book: where any of these has changed, they are looked at again.
A page whose code fails is not kept.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock
from sybil import Document

from engine import labs, scripts
from engine.checks import Report, check
from engine.dependencies import Package, code_of, prompted
from engine.drafts import draft
from engine.fences import PYTHON, Fence, fences, without_code
from engine.figures import Drawing
from engine.inline_checks import CHECK
from engine.outlines import outlined
from engine.places import DOCS, ROOT
from engine.texts import read

# Where everything is kept; a run of the tests has a folder of its own, and runs all once.
FOLDER = Path(os.environ.get("POSENC_CACHE") or ROOT / ".cache")
KINDS = ("converted", "derived", "figures", "html", "labs", "pages", "read", "texts", "whole")
MONTH = 30 * 24 * 60 * 60  # seconds


def digest(paths: Iterable[Path]) -> str:
    """Return a digest of files, their names and what is in them."""
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


# As they were when this process began: what is edited or installed later does not run here.
ENGINE = digest(Path(__file__).parent.glob("*.py"))
HOOKS = digest((DOCS / "_hooks").rglob("*.py"))
# By the names of their folders, as reading what each says of itself takes a fifth of a second.
INSTALLED = sorted({found.name for folder in sys.path for found in Path(folder).glob("*-info")})
RUNS_HERE = hashlib.sha256(f"{sys.version}\0{INSTALLED}\0{ENGINE}\0".encode())

Run = Callable[[Path], list[labs.Answer]]  # of the cells of a lab


class Cache:
    """Pages that hold and figures that are drawn, for the package as it is on disk now."""

    def __init__(self, parse: Callable[[Path], Document], package: Package, run: Run) -> None:
        self.parse = parse
        self.package = package
        self.run = run
        self.folder = FOLDER
        self.asked: set[Path] = set()
        self.wholes: dict[Path, Path] = {}
        self.held: dict[Path, Report] = {}  # what has held since nothing has changed, by `whole`
        self.before: dict[Path, Report] = {}  # likewise, of an earlier build of this process

    def file(self, kind: str, content: str) -> Path:
        """Return where what rests on the content is kept."""
        rests_on = RUNS_HERE.copy()
        rests_on.update(content.encode())
        file = self.folder / kind / rests_on.hexdigest()[:40]
        self.asked.add(file)
        return file

    def home(self, path: Path) -> Path:
        """Return where it is kept that a page, a lab, or the docstrings of a module hold."""
        text = read(path)
        if scripts.is_lab(path):
            return self.file("labs", code(text) + self.rests_on(sources(text)))
        if path.suffix == ".py":
            return self.file("pages", path.name + text + self.rests_on([text, *prompted(text)]))
        return self.file("pages", code(text) + self.rests_on(sources(text)))

    @cached_property
    def book(self) -> str:
        """Return a digest of all that any page may rest on: the book as it is on disk now.

        Of pages their outlines.
        """
        files = {path for path in DOCS.rglob("*") if path.is_file() and path.suffix != ".pyc"}
        pages = {path for path in files if path.suffix == ".md" or scripts.is_lab(path)}
        others = digest([*(files - pages), *(path for path in ROOT.iterdir() if path.is_file())])
        outlines = [(path.relative_to(ROOT), outlined(path)) for path in sorted(pages)]
        rests_on = f"{HOOKS}{others}{outlines}{self.package.content}"
        return hashlib.sha256(rests_on.encode()).hexdigest()

    def whole(self, path: Path) -> Path | None:
        """Return where it is kept that all of a page or of docstrings holds, if that can be.

        Found out once: what is edited while a page is checked is another page.
        """
        if not path.is_relative_to(ROOT):
            return None  # beside the book, anything may change
        if path not in self.wholes:
            rests_on = f"{path.relative_to(ROOT)} {read(path)} {self.book}"
            self.wholes[path] = self.file("whole", rests_on)
        return self.wholes[path]

    def rests_on(self, sources: list[str]) -> str:
        """Return a digest of what code rests on in the package."""
        return self.package.digest(sources)

    def knows(self, path: Path) -> bool:
        """Return whether nothing of a page, a lab or a module has to be run again."""
        if not (self.folder / "pages").exists():  # nothing at all: no key has to be found out
            return False
        if self._kept(path):
            return True
        if not self.home(path).exists():
            return False
        figures = () if path.suffix == ".py" else drawn_in(read(path))
        return all(self._figure(source).exists() for source in figures)

    def checked(self, path: Path) -> Report:
        """Return the report of a page, without running again what is known to hold.

        Of several processes that ask for the same page, one runs it and the others wait.
        """
        if report := self._kept(path):
            return report
        home = self.home(path)
        if home.exists():
            return self._checked(path, home)
        home.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{home}.lock"):
            return self._checked(path, home)

    def _checked(self, path: Path, home: Path) -> Report:
        if scripts.is_lab(path):
            report = self._executed(path, home)
        elif path.suffix == ".py" and home.exists():  # nothing else can have made it fail
            report = Report(examples=int(home.read_text("utf-8")))
        else:
            report = self._looked_at(path, home)
        if (whole := self.whole(path)) and not report.failures:
            figures = [self._figure(fence.source).name for fence, _ in report.drawings]
            kept = {"examples": report.examples, "figures": figures, "home": home.name}
            self.keep(whole, json.dumps(kept))
        return report

    def _looked_at(self, path: Path, home: Path) -> Report:
        """Return the report of a page; what is known to hold of it is not run again."""
        report = check(self.parse(path), holds=home.exists(), drawn=self.drawn)
        for fence, drawing in report.drawings:
            self.keep(self._figure(fence.source), json.dumps(asdict(drawing)))
        if report.runs if path.suffix == ".md" else not report.failures:
            self.keep(home, str(report.examples))
        return report

    def _kept(self, path: Path) -> Report | None:
        """Return the report of a page that has held since nothing at all has changed."""
        whole = self.whole(path)
        if whole is None:
            return None
        if whole not in self.held and (report := self.before.get(whole) or self._read(path, whole)):
            self.held[whole] = report
        return self.held.get(whole)

    def _read(self, path: Path, whole: Path) -> Report | None:
        if not whole.exists():
            return None
        kept = json.loads(whole.read_text("utf-8"))
        if scripts.is_lab(path):
            return self._answered(path, self.folder / "labs" / kept["home"], kept["examples"])
        figures = [self.folder / "figures" / name for name in kept["figures"]]
        if not all(file.exists() for file in figures):
            return None
        self.asked.update(figures)
        drawings = [_drawing(file) for file in figures]
        drawn = [fence for fence in fences(read(path)) if is_drawn(fence)] if figures else []
        return Report(kept["examples"], drawings=[*zip(drawn, drawings, strict=True)])

    def _answered(self, path: Path, home: Path, examples: int) -> Report | None:
        """Return the report of a lab that has held, with the answers of its cells."""
        if not home.exists():
            return None
        self.asked.add(home)
        answers = map(labs.answer, json.loads(home.read_text("utf-8")))
        cells = (fence for fence in fences(read(path)) if "cell" in fence.classes)
        return Report(examples, answers=[*zip(cells, answers, strict=True)])

    def _executed(self, path: Path, home: Path) -> Report:
        """Return the report of a lab, without running again cells whose answers are kept."""
        kept = json.loads(home.read_text("utf-8")) if home.exists() else []
        lab = self.parse(path)
        wrong = isinstance(lab, labs.Lab) and lab.script.wrong
        answers = [] if wrong else [*map(labs.answer, kept)] or self.run(path)
        report = check(lab, answers=answers)
        report.seconds = answers[-1].seconds if answers and not kept else 0.0
        if answers and not any(answer.failed for answer in answers):
            self.keep(home, json.dumps([asdict(answer) for answer in answers]))
        return report

    def _figure(self, source: str) -> Path:
        return self.file("figures", source + self.rests_on([source]))

    def drawn(self, source: str) -> Drawing | None:
        """Return the drawing of a figure's code, if there is one."""
        file = self._figure(source)
        return _drawing(file) if file.exists() else None

    def once(self, kind: str, content: str, find: Callable[[], Any]) -> Any:
        """Return what is found for this content, as JSON gives it back; looked for once."""
        file = self.file(kind, content)
        if not file.exists():
            self.keep(file, json.dumps(find()))
        return json.loads(file.read_text("utf-8"))

    @staticmethod
    def keep(file: Path, text: str) -> None:
        """Write a file that is not there yet, whole or not at all."""
        if not file.exists():
            with draft(file) as unfinished:
                unfinished.write_text(text, "utf-8")

    def tidy(self) -> None:
        """Delete what no build has asked for in a month."""
        now = time.time()
        for file in (file for kind in KINDS for file in (self.folder / kind).glob("*")):
            with suppress(FileNotFoundError):  # deleted by another build just now
                if file in self.asked:
                    os.utime(file)
                elif file.stat().st_mtime < now - MONTH:
                    file.unlink()


def code(text: str) -> str:
    """Return what decides whether the code of a page holds: all of it in order, without prose."""
    code = [(f.start, f.language, sorted(f.classes), f.source) for f in fences(text)]
    checks = [(match.start(), match["expression"]) for match in CHECK.finditer(without_code(text))]
    return repr([each[1:] for each in sorted([*code, *checks])])


def sources(text: str) -> list[str]:
    """Return the Python of a page: each fence, what its prompts hold, and each check."""
    found = [match["expression"] for match in CHECK.finditer(without_code(text))]
    for fence in fences(text):
        if fence.language in PYTHON and "not-run" not in fence.classes:
            found += code_of(fence)
    return found


def drawn_in(text: str) -> list[str]:
    """Return the code of each figure of a chapter; those of a lab are kept with its answers."""
    return [fence.source for fence in fences(text) if is_drawn(fence)]


def is_drawn(fence: Fence) -> bool:
    """Return whether a fence is a figure of a chapter."""
    return "figure" in fence.classes and "cell" not in fence.classes


def _drawing(file: Path) -> Drawing:
    return Drawing(**json.loads(file.read_text("utf-8")))
