"""Statements: an equation, the lines that implement it, and the block that verifies it.

On a page, in this order, with `attrs: {id: eq-…}` indented under the first line:

    /// statement | Name
    /// implementation
    /// verification

each closed by a line of three slashes.
"""

import ast
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import Path

from sybil import Document, Region

from complaints import complaint
from fences import INCLUDE, fences, without_fences
from formulas import DISPLAY

BLOCK = re.compile(
    r"^/// (?P<kind>statement|implementation|verification)(?: \| (?P<title>[^\n]+))?\n"
    r"(?P<body>.*?)^///[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
OPENING = re.compile(r"^[ \t]*///+ *(statement|implementation|verification)", re.MULTILINE)
BEFORE = {"implementation": "statement", "verification": "implementation"}
IDENTIFIER = re.compile(r"^    attrs: \{id: (eq-[a-z0-9-]+)\}$", re.MULTILINE)


@dataclass
class Block:
    """One of the three blocks of an equation."""

    kind: str
    title: str
    start: int  # on the page
    text: str  # the body


@dataclass
class Equation:
    """A statement as the register of equations knows it."""

    id: str
    name: str
    page: Path
    start: int
    formulas: list[str]
    implementations: list[str]  # what is included: "posenc/relative.py:blocks"


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page in order. Those shown inside a fence are not blocks."""
    for match in BLOCK.finditer(without_fences(text)):
        start, end = match.span("body")
        title = match["title"] or ""
        yield Block(match["kind"], title, match.start(), text[start:end])


def equations(page: Path, text: str) -> Iterator[Equation]:
    """Yield the equations that a page states, in order."""
    found = [*blocks(text), None]
    for block, after in pairwise(found):
        if (
            block is None
            or block.kind != "statement"
            or not (name := IDENTIFIER.search(block.text))
        ):
            continue
        implemented = after.text if after and after.kind == "implementation" else ""
        yield Equation(
            id=name[1],
            name=block.title,
            page=page,
            start=block.start,
            formulas=[match["tex"].strip() for match in DISPLAY.finditer(block.text)],
            implementations=[
                match["path"] + (f":{match['section']}" if match["section"] else "")
                for match in INCLUDE.finditer(implemented)
            ],
        )


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
            yield complaint(block.start, f"{block.kind} after {before}, not {BEFORE[block.kind]}")
    openings = {block.start for block in found}
    for match in OPENING.finditer(without_fences(text)):
        if match.start() not in openings:
            yield complaint(match.start(), f"this {match[1]} is indented, unclosed or in another")


def lacking(block: Block, followers: list[Block], ids: set[str]) -> Iterator[str]:
    """Yield what a statement and the two blocks after it lack; ids are those of the page so far."""
    if not block.title:
        yield "a statement without a name; write /// statement | Name"
    name = IDENTIFIER.search(block.text)
    if name is None:
        yield "a statement without an id; write     attrs: {id: eq-name} under its first line"
    elif name[1] in ids:
        yield f"the id {name[1]} is taken"
    else:
        ids.add(name[1])
    if not DISPLAY.search(block.text):
        yield "a statement without a displayed formula"
    after = {follower.kind: follower.text for follower in followers}
    if "implementation" not in after:
        yield "a statement without its implementation; add an /// implementation block after it"
    elif not INCLUDE.search(after["implementation"]):
        yield "an implementation that includes no line of the package with --8<--"
    if "verification" not in after:
        yield "a statement without its verification; add a /// verification block after it"
    elif not any(checks(fence.source) for fence in fences(after["verification"])):
        yield "a verification without a prompt whose printed answer could be wrong"


def checks(source: str) -> bool:
    """Return whether a fence has a prompt whose answer is more than an echo of the prompt."""
    try:
        prompts = doctest.DocTestParser().get_examples(source)
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
