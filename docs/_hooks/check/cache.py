"""The build cache: what checking a page found, kept under a digest of all that this depends on.

Nothing is ever marked as outdated: an edit gives another digest, and so another file. A page's
code depends on that code, the package, the engine, and everything installed, so examples read no
other files. All else about a page depends on the outlines of the other pages and on every other
file of `docs`, too. A page that fails is not kept.
"""

import hashlib
import json
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock
from sybil import Document

from check import lab_source
from check.fences import blank_code, find_fences
from check.figures import Drawing
from check.inline_checks import CHECK
from check.package import digest_package
from check.page_check import Report, check_page
from check.page_source import read_outline, read_page
from check.paths import DOCS, ROOT

# A run of the tests has a folder of its own.
FOLDER = Path(os.environ.get("POSENC_CACHE") or ROOT / ".cache")
SUBFOLDERS = (
    *("cells", "code", "derived", "figures", "formulas", "html", "notebooks/labs"),
    *("pages", "reports"),
)
MONTH = 30 * 24 * 60 * 60  # seconds


def digest_files(paths: Iterable[Path]) -> str:
    """Return a digest of files: their names and contents."""
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


# As they were when this process began: what is edited or installed later does not run here.
CHECK_DIGEST = digest_files(Path(__file__).parent.glob("*.py"))
HOOKS_DIGEST = digest_files((DOCS / "_hooks").rglob("*.py"))
# Names of folders, since reading the metadata takes 0.2 s.
INSTALLED = sorted({found.name for folder in sys.path for found in Path(folder).glob("*-info")})
VERSIONS = hashlib.sha256(f"{sys.version}\0{INSTALLED}\0{CHECK_DIGEST}\0".encode())


