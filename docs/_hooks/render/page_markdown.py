"""Render a page: from the text that an author writes to the Markdown that a host converts."""

import html
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from os.path import relpath
from pathlib import Path, PurePosixPath

from check import cards, formulas, lab_source, labs, references
from check.cards import Block, Entry, number_equations
from check.fences import Fence, blank_code, find_fences, keep_prose
from check.figures import THEMES, Drawing
from check.inline_checks import AUTHOR_COMMENT
from check.page_check import Failure, Report
from check.page_source import read_page, split_front_matter
from check.paths import DOCS
from render import (
    abbreviations,
    api,
    backlinks,
    bibliography,
    checked_values,
    citation,
    glossary,
    heads,
    lists,
    measured,
    mistakes,
    questions,
    register,
    sources,
)
from render.backlinks import Use
from render.navigation import Chapter, NavPage, number_chapters
from render.text_edits import Edit, apply_edits

DrawnFigure = tuple[Fence, Drawing | None]  # None before the page has been checked

NOT_CHECKED = "not checked yet"
CHECKED = "checked on every build"


@dataclass
class Book:
    """What a page needs to know of the others: equations, chapters, and uses of both."""

    entries: dict[str, Entry] = field(default_factory=dict)  # by the id of the equation
    chapters: dict[Path, Chapter] = field(default_factory=dict)
    pages: list[Path] = field(default_factory=list)  # in the order of the navigation
    uses: dict[str, list[Use]] = field(default_factory=dict)  # by name or id of an equation
    package: str = ""  # a digest of the package

    @staticmethod
    def load(pages: list[NavPage], package: str) -> "Book":
        """Return the book with these pages; raise ValueError if two equations share an id."""
        paths = [page.path for page in pages]
        uses = backlinks.find_uses(paths)
        return Book(number_equations(paths), number_chapters(pages), paths, uses, package)

    def get_number(self, path: Path) -> str:
        """Return the number of a chapter; an empty string for any other page."""
        return str(self.chapters[path].number) if path in self.chapters else ""


@dataclass
class Source:
    """A page before it is rendered, with the result of its check."""

    uri: str  # chapters/relative.md
    path: Path
    text: str  # of a lab, with answers
    report: Report | None  # None before the page has been checked
    chapter: str = ""  # its number
    drawings: list[DrawnFigure] = field(default_factory=list)

    @property
    def passes(self) -> bool:
        """Return whether the page has been checked without failures."""
        return self.report is not None and not self.report.failures


def get_drawing_folder(uri: str) -> PurePosixPath:
    """Return the folder on the site for the drawings of a page."""
    return PurePosixPath("assets/figures") / PurePosixPath(uri).with_suffix("")


def get_drawing_url(uri: str) -> str:
    """Return the URL of that folder, relative to the page."""
    return relpath(get_drawing_folder(uri), PurePosixPath(uri).parent)


def read_source(path: Path, report: Report | None, book: Book) -> Source:
    """Return a page with the result of its check, or with None if there is none yet."""
    text = read_page(path)
    drawings: list[DrawnFigure] = list(report.drawings) if report else []
    if lab_source.is_lab(path) and not (report and not report.code_passed):
        answers = report.answers if report else ()
        text, lab_drawings = labs.add_answers(path, text, answers)
        drawings = list(lab_drawings)
    if report is None:
        drawings = [(fence, None) for fence in find_fences(text) if "figure" in fence.classes]
    uri = path.relative_to(DOCS).with_suffix(".md").as_posix()
    return Source(uri, path, text, report, book.get_number(path), drawings)


def render_whole_page(page: Source, book: Book, url: str = "") -> str:
    """Return a page with the boxes around its content: failures, citation, abbreviations."""
    text = render_page(page, book)
    text += citation.render_citation_box(page.path, page.text, page.chapter, url)
    text += abbreviations.render_definitions()
    if page.report and page.report.failures:
        text = render_failures(page.path, page.report.failures) + text
    return text


def render_page(page: Source, book: Book) -> str:
    """Return the content of a page with drawings, numbers, links and generated lists."""
    path, text, entries = page.path, page.text, book.entries
    folder = get_drawing_url(page.uri)
    names = [fence.attributes.get("id", "") for fence, _ in page.drawings]
    figures = {name: number for number, name in enumerate(names, start=1)}
    edits: list[Edit] = [
        *((f.start, f.end, render_figure(f, drawing, folder)) for f, drawing in page.drawings),
        *number_statements(text, entries),
        *title_package_lines(text),
        *fold_verifications(page, book),
        *link_references(path, text, entries, figures),
        *insert_lists(path, text, book),
        *glossary.link_terms(path, text),
        *((*match.span(), "") for match in AUTHOR_COMMENT.finditer(blank_code(text))),
    ]
    if lab_source.is_lab(path):
        edits += heads.add_lab_head(path, text)
    if path.parent == api.FOLDER and not page.passes:
        edits += api.replace_unknown_entries(text)
    if path in book.chapters:
        checked = page.report is not None
        edits += heads.add_chapter_head(path, text, book.chapters[path], checked=checked)
    edits.append((len(text), len(text), sources.render_mirrors_box(path, text)))
    return split_front_matter(apply_edits(text, edits))[1]


