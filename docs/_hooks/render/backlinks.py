"""Backlinks: the sections that use a name of the package, or refer to an equation.

A page uses a name if its code does (`posenc.inv_freq`, `laws.check` after an import, a function
passed on without a call) or if its text refers to it. It uses an equation if its text does. Code
is parsed, not searched.
"""

import ast
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from os.path import relpath
from pathlib import Path

from markdown.extensions.toc import slugify

from check import cards, formulas, references
from check.ast_cache import parse_session, parse_source
from check.fences import PYTHON, Fence, find_fences, keep_prose
from check.page_source import get_front_matter, read_page
from check.paths import DOCS
from render import api

# Pages that are made of others, or that only show how something is written.
IGNORED_PAGES = (
    "index.md",
    "contributing/",
    "reference/api/",
    "reference/equations.md",
)

Section = tuple[str, str]  # id and title; both are empty before the first heading of a page


@dataclass(frozen=True)
class Use:
    """A section of a page that uses something."""

    page: Path
    title: str  # of the page
    section: Section


def find_uses(pages: Iterable[Path]) -> dict[str, list[Use]]:
    """Return the uses of each name and of each equation, in the order of the pages."""
    known = {name for section in api.list_sections() for name in section.names}
    found: dict[str, dict[Use, None]] = {}  # each once, in order
    for page in pages:
        name = page.relative_to(DOCS).as_posix()
        if name.startswith(IGNORED_PAGES):
            continue
        text = read_page(page)
        title = get_front_matter(text).get("title", page.stem)
        for target, section in find_mentions(text):
            if target.startswith("eq-") or (target := find_documented_name(target, known)):
                found.setdefault(target, {})[Use(page, title, section)] = None
    return {target: [*users] for target, users in found.items()}


def find_documented_name(name: str, known: set[str]) -> str:
    """Return the documented part of a dotted name: of a method, its class."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


@lru_cache(maxsize=256)
def find_mentions(text: str) -> list[tuple[str, Section]]:
    """Return the names and equations that a page uses, in order, each with its section."""
    found: list[tuple[int, str]] = []
    known: dict[str, str] = {}  # what the names that the page imports stand for in posenc
    for fence in find_fences(text):
        if fence.language in PYTHON:
            alone = "figure" in fence.classes and "cell" not in fence.classes  # as in chapters
            own = dict[str, str]() if alone else known
            found += ((fence.start, name) for name in find_names_in_code(fence, own))
    visible = formulas.blank_formulas(keep_prose(text))
    for match in references.REFERENCE.finditer(visible):
        target = references.read_target(match)
        if target.startswith(("eq-", "posenc.")):
            found.append((match.start(), target))
    starts, sections = find_headings(text)
    return [(name, sections[bisect(starts, start)]) for start, name in sorted(found)]


@lru_cache(maxsize=128)
def find_headings(text: str) -> tuple[list[int], list[Section]]:
    """Return where sections begin, and the sections, with one more for what is before them."""
    starts: list[int] = []
    sections: list[Section] = [("", "")]
    for match in references.HEADING.finditer(keep_prose(text)):
        if not match[0].startswith("# "):
            said = text[slice(*match.span("text"))].strip()
            starts.append(match.start())
            sections.append((match["id"] or slugify(said, "-"), said))
    return starts, sections


def find_names_in_code(fence: Fence, known: dict[str, str]) -> Iterator[str]:
    """Yield the names of posenc that a block of code uses, and add its imports to `known`."""
    try:
        pycon = fence.language == "pycon"
        sources = [one.source for one in parse_session(fence.source)] if pycon else [fence.source]
        trees = [parse_source(source) for source in sources]
    except (SyntaxError, ValueError):  # reported where the code runs
        return
    for code in trees:
        for node in ast.walk(code):
            if isinstance(node, ast.Import | ast.ImportFrom):
                known.update(_imported(node))
        for name in _dotted_names(code):
            root, _, rest = name.partition(".")
            if root in known:
                yield f"{known[root]}.{rest}".rstrip(".")


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield each name that an import binds to something of posenc, and what that is."""
    module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        bound = alias.asname or (alias.name if module else alias.name.partition(".")[0])
        whole = module + alias.name if alias.asname or module else bound
        if whole.partition(".")[0] == "posenc":
            yield bound, whole


def _dotted_names(node: ast.AST) -> Iterator[str]:
    """Yield each name with all its attributes: np.linalg.norm once, and not np.linalg."""
    chain, inner = "", node
    while isinstance(inner, ast.Attribute):
        chain, inner = f".{inner.attr}{chain}", inner.value
    if isinstance(inner, ast.Name):
        yield inner.id + chain
    else:
        for child in ast.iter_child_nodes(inner):
            yield from _dotted_names(child)


def render_equation_backlinks(equation: cards.Equation, found: Iterable[Use], there: Path) -> str:
    """Return the line under an equation: other pages, and other sections of its own."""
    starts, sections = find_headings(read_page(equation.page))
    own = sections[bisect(starts, equation.start)]
    others = [use for use in found if (use.page, use.section) != (equation.page, own)]
    return render_backlinks("Relied on in", others, there, equation.page)


def render_backlinks(said: str, found: Iterable[Use], there: Path, own: Path | None = None) -> str:
    """Return links as a line of Markdown for the page `there`, or nothing if there are none.

    Each page is linked at its first use, except for the page `own`, whose sections are linked.
    """
    links: dict[Path | Section, str] = {}
    for use in found:
        (anchor, heading), inside = use.section, use.page == own
        tip = ' "{}"'.format(heading.replace('"', "'")) if heading else ""
        where = f"{relpath(use.page.with_suffix('.md'), there.parent)}{anchor and '#'}{anchor}"
        shown = f"[{(inside and heading) or use.title}]({where}{tip})"
        links.setdefault(use.section if inside else use.page, shown)
    listed = "; ".join(links.values())  # a title may have a comma
    return f"{said} {listed}.\n{{ .backlinks }}\n\n" if listed else ""


def add_backlinks(
    text: str, page: Path, found: dict[str, list[Use]]
) -> Iterator[tuple[int, int, str]]:
    """Yield the line under each entry of an API page, and where it goes."""
    for match in api.ENTRY.finditer(text):
        if used := render_backlinks("Used in", found.get(match["name"], []), page):
            yield match.end(), match.end(), f"\n\n{used}"
