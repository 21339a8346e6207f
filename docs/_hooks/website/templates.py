"""The theme's templates, and its list of files, as they are asked for in each build anew.

MkDocs makes a new environment of Jinja each time that somebody needs one; so does the search
plugin. Each would compile the same templates, and find fourteen thousand icons in the folder of
the theme, of which MkDocs copies none, since the name of their folder begins with a dot.
"""

import os
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from jinja2.bccache import Bucket, BytecodeCache
from mkdocs.theme import Theme


class Templates(BytecodeCache):
    """Templates of the theme as they were compiled; Jinja looks whether one has changed."""

    def __init__(self) -> None:
        self.compiled: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give Jinja a template that was compiled before."""
        if bucket.key in self.compiled:
            bucket.bytecode_from_string(self.compiled[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        self.compiled[bucket.key] = bucket.bytecode_to_string()


class Shown(FileSystemLoader):
    """The templates of some folders, of which no hidden one is listed."""

    def list_templates(self) -> list[str]:
        """Return the names of all templates that are not hidden, and lie in no hidden folder."""
        found: set[str] = set()
        for top in self.searchpath:
            for folder, folders, names in os.walk(top):
                folders[:] = [name for name in folders if not name.startswith(".")]
                files = (Path(folder, name) for name in names if not name.startswith("."))
                found.update(file.relative_to(top).as_posix() for file in files)
        return sorted(found)


def remember(theme: Theme, templates: Templates) -> None:
    """Have every environment of the theme take templates that were compiled, and list few."""
    make = theme.get_env

    def get_env() -> Environment:
        env = make()
        env.bytecode_cache = templates
        env.loader = Shown(theme.dirs)
        return env

    theme.get_env = get_env  # type: ignore[method-assign]
