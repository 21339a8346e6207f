"""The style sheet of the site: one file to load, made of a small one for each topic.

They lie in `docs/assets/style` and are joined in this order; a later one may refine an earlier.
After them come those of single explorers, from its folder `explorers`, by name.

Readers without JavaScript load the dark colours as a sheet of their own. Every page begins in
the light scheme, and only a script can give it the other name. So that sheet has the rules of
the dark scheme, the theme's and ours, under the name of the light one.
"""

import re
from collections.abc import Iterable

from mkdocs.structure.files import File

from check.paths import DOCS

FOLDER = DOCS / "assets/style"

# A name a line, so that two people can add one each.
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
    "finding",
    "taking",
    "landing",
    "print",
)

PALETTE = re.compile(r"assets/stylesheets/palette\.\w+\.min\.css")
RULE = re.compile(r"(?P<selector>[^{}]*)\{(?P<body>[^{}]*)\}")
IMAGES = """
img[src$="#only-dark"] { display: inline !important; }
img[src$="#only-light"] { display: none !important; }
"""


def joined() -> str:
    """Return all sheets as one; ValueError names a file that `ORDER` forgets or invents."""
    there = {path.stem for path in FOLDER.glob("*.css")}
    if strange := there.symmetric_difference(ORDER):
        raise ValueError(
            f"docs/_hooks/website/styles.py: {', '.join(sorted(strange))}: ORDER and the files of "
            "assets/style differ; name each file there once, where it may refine those before it"
        )
    paths = [*(FOLDER / f"{name}.css" for name in ORDER), *sorted(FOLDER.glob("explorers/*.css"))]
    return "\n".join(path.read_text("utf-8") for path in paths)


def dark(files: Iterable[File]) -> str:
    """Return the dark sheet, made of the theme's palette among the files and of our sheets."""
    (palette,) = (file for file in files if PALETTE.fullmatch(file.src_uri))
    rules = [
        f"{rule['selector'].strip().replace('slate', 'default')} {{{rule['body']}}}"
        for rule in RULE.finditer(palette.content_string + joined())
        if "slate" in rule["selector"] and "img" not in rule["selector"]
    ]
    return "\n".join(rules) + IMAGES
