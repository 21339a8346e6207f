"""Cards: an equation, the code that implements it, and the session that verifies it.

On a page, in this order, with `attrs: {id: eq-…}` indented under the first line:

    /// statement | Name
    /// proof | What it proves
    /// implementation
    /// package | What is special about these lines
    /// verification | What is compared

A definition ends with its source, `Definition: [Shaw et al. 2018](…).` and `{ .definition }` below.
Each block ends with a line of three slashes. The implementation is code that readers can copy. If
the lines of the package cannot be copied, they follow in a block of their own, which is folded.
A proof comes after the statement, or after the whole card. After the statement, it replaces the
implementation if no code computes the equation. Equations are numbered in the order of chapters.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from os.path import relpath
from pathlib import Path

from sybil import Document, Region

from check import ast_cache, comparisons, proofs
from check.fences import INCLUDE, Fence, blank_fences, find_fences
from check.formulas import DISPLAY
from check.page_source import cache_by_text, get_front_matter, read_page
from check.problems import make_problem

KINDS = r"statement|implementation|package|proof|verification"
BLOCK = re.compile(
    rf"^/// (?P<kind>{KINDS})(?: \| (?P<title>[^\n]+))?\n(?P<body>.*?)^///[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
# Whatever looks like the beginning of a block, in this and in other spellings.
OPENING = re.compile(
    rf"^[ \t>*+-]*(?:\d+[.)] *)?(?:///+|!!!|\?\?\?\+?) *(?P<kind>{KINDS})"
    rf"|^ +type: (?P<type>{KINDS})",
    re.MULTILINE | re.IGNORECASE,
)
ALLOWED_BEFORE = {
    "implementation": ("statement", "proof"),
    "package": ("implementation",),
    "proof": ("statement", "proof", "verification"),
    # After a statement only if that has a proof: find_missing_parts checks this.
    "verification": ("implementation", "package", "proof", "statement"),
}
ORDER = "the order is statement, proof, implementation, package, verification"
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
DEFINITION = re.compile(r"^Definition: (?P<source>.+)\.\n\{ \.definition \}$", re.MULTILINE)
DEFINITION_WORD = re.compile(r"^(?:Definition\b|\{ *\.definition\b)", re.MULTILINE)
IDENTIFIER = re.compile(r"^    attrs: \{id: (eq-[a-z0-9-]+)\}$", re.MULTILINE)


@dataclass
class Block:
    """A block of a card; `start`, `title_start` and `end` are positions on the page."""

    kind: str
    title: str
    start: int
    title_start: int
    text: str  # the body without comments
    end: int  # of the body: where the line of three slashes begins
    raw: str  # the body with comments

    @property
    def body_range(self) -> range:
        """Return the positions of the body on the page."""
        return range(self.end - len(self.raw), self.end)


@dataclass
class Card:
    """A statement with its verification, and with its implementation or its proof."""

    id: str
    support: Block  # the block with lines of the package, or the proof
    verification: Block

    @property
    def start(self) -> int:
        """Return the position of the first block with code that checks the statement."""
        return (self.support if self.support.kind == "proof" else self.verification).start


@dataclass
class Equation:
    """A statement of a page, with its formulas and the files that implement it."""

    id: str
    name: str
    page: Path
    start: int
    formulas: list[str]
    implementations: list[str]  # as "posenc/rotary/rotation.py"
    source: str = ""  # of a definition


@dataclass
class Entry:
    """An equation with its number and the title of the chapter that states it."""

    number: str
    equation: Equation
    chapter: str

    def link(self, page: Path) -> str:
        """Return the address of the statement relative to a page."""
        target = self.equation.page
        return f"{'' if target == page else relpath(target, page.parent)}#{self.equation.id}"


def find_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page in order, except those inside a fence."""
    for match in BLOCK.finditer(blank_fences(text)):
        start, end = match.span("body")
        yield Block(
            kind=match["kind"],
            title=match["title"] or "",
            start=match.start(),
            title_start=match.start("title"),
            text=COMMENT.sub("", text[start:end]),
            end=end,
            raw=text[start:end],
        )


def find_cards(text: str) -> Iterator[Card]:
    """Yield the complete cards of a page."""
    name, support = "", None
    previous: Block | None = None
    for block in find_blocks(text):
        if block.kind == "statement":
            match = IDENTIFIER.search(block.text)
            name, support = match[1] if match else "", None
        elif block.kind == "verification" and support:
            yield Card(name, support, block)
        elif block.kind in ("implementation", "package") or (
            block.kind == "proof" and previous and previous.kind == "statement"
        ):
            support = block
        previous = block


@lru_cache(maxsize=256)  # each page asks for the equations of all others
def find_equations(page: Path, text: str) -> tuple[Equation, ...]:
    """Return the equations that a page states, in order."""
    return tuple(_find_equations(page, text))


