"""Where the project lies, and where its pages and its package are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "posenc"


def named(path: str | Path) -> str:
    """Return how lists name a page: its way from the root, "docs/chapters/rotary.md"."""
    path = Path(path)
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
