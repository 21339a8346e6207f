"""Backlinks: links to the sections that use a name of the package or refer to an equation.

A page uses a name if its text refers to it or its code contains it: `posenc.inv_freq`, or
`laws.check` after an import. Code is parsed, so names in strings and comments don't count.
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
from render.text_edits import Edit

# Pages that are generated from others or that only show examples of the syntax.
IGNORED_PAGES = (
    "index.md",
    "contributing/",
    "reference/api/",
    "reference/equations.md",
)

Section = tuple[str, str]  # id and title; both are empty above the first section


@dataclass(frozen=True)
class Use:
    """A section that uses a name or an equation."""

    page: Path
    title: str  # of the page
    section: Section


def find_uses(pages: Iterable[Path]) -> dict[str, list[Use]]:
    """Return the sections that use each name and each equation, in the order of the pages."""
    documented = {name for section in api.list_sections() for name in section.names}
    uses: dict[str, dict[Use, None]] = {}  # dictionaries, for uniqueness and order
    for page in pages:
        name = page.relative_to(DOCS).as_posix()
        if name.startswith(IGNORED_PAGES):
            continue
        text = read_page(page)
        title = get_front_matter(text).get("title", page.stem)
        for target, section in find_mentions(text):
            if target.startswith("eq-") or (target := find_documented_name(target, documented)):
                uses.setdefault(target, {})[Use(page, title, section)] = None
    return {target: list(sections) for target, sections in uses.items()}


def find_documented_name(name: str, documented: set[str]) -> str:
    """Return the documented start of a dotted name (the class of a method), or an empty string."""
    while name and name not in documented:
        name = name.rpartition(".")[0]
    return name


@lru_cache(maxsize=256)
def find_mentions(text: str) -> list[tuple[str, Section]]:
    """Return the names and equations that a page mentions, in order, each with its section."""
    mentions: list[tuple[int, str]] = []
    imports: dict[str, str] = {}  # from a name on the page to its full name in posenc
    for fence in find_fences(text):
        if fence.language in PYTHON:
            # A figure in a chapter runs in a namespace of its own, a figure in a lab doesn't.
            isolated = "figure" in fence.classes and "cell" not in fence.classes
            visible_imports = dict[str, str]() if isolated else imports
            names = find_names_in_code(fence, visible_imports)
            mentions += ((fence.start, name) for name in names)
    for match in references.REFERENCE.finditer(formulas.blank_formulas(keep_prose(text))):
        target = references.read_target(match)
        if target.startswith(("eq-", "posenc.")):
            mentions.append((match.start(), target))
    starts, sections = find_headings(text)
    return [(name, sections[bisect(starts, start)]) for start, name in sorted(mentions)]


@lru_cache(maxsize=128)
def find_headings(text: str) -> tuple[list[int], list[Section]]:
    """Return the starts of the sections, and the sections, preceded by the one above the first."""
    starts: list[int] = []
    sections: list[Section] = [("", "")]
    for match in references.HEADING.finditer(keep_prose(text)):
        if not match[0].startswith("# "):
            title = text[slice(*match.span("text"))].strip()
            starts.append(match.start())
            sections.append((match["id"] or slugify(title, "-"), title))
    return starts, sections


def find_names_in_code(fence: Fence, imports: dict[str, str]) -> Iterator[str]:
    """Yield the names of posenc that a block of code uses, and add its imports to `imports`."""
    try:
        if fence.language == "pycon":
            sources = [prompt.source for prompt in parse_session(fence.source)]
        else:
            sources = [fence.source]
        trees = [parse_source(source) for source in sources]
    except (SyntaxError, ValueError):  # reported where the code runs
        return
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                imports.update(_find_imports(node))
        for name in _find_dotted_names(tree):
            root, _, rest = name.partition(".")
            if root in imports:
                yield f"{imports[root]}.{rest}".rstrip(".")


def _find_imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield each name that an import binds to something in posenc, with its full name there."""
    module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        bound = alias.asname or (alias.name if module else alias.name.partition(".")[0])
        full = module + alias.name if alias.asname or module else bound
        if full.partition(".")[0] == "posenc":
            yield bound, full


def _find_dotted_names(node: ast.AST) -> Iterator[str]:
    """Yield each name with all its attributes: `np.linalg.norm`, but not `np.linalg`."""
    attributes, inner = "", node
    while isinstance(inner, ast.Attribute):
        attributes, inner = f".{inner.attr}{attributes}", inner.value
    if isinstance(inner, ast.Name):
        yield inner.id + attributes
    else:
        for child in ast.iter_child_nodes(inner):
            yield from _find_dotted_names(child)


def render_equation_backlinks(equation: cards.Equation, uses: Iterable[Use], page: Path) -> str:
    """Return the line for `page` with links to the sections that rely on an equation.

    The section that states the equation is left out.
    """
    starts, sections = find_headings(read_page(equation.page))
    own = (equation.page, sections[bisect(starts, equation.start)])
    others = [use for use in uses if (use.page, use.section) != own]
    return render_backlinks("Relied on in", others, page, own=equation.page)


def render_backlinks(label: str, uses: Iterable[Use], page: Path, own: Path | None = None) -> str:
    """Return a line of Markdown for `page` that links to all uses; empty if there are none.

    A page with several uses is linked at the first one. Of the page `own`, every section with a
    use is linked.
    """
    links: dict[Path | Section, str] = {}
    for use in uses:
        anchor, heading = use.section
        is_own = use.page == own
        tooltip = ' "{}"'.format(heading.replace('"', "'")) if heading else ""
        url = relpath(use.page.with_suffix(".md"), page.parent) + (f"#{anchor}" if anchor else "")
        text = heading if is_own and heading else use.title
        links.setdefault(use.section if is_own else use.page, f"[{text}]({url}{tooltip})")
    if not links:
        return ""
    joined = "; ".join(links.values())  # not commas, which titles may contain
    return f"{label} {joined}.\n{{ .backlinks }}\n\n"


def add_backlinks(text: str, page: Path, uses: dict[str, list[Use]]) -> Iterator[Edit]:
    """Yield the edits that add a line of backlinks under each entry of an API page."""
    for match in api.ENTRY.finditer(text):
        if line := render_backlinks("Used in", uses.get(match["name"], []), page):
            yield match.end(), match.end(), f"\n\n{line}"
