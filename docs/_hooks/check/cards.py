"""Statements: an equation, the lines that implement it, and the block that verifies it.

On a page, in this order, with `attrs: {id: eq-…}` indented under the first line:

    /// statement | Name
    /// implementation
    /// verification | What is compared

each closed by a line of three slashes. A proof stands in front of the statement that it leads to;
where no code computes the equation, it takes the place of the implementation. Numbers come from
the order of the chapters.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile
from os.path import relpath
from pathlib import Path

from sybil import Document, Region

from check import ast_cache, comparisons, proofs
from check.fences import INCLUDE, Fence, blank_fences, find_fences
from check.formulas import DISPLAY
from check.page_source import cache_by_text, get_front_matter, read_page
from check.problems import make_problem

BLOCK = re.compile(
    r"^/// (?P<kind>statement|implementation|proof|verification)(?: \| (?P<title>[^\n]+))?\n"
    r"(?P<body>.*?)^///[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
OPENING = re.compile(
    r"^[ \t>*+-]*(?:\d+[.)] *)?(?:///+|!!!|\?\?\?\+?) *"
    r"(?P<kind>statement|implementation|proof|verification)"
    r"|^ +type: (?P<type>statement|implementation|proof|verification)",
    re.MULTILINE | re.IGNORECASE,
)
ALLOWED_BEFORE = {
    "implementation": ("statement",),
    "proof": ("nothing", "proof", "verification"),  # why comes before what
    "verification": ("implementation", "proof", "statement"),  # the last behind its proof
}
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
IDENTIFIER = re.compile(r"^    attrs: \{id: (eq-[a-z0-9-]+)\}$", re.MULTILINE)


@dataclass
class Block:
    """One of the three blocks of an equation, or a proof."""

    kind: str
    title: str
    start: int  # on the page
    title_start: int
    text: str  # the body
    end: int  # on the page: where the line begins that closes it
    raw: str  # the body, with its comments

    @property
    def within(self) -> range:
        """Return the characters of the page in which the body stands."""
        return range(self.end - len(self.raw), self.end)


@dataclass
class Card:
    """A statement with what speaks for it."""

    id: str
    support: Block  # its implementation, or its proof
    verification: Block

    @property
    def start(self) -> int:
        """Return where the code begins that speaks for the statement."""
        return (self.support if self.support.kind == "proof" else self.verification).start


@dataclass
class Equation:
    """A statement as the register of equations knows it."""

    id: str
    name: str
    page: Path
    start: int
    formulas: list[str]
    implementations: list[str]  # the files that are included: "posenc/relative/rotary.py"


def find_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page in order. Those shown inside a fence are not blocks."""
    for match in BLOCK.finditer(blank_fences(text)):
        start, end = match.span("body")
        title = match["title"] or ""
        raw = text[start:end]
        inside = COMMENT.sub("", raw)
        yield Block(match["kind"], title, match.start(), match.start("title"), inside, end, raw)


def find_cards(text: str) -> Iterator[Card]:
    """Yield the cards of a page."""
    name, support = "", None
    before: Block | None = None
    for block in find_blocks(text):
        if block.kind == "statement":
            match = IDENTIFIER.search(block.text)
            name, support = match[1] if match else "", get_leading_proof(before)
        elif block.kind == "verification" and support:
            yield Card(name, support, block)
        elif block.kind == "implementation":
            support = block
        before = block


def get_leading_proof(before: Block | None) -> Block | None:
    """Return the block before a statement if it is a proof, which leads to the statement."""
    return before if before and before.kind == "proof" else None


@lru_cache(maxsize=256)  # every page asks every other
def find_equations(page: Path, text: str) -> tuple[Equation, ...]:
    """Return the equations that a page states, in order."""
    return tuple(_equations(page, text))


def _equations(page: Path, text: str) -> Iterator[Equation]:
    found = [*find_blocks(text), None]
    for block, after in pairwise(found):
        if (
            block is None
            or block.kind != "statement"
            or not (name := IDENTIFIER.search(block.text))
        ):
            continue
        implemented = (
            list_included_files(after.text) if after and after.kind == "implementation" else []
        )
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


