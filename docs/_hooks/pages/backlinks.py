"""Backlinks: which pages use a name of the package, and which rely on an equation.

A name is used where code of the page has it (`posenc.inv_freq`, `laws.check` after an
import, a function handed on without a call) or where the text refers to it, an equation
where the text does. Code is read as Python reads it, not searched for words. What a page
mentions follows from its text alone.
"""

import ast
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from os.path import relpath
from pathlib import Path

from markdown.extensions.toc import slugify

from engine import formulas, references, statements
from engine.fences import PYTHON, Fence, fences, prose
from engine.places import DOCS
from engine.texts import front, read
from engine.trees import prompts, tree
from pages import api

# Pages that are made of others, or that only show how something is written.
NOT_COUNTED = (
    "index.md",
    "contributing/",
    "reference/api/",
    "reference/equations.md",
)

Section = tuple[str, str]  # id and title; the part of a page before its first heading has none


@dataclass(frozen=True)
class Use:
    """A section of a page that mentions something."""

    page: Path
    title: str  # of the page
    section: Section

    def link(self, there: Path, said: str = "") -> str:
        """Return a link to it, as seen from a page."""
        anchor, heading = self.section
        tip = ' "{}"'.format(heading.replace('"', "'")) if heading else ""
        way = _way(self.page, there) if self.page != there else ""
        return f"[{said or self.title}]({way}{anchor and '#'}{anchor}{tip})"


@lru_cache(maxsize=8192)  # asked for each link of a list
def _way(page: Path, there: Path) -> str:
    """Return the way from one page to another."""
    return relpath(page.with_suffix(".md"), there.parent)


def uses(pages: Iterable[Path]) -> dict[str, list[Use]]:
    """Return who mentions each name and each equation, in the order of the pages."""
    known = {name for section in api.sections() for name in section.names}
    found: dict[str, dict[Use, None]] = {}  # each once, in order
    for page in pages:
        name = page.relative_to(DOCS).as_posix()
        if name.startswith(NOT_COUNTED):
            continue
        text = read(page)
        title = front(text).get("title", page.stem)
        for target, section in mentions(text):
            if target.startswith("eq-") or (target := public(target, known)):
                found.setdefault(target, {})[Use(page, title, section)] = None
    return {target: [*users] for target, users in found.items()}


def public(name: str, known: set[str]) -> str:
    """Return the entry that a dotted name belongs to: itself, or what it is a part of."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


@lru_cache(maxsize=256)
def mentions(text: str) -> list[tuple[str, Section]]:
    """Return what a page mentions, in order, each with the section that does."""
    found: list[tuple[int, str]] = []
    known: dict[str, str] = {}  # what names of the page's code stand for, in posenc
    for fence in fences(text):
        if fence.language in PYTHON:
            alone = "figure" in fence.classes and "cell" not in fence.classes  # as in chapters
            own = dict[str, str]() if alone else known
            found += ((fence.start, name) for name in find_uses(fence, own))
    visible = formulas.without_formulas(prose(text))
    for match in references.REFERENCE.finditer(visible):
        target = references.target(match)
        if target.startswith(("eq-", "posenc.")):
            found.append((match.start(), target))
    starts, sections = headings(text)
    return [(name, sections[bisect(starts, start)]) for start, name in sorted(found)]


@lru_cache(maxsize=128)
def headings(text: str) -> tuple[list[int], list[Section]]:
    """Return where sections begin, and the sections: one more, for what is before the first."""
    starts: list[int] = []
    sections: list[Section] = [("", "")]
    for match in references.HEADING.finditer(prose(text)):
        if not match[0].startswith("# "):
            said = text[slice(*match.span("text"))].strip()
            starts.append(match.start())
            sections.append((match["id"] or slugify(said, "-"), said))
    return starts, sections


def find_uses(fence: Fence, known: dict[str, str]) -> Iterator[str]:
    """Yield the names of posenc that code uses; `known` learns its imports."""
    try:
        pycon = fence.language == "pycon"
        sources = [one.source for one in prompts(fence.source)] if pycon else [fence.source]
        trees = [tree(source) for source in sources]
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


def used_in(found: list[Use], there: Path) -> str:
    """Return the line under an entry of an API page: each page once, at its first use."""
    links: dict[Path, str] = {}
    for use in found:
        links.setdefault(use.page, use.link(there))
    return line("Used in", links.values())


def relied_on(equation: statements.Equation, found: list[Use], there: Path) -> str:
    """Return the line under an equation: other pages, and other sections of its own."""
    text = read(equation.page)
    starts, sections = headings(text)
    home = Use(equation.page, "", sections[bisect(starts, equation.start)])
    elsewhere: dict[Path, str] = {}
    here: dict[Section, str] = {}
    for use in found:
        if use.page != equation.page:
            elsewhere.setdefault(use.page, use.link(there))
        elif use.section != home.section:
            here.setdefault(use.section, use.link(there, said=use.section[1]))
    own = line("In its own chapter again under", here.values())
    return line("Relied on in", elsewhere.values()) + own


def line(said: str, links: Iterable[str]) -> str:
    """Return links as a paragraph of Markdown, or nothing if there are none."""
    listed = "; ".join(links)  # a title may have a comma
    return f"{said} {listed}.\n{{ .backlinks }}\n\n" if listed else ""


def edits(text: str, page: Path, found: dict[str, list[Use]]) -> Iterator[tuple[int, int, str]]:
    """Yield the line under each entry of an API page: where it goes, and what it says."""
    for match in api.ENTRY.finditer(text):
        if found_in := used_in(found.get(match["name"], []), page):
            yield match.end(), match.end(), f"\n\n{found_in}"
