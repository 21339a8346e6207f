"""Paths of the project's folders, and the package modules that can run in this environment."""

from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "posenc"

# Subpackages that need a large optional dependency, and which one.
NEEDS = {PACKAGE / name: name for name in ("numba", "torch")}


def list_modules() -> list[Path]:
    """Return the modules of the package whose examples can run here."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if can_run(path)]


def can_run(path: Path) -> bool:
    """Return whether the optional dependency of a module, if it has one, is installed."""
    return all(find_spec(name) for part, name in NEEDS.items() if path.is_relative_to(part))


def path_from_root(path: str | Path) -> str:
    """Return a path relative to the root of the project: "docs/chapters/rotary.md"."""
    path = Path(path)
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
