"""Apply a reader's edits to a session of a card, or to the lines of the package that it shows.

An edited session replaces the one on the page and is parsed like it. Edited lines replace those of
their module: its functions get the new code, wherever they are imported, until the run ends.
"""

import ast
import importlib
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from types import FunctionType, ModuleType
from typing import TypeVar

from browser import mutants
from browser.mutants import Mutant, SourceLines
from check import cards, page_check
from check.cards import Card
from check.fences import Fence, find_fences
from check.page_source import read_page
from check.paths import DOCS, ROOT

FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
SECTION_MARK = re.compile(r"-8<-+ *\[")
NOT_ON_PAGE = "the page doesn't show the lines that this edit changes"
T = TypeVar("T")


class RefusedError(Exception):
    """An edit that cannot be applied, with the reason for the reader."""


@dataclass(frozen=True)
class Edit:
    """New text for some lines of a card, counted from 0."""

    page: str  # chapters/relative.md
    card: str
    part: str  # session, or lines
    number: int  # which session or which block of lines of the card
    first: int
    count: int
    text: str  # each line with its end

    def apply(self, original: str) -> str:
        """Return the original text with the lines replaced."""
        lines = original.rstrip("\n").split("\n")
        if not 0 <= self.first <= self.first + self.count <= len(lines):
            raise RefusedError(NOT_ON_PAGE)
        lines[self.first : self.first + self.count] = self.text.split("\n")[:-1]
        return "\n".join(lines) + "\n"


def edit_sessions(text: str, edits: Iterable[Edit]) -> str:
    """Return the text of a page with its sessions edited."""
    cards_by_id = {card.id: card for card in cards.find_cards(text)}
    pairs: list[tuple[Fence, Edit]] = []
    for edit in edits:
        if edit.part == "session":
            sessions = find_sessions(text, cards_by_id.get(edit.card))
            pairs.append((_pick_nth(sessions, edit.number), edit))
    for fence, edit in sorted(pairs, key=lambda pair: -pair[0].start):
        session = edit.apply(fence.source)
        if FENCE.search(session):
            raise RefusedError("three backticks would end the session; remove them")
        start, end = fence.line_starts[0] - len(fence.indent), fence.line_starts[-1]
        text = text[:start] + textwrap.indent(session, fence.indent) + text[end:]
    return text


def _pick_nth(items: list[T], number: int) -> T:
    if not 0 <= number < len(items):
        raise RefusedError(NOT_ON_PAGE)
    return items[number]


def find_sessions(text: str, card: Card | None) -> list[Fence]:
    """Return the sessions in the verification of a card."""
    return [
        fence
        for fence in find_fences(text)
        if card
        and fence.start in card.verification.body_range
        and fence.language == "pycon"
        and "not-run" not in fence.classes
    ]


def format_shown_lines(lines: SourceLines) -> str:
    """Return lines of the package as a page shows them: dedented, without section marks."""
    return _format_shown_text(lines.read())


def _format_shown_text(text: str) -> str:
    visible = [line for line in text.split("\n") if not SECTION_MARK.search(line)]
    return textwrap.dedent("\n".join(visible)) + "\n"


@dataclass(frozen=True)
class ShownChange:
    """A mutant as an edit of lines that a card shows."""

    edit: Edit
    line: int  # of the first changed line, in the file
    before: str  # the lines that the edit replaces


def express_mutant(mutant: Mutant, card: Card, page: str) -> ShownChange:
    """Return the edit of a card's lines that makes a mutant.

    Raise `RefusedError` if the card doesn't show the lines.
    """
    changed = mutant.change_source()
    more = changed.count("\n") - (ROOT / mutant.file).read_text("utf-8").count("\n")
    for number, lines in enumerate(mutants.find_shown_lines(card.support.text)):
        if lines.file == mutant.file and lines.first <= mutant.line <= lines.last:
            new_lines = replace(lines, last=lines.last + more)
            was, now = (
                _format_shown_text(text).split("\n")[:-1]
                for text in (lines.read(), new_lines.select(changed))
            )
            first = _count_equal(was, now)
            same = _count_equal(was[first:][::-1], now[first:][::-1])
            text = "".join(f"{line}\n" for line in now[first : len(now) - same])
            last = len(was) - same
            edit = Edit(page, card.id, "lines", number, first, last - first, text)
            before = "".join(f"{line}\n" for line in was[first:last])
            return ShownChange(edit, _number_visible_lines(lines)[first], before)
    raise RefusedError(NOT_ON_PAGE)


def _count_equal(some: list[str], others: list[str]) -> int:
    """Return how many lines two texts begin with in common."""
    pairs = enumerate(zip(some, others, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(some), len(others)))


def _number_visible_lines(lines: SourceLines) -> list[int]:
    """Return the numbers of the lines of a file that a page shows."""
    numbered = enumerate(lines.read().split("\n"), lines.first)
    return [number for number, line in numbered if not SECTION_MARK.search(line)]


