"""Checks of single sentences: `<!-- check: expression -->` in a page.

The expression is evaluated in the namespace of the page, after the sessions above it, and must be
True. `math`, `np` and `posenc` are available on every page. Readers don't see the check.
"""

import math
import re
from collections.abc import Iterator

import numpy as np
from sybil import Document, Example, Region

from check.fences import blank_code

CHECK = re.compile(r"<!--[ \t]*check:\s*(?P<expression>.+?)\s*-->", re.DOTALL)

# A comment that rules read, with its line or with the spaces before it: not part of the output.
AUTHOR_COMMENT = re.compile(
    r"^[ \t]*<!--[ \t]*(?:check|example):.*?-->[ \t]*\n|[ \t]*<!--[ \t]*(?:check|example):.*?-->",
    re.DOTALL | re.MULTILINE,
)


def parse(document: Document) -> Iterator[Region]:
    """Yield a region for each check of a page, except those displayed as code."""
    for match in CHECK.finditer(blank_code(document.text)):
        yield Region(*match.span("expression"), match["expression"], evaluate)


def evaluate(example: Example) -> str | None:
    """Return an error message if the value of a check is not True."""
    import posenc.experiments  # here, since a build imports the package as it is on disk

    expression: str = example.parsed
    code = compile("\n" * (example.line - 1) + f"({expression}\n)", example.path, "eval")
    value = eval(code, {"math": math, "np": np, "posenc": posenc, **example.namespace})
    if isinstance(value, bool | np.bool_) and value:
        return None
    return f"the check {expression} is {value!r}, not True"
