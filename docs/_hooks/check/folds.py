"""Rule for folded code: no visible line of a chapter uses a name that only a fold defines.

Readers who leave the folds closed, and copy what they see, would get a NameError.
"""

import re
import symtable
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sybil import Document, Region

from check import ast_cache
from check.cards import find_blocks
from check.fences import PYTHON, Fence, blank_fences, find_fences
from check.page_source import cache_by_text
from check.problems import make_problem

FOLD = re.compile(
    r"^(?P<slashes>/{3,}) (?:answer|code|details|package|solution|verdict|verification)\b"
    r".*?^(?P=slashes)$",
    re.MULTILINE | re.DOTALL,
)


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each name in a visible line that only a fold above it defines."""
    if Path(document.path).parent.name != "chapters":
        return
    text = document.text
    folds = [range(*match.span()) for match in FOLD.finditer(blank_fences(text))]
    proofs = [range(block.start, block.end) for block in find_blocks(text) if block.kind == "proof"]
    visible: set[str] = set()
    folded: dict[str, int] = {}  # the line of each name in a fold
    for fence in find_fences(text):
        # A page folds the sessions of proofs.
        closed = folds + proofs if fence.language == "pycon" else folds
        for position, source in find_code(fence):
            defined, used = find_names(source)
            if any(position in fold for fold in closed):
                line = text.count("\n", 0, position) + 1
                folded = dict.fromkeys(defined, line) | folded
                continue
            for name in sorted(used & folded.keys() - visible):
                yield make_problem(
                    position,
                    f"{name} is defined only in the fold at line {folded[name]}, but used here, "
                    "where readers see it; define it in the open, or fold this line, too",
                )
            visible |= defined


def find_code(fence: Fence) -> Iterator[tuple[int, str]]:
    """Yield the position and the source of each prompt of a session, or of a block of Python."""
    if fence.classes & {"figure", "not-run"}:  # a figure runs alone
        return
    if fence.language == "pycon":
        with suppress(ValueError):  # reported by the parser of code blocks
            for prompt in ast_cache.parse_session(fence.source):
                yield fence.line_starts[prompt.lineno], prompt.source
    elif fence.language in PYTHON:
        yield fence.line_starts[0], fence.source


def find_names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that code defines, and the other global names that it uses."""
    try:
        tables = [symtable.symtable(source, "page", "exec")]
    except SyntaxError:  # reported when the code runs
        return set(), set()
    defined = {
        symbol.get_name()
        for symbol in tables[0].get_symbols()
        if symbol.is_assigned() or symbol.is_imported()
    }
    used = set[str]()
    for table in tables:
        tables += table.get_children()
        used |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_global() and symbol.is_referenced()
        }
    return defined, used - defined
