"""What a reader has changed: a session of a card, or the lines of the package that it shows.

A session stands in the place of the one on the page, and is parsed as that was. Lines stand in the
place of those in their module, whose functions get the code that comes of it, for all who have
imported them, until they are put back.
"""

import ast
import importlib
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import TypeVar

from browser import mutants
from browser.mutants import Lines
from check import cards, page_check
from check.cards import Card
from check.fences import Fence, find_fences
from check.page_source import read_page
from check.paths import DOCS, ROOT

FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
SECTION = re.compile(r"-8<-+ *\[")
T = TypeVar("T")
NOT_ON_PAGE = "a change of lines that this page does not show"


class RefusedError(Exception):
    """What cannot be put in place, in words for the reader."""


@dataclass(frozen=True)
class Edit:
    """Some lines of a card in the place of others, all counted from 0."""

    page: str  # chapters/relative.md
    card: str
    part: str  # session, or lines
    number: int  # among those of the card
    first: int
    count: int
    text: str  # of the new ones, each with its end

    def applied(self, shown: str) -> str:
        """Return what is shown with the lines replaced."""
        lines = shown.rstrip("\n").split("\n")
        if not 0 <= self.first <= self.first + self.count <= len(lines):
            raise RefusedError(NOT_ON_PAGE)
        lines[self.first : self.first + self.count] = self.text.split("\n")[:-1]
        return "\n".join(lines) + "\n"


def page(text: str, edits: Iterable[Edit]) -> str:
    """Return the text of a page with the sessions that were changed."""
    on_page = {card.id: card for card in cards.find_cards(text)}
    found: list[tuple[Fence, Edit]] = []
    for edit in edits:
        if edit.part == "session":
            found.append((_pick(sessions(text, on_page.get(edit.card)), edit.number), edit))
    for fence, edit in sorted(found, key=lambda one: -one[0].start):
        session = edit.applied(fence.source)
        if FENCE.search(session):
            raise RefusedError("three backticks would end the session")
        start, end = fence.line_starts[0] - len(fence.indent), fence.line_starts[-1]
        text = text[:start] + textwrap.indent(session, fence.indent) + text[end:]
    return text


def _pick(found: list[T], number: int) -> T:
    if not 0 <= number < len(found):
        raise RefusedError(NOT_ON_PAGE)
    return found[number]


def sessions(text: str, card: Card | None) -> list[Fence]:
    """Return the sessions of a verification, as the page shows them."""
    return [
        fence
        for fence in find_fences(text)
        if card
        and fence.start in card.verification.body_range
        and fence.language == "pycon"
        and "not-run" not in fence.classes
    ]


def shown(lines: Lines) -> str:
    """Return lines of the package as a page shows them: without marks and margin."""
    kept = [line for line in lines.text().split("\n") if not SECTION.search(line)]
    return textwrap.dedent("\n".join(kept)) + "\n"


def sources(edits: Iterable[Edit]) -> dict[str, str]:
    """Return the modules whose lines were changed, by their file, as they now stand."""
    found: list[tuple[Lines, str]] = []
    for edit in edits:
        if edit.part != "lines":
            continue
        path = DOCS / edit.page
        page_cards = cards.find_cards(read_page(path)) if path.is_file() else ()
        blocks = [card.support.text for card in page_cards if card.id == edit.card]
        lines = _pick([one for block in blocks for one in mutants.shown(block)], edit.number)
        new = edit.applied(shown(lines))
        _compiled(lines, new)
        found.append((lines, new))
    whole: dict[str, str] = {}
    for lines, new in sorted(found, key=lambda one: -one[0].first):
        source = whole.get(lines.file) or (ROOT / lines.file).read_text("utf-8")
        whole[lines.file] = _within(source, lines, new)
    return whole


