"""Outlines: what other pages may know of a page, so that an edited sentence is that page's alone.

A rule that looks at other pages sees no more of them than this: their front matter, headings,
ids, blocks, tables and code, and of their paragraphs the links, references and attributes. What
is found true of a page rests on the outlines of all others, not on what they say.
"""

import re
from bisect import bisect
from itertools import accumulate
from pathlib import Path

from engine.fences import fences, prose, without_fences
from engine.once import Once
from engine.texts import FRONT_MATTER, read

# Lines that are kept as they are: of headings, blocks, what is documented, tables, attributes.
KEPT = re.compile(r"#|/// |///$|::: |\||[ \t]+\w+: ")
# Of any other line: where a link leads, a reference, attributes, a tag.
LEADS = re.compile(
    r"\]\([^()\n]*\)|\[[^\[\]\n]*\]\[[^\[\]\n]*\]|\{ ?[#.:][^{}\n]*\}|<[a-z/][^<>\n]*>"
)


def outlined(page: Path) -> str:
    """Return the outline of another page as it is on disk."""
    return outline(read(page))


@Once  # every page asks every other
def outline(text: str) -> str:
    """Return the outline of a page."""
    front = FRONT_MATTER.match(text)
    kept = [(0, front.end("yaml"))] if front else []
    kept += [(fence.start, fence.end) for fence in fences(text)]
    lines = text.split("\n")
    starts = [*accumulate((len(line) + 1 for line in lines), initial=0)]
    whole = {row for a, b in kept for row in range(bisect(starts, a) - 1, bisect(starts, b))}
    outside, said = without_fences(text).split("\n"), prose(text).split("\n")
    found = [
        line if row in whole else _told(outside[row], said[row]) for row, line in enumerate(lines)
    ]
    return "\n".join(filter(None, found))


def _told(line: str, said: str) -> str:
    """Return what is kept of a line outside of code: as it is written, and without what is code."""
    return line.rstrip() if KEPT.match(line) else " ".join(LEADS.findall(said))
