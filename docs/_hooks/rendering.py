"""From the text of a page to the Markdown that is built: figures, numbers, references."""

import html
from collections.abc import Iterable
from dataclasses import dataclass, field
from os.path import relpath
from pathlib import Path, PurePosixPath

import api
import backlinks
import bibliography
import formulas
import glossary
import heads
import labs
import mirrors
import percent
import questions
import references
import statements
from backlinks import Use
from examples import Failure, Report
from fences import Fence, prose
from figures import THEMES, Drawing
from register import EQUATIONS, MARK, Entry, listing

Edit = tuple[int, int, str]


@dataclass
class Book:
    """What all pages together say: the equations by id, and the chapters by their file."""

    entries: dict[str, Entry] = field(default_factory=dict)
    chapters: dict[Path, heads.Chapter] = field(default_factory=dict)
    pages: list[Path] = field(default_factory=list)  # in the order of the navigation
    uses: dict[str, list[Use]] = field(default_factory=dict)  # by name, or id of an equation


def render(page: Path, text: str, report: Report, book: Book, folder: str) -> str:
    """Return the page with its drawings, from `folder`, its numbers and its links in place."""
    entries = book.entries
    drawn = report.drawings
    figures = {fence.attributes["id"]: number for number, (fence, _) in enumerate(drawn, start=1)}
    edits: list[Edit] = [
        *((fence.start, fence.end, figure(fence, drawing, folder)) for fence, drawing in drawn),
        *numbers(text, entries),
        *marks(page, text, entries),
        *links(page, text, entries, figures),
        *lists(page, text, book),
        *glossary.links(page, text),
    ]
    if percent.is_lab(page):
        edits += labs.edits(page, text)
    if page in book.chapters:
        edits += heads.edits(page, text, book.chapters[page])
    edits.append((len(text), len(text), mirrors.foot(page, text)))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def lists(page: Path, text: str, book: Book) -> Iterable[Edit]:
    """Yield what is put together from other pages: equations, questions, names, who cites."""
    if MARK in text:
        start = text.index(MARK)
        yield start, start + len(MARK), listing(book.entries, page, book.uses)
    if questions.MARK in text:
        start = text.index(questions.MARK)
        yield start, start + len(questions.MARK), questions.listing(book.chapters, page)
    if labs.MARK in text:
        start = text.index(labs.MARK)
        yield start, start + len(labs.MARK), labs.listing(book.pages, page)
    if page.parent == api.FOLDER:
        yield from api.edits(text, book.pages)
        yield from backlinks.edits(text, page, book.uses)
    if page == mirrors.SOURCES:
        yield from mirrors.links(text)
    if page == bibliography.BIBLIOGRAPHY:
        yield from bibliography.links(text)


def figure(fence: Fence, drawing: Drawing, folder: str) -> str:
    """Return a figure: a drawing for each theme, its caption, its numbers, and its code, folded."""
    name, alt = fence.attributes["id"], fence.attributes["alt"]
    size = f"loading=lazy width={drawing.width} height={drawing.height}"
    lines = [
        *(f"![{alt}]({folder}/{name}-{theme}.svg#only-{theme}){{ {size} }}" for theme in THEMES),
        "",
        "/// figure-caption",
        f"    attrs: {{id: {name}}}",
        fence.attributes["caption"],
        "///",
        "",
        f"[data]({folder}/{name}.csv){{ download='' title='Its numbers, CSV' }}",
        f"[drawing]({folder}/{name}-light.svg){{ download='' title='On light ground, SVG' }}",
        "{ .take }",
        "",
        "/// details | Code of this figure",
        "    type: code",
        "```python",
        *fence.source.rstrip("\n").split("\n"),
        "```",
        "///",
    ]
    return "\n".join(fence.indent + line if line else line for line in lines)


def numbers(text: str, entries: dict[str, Entry]) -> Iterable[Edit]:
    """Yield each statement's title with its number before it, as a link to itself."""
    for block in statements.blocks(text):
        name = statements.IDENTIFIER.search(block.text)
        if block.kind == "statement" and block.title and name and name[1] in entries:
            number = entries[name[1]].number
            link = f"[{number}](#{name[1]}){{ .number title='Link to this equation' }} "
            yield block.title_start, block.title_start, link


def marks(page: Path, text: str, entries: dict[str, Entry]) -> Iterable[Edit]:
    """Yield the mark of each verification: that it runs, as a link to the equation's entry."""
    way, name = relpath(EQUATIONS, page.parent), None
    for block in statements.blocks(text):
        if block.kind == "statement":
            name = statements.IDENTIFIER.search(block.text)
        elif block.kind == "verification" and name and name[1] in entries:
            end = text.index("\n", block.start)
            title = "" if block.title else " | Verification"
            yield end, end, f"{title} [checked on every build]({way}#entry-{name[1]}){{ .checked }}"


def links(
    page: Path, text: str, entries: dict[str, Entry], figures: dict[str, int]
) -> Iterable[Edit]:
    """Yield each reference to an equation or a figure as a link that says its number."""
    for match in references.REFERENCE.finditer(formulas.without_formulas(prose(text))):
        name = references.target(match)
        said = text[slice(*match.span("text"))] if match["target"] else ""
        if entry := entries.get(name):
            said = said or f"({entry.number})"
            yield *match.span(), f'[{said}]({entry.link(page)} "{entry.equation.name}"){{ .eq }}'
        elif name in figures:
            yield *match.span(), f"[{said or f'Figure {figures[name]}'}](#{name})"


def failed(page: Path, failures: list[Failure]) -> str:
    """Return what is wrong with a page as a box for its top."""
    said = "\n\n".join(f"{page.name}:{failure.line}\n{failure.message}" for failure in failures)
    return (
        '<div class="admonition failure"><p class="admonition-title">'
        f"This page does not hold: {len(failures)} of its examples failed</p>"
        f"<pre>{html.escape(said)}</pre></div>\n\n"
    )


def folder_of_figures(uri: str) -> tuple[str, str]:
    """Return where the drawings of a page go in the site, and the way there from the page."""
    folder = PurePosixPath("assets/figures") / PurePosixPath(uri).with_suffix("")
    return str(folder), relpath(folder, PurePosixPath(uri).parent)
