"""Dependencies between the folders of the hooks, and of check on other packages."""

import ast
import subprocess
import sys
from pathlib import Path

from check.paths import DOCS, ROOT

HOOKS = DOCS / "_hooks"
MAY_IMPORT = {
    "check": {"check"},
    "formula_check": {"check", "formula_check"},
    "browser": {"check", "browser"},
    "render": {"check", "formula_check", "render"},
    "export": {"check", "render", "export"},
    "website": {"browser", "check", "render", "export", "website"},
    "hooks": {"website"},
}
# A page can be checked without these packages, as in a reader's browser.
OPTIONAL = ("mkdocs", "material", "mkdocstrings", "griffe", "jinja2", "nbformat", "jupytext")

CHECK_WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in OPTIONAL:
            raise ImportError(f"{name} is missing")

sys.meta_path.insert(0, Missing())
sys.path.insert(0, "docs/_hooks")
from sybil import Document

from check import code_blocks, page_check

document = Document("```pycon\\n>>> 1 + 1\\n3\\n```\\n", "page.md")
for region in code_blocks.parse(document):
    document.add(region)
(failure,) = page_check.check_page(document).failures
assert failure.line == 2, failure
"""


def find_imports(file: Path) -> set[str]:
    """Return the folders of the hooks that a module imports from."""
    names = set[str]()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
        elif isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
    return names & set(MAY_IMPORT)


def test_folders_import_only_from_lower_layers():
    forbidden = []
    for file in sorted(HOOKS.rglob("*.py")):
        folder = file.relative_to(HOOKS).with_suffix("").parts[0]
        if extra := find_imports(file) - MAY_IMPORT[folder]:
            forbidden.append(f"{file.relative_to(ROOT)} imports {sorted(extra)}")

    assert forbidden == []


def test_check_needs_no_mkdocs():
    source = CHECK_WITHOUT.replace("OPTIONAL", repr(OPTIONAL))
    run = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)

    assert run.returncode == 0, run.stderr
