"""Rule for the front matter of a page: the YAML between two lines of `---` at its top.

MkDocs silently ignores front matter that it cannot parse, and the page loses its title.
"""

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
MIN_LENGTH, MAX_LENGTH = 40, 200  # characters of a description that search engines show
HOW_TO_WRITE = "write title: … and description: … between two lines of --- at the top of the page"


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for front matter that is invalid or incomplete."""
    if not Path(document.path).is_relative_to(DOCS):
        return
    match = FRONT_MATTER.match(document.text)
    if match is None:
        yield make_problem(0, f"the page has no front matter; {HOW_TO_WRITE}")
        return
    try:
        front = yaml.safe_load(match["yaml"])
    except yaml.YAMLError as error:
        message = f"the front matter is not valid YAML: {describe_error(error)}"
        yield make_problem(locate_error(match[0], error), message)
        return
    if not isinstance(front, dict):
        yield make_problem(0, f"the front matter is not a mapping; {HOW_TO_WRITE}")
        return
    for key in front:
        if key not in KEYS and (suggestion := suggest(str(key), KEYS)):
            position = max(document.text.find(f"\n{key}") + 1, 0)
            yield make_problem(position, f"unknown {key!r} in the front matter{suggestion}")
    if not front.get("title"):
        yield make_problem(0, "the page has no title; write title: … into its front matter")
    length = len(str(front.get("description") or ""))
    if not MIN_LENGTH <= length <= MAX_LENGTH:
        yield make_problem(
            max(document.text.find("\ndescription:") + 1, 0),
            f"the description has {length} characters; "
            f"search engines show {MIN_LENGTH} to {MAX_LENGTH}",
        )


def locate_error(front: str, error: yaml.YAMLError) -> int:
    """Return the position on the page where YAML reports an error."""
    mark = getattr(error, "problem_mark", None)
    if "end of stream" in describe_error(error):  # a quotation mark is missing: where it was opened
        mark = getattr(error, "context_mark", None) or mark
    lines = front.splitlines(keepends=True)
    return sum(map(len, lines[: mark.line + 1])) if mark else 0  # after the first ---


def describe_error(error: yaml.YAMLError) -> str:
    """Return what YAML reports, and the most frequent cause."""
    problem = getattr(error, "problem", None) or "no YAML"
    return f"{problem}; put a value with a colon, a hash or brackets into quotation marks"
