"""Explorers: a question, a static figure that answers it for one case, and a script for the rest.

On a page, with four slashes, since the caption of the figure becomes a block of three:

    //// explorer | What is asked?
        attrs: {id: explore-name, data-explorer: name}

    ```{.python .figure …}
    ```
    ////

`docs/assets/scripts/explorers/name.js` then brings it to life.
"""

import re
from collections.abc import Iterator

from sybil import Document, Region

from check.fences import blank_fences, find_fences
from check.paths import DOCS
from check.problems import make_problem

SCRIPTS = DOCS / "assets/scripts/explorers"
MOUNT = "mount"  # lies there, too, and is no explorer

BLOCK = re.compile(
    r"^//// explorer(?: \| (?P<title>[^\n]+))?\n"
    r"(?P<attrs>    attrs: \{[^\n]*\}\n)?"
    r"(?P<body>.*?)^////[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
OPENING = re.compile(r"^[ \t>*+-]*/{3,} *explorer|^ +type: explorer|data-explorer", re.MULTILINE)
ATTRIBUTE = re.compile(r"(?P<name>[\w-]+): *(?P<value>\"[^\"]*\"|[^,}\s]+)")


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for everything that an explorer lacks."""
    text, known = blank_fences(document.text), list_explorers()
    spans, ids = [], set()
    for match in BLOCK.finditer(text):
        spans.append(match.span())
        found = dict(ATTRIBUTE.findall((match["attrs"] or "").partition("{")[2]))
        body = document.text[slice(*match.span("body"))]
        for message in find_problems(match["title"] or "", found, body, known):
            yield make_problem(match.start(), message)
        if (name := found.get("id", "")) in ids:
            yield make_problem(match.start(), f"the id {name} is taken")
        ids.add(name)
    for match in OPENING.finditer(text):
        if not any(start <= match.start() < end for start, end in spans):
            message = "write //// explorer at the margin, and close it with four slashes"
            yield make_problem(match.start(), message)


def list_explorers() -> list[str]:
    """Return the names of the explorers that there are."""
    return sorted(path.stem for path in SCRIPTS.glob("*.js") if path.stem != MOUNT)


def find_problems(title: str, found: dict[str, str], body: str, known: list[str]) -> Iterator[str]:
    """Yield what an explorer lacks; `body` is what stands in its block."""
    if not title.endswith("?"):
        yield "the title of an explorer is the question that it answers; write it with ?"
    name = found.get("data-explorer", "")
    if name not in known:
        listed = ", ".join(known)
        yield f"no explorer {name!r} in docs/assets/scripts/explorers; there are {listed}"
    elif not re.fullmatch(rf"explore-{name}(-[a-z0-9]+)?", found.get("id", "")):
        yield f"write attrs: {{id: explore-{name}, data-explorer: {name}}} under its first line"
    if strange := set(found) - {"id", "data-explorer", "data-values", "data-only"}:
        yield f"unknown in the attrs of an explorer: {', '.join(sorted(strange))}"
    if sum("figure" in fence.classes for fence in find_fences(body)) != 1:
        yield "an explorer holds one figure, for print and for readers without JavaScript"
