"""Sentences: the prose of a page, in paragraphs, and what stands directly before and after each.

Formulas, and code within a line, are one strange word each, and positions stay: what is found
here is found on the page. A line break ends a sentence, as the book writes one a line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from engine.fences import Fence, blank, fences, prose, without_fences
from engine.formulas import DISPLAY, INLINE
from engine.texts import FRONT_MATTER

CODE, FORMULA = "□", "■"  # each in place of each character
SHOWN = "\x01"  # likewise, of a session, a figure, or a cell
SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]+?(?<!`)\1(?!`)")
BLOCK_TITLE = re.compile(r"^/{3,} *\w+ *\| ", re.MULTILINE)
# What opens or closes a block or an element, and what is said of one.
AROUND = re.compile(
    r"^(?:/{3,}[^\n]*| +(?:attrs|type): [^\n]*|\{ ?[.#:][^{}\n]*\} *| *</?\w[^<>\n]*>)$",
    re.MULTILINE,
)
BLOCK = re.compile(
    r"^/// (?P<kind>statement|verification|claim)\b.*?^///[ \t]*$", re.MULTILINE | re.DOTALL
)
# What readers see once they open it: it shows nothing to the paragraphs around.
FOLDED = re.compile(r"^/// (?:proof|verification)\b.*?^///[ \t]*$", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"^ *(?:[-*+]|\d+[.)]) +|^> ?")
TITLE = re.compile(r"\*\*[^*\n]+[.:?!\"”]\*\*(?: +|$)")  # of a paragraph, at its head
NO_END = "".join(rf"(?<!\b{short}\.)" for short in (r"e\.g", r"i\.e", "al", "vs", "cf", "[A-Z]"))
BREAK = re.compile(rf"(?<=[.?!…]){NO_END}[\"”’*_)]* +(?=[\"“(*_\[]*[A-Z{CODE}{FORMULA}])")
COUNTED = re.compile(rf"[^\W_]|{CODE}|{FORMULA}")


@dataclass(frozen=True)
class Sentence:
    """One sentence, or the title of a paragraph: where it begins on the page, and its words."""

    start: int
    text: str

    @property
    def words(self) -> int:
        """Return how many words it has."""
        return sum(COUNTED.search(word) is not None for word in self.text.split())

    @property
    def complete(self) -> bool:
        """Return whether it ends as a sentence does, and is no title."""
        ends = self.text.rstrip('*_)"”').endswith((".", "?", "!", ":", "…"))
        return ends and not TITLE.fullmatch(self.text)


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, an item of a list, a row of a table, a heading, or the title of a block."""

    kind: str  # text, row, heading, title
    start: int
    text: str
    shown: bool  # directly before or after it stands a session, open, a figure or a cell
    inside: str  # of which block: statement, verification, claim
    sentences: tuple[Sentence, ...]


@lru_cache(maxsize=256)  # each rule asks for them
def paragraphs(text: str) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a page in order."""
    blocks = [(match.span(), match["kind"]) for match in BLOCK.finditer(without_fences(text))]
    return tuple(_paragraphs(_visible(text), blocks))


def _visible(text: str) -> str:
    """Return a page without all that is no prose, each thing of one kind under its own sign."""
    seen = prose(text)
    for match in SPAN.finditer(without_fences(text)):
        if not seen[slice(*match.span())].strip():
            seen = _put(seen, match.span(), CODE)
    for pattern in (FRONT_MATTER, DISPLAY):
        seen = pattern.sub(lambda match: blank(match[0]), seen)
    seen = INLINE.sub(lambda match: FORMULA * len(match[0]), seen)
    seen = BLOCK_TITLE.sub(lambda match: f"/{' ' * (len(match[0]) - 1)}", seen)
    seen = AROUND.sub(lambda match: blank(match[0]), seen)
    folded = [match.span() for match in FOLDED.finditer(without_fences(text))]
    for fence in filter(_shows, fences(text)):
        if any(start < fence.start < end for start, end in folded):
            continue
        seen = _put(seen, (fence.start, fence.end), SHOWN)
    return seen


def _shows(fence: Fence) -> bool:
    """Return whether a fence shows what comes of code: a session, a figure, a cell of a lab."""
    run = fence.language == "pycon" or fence.classes & {"figure", "cell"}
    return bool(run) and "not-run" not in fence.classes


def _put(seen: str, span: tuple[int, int], sign: str) -> str:
    """Return the text with a sign in place of each character of a span that ends no line."""
    start, end = span
    return seen[:start] + re.sub(r"[^\n]", sign, seen[start:end]) + seen[end:]


def _kind(line: str) -> str:
    """Return what a line is part of."""
    kinds = {SHOWN: SHOWN, "|": "row", "#": "heading", "/": "title"}
    return kinds.get(line[0], "text") if line.strip() else ""


Line = tuple[int, str]  # where it begins


def _paragraphs(seen: str, blocks: list[tuple[tuple[int, int], str]]) -> Iterator[Paragraph]:
    lines = list[Line]()
    place = 0
    for line in seen.split("\n"):
        lines.append((place, line))
        place += len(line) + 1
    runs = [(kind, list(run)) for kind, run in groupby(lines, key=lambda line: _kind(line[1]))]
    # A title of a block stands between nothing: what a block shows is beside what is before it.
    around = ["", *(kind for kind, _ in runs if kind not in ("", "title")), ""]
    number = 0
    for kind, run in runs:
        number += kind not in ("", "title")
        if kind in ("", SHOWN):
            continue
        shown = kind != "title" and SHOWN in (around[number - 1], around[number + 1])
        for start, part in _parts(kind, run):
            inside = next((name for (a, b), name in blocks if a < start < b), "")
            yield Paragraph(kind, start, part, shown, inside, tuple(_sentences(start, part)))


def _parts(kind: str, run: list[Line]) -> Iterator[Line]:
    """Yield the parts of lines without an empty one between them: items, rows, or all of it."""
    first = 0
    for number in range(1, len(run) + 1):
        if number == len(run) or kind != "text" or ITEM.match(run[number][1]):
            yield run[first][0], "\n".join(line for _, line in run[first:number])
            first = number


def _sentences(start: int, part: str) -> Iterator[Sentence]:
    for match in re.finditer(r"[^\n]+", part):
        line = match[0]
        item = ITEM.match(line)
        head = item.end() if item else 0
        title = TITLE.match(line, head)
        first = title.end() if title else head
        cuts = [head, *[first] * bool(title), *(cut.end() for cut in BREAK.finditer(line, first))]
        for begin, end in pairwise([*cuts, len(line)]):
            if said := line[begin:end].rstrip():
                yield Sentence(start + match.start() + begin, said)
