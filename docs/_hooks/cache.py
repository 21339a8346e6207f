"""What was found true stays true until something that it rests on changes.

Kept by content, never by time. That a page's code holds rests on the page, the package,
these hooks, and the version of everything installed; a drawing rests on its own code in
place of the page. Formulas, statements and references are looked at in every build, since
they rest on other pages too, and cost nothing. A page on which something failed is not kept.
"""

import hashlib
import importlib
import json
import shutil
import sys
from dataclasses import asdict
from importlib.metadata import distributions
from pathlib import Path

from examples import ROOT, Report, check
from figures import Drawing

FOLDER = ROOT / ".cache"


class Cache:
    """Pages that hold and figures that are drawn, for the package as it is now."""

    def __init__(self) -> None:
        self.foundation = foundation()

    def file(self, kind: str, content: str) -> Path:
        """Return where what rests on the content is kept."""
        key = hashlib.sha256(f"{self.foundation}{content}".encode()).hexdigest()
        return FOLDER / kind / key[:40]

    def checked(self, path: Path) -> Report:
        """Return the report of a page, without running again what is known to hold."""
        page = self.file("pages", path.read_text("utf-8"))
        report = check(path, holds=page.exists(), drawn=self.drawn)
        for source, drawing in report.drawings.items():
            self.keep(self.file("figures", source), json.dumps(asdict(drawing)))
        if not report.failures:
            self.keep(page, path.name)
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


def foundation() -> str:
    """Return a digest of everything but the pages that an example's outcome rests on."""
    digest = hashlib.sha256(sys.version.encode())
    for name, version in sorted((found.name, found.version) for found in distributions()):
        digest.update(f"{name} {version}\n".encode())
    for path in sorted([*ROOT.glob("posenc/**/*.py"), *Path(__file__).parent.glob("*.py")]):
        digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def forget_package() -> None:
    """Make the next `import posenc` read the source as it is now.

    Python takes compiled files for current that are of the same second and size as the
    source; an edit can be both.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "posenc"]:
        del sys.modules[name]
    for folder in (ROOT / "posenc").glob("**/__pycache__"):
        shutil.rmtree(folder, ignore_errors=True)
    importlib.invalidate_caches()
