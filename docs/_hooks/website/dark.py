"""The dark colours for readers without JavaScript, who load them as a sheet of their own.

Every page begins in the light scheme, and only a script can give it the other name. So the
sheet has the rules of the dark scheme, the theme's and ours, under the name of the light one.
"""

import re
from collections.abc import Iterable

from mkdocs.structure.files import File

from website import styles

NAME = "assets/dark.css"
PALETTE = re.compile(r"assets/stylesheets/palette\.\w+\.min\.css")
RULE = re.compile(r"(?P<selector>[^{}]*)\{(?P<body>[^{}]*)\}")
IMAGES = """
img[src$="#only-dark"] { display: inline !important; }
img[src$="#only-light"] { display: none !important; }
"""


def sheet(files: Iterable[File]) -> str:
    """Return the sheet, made of the theme's palette among the files and of our sheets."""
    (palette,) = (file for file in files if PALETTE.fullmatch(file.src_uri))
    rules = [
        f"{rule['selector'].strip().replace('slate', 'default')} {{{rule['body']}}}"
        for rule in RULE.finditer(palette.content_string + styles.joined())
        if "slate" in rule["selector"] and "img" not in rule["selector"]
    ]
    return "\n".join(rules) + IMAGES
