"""What tables say of libraries: the conventions that the libraries' own numbers fit.

Sessions of `reference/conventions.md` find which order of channels, and which exponent, explain
the numbers that a library returned, and print a line for each. A table of the book, on whichever
page, whose first cell names such a library gives it the same order and the same exponent.
"""

import re
from collections.abc import Iterator

from sybil import Document, Region

from engine.complaints import complaint
from engine.fences import fences, without_fences
from engine.outlines import outlined
from engine.places import DOCS
from engine.quoted_tables import TABLE

HOME = DOCS / "reference/conventions.md"
ORDERS = {name: name for name in ("interleaved", "half", "half, cosines first")}
EXPONENTS = {"2i/d": "2i/d", "i/(d/2-1)": "i/(d/2-1)"}
EXPONENTS |= {"paper": "2i/d", "tensor2tensor": "i/(d/2-1)"}  # as `exponent=` has them
FOUND = re.compile(
    r"^(?!>>>|\.\.\.)(?P<names>[^|\n]+)(?P<cells>(?: \| [^|\n]+){3,})$", re.MULTILINE
)
NAMES = re.compile(r"[,;] (?!by )")


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each row that gives a library another convention than its own."""
    text = document.text
    fitted: dict[str, set[str]] = {}
    for match in TABLE.finditer(without_fences(text)):
        place = match.start()
        for row in match[0].splitlines(keepends=True):
            names, *cells = (cell.strip().strip("`") for cell in row.strip().strip("|").split("|"))
            fitted = fitted or fits(outlined(HOME))
            for name in NAMES.split(names):
                for said in wrong(name, cells, fitted.get(name, set())):
                    yield complaint(place, said)
            place += len(row)


def fits(text: str) -> dict[str, set[str]]:
    """Return which conventions explain the numbers of each library, as the sessions print it."""
    found = dict[str, set[str]]()
    for fence in fences(text):
        for match in FOUND.finditer(fence.source if fence.language == "pycon" else ""):
            cells = {cell.strip() for cell in match["cells"].split("|")}
            for name in NAMES.split(match["names"]):
                found.setdefault(name.strip(), set()).update(cells)
    return found


def wrong(name: str, cells: list[str], fitted: set[str]) -> Iterator[str]:
    """Yield what a row says of a library that its numbers do not."""
    for cell in cells:
        for words in (ORDERS, EXPONENTS):
            known = {words[one] for one in fitted if one in words}
            if known and cell in words and words[cell] not in known:
                yield (
                    f"{name} is said to be {cell!r}, and its own numbers fit "
                    f"{' or '.join(sorted(known))} in {HOME.name}"
                )
