"""Explorers: blocks with a question, a static figure that answers it for one case, and a script.

A page writes them with four slashes, because the caption of the figure is a block with three:

    //// explorer | What does the explorer answer?
        attrs: {id: explore-name, data-explorer: name}

    ```{.python .figure …}
    ```
    ////

The script is `docs/assets/scripts/explorers/name.js`.
"""

import re
from collections.abc import Iterator

from sybil import Document, Region

from check.fences import blank_fences, find_fences
from check.paths import DOCS
from check.problems import make_problem

SCRIPTS = DOCS / "assets/scripts/explorers"
MOUNT = "mount"  # the module in that folder that starts the explorers

BLOCK = re.compile(
    r"^//// explorer(?: \| (?P<title>[^\n]+))?\n"
    r"(?P<attrs>    attrs: \{[^\n]*\}\n)?"
    r"(?P<body>.*?)^////[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
OPENING = re.compile(r"^[ \t>*+-]*/{3,} *explorer|^ +type: explorer|data-explorer", re.MULTILINE)
ATTRIBUTE = re.compile(r"(?P<name>[\w-]+): *(?P<value>\"[^\"]*\"|[^,}\s]+)")


def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each mistake in an explorer block."""
    text, explorers = blank_fences(document.text), list_explorers()
    spans, ids = [], set()
    for match in BLOCK.finditer(text):
        spans.append(match.span())
        attributes = dict(ATTRIBUTE.findall((match["attrs"] or "").partition("{")[2]))
        body = document.text[slice(*match.span("body"))]
        for message in find_problems(match["title"] or "", attributes, body, explorers):
            yield make_problem(match.start(), message)
        identifier = attributes.get("id", "")
        if identifier in ids:
            yield make_problem(match.start(), f"two explorers have the id {identifier}")
        ids.add(identifier)
    for match in OPENING.finditer(text):
        if not any(start <= match.start() < end for start, end in spans):
            message = "write //// explorer in the first column, and end the block with ////"
            yield make_problem(match.start(), message)


def list_explorers() -> list[str]:
    """Return the names of all explorer scripts."""
    return sorted(path.stem for path in SCRIPTS.glob("*.js") if path.stem != MOUNT)


def find_problems(
    title: str, attributes: dict[str, str], body: str, explorers: list[str]
) -> Iterator[str]:
    """Yield a message for each mistake in an explorer block; `body` is the text inside it."""
    if not title.endswith("?"):
        yield f"the title of an explorer must be a question that ends with ?, not {title!r}"
    name = attributes.get("data-explorer", "")
    if name not in explorers:
        choices = ", ".join(explorers)
        yield f"docs/assets/scripts/explorers has no explorer {name!r}; choose from {choices}"
    elif not re.fullmatch(rf"explore-{name}(-[a-z0-9]+)?", attributes.get("id", "")):
        yield f"add attrs: {{id: explore-{name}, data-explorer: {name}}} under the first line"
    if unknown := set(attributes) - {"id", "data-explorer", "data-values", "data-only"}:
        yield f"unknown attributes of an explorer: {', '.join(sorted(unknown))}"
    figures = sum("figure" in fence.classes for fence in find_fences(body))
    if figures != 1:
        yield (
            f"an explorer needs one figure, for print and for readers without JavaScript; this "
            f"one has {figures}"
        )
