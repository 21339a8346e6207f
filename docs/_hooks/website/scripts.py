"""The scripts of the site: the modules in `docs/assets/scripts`, without their comments.

Every reader loads some of them, and comments are a quarter of what is loaded.
"""

import re
from collections.abc import Iterable

from mkdocs.structure.files import File

FOLDER = "assets/scripts/"
# Comments on lines of their own. No string of several lines has such a line.
COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)


def drop_comments(files: Iterable[File]) -> None:
    """Drop the comments of all scripts among the files."""
    for file in files:
        if file.src_uri.startswith(FOLDER) and file.src_uri.endswith(".js"):
            file.content_string = COMMENT.sub("", file.content_string)
