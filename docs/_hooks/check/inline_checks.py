"""Check a sentence where it is written: `<!-- check: expression -->` in a page.

The expression is evaluated in the namespace of the page, after the sessions above it, and has to
be true. `math`, `np` and `posenc` are known on every page. Readers do not see the check.
"""

import math
import re
from collections.abc import Iterator

import numpy as np
from sybil import Document, Example, Region

from check.fences import blank_code

CHECK = re.compile(r"<!--[ \t]*check:\s*(?P<expression>.+?)\s*-->", re.DOTALL)

# A comment of ours with its line, or what is before it on the line; readers never see it.
AUTHOR_COMMENT = re.compile(
    r"^[ \t]*<!--[ \t]*(?:check|example):.*?-->[ \t]*\n|[ \t]*<!--[ \t]*(?:check|example):.*?-->",
    re.DOTALL | re.MULTILINE,
)


def parse(document: Document) -> Iterator[Region]:
    """Yield a region for each check of a page; one that is shown as code is not run."""
    for match in CHECK.finditer(blank_code(document.text)):
        yield Region(*match.span("expression"), match["expression"], evaluate)


def evaluate(example: Example) -> str | None:
    """Return what is wrong with the value of a check, if anything is."""
    import posenc.experiments  # here, as a build has to find the package as it is on disk

    expression: str = example.parsed
    code = compile("\n" * (example.line - 1) + f"({expression}\n)", example.path, "eval")
    value = eval(code, {"math": math, "np": np, "posenc": posenc, **example.namespace})
    if isinstance(value, bool | np.bool_) and value:
        return None
    return f"the check {expression} is {value!r}, not True"
