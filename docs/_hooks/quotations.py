"""Numbers that the text quotes: each must stand in a checked session of the same page.

The sessions are run; so a number that agrees with one of theirs, to the digits that the
text shows, is as true as they are. Looked at are numbers with a decimal point and whole
numbers of five digits and more, in sentences, tables and formulas within a line.
"""

import re
from collections.abc import Iterator

from sybil import Document, Region

from complaints import complaint
from fences import blank, fences, prose
from formulas import DISPLAY
from kept import by_text
from percent import is_lab
from precision import agrees

# A number sign before it makes it the number of a thread: repo#1234.
QUOTED = re.compile(
    r"(?<![\w.:/#-])(?P<number>[-−]?(?:\d+\.\d+|\d{1,3}(?: \d{3})+|\d{5,}))(?![\w.]*\d)"
)
COMPUTED = re.compile(r"-?\d[\d_]*\.?\d*(?:e[+-]?\d+)?")
# Headings, also those that a table lists; sections of papers, versions, and addresses.
NOT_QUOTED = re.compile(
    r"^#.*|^\| [\d.]+ (?=[A-Z])|sections? [\d.]+|Python [\d.]+|arXiv:[\d.v]+|\]\([^)]*\)"
)
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each number that no session of the page has."""
    if is_lab(document.path):  # it is run after this, and asserts what it says
        return
    sessions = [fence.source for fence in fences(document.text) if fence.language == "pycon"]
    computed = {
        match[0].replace("_", "") for source in sessions for match in COMPUTED.finditer(source)
    }
    text = prose(document.text)
    for pattern in (FRONT_MATTER, DISPLAY):
        text = pattern.sub(lambda match: blank(match[0]), text)
    place = 0
    for line in text.split("\n"):
        for match in QUOTED.finditer(NOT_QUOTED.sub("", line)):
            number = match["number"].replace(" ", "").replace("−", "-")
            exact = number if "." in number else f"{number}."
            if not any(agrees(exact, other) for other in computed):
                yield complaint(
                    place,
                    f"the text says {match['number']}, and no session of this page does; "
                    "let one print it",
                )
        place += len(line) + 1