def _within(source: str, lines: Lines, new: str) -> str:
    """Return a module with lines of it replaced, at the margin that these have."""
    all_lines = source.split("\n")
    old = [line for line in all_lines[lines.first - 1 : lines.last] if line.strip()]
    margins = (line[: len(line) - len(line.lstrip())] for line in old)
    spaces = min(margins, key=len, default="")
    all_lines[lines.first - 1 : lines.last] = textwrap.indent(new, spaces).rstrip("\n").split("\n")
    return "\n".join(all_lines)


def _compiled(lines: Lines, new: str) -> None:
    """See that a module can be compiled with other lines."""
    source = _within((ROOT / lines.file).read_text("utf-8"), lines, new)
    try:
        compile(source, lines.file, "exec")
    except SyntaxError as error:
        number = min((error.lineno or lines.first) - lines.first + 1, new.count("\n"))
        raise RefusedError(f"line {number} of {lines.file} as shown: {error.msg}") from error


@contextmanager
def in_place(whole: dict[str, str]) -> Iterator[None]:
    """Have modules run as they were changed, and put them back."""
    with ExitStack() as undone:
        undone.callback(mutants.forget)
        for file, source in whole.items():
            for undo in _put(file, source):
                undone.callback(undo)
        mutants.forget()
        yield


def _put(file: str, source: str) -> Iterator[Callable[[], object]]:
    """Give a module what was changed, and yield at each step what takes it back."""
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    module, fresh = importlib.import_module(name), ModuleType(name)
    for known in ("__file__", "__package__", "__path__"):
        if hasattr(module, known):
            setattr(fresh, known, getattr(module, known))
    old, new = ast.parse((ROOT / file).read_text("utf-8")), ast.parse(source)
    _fixed(file, old, new)
    try:
        exec(compile(source, str(ROOT / file), "exec"), vars(fresh))
    except Exception as error:
        raise RefusedError(f"{file}: {page_check.format_error(error)}") from error
    there = {name for _, name in mutants.functions(old)}
    for _, each in mutants.functions(new):
        if each in there:
            yield from _swap(mutants.inner(module, each), mutants.inner(fresh, each), file)
    constants = {ast.unparse(node) for node in old.body}
    changed = [node for node in new.body if ast.unparse(node) not in constants]
    names = {each for node in changed if isinstance(node, ast.Assign) for each in _names(node)}
    for each, value in vars(fresh).items():
        if not hasattr(module, each):
            setattr(module, each, value)
            yield partial(delattr, module, each)
        elif each in names:
            before = getattr(module, each)
            setattr(module, each, value)
            yield partial(setattr, module, each, before)


def _swap(function: object, other: object, file: str) -> Iterator[Callable[[], object]]:
    for attribute in ("__code__", "__defaults__", "__kwdefaults__"):
        before, now = getattr(function, attribute), getattr(other, attribute)
        if attribute == "__code__" and before == now:
            return
        try:
            setattr(function, attribute, now)
        except ValueError as error:
            raise RefusedError(f"{file}: {error}") from error
        yield partial(setattr, function, attribute, before)


def _names(node: ast.Assign) -> Iterator[str]:
    return (name.id for name in node.targets if isinstance(name, ast.Name))


def _fixed(file: str, old: ast.Module, new: ast.Module) -> None:
    """Refuse a change of what is built once, at import: classes, decorators, names."""
    left = set(_built(new))
    if gone := [one for one in _built(old) if one not in left]:
        first = gone[0].split("\n")[0]
        raise RefusedError(f"{file}: {first!r} is built once; change what a function does")


def _built(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield from _head(node)
        elif isinstance(node, ast.ClassDef):
            yield f"class {node.name}({', '.join(map(ast.unparse, node.bases))})"
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield from _head(inner)
                elif not isinstance(inner, ast.Expr):
                    yield ast.unparse(inner)


def _head(node: ast.FunctionDef) -> Iterator[str]:
    yield f"def {node.name}"
    yield from (f"@{ast.unparse(one)} of {node.name}" for one in node.decorator_list)
