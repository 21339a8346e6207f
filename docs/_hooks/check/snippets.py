"""Includes: a fence that shows lines of the package, or of another file of the project."""

import re

from sybil import Example

from check.fences import INCLUDE, Fence
from check.paths import ROOT
from check.problems import suggest


def check_include(example: Example) -> str | None:
    """Look whether the lines that a page includes are there."""
    fence: Fence = example.parsed
    match = INCLUDE.fullmatch(fence.source)
    if match is None:
        return 'an include is one line, --8<-- "posenc/file.py:section", and alone in its fence'
    path, section = match["path"], match["section"]
    if fence.attributes.get("title") != path:
        return f'the fence includes {path}; write title="{path}"'
    if not (ROOT / path).is_file():
        files = (file.relative_to(ROOT).as_posix() for file in ROOT.glob("posenc/**/*.py"))
        return f"no file {path}; paths begin at the root of the project{suggest(path, files)}"
    text = (ROOT / path).read_text("utf-8")
    for end in ("start", "end"):
        if section and f"[{end}:{section}]" not in text:
            near = suggest(section, re.findall(r"\[start:([\w-]+)\]", text))
            return (
                f"no section {section!r} in {path}; mark it with # --8<-- [{end}:{section}]{near}"
            )
    return None