def _find_equations(page: Path, text: str) -> Iterator[Equation]:
    blocks = list(find_blocks(text))
    for number, block in enumerate(blocks):
        name = IDENTIFIER.search(block.text) if block.kind == "statement" else None
        if name:
            parts = takewhile(
                lambda block: block.kind not in ("statement", "verification"), blocks[number + 1 :]
            )
            code = (block for block in parts if block.kind != "proof")
            definition = DEFINITION.search(block.text)
            yield Equation(
                id=name[1],
                name=block.title,
                page=page,
                start=block.start,
                formulas=[match["tex"].strip() for match in DISPLAY.finditer(block.text)],
                implementations=[
                    file for block in code for file in list_included_files(block.text)
                ],
                source=definition["source"] if definition else "",
            )


def number_equations(chapters: Iterable[Path]) -> dict[str, Entry]:
    """Return the equations of the book by id, with their numbers.

    A number is that of the chapter, among those with equations, and that within the chapter.
    """
    entries: dict[str, Entry] = {}
    chapter_number = 0
    for page in chapters:
        text = read_page(page)
        equations = find_equations(page, text)
        chapter_number += bool(equations)
        title = get_front_matter(text).get("title", page.stem)
        for number, equation in enumerate(equations, start=1):
            if equation.id in entries:
                other = entries[equation.id].equation.page.name
                raise ValueError(
                    f"{page.name}: {other} already has the id {equation.id}; use another"
                )
            entries[equation.id] = Entry(f"{chapter_number}.{number}", equation, title)
    return entries


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each block that is misplaced or misspelled, or lacks something."""
    blocks = list(find_blocks(document.text))
    ids: set[str] = set()
    for number, block in enumerate(blocks):
        previous = blocks[number - 1].kind if number else "nothing"
        allowed = ALLOWED_BEFORE.get(block.kind, (previous,))
        messages: list[str] = []
        if block.kind == "statement":
            rest = blocks[number + 1 :]
            followers = list(takewhile(lambda block: block.kind != "statement", rest))
            has_proof = any(block.kind == "proof" for block in rest[:1])
            messages += find_missing_parts(block, followers, ids, has_proof=has_proof)
        elif previous not in allowed:
            messages.append(f"{block.kind} after {previous}, not {' or '.join(allowed)}; {ORDER}")
        if block.kind == "proof":
            messages += proofs.find_proof_problems(block.text)
        if block.kind in ("proof", "verification"):
            messages += comparisons.find_domain_problems(block.text)
            messages += comparisons.find_vacuous(block.text)
        for message in messages:
            yield make_problem(block.start, message)
    starts = {block.start for block in blocks}
    for match in OPENING.finditer(blank_fences(document.text)):
        if match.start() not in starts:
            kind = match["kind"] or match["type"]
            message = f"write /// {kind} without indentation, and close it with ///"
            yield make_problem(match.start(), message)


def find_missing_parts(
    block: Block, followers: list[Block], ids: set[str], *, has_proof: bool
) -> Iterator[str]:
    """Yield a message for each part that a statement, or the blocks after it, lack.

    `ids` are those used above on the page; the id of this statement is added.
    """
    if not block.title:
        yield "a statement without a name; write /// statement | Name"
    name = IDENTIFIER.search(block.text)
    if name is None:
        yield "a statement without an id; write     attrs: {id: eq-name} under its first line"
    elif name[1] in ids:
        yield f"the id {name[1]} is used twice on this page; give this statement another"
    else:
        ids.add(name[1])
    if not DISPLAY.search(block.text):
        yield "a statement without a displayed formula; put it between two lines of $$"
    if DEFINITION_WORD.search(block.text) and not DEFINITION.search(block.text):
        yield (
            "a definition without its source; end the statement with Definition: [Author 2020](…). "
            "and below it { .definition }"
        )
    after = {follower.kind: follower.text for follower in reversed(followers)}
    if "implementation" not in after and not has_proof:
        yield (
            "a statement without an implementation; add an /// implementation block after it, "
            "or a /// proof if no code computes it"
        )
    elif "implementation" in after and not list_included_files(
        after.get("package", after["implementation"])
    ):
        yield (
            "an implementation that includes no lines of the package; include those that run, "
            'in the implementation or in a /// package block: --8<-- "posenc/file.py:section"'
        )
    if "verification" not in after:
        yield "a statement without a verification; add a /// verification block after it"
    elif not any(map(has_check, find_fences(after["verification"]))):
        yield (
            "a verification without a prompt whose output could be wrong; "
            "print a number or a comparison that a wrong implementation would change"
        )


def list_included_files(text: str) -> list[str]:
    """Return the files of the package that the fences of a block include lines of."""
    matches = [INCLUDE.fullmatch(fence.source) for fence in find_fences(text)]
    return [match["path"] for match in matches if match and match["path"].startswith("posenc/")]


def has_check(fence: Fence) -> bool:
    """Return whether a fence has a prompt with output that is not just its own source."""
    if fence.language != "pycon" or "not-run" in fence.classes:
        return False
    try:
        prompts = ast_cache.parse_session(fence.source)
    except ValueError:  # reported by the parser of code blocks
        return True
    return any(prompt.want and not _is_literal(prompt.source) for prompt in prompts)


def _is_literal(source: str) -> bool:
    try:
        ast.literal_eval(source.strip())
    except (ValueError, SyntaxError):
        return False
    return True
