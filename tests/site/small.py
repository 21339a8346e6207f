"""A site of some pages of the book, for tests that ask nothing of the others.

All pages are known to the engine, as the navigation of the book has them; MkDocs makes these.
"""

from pathlib import Path

NAME = "small.yml"


def settings(project: Path, *pages: str, built: str = "site") -> str:
    """Write settings for these files of `docs` and no others; return their name, for `-f`."""
    wanted = "".join(f"  !/{page.replace('.py', '.*')}\n" for page in pages)  # a lab is made .md
    text = f"""\
INHERIT: mkdocs.yml
site_dir: {built}
nav: null
watch: []
exclude_docs: |
  /_hooks/
  /_theme/
  *.md
  /labs/*.py
  !/.nojekyll
{wanted}"""
    (project / NAME).write_text(text, "utf-8")
    return NAME
