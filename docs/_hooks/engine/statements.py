"""Statements: an equation, the lines that implement it, and the block that verifies it.

On a page, in this order, with `attrs: {id: eq-…}` indented under the first line:

    /// statement | Name
    /// implementation
    /// verification

each closed by a line of three slashes. Their numbers come from the order of the chapters.
"""

import ast
import doctest
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile
from os.path import relpath
from pathlib import Path

from sybil import Document, Region

from engine.complaints import complaint
from engine.fences import INCLUDE, Fence, fences, without_fences
from engine.formulas import DISPLAY
from engine.texts import by_text, front, read

BLOCK = re.compile(
    r"^/// (?P<kind>statement|implementation|verification)(?: \| (?P<title>[^\n]+))?\n"
    r"(?P<body>.*?)^///[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
OPENING = re.compile(
    r"^[ \t>*+-]*(?:\d+[.)] *)?(?:///+|!!!|\?\?\?\+?) *"
    r"(?P<kind>statement|implementation|verification)"
    r"|^ +type: (?P<type>statement|implementation|verification)",
    re.MULTILINE | re.IGNORECASE,
)
BEFORE = {"implementation": "statement", "verification": "implementation"}
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
IDENTIFIER = re.compile(r"^    attrs: \{id: (eq-[a-z0-9-]+)\}$", re.MULTILINE)


@dataclass
class Block:
    """One of the three blocks of an equation."""

    kind: str
    title: str
    start: int  # on the page
    title_start: int
    text: str  # the body


@dataclass
class Equation:
    """A statement as the register of equations knows it."""

    id: str
    name: str
    page: Path
    start: int
    formulas: list[str]
    implementations: list[str]  # the files that are included: "posenc/relative/rotary.py"


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page in order. Those shown inside a fence are not blocks."""
    for match in BLOCK.finditer(without_fences(text)):
        start, end = match.span("body")
        title = match["title"] or ""
        inside = COMMENT.sub("", text[start:end])
        yield Block(match["kind"], title, match.start(), match.start("title"), inside)


def cards(text: str) -> Iterator[tuple[str, Block, Block]]:
    """Yield the id, the implementation and the verification of each card of a page."""
    name, before = "", None
    for block in blocks(text):
        if block.kind == "statement":
            match = IDENTIFIER.search(block.text)
            name = match[1] if match else ""
        elif block.kind == "verification" and before:
            yield name, before, block
        before = block


@lru_cache(maxsize=256)  # every page asks every other
def equations(page: Path, text: str) -> tuple[Equation, ...]:
    """Return the equations that a page states, in order."""
    return tuple(_equations(page, text))


def _equations(page: Path, text: str) -> Iterator[Equation]:
    found = [*blocks(text), None]
    for block, after in pairwise(found):
        if (
            block is None
            or block.kind != "statement"
            or not (name := IDENTIFIER.search(block.text))
        ):
            continue
        implemented = included(after.text) if after and after.kind == "implementation" else []
        yield Equation(
            id=name[1],
            name=block.title,
            page=page,
            start=block.start,
            formulas=[match["tex"].strip() for match in DISPLAY.finditer(block.text)],
            implementations=implemented,
        )


@dataclass
class Entry:
    """An equation with its number and the chapter that states it."""

    number: str
    equation: Equation
    chapter: str

    def link(self, page: Path) -> str:
        """Return the address of the statement, as seen from a page."""
        there = self.equation.page
        return f"{'' if there == page else relpath(there, page.parent)}#{self.equation.id}"


def register(chapters: Iterable[Path]) -> dict[str, Entry]:
    """Number the equations of the book; chapters are counted where they state any."""
    entries: dict[str, Entry] = {}
    count = 0
    for page in chapters:
        text = read(page)
        stated = list(equations(page, text))
        count += bool(stated)
        title = front(text).get("title", page.stem)
        for place, equation in enumerate(stated, start=1):
            if equation.id in entries:
                raise ValueError(
                    f"{page.name}: the id {equation.id} is taken by "
                    f"{entries[equation.id].equation.page.name}; give it another"
                )
            entries[equation.id] = Entry(f"{count}.{place}", equation, title)
    return entries


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for everything that a statement lacks."""
    text, found = document.text, list(blocks(document.text))
    ids: set[str] = set()
    for number, block in enumerate(found):
        before = found[number - 1].kind if number else "nothing"
        if block.kind == "statement":
            rest = found[number + 1 :]
            followers = list(takewhile(lambda block: block.kind != "statement", rest))
            for message in lacking(block, followers, ids):
                yield complaint(block.start, message)
        elif before != BEFORE[block.kind]:
            order = "the order is statement, implementation, verification"
            found_here = f"{block.kind} after {before}, not {BEFORE[block.kind]}"
            yield complaint(block.start, f"{found_here}; {order}")
    openings = {block.start for block in found}
    for match in OPENING.finditer(without_fences(text)):
        if match.start() not in openings:
            kind = match["kind"] or match["type"]
            yield complaint(match.start(), f"write /// {kind} at the margin, and close it with ///")


def lacking(block: Block, followers: list[Block], ids: set[str]) -> Iterator[str]:
    """Yield what a statement and the two blocks after it lack; ids are those of the page so far."""
    if not block.title:
        yield "a statement without a name; write /// statement | Name"
    name = IDENTIFIER.search(block.text)
    if name is None:
        yield "a statement without an id; write     attrs: {id: eq-name} under its first line"
    elif name[1] in ids:
        yield f"the id {name[1]} is taken on this page; give this statement another"
    else:
        ids.add(name[1])
    if not DISPLAY.search(block.text):
        yield "a statement without a displayed formula; put it between two lines of $$"
    after = {follower.kind: follower.text for follower in followers}
    if "implementation" not in after:
        yield "a statement without its implementation; add an /// implementation block after it"
    elif not included(after["implementation"]):
        yield (
            "an implementation that includes no line of the package with --8<--; "
            'show what runs, in a fence: --8<-- "posenc/file.py:section"'
        )
    if "verification" not in after:
        yield "a statement without its verification; add a /// verification block after it"
    elif not any(map(checks, fences(after["verification"]))):
        yield (
            "a verification without a prompt whose printed answer could be wrong; "
            "print a number or a comparison that a wrong implementation would change"
        )


def included(text: str) -> list[str]:
    """Return the files of the package that fences of a block include lines of."""
    matches = [INCLUDE.fullmatch(fence.source) for fence in fences(text)]
    return [match["path"] for match in matches if match and match["path"].startswith("posenc/")]


def checks(fence: Fence) -> bool:
    """Return whether a fence has a prompt whose answer is more than an echo of the prompt."""
    if fence.language != "pycon" or "not-run" in fence.classes:
        return False
    try:
        prompts = doctest.DocTestParser().get_examples(fence.source)
    except ValueError:  # complained of where the fence is read
        return True
    return any(prompt.want and not literal(prompt.source) for prompt in prompts)


def literal(source: str) -> bool:
    """Return whether code is a constant: its value is what stands there."""
    try:
        ast.literal_eval(source.strip())
    except (ValueError, SyntaxError):
        return False
    return True
