"""Settings for a site with only some pages of the book, for tests that don't need the others.

The checks still know all pages of the navigation; MkDocs builds only these.
"""

from pathlib import Path

NAME = "small.yml"


def write_settings(project: Path, *pages: str, site_dir: str = "site") -> str:
    """Write settings for some files of `docs` and return the file name, for `mkdocs -f`."""
    included = "".join(f"  !/{page.replace('.py', '.*')}\n" for page in pages)  # labs become .md
    text = f"""\
INHERIT: mkdocs.yml
site_dir: {site_dir}
nav: null
watch: []
exclude_docs: |
  /_hooks/
  /_theme/
  *.md
  /labs/*.py
  !/.nojekyll
{included}"""
    (project / NAME).write_text(text, "utf-8")
    return NAME
