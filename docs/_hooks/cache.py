"""What was found true stays true until something that it rests on changes.

Kept by content, never by time: the page, the package, these hooks, and the version of
everything installed. Only what costs time is kept, the running of code and its drawings;
formulas, statements and references are looked at in every build, since they rest on
other pages too. A page on which something failed is not kept.
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


def foundation() -> str:
    """Return a digest of everything but the page that an example's outcome rests on."""
    digest = hashlib.sha256(sys.version.encode())
    for name, version in sorted((found.name, found.version) for found in distributions()):
        digest.update(f"{name} {version}\n".encode())
    for path in sorted([*ROOT.glob("posenc/**/*.py"), *Path(__file__).parent.glob("*.py")]):
        digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def checked(path: Path, foundation: str) -> Report:
    """Return the report of a page, without running again what is known to hold."""
    key = hashlib.sha256(foundation.encode() + path.read_bytes()).hexdigest()
    file = FOLDER / "pages" / f"{path.stem}-{key[:32]}.json"
    if file.exists():
        kept = json.loads(file.read_text("utf-8"))
        return check(path, {int(start): Drawing(**drawing) for start, drawing in kept.items()})
    report = check(path)
    if not report.failures:
        file.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({start: asdict(drawing) for start, drawing in report.drawings.items()})
        file.write_text(text, "utf-8")
    return report


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