def edit_modules(edits: Iterable[Edit]) -> dict[str, str]:
    """Return the new source of each edited module, by its file."""
    pairs: list[tuple[SourceLines, str]] = []
    for edit in edits:
        if edit.part != "lines":
            continue
        path = DOCS / edit.page
        page_cards = cards.find_cards(read_page(path)) if path.is_file() else ()
        blocks = [card.support.text for card in page_cards if card.id == edit.card]
        shown_lines = [lines for block in blocks for lines in mutants.find_shown_lines(block)]
        lines = _pick_nth(shown_lines, edit.number)
        text = edit.apply(format_shown_lines(lines))
        _check_syntax(lines, text)
        pairs.append((lines, text))
    sources: dict[str, str] = {}
    for lines, text in sorted(pairs, key=lambda pair: -pair[0].first):
        source = sources.get(lines.file) or (ROOT / lines.file).read_text("utf-8")
        sources[lines.file] = _replace_lines(source, lines, text)
    return sources


def _replace_lines(source: str, lines: SourceLines, text: str) -> str:
    """Return a module with some lines replaced by a text, at their indent."""
    all_lines = source.split("\n")
    originals = [line for line in all_lines[lines.first - 1 : lines.last] if line.strip()]
    indents = (line[: len(line) - len(line.lstrip())] for line in originals)
    indent = min(indents, key=len, default="")
    new_lines = textwrap.indent(text, indent).rstrip("\n").split("\n")
    all_lines[lines.first - 1 : lines.last] = new_lines
    return "\n".join(all_lines)


def _check_syntax(lines: SourceLines, text: str) -> None:
    """Refuse an edit after which its module cannot be compiled."""
    source = _replace_lines((ROOT / lines.file).read_text("utf-8"), lines, text)
    try:
        compile(source, lines.file, "exec")
    except SyntaxError as error:
        number = min((error.lineno or lines.first) - lines.first + 1, text.count("\n"))
        message = f"line {number} of the lines of {lines.file}: {error.msg}"
        raise RefusedError(message) from error


@contextmanager
def apply_modules(sources: dict[str, str]) -> Iterator[None]:
    """Run modules with new sources, by their files, and restore them at the end."""
    with ExitStack() as stack:
        stack.callback(mutants.clear_caches)
        for file, source in sources.items():
            for undo in _apply_module(file, source):
                stack.callback(undo)
        mutants.clear_caches()
        yield


def _apply_module(file: str, source: str) -> Iterator[Callable[[], object]]:
    """Give a module a new source, and yield after each step the function that undoes it."""
    name = mutants.name_module(file)
    module, new_module = importlib.import_module(name), ModuleType(name)
    for attribute in ("__file__", "__package__", "__path__"):
        if hasattr(module, attribute):
            setattr(new_module, attribute, getattr(module, attribute))
    old_tree, new_tree = ast.parse((ROOT / file).read_text("utf-8")), ast.parse(source)
    _check_definitions(file, old_tree, new_tree)
    try:
        exec(compile(source, str(ROOT / file), "exec"), vars(new_module))
    except Exception as error:
        raise RefusedError(f"{file}: {page_check.format_error(error)}") from error
    old_functions = {name for _, name in mutants.list_functions(old_tree)}
    for _, function in mutants.list_functions(new_tree):
        if function in old_functions:
            old = mutants.unwrap_function(module, function)
            yield from _replace_code(old, mutants.unwrap_function(new_module, function), file)
    assigned = _list_new_assignments(old_tree, new_tree)
    for name, value in vars(new_module).items():
        if not hasattr(module, name):
            setattr(module, name, value)
            yield partial(delattr, module, name)
        elif name in assigned:
            old_value = getattr(module, name)
            setattr(module, name, value)
            yield partial(setattr, module, name, old_value)


def _replace_code(
    function: FunctionType, other: FunctionType, file: str
) -> Iterator[Callable[[], object]]:
    """Give a function the code and the defaults of another one."""
    for attribute in ("__code__", "__defaults__", "__kwdefaults__"):
        old, new = getattr(function, attribute), getattr(other, attribute)
        if attribute == "__code__" and old == new:
            return
        try:
            setattr(function, attribute, new)
        except ValueError as error:
            raise RefusedError(f"{file}: {error}") from error
        yield partial(setattr, function, attribute, old)


def _list_new_assignments(old_tree: ast.Module, new_tree: ast.Module) -> set[str]:
    """Return the names that statements of the new module assign and the old one doesn't have."""
    old_statements = {ast.unparse(node) for node in old_tree.body}
    return {
        target.id
        for node in new_tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node) not in old_statements
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _check_definitions(file: str, old: ast.Module, new: ast.Module) -> None:
    """Refuse a change of classes, decorators or names, which are evaluated once, at import."""
    remaining = set(_list_definitions(new))
    if missing := [each for each in _list_definitions(old) if each not in remaining]:
        first = missing[0].split("\n")[0]
        raise RefusedError(
            f"{file}: {first!r} is evaluated once, at import; change the body of a function"
        )


def _list_definitions(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield from _list_signature(node)
        elif isinstance(node, ast.ClassDef):
            yield f"class {node.name}({', '.join(map(ast.unparse, node.bases))})"
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    yield from _list_signature(member)
                elif not isinstance(member, ast.Expr):
                    yield ast.unparse(member)


def _list_signature(node: ast.FunctionDef) -> Iterator[str]:
    yield f"def {node.name}"
    yield from (f"@{ast.unparse(each)} of {node.name}" for each in node.decorator_list)