@contextmanager
def replace_file(file: Path) -> Iterator[Path]:
    """Give a path to write to, which replaces the file when it is complete, or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{os.getpid()}-{file.name}")  # keeps the suffix
    try:
        yield draft
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def save(value: object, file: Path) -> None:
    """Pickle a value into a file of the cache."""
    with replace_file(file) as draft:
        draft.write_bytes(pickle.dumps(value))


def load(file: Path) -> Any:
    """Return what was saved in a file of the cache; None if there is nothing."""
    try:
        return pickle.loads(file.read_bytes())
    except (OSError, EOFError, pickle.UnpicklingError):
        return None


class Cache:
    """Reports of pages and drawings of figures, for the package as it is on disk now."""

    def __init__(self, parse: Callable[[Path], Document]) -> None:
        self.parse = parse
        self.package = digest_package()
        self.folder = FOLDER
        self.used: set[Path] = set()
        self.page_files: dict[Path, Path] = {}
        self.reports: dict[Path, Report] = {}

    def file(self, kind: str, content: str) -> Path:
        """Return the file for what depends on some content, the engine, and what is installed."""
        found = VERSIONS.copy()
        found.update(content.encode())
        file = self.folder / kind / found.hexdigest()[:40]
        self.used.add(file)
        return file

    def page_file(self, path: Path) -> Path:
        """Return the file for the report of a page, a lab, or the docstrings of a module.

        Computed once, so that an edit during a check doesn't count as checked.
        """
        if path not in self.page_files:
            name = path.relative_to(ROOT)
            self.page_files[path] = self.file("pages", f"{name} {read_page(path)} {self.book}")
        return self.page_files[path]

    @cached_property
    def book(self) -> str:
        """Return a digest of everything in the project that a page may refer to."""
        files = {path for path in DOCS.rglob("*") if path.is_file() and path.suffix != ".pyc"}
        pages = {path for path in files if path.suffix == ".md" or lab_source.is_lab(path)}
        others = digest_files(
            [*(files - pages), *(path for path in ROOT.iterdir() if path.is_file())]
        )
        outlines = [(path.relative_to(ROOT), read_outline(path)) for path in sorted(pages)]
        return hashlib.sha256(
            f"{HOOKS_DIGEST}{others}{outlines}{self.package}".encode()
        ).hexdigest()

    def code_file(self, path: Path) -> Path:
        """Return the file that says that a page's code holds, with the answers of a lab."""
        text = read_page(path)
        is_page = path.suffix == ".md" or lab_source.is_lab(path)
        code = collect_code(text) if is_page else f"{path.name} {text}"
        return self.file("code", self.package + code)

    def needs_run(self, path: Path) -> bool:
        """Return whether code of a page has to run: that of its examples, or that of a figure."""
        if self.find_report(path):
            return False
        text = read_page(path) if path.suffix == ".md" else ""
        figures = [fence.source for fence in find_fences(text) if "figure" in fence.classes]
        files = [self.code_file(path), *map(self.figure_file, figures)]
        return not all(file.exists() for file in files)

    def find_report(self, path: Path) -> Report | None:
        """Return the report of a page for which nothing has changed since it was checked."""
        if not path.is_relative_to(ROOT):  # its links may lead to files that no digest covers
            return None
        if path not in self.reports:
            with suppress(OSError):
                file = self.folder / "reports" / self.page_file(path).read_text("utf-8")
                self.used.add(file)
                if report := load(file):
                    self.reports[path] = report
        return self.reports.get(path)

    def check_page(self, path: Path) -> Report:
        """Return the report of a page; what is known to hold is not run again.

        Of several processes that need the same page, one runs it and the others wait.
        """
        if report := self.find_report(path):
            return report
        code = self.code_file(path)
        code.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{code}.lock"):
            report = self._check(path, code)
        if path.is_relative_to(ROOT) and not report.failures:
            self._save_report(path, report)
        return report

    def _save_report(self, path: Path, report: Report) -> None:
        """Save a report in a file named by its content, since many keys lead to the same one."""
        content = pickle.dumps(report)
        file = self.folder / "reports" / hashlib.sha256(content).hexdigest()[:40]
        for target, data in ((file, content), (self.page_file(path), file.name.encode())):
            with replace_file(target) as draft:
                draft.write_bytes(data)

    def _check(self, path: Path, code: Path) -> Report:
        holds = code.exists()
        answers = load(code) if holds and lab_source.is_lab(path) else []
        report = check_page(self.parse(path), holds=holds, drawn=self.find_drawing, answers=answers)
        for fence, drawing in report.drawings if path.suffix == ".md" else ():
            save(drawing, self.figure_file(fence.source))
        if report.runs:
            save([answer for _, answer in report.answers], code)
        return report

    def figure_file(self, source: str) -> Path:
        """Return the file for the drawing of a figure, given its code."""
        return self.file("figures", self.package + source)

    def find_drawing(self, source: str) -> Drawing | None:
        """Return the drawing of a figure's code, if there is one."""
        return load(self.figure_file(source))  # type: ignore[no-any-return]

    def compute_once(self, kind: str, content: str, compute: Callable[[], Any]) -> Any:
        """Return what is computed from some content, as JSON gives it back."""
        file = self.file(kind, content)
        if not file.exists():
            with replace_file(file) as draft:
                draft.write_text(json.dumps(compute()), "utf-8")
        return json.loads(file.read_text("utf-8"))

    def delete_unused(self) -> None:
        """Delete what no build has used in a month."""
        now = time.time()
        for file in (file for kind in SUBFOLDERS for file in (self.folder / kind).glob("*")):
            with suppress(FileNotFoundError):  # deleted by another build just now
                if file in self.used:
                    os.utime(file)
                elif file.stat().st_mtime < now - MONTH:
                    file.unlink()


def collect_code(text: str) -> str:
    """Return the code of a page in order, without prose: it alone decides whether it holds."""
    code = [(f.start, f.language, sorted(f.classes), f.source) for f in find_fences(text)]
    checks = [(match.start(), match["expression"]) for match in CHECK.finditer(blank_code(text))]
    return repr([each[1:] for each in sorted([*code, *checks])])
