"""The pages of the book, in the order of the navigation."""

import re
from pathlib import Path

from check.lab_source import find_source
from check.paths import DOCS

NAV = (DOCS.parent / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]

PAGES = re.findall(r"[\w/]+\.md", NAV.partition("\n\n")[0])
CHAPTERS = [Path(page).stem for page in PAGES if page.startswith("chapters/")]

# The file that each page is written in: of a lab its script.
FILES = {page: find_source(DOCS / page) for page in PAGES}

# Where they are in the site, from its root.
ADDRESSES = [re.sub(r"(^|/)index/$", r"\1", page.removesuffix(".md") + "/") for page in PAGES]


def parts() -> list[tuple[str, list[str]]]:
    """Return the title of each part, and its pages."""
    found = re.split(r"^  - ([\w ]+):\n", NAV.partition("\n\n")[0], flags=re.MULTILINE)[1:]
    pages = [re.findall(r"[\w/]+\.md", text) for text in found[1::2]]
    return list(zip(found[::2], pages, strict=True))
