"""The style sheet of the site, joined from one small file for each topic in `docs/assets/style`.

`ORDER` is the order of the files, since later rules override earlier ones. The sheets of single
explorers, from the folder `explorers`, come last.

Only a script can switch a page to the dark scheme. So for readers without JavaScript there is a
second sheet, which has the rules of the dark scheme, the theme's and ours, under the name of the
light scheme.
"""

import re
from collections.abc import Iterable

from mkdocs.structure.files import File

from check.paths import DOCS

FOLDER = DOCS / "assets/style"

# One name a line, so that two branches that add a name don't conflict.
ORDER = (
    "colours",
    "frame",
    "text",
    "head",
    "formulas",
    "cards",
    "code",
    "run",
    "figures",
    "api",
    "explorers",
    "scrolling",
    "search",
    "downloads",
    "workbench",
    "landing",
    "present",
    "print",
    "cheatsheet",
)

PALETTE = re.compile(r"assets/stylesheets/palette\.\w+\.min\.css")
COMMENT_OR_INDENT = re.compile(r"/\*.*?\*/|^\s+", re.DOTALL | re.MULTILINE)
RULE = re.compile(r"(?P<selector>[^{}]*)\{(?P<body>[^{}]*)\}")
IMAGES = """
img[src$="#only-dark"] { display: inline !important; }
img[src$="#only-light"] { display: none !important; }
"""


def join_sheets() -> str:
    """Return all sheets as one, without comments; ValueError if `ORDER` differs from the files.

    Nothing is drawn before the sheet has loaded, and comments are a quarter of it.
    """
    if different := {path.stem for path in FOLDER.glob("*.css")}.symmetric_difference(ORDER):
        raise ValueError(
            f"docs/_hooks/website/styles.py: ORDER and docs/assets/style differ in "
            f"{', '.join(sorted(different))}; add the name to ORDER or remove it"
        )
    paths = [*(FOLDER / f"{name}.css" for name in ORDER), *sorted(FOLDER.glob("explorers/*.css"))]
    return COMMENT_OR_INDENT.sub("", "\n".join(path.read_text("utf-8") for path in paths))


def make_dark_sheet(files: Iterable[File]) -> str:
    """Return the sheet for dark colours without JavaScript, from the theme's palette and ours."""
    (palette,) = (file for file in files if PALETTE.fullmatch(file.src_uri))
    rules = [
        f"{rule['selector'].strip().replace('slate', 'default')} {{{rule['body']}}}"
        for rule in RULE.finditer(palette.content_string + join_sheets())
        if "slate" in rule["selector"] and "img" not in rule["selector"]
    ]
    return "\n".join(rules) + IMAGES
