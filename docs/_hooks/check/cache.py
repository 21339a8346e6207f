"""Build cache: reports of pages and drawings of figures, each in a file named by a digest.

The digest covers everything that a result depends on, so an edit leads to another file and nothing
has to be invalidated. The code of a page depends on itself, on the package, on this folder and on
the installed packages; it must not read other files. The rest of a report also depends on the
outlines of the other pages and on all other files in `docs`. Reports of pages that fail are not
cached.
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

from check import lab_source, recordings
from check.fences import blank_code, find_fences
from check.figures import Drawing
from check.inline_checks import CHECK
from check.package import digest_package
from check.page_check import Report, check_page
from check.page_source import read_outline, read_page
from check.paths import DOCS, ROOT

# The tests set POSENC_CACHE to a folder of their own.
FOLDER = Path(os.environ.get("POSENC_CACHE") or ROOT / ".cache")
SUBFOLDERS = (
    *("cells", "code", "derived", "figures", "formulas", "html", "notebooks/labs"),
    *("pages", "reports"),
)
MONTH = 30 * 24 * 60 * 60  # seconds


def digest_files(paths: Iterable[Path]) -> str:
    """Return a digest of files: their names and contents."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


# As they are when this process starts, since it runs none of what is edited or installed later.
CHECK_DIGEST = digest_files(Path(__file__).parent.glob("*.py"))
HOOKS_DIGEST = digest_files((DOCS / "_hooks").rglob("*.py"))
# Folder names have the versions; reading the metadata takes 0.2 s.
INSTALLED = sorted({path.name for folder in sys.path for path in Path(folder).glob("*-info")})
VERSIONS = hashlib.sha256(f"{sys.version}\0{INSTALLED}\0{CHECK_DIGEST}\0".encode())


@contextmanager
def replace_file(file: Path) -> Iterator[Path]:
    """Yield a path to write to, which replaces the file at the end unless there is an error."""
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
    """Return the value saved in a file of the cache; None if there is none."""
    try:
        return pickle.loads(file.read_bytes())
    except (OSError, EOFError, pickle.UnpicklingError):
        return None


class Cache:
    """The cache for one state of the package, that on disk when it is created."""

    def __init__(self, parse: Callable[[Path], Document]) -> None:
        self.parse = parse
        self.package = digest_package()
        self.folder = FOLDER
        self.used: set[Path] = set()
        self.page_files: dict[Path, Path] = {}
        self.reports: dict[Path, Report] = {}

    def file(self, kind: str, content: str) -> Path:
        """Return the file for a result that depends on some content."""
        digest = VERSIONS.copy()
        digest.update(content.encode())
        file = self.folder / kind / digest.hexdigest()[:40]
        self.used.add(file)
        return file

    def page_file(self, path: Path) -> Path:
        """Return the file for the report of a page, a lab, or the docstrings of a module.

        The file is determined once, so that an edit during a check doesn't count as checked.
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
        """Return the file that exists if the code of a page passed; it has the answers of a lab."""
        text = read_page(path)
        is_page = path.suffix == ".md" or lab_source.is_lab(path)
        code = collect_code(text) if is_page else f"{path.name} {text}"
        if lab_source.is_lab(path):
            code += recordings.read_text(path)
        return self.file("code", self.package + code)

    def needs_run(self, path: Path) -> bool:
        """Return whether code of a page has to run: its examples, or one of its figures."""
        if self.find_report(path):
            return False
        text = read_page(path) if path.suffix == ".md" else ""
        figures = [fence.source for fence in find_fences(text) if "figure" in fence.classes]
        files = [self.code_file(path), *map(self.figure_file, figures)]
        return not all(file.exists() for file in files)

    def find_report(self, path: Path) -> Report | None:
        """Return the cached report of a page, if there is one."""
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
        """Return the report of a page, running only what is not in the cache.

        If several processes need the same page, one runs it and the others wait.
        """
        if report := self.find_report(path):
            return report
        code = self.code_file(path)
        code.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{code}.lock"):
            report = self._check_page(path, code)
        if path.is_relative_to(ROOT) and not report.failures:
            self._save_report(path, report)
        return report

    def _save_report(self, path: Path, report: Report) -> None:
        """Save a report in a file named by its content, because many keys have the same one."""
        content = pickle.dumps(report)
        file = self.folder / "reports" / hashlib.sha256(content).hexdigest()[:40]
        for target, data in ((file, content), (self.page_file(path), file.name.encode())):
            with replace_file(target) as draft:
                draft.write_bytes(data)

    def _check_page(self, path: Path, code: Path) -> Report:
        passed = code.exists()
        report = check_page(
            self.parse(path),
            skip_code=passed,
            find_drawing=self.find_drawing,
            answers=load(code) if passed and lab_source.is_lab(path) else [],
        )
        for fence, drawing in report.drawings if path.suffix == ".md" else ():
            save(drawing, self.figure_file(fence.source))
        if report.code_passed:
            save([answer for _, answer in report.answers], code)
        return report

    def figure_file(self, source: str) -> Path:
        """Return the file for the drawing of a figure, given its code."""
        return self.file("figures", self.package + source)

    def find_drawing(self, source: str) -> Drawing | None:
        """Return the cached drawing of a figure's code, if there is one."""
        return load(self.figure_file(source))  # type: ignore[no-any-return]

    def compute_once(self, kind: str, content: str, compute: Callable[[], Any]) -> Any:
        """Return the result of a computation that depends only on the content, as JSON."""
        file = self.file(kind, content)
        if not file.exists():
            with replace_file(file) as draft:
                draft.write_text(json.dumps(compute()), "utf-8")
        return json.loads(file.read_text("utf-8"))

    def delete_unused(self) -> None:
        """Delete the files that no build has used for a month."""
        now = time.time()
        for file in (file for kind in SUBFOLDERS for file in (self.folder / kind).glob("*")):
            with suppress(FileNotFoundError):  # another build has deleted it
                if file in self.used:
                    os.utime(file)
                elif file.stat().st_mtime < now - MONTH:
                    file.unlink()


def collect_code(text: str) -> str:
    """Return the code of a page in order, without prose, as a key for the cache."""
    fences = [(f.start, f.language, sorted(f.classes), f.source) for f in find_fences(text)]
    checks = [(match.start(), match["expression"]) for match in CHECK.finditer(blank_code(text))]
    return repr([content for _, *content in sorted([*fences, *checks])])
