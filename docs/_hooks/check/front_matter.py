"""The front matter of a page: YAML between two lines of three hyphens, at its top.

What a host of Markdown cannot read there it passes over, and the page loses its title. What the
description of a chapter counts, as *five demands*, the chapter counts, too.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import yaml
from sybil import Document, Region

from check.page_source import FRONT_MATTER, by_text
from check.paths import DOCS
from check.problems import complaint, perhaps

KNOWN = (
    "description",
    "hide",
    "minutes",
    "mirrors",
    "needs",
    "question",
    "questions",
    "search",
    "status",
    "template",
    "terms",
    "title",
)
LEAST, MOST = 40, 200  # characters of a description, which search engines show
COUNTED = re.compile(
    r"\b(?P<number>two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r" (?:[\w’'-]+ ){0,2}?(?P<noun>[a-z]+s)\b",
    re.IGNORECASE,
)
WANTED = "between two lines of ---, write title: … and description: … at the top of the page"


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for front matter that cannot be read, or lacks what a page needs."""
    if not Path(document.path).is_relative_to(DOCS):
        return
    match = FRONT_MATTER.match(document.text)
    if match is None:
        yield complaint(0, f"a page without front matter; {WANTED}")
        return
    try:
        front = yaml.safe_load(match["yaml"])
    except yaml.YAMLError as error:
        yield complaint(where(match[0], error), f"the front matter cannot be read: {told(error)}")
        return
    if not isinstance(front, dict):
        yield complaint(0, f"the front matter cannot be read: it is no mapping; {WANTED}")
        return
    for key in front:
        if key not in KNOWN and (near := perhaps(str(key), KNOWN)):
            yield complaint(max(document.text.find(f"\n{key}") + 1, 0), f"unknown {key!r}{near}")
    if not front.get("title"):
        yield complaint(0, "a page without title; write title: … into its front matter")
    place = max(document.text.find("\ndescription:") + 1, 0)
    if Path(document.path).parent.name == "chapters":
        for said in uncounted(str(front.get("description")), document.text[match.end() :]):
            yield complaint(place, f"the description counts {said}, and the chapter does not")
    length = len(str(front.get("description") or ""))
    if not LEAST <= length <= MOST:
        yield complaint(
            place,
            f"a description of {length} characters; search engines show {LEAST} to {MOST}",
        )


def uncounted(description: str, text: str) -> Iterator[str]:
    """Yield what a description counts, and the text nowhere does with the same number."""
    for match in COUNTED.finditer(description):
        counts = rf"\b{match['number']} (?:\S+ ){{0,2}}{match['noun']}\b"
        if not re.search(counts, text, re.IGNORECASE):
            yield match[0]


def where(front: str, error: yaml.YAMLError) -> int:
    """Return where on the page YAML stopped to understand."""
    mark = getattr(error, "problem_mark", None)
    if "end of stream" in told(error):  # a quotation that is not closed: where it was opened
        mark = getattr(error, "context_mark", None) or mark
    lines = front.splitlines(keepends=True)
    return sum(map(len, lines[: mark.line + 1])) if mark else 0  # behind the first ---


def told(error: yaml.YAMLError) -> str:
    """Return what is wrong in YAML, and what it most often is."""
    problem = getattr(error, "problem", None) or "no YAML"
    return f"{problem}; a value with a colon, a hash or brackets stands in quotation marks"
