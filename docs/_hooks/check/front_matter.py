"""The front matter of a page: YAML between two lines of three hyphens, at its top.

What a host of Markdown cannot read there it passes over, and the page loses its title. What the
description of a chapter counts, as *five demands*, the chapter counts, too.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import yaml
from sybil import Document, Region

from check.page_source import FRONT_MATTER, cache_by_text
from check.paths import DOCS
from check.problems import make_problem, suggest

KEYS = (
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
MIN_LENGTH, MAX_LENGTH = 40, 200  # characters of a description, which search engines show
COUNT = re.compile(
    r"\b(?P<number>two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r" (?:[\w’'-]+ ){0,2}?(?P<noun>[a-z]+s)\b",
    re.IGNORECASE,
)
HOW_TO_WRITE = "between two lines of ---, write title: … and description: … at the top of the page"


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for front matter that cannot be read, or lacks what a page needs."""
    if not Path(document.path).is_relative_to(DOCS):
        return
    match = FRONT_MATTER.match(document.text)
    if match is None:
        yield make_problem(0, f"a page without front matter; {HOW_TO_WRITE}")
        return
    try:
        front = yaml.safe_load(match["yaml"])
    except yaml.YAMLError as error:
        yield make_problem(
            locate_error(match[0], error),
            f"the front matter cannot be read: {describe_error(error)}",
        )
        return
    if not isinstance(front, dict):
        yield make_problem(0, f"the front matter cannot be read: it is no mapping; {HOW_TO_WRITE}")
        return
    for key in front:
        if key not in KEYS and (near := suggest(str(key), KEYS)):
            yield make_problem(max(document.text.find(f"\n{key}") + 1, 0), f"unknown {key!r}{near}")
    if not front.get("title"):
        yield make_problem(0, "a page without title; write title: … into its front matter")
    place = max(document.text.find("\ndescription:") + 1, 0)
    if Path(document.path).parent.name == "chapters":
        for said in find_wrong_counts(str(front.get("description")), document.text[match.end() :]):
            yield make_problem(place, f"the description counts {said}, and the chapter does not")
    length = len(str(front.get("description") or ""))
    if not MIN_LENGTH <= length <= MAX_LENGTH:
        yield make_problem(
            place,
            f"a description of {length} characters; "
            f"search engines show {MIN_LENGTH} to {MAX_LENGTH}",
        )


def find_wrong_counts(description: str, text: str) -> Iterator[str]:
    """Yield what a description counts, and the text nowhere does with the same number."""
    for match in COUNT.finditer(description):
        counts = rf"\b{match['number']} (?:\S+ ){{0,2}}{match['noun']}\b"
        if not re.search(counts, text, re.IGNORECASE):
            yield match[0]


def locate_error(front: str, error: yaml.YAMLError) -> int:
    """Return where on the page YAML stopped to understand."""
    mark = getattr(error, "problem_mark", None)
    if "end of stream" in describe_error(
        error
    ):  # a quotation that is not closed: where it was opened
        mark = getattr(error, "context_mark", None) or mark
    lines = front.splitlines(keepends=True)
    return sum(map(len, lines[: mark.line + 1])) if mark else 0  # behind the first ---


def describe_error(error: yaml.YAMLError) -> str:
    """Return what is wrong in YAML, and what it most often is."""
    problem = getattr(error, "problem", None) or "no YAML"
    return f"{problem}; a value with a colon, a hash or brackets stands in quotation marks"
