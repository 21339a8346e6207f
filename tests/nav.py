"""The pages of the book, in the order of the navigation."""

import re
from pathlib import Path

from check.lab_source import find_source
from check.paths import DOCS

NAV = (DOCS.parent / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]

PAGES = re.findall(r"[\w/]+\.md", NAV.partition("\n\n")[0])
CHAPTERS = [Path(page).stem for page in PAGES if page.startswith("chapters/")]

# The source file of each page; of a lab, the script.
FILES = {page: find_source(DOCS / page) for page in PAGES}

# The URLs of the pages, relative to the root of the site.
ADDRESSES = [re.sub(r"(^|/)index/$", r"\1", page.removesuffix(".md") + "/") for page in PAGES]