def number_equations(chapters: Iterable[Path]) -> dict[str, Entry]:
    """Number the equations of the book; chapters are counted where they state any."""
    entries: dict[str, Entry] = {}
    count = 0
    for page in chapters:
        text = read_page(page)
        stated = list(find_equations(page, text))
        count += bool(stated)
        title = get_front_matter(text).get("title", page.stem)
        for place, equation in enumerate(stated, start=1):
            if equation.id in entries:
                raise ValueError(
                    f"{page.name}: the id {equation.id} is taken by "
                    f"{entries[equation.id].equation.page.name}; give it another"
                )
            entries[equation.id] = Entry(f"{count}.{place}", equation, title)
    return entries


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for everything that a statement lacks."""
    text, found = document.text, list(find_blocks(document.text))
    ids: set[str] = set()
    for number, block in enumerate(found):
        previous = found[number - 1] if number else None
        before = previous.kind if previous else "nothing"
        if block.kind == "statement":
            rest = found[number + 1 :]
            followers = list(takewhile(lambda block: block.kind != "statement", rest))
            led = get_leading_proof(previous) is not None
            for message in find_missing_parts(block, followers, ids, led=led):
                yield make_problem(block.start, message)
        elif before not in ALLOWED_BEFORE.get(block.kind, (before,)):
            order = "the order is proof, statement, implementation, verification"
            found_here = (
                f"{block.kind} after {before}, not {' or '.join(ALLOWED_BEFORE[block.kind])}"
            )
            yield make_problem(block.start, f"{found_here}; {order}")
        if block.kind == "proof":
            yield from (
                make_problem(block.start, message)
                for message in proofs.find_proof_problems(block.text)
            )
        if block.kind in ("proof", "verification"):
            for message in (
                *comparisons.find_domain_problems(block.text),
                *comparisons.find_vacuous(block.text),
            ):
                yield make_problem(block.start, message)
    openings = {block.start for block in found}
    for match in OPENING.finditer(blank_fences(text)):
        if match.start() not in openings:
            kind = match["kind"] or match["type"]
            yield make_problem(
                match.start(), f"write /// {kind} at the margin, and close it with ///"
            )


def find_missing_parts(
    block: Block, followers: list[Block], ids: set[str], *, led: bool
) -> Iterator[str]:
    """Yield what a statement and the two blocks after it lack.

    The ids are those of the page so far; a proof may have led to the statement.
    """
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
    after = {follower.kind: follower.text for follower in reversed(followers)}
    if "implementation" not in after and not led:
        yield (
            "a statement without its implementation; add an /// implementation block after it, "
            "or a /// proof before it where no code computes it"
        )
    elif "implementation" in after and not list_included_files(after["implementation"]):
        yield (
            "an implementation that includes no line of the package with --8<--; "
            'show what runs, in a fence: --8<-- "posenc/file.py:section"'
        )
    if "verification" not in after:
        yield "a statement without its verification; add a /// verification block after it"
    elif not any(map(has_check, find_fences(after["verification"]))):
        yield (
            "a verification without a prompt whose printed answer could be wrong; "
            "print a number or a comparison that a wrong implementation would change"
        )


def list_included_files(text: str) -> list[str]:
    """Return the files of the package that fences of a block include lines of."""
    matches = [INCLUDE.fullmatch(fence.source) for fence in find_fences(text)]
    return [match["path"] for match in matches if match and match["path"].startswith("posenc/")]


def has_check(fence: Fence) -> bool:
    """Return whether a fence has a prompt whose answer is more than an echo of the prompt."""
    if fence.language != "pycon" or "not-run" in fence.classes:
        return False
    try:
        prompts = ast_cache.parse_session(fence.source)
    except ValueError:  # complained of where the fence is read
        return True
    return any(prompt.want and not is_literal(prompt.source) for prompt in prompts)


def is_literal(source: str) -> bool:
    """Return whether code is a constant: its value is what stands there."""
    try:
        ast.literal_eval(source.strip())
    except (ValueError, SyntaxError):
        return False
    return True