def insert_lists(page: Path, text: str, book: Book) -> Iterable[Edit]:
    """Yield the edits that insert lists generated from other pages."""
    generated_lists: dict[str, Callable[[], str]] = {
        register.MARK: lambda: register.render_register(book.entries, page, book.uses),
        questions.MARK: lambda: questions.render_questions(book.chapters, page),
        lists.MAIN_PATH: lambda: lists.render_main_path(book.chapters, page),
        lists.EXPLORERS: lambda: lists.render_gallery(book.pages, page),
        lists.LABS: lambda: lists.render_lab_table(book.pages, page),
        lists.CHANGELOG: lists.read_changelog,
        lists.CLAIMS: lambda: lists.render_claim_table(text),
    }
    for mark, render_list in generated_lists.items():
        if mark in text:
            start = text.index(mark)
            yield start, start + len(mark), render_list()
    yield from measured.insert_results(text)
    yield from mistakes.insert_mistakes(text)
    if page.parent == api.FOLDER:
        yield from backlinks.add_backlinks(text, page, book.uses)
    if page == sources.SOURCES:
        yield from sources.link_mirroring_pages(text)
    if page == bibliography.BIBLIOGRAPHY:
        yield from bibliography.link_citing_pages(text)


def render_figure(fence: Fence, drawing: Drawing | None, folder: str) -> str:
    """Return a figure: a drawing per theme, the caption, downloads, and its collapsed code."""
    name, alt = fence.attributes.get("id", ""), fence.attributes.get("alt", "")
    size = f" width={drawing.width} height={drawing.height}" if drawing else ""
    lines = [
        *(
            f"![{alt}]({folder}/{name}-{theme}.svg#only-{theme}){{ loading=lazy{size} }}"
            for theme in THEMES
        ),
        "",
        "/// figure-caption",
        f"    attrs: {{id: {name}}}",
        fence.attributes.get("caption", ""),
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


def number_statements(text: str, entries: dict[str, Entry]) -> Iterable[Edit]:
    """Yield the edits that add numbers before the titles of statements, as links to themselves."""
    for block in cards.find_blocks(text):
        name = cards.IDENTIFIER.search(block.text)
        if block.kind == "statement" and block.title and name and name[1] in entries:
            number = entries[name[1]].number
            link = f"[{number}](#{name[1]}){{ .number title='Link to this equation' }} "
            yield block.title_start, block.title_start, link


def title_package_lines(text: str) -> Iterable[Edit]:
    """Yield the edits that say in the line that opens a block that it has lines of the package."""
    for block in cards.find_blocks(text):
        if block.kind == "package":
            title = f": {block.title}" if block.title else ""
            yield block.start, text.index("\n", block.start), f"/// package | In the package{title}"


def fold_verifications(page: Source, book: Book) -> Iterable[Edit]:
    """Yield the edits that collapse verifications and the sessions of proofs.

    The line that opens one tells whether it has been checked, and for which values.
    """
    text, register_url, name = page.text, relpath(register.EQUATIONS, page.path.parent), None
    statement = ""
    status, css = (CHECKED, "checked") if page.report else (NOT_CHECKED, "checked waiting")
    for block in cards.find_blocks(text):
        if block.kind == "statement":
            name, statement = cards.IDENTIFIER.search(block.text), block.text
        elif block.kind == "verification" and name and name[1] in book.entries:
            end = text.index("\n", block.start)
            # HTML allows no links here, in the summary of a details element.
            mark = f' <span class="{css}">{status}</span>'
            title = f": {block.title}" if block.title else ""
            summary = f"Verification{title}{mark}{render_values(block.text, statement)}"
            yield block.start, end, f"/// verification | {summary}"
            entry = f"[In the register]({register_url}#entry-{name[1]}){{ .entry }}"
            yield block.end, block.end, f"\n{entry}\n"
        elif block.kind == "proof":
            yield from fold_proof_sessions(block, statement, text, status)


@lru_cache(maxsize=1024)
def render_values(text: str, formulas: str) -> str:
    """Return the sentence on the values that the sessions of a block try, in these letters."""
    words = checked_values.describe_values(text, formulas)
    return f' <span class="domain">{words}</span>' if words else ""


def fold_proof_sessions(proof: Block, statement: str, text: str, status: str) -> Iterable[Edit]:
    """Yield the edits that collapse the sessions inside a proof."""
    # Collapsed sessions are blocks with three slashes, so the block around them needs four.
    title = f" | Proof: {proof.title}" if proof.title else ""
    yield proof.start, text.index("\n", proof.start), f"//// proof{title}"
    yield proof.end, proof.end, "/"
    for fence in find_fences(text):
        if fence.start in proof.body_range and fence.language == "pycon":
            values = render_values(text[fence.start : fence.end], f"{statement}\n\n{proof.text}")
            summary = f"Each line against the next, {status}{values}"
            yield fence.start, fence.start, f"/// details | {summary}\n    type: steps\n\n"
            yield fence.end, fence.end, "\n///\n"


def link_references(
    page: Path, text: str, entries: dict[str, Entry], figures: dict[str, int]
) -> Iterable[Edit]:
    """Yield the edits that turn references to equations and figures into links.

    A reference without a text of its own shows the number.
    """
    for match in references.REFERENCE.finditer(formulas.blank_formulas(keep_prose(text))):
        name = references.read_target(match)
        words = text[slice(*match.span("text"))] if match["target"] else ""
        if entry := entries.get(name):
            words = words or f"({entry.number})"
            yield *match.span(), f'[{words}]({entry.link(page)} "{entry.equation.name}"){{ .eq }}'
        elif name in figures:
            yield *match.span(), f"[{words or f'Figure {figures[name]}'}](#{name})"


def render_failures(page: Path, failures: list[Failure]) -> str:
    """Return the failures of a page as a box for its top."""
    lines = "\n\n".join(f"{page.name}:{failure.line}\n{failure.message}" for failure in failures)
    return (
        '<div class="admonition failure"><p class="admonition-title">'
        f"Failures on this page: {len(failures)}</p>"
        f"<pre>{html.escape(lines)}</pre></div>\n\n"
    )
