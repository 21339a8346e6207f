"""Where the project lies, and where its pages and its package are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "posenc"
