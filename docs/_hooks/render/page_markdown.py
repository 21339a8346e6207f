"""From the text of a page to the Markdown that is built: figures, numbers, references."""

import html
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from os.path import relpath
from pathlib import Path, PurePosixPath

from check import cards, comparisons, formulas, lab_source, references
from check import labs as lab_cells
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
    chapters,
    citation,
    glossary,
    labs,
    main_path,
    measured,
    questions,
    sources,
    verdicts,
)
from render.backlinks import Use
from render.navigation import Chapter, NavPage, number_chapters
from render.register import EQUATIONS, MARK, render_register

Edit = tuple[int, int, str]
DrawnFigure = tuple[Fence, Drawing | None]  # a figure, and how it looks, if that is known yet

WAITING = "not checked yet"
CHECKED = "checked on every build"


@dataclass
class Book:
    """What all pages together say: the equations by id, and the chapters by their file."""

    entries: dict[str, Entry] = field(default_factory=dict)
    chapters: dict[Path, Chapter] = field(default_factory=dict)
    pages: list[Path] = field(default_factory=list)  # in the order of the navigation
    uses: dict[str, list[Use]] = field(default_factory=dict)  # by name, or id of an equation
    package: str = ""  # a digest of it

    @staticmethod
    def load(places: list[NavPage], package: str) -> "Book":
        """Return the book of these pages; ValueError says which equation has another's id."""
        paths = [place.path for place in places]
        uses = backlinks.find_uses(paths)
        return Book(number_equations(paths), number_chapters(places), paths, uses, package)

    def get_number(self, path: Path) -> str:
        """Return the number of a chapter, or nothing for a page that is none."""
        return str(self.chapters[path].number) if path in self.chapters else ""


@dataclass
class Source:
    """A page as it was written, a lab with its answers, and its figures as they were drawn."""

    uri: str  # chapters/relative.md
    path: Path
    text: str
    report: Report | None  # None while the page has not been checked
    chapter: str = ""  # its number
    drawings: list[DrawnFigure] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Return whether it has been checked, and holds."""
        return self.report is not None and not self.report.failures


def get_drawing_folder(uri: str) -> PurePosixPath:
    """Return where the drawings of a page lie in the site."""
    return PurePosixPath("assets/figures") / PurePosixPath(uri).with_suffix("")


def get_drawing_url(uri: str) -> str:
    """Return the way there from the page."""
    return relpath(get_drawing_folder(uri), PurePosixPath(uri).parent)


def read_source(path: Path, report: Report | None, book: Book) -> Source:
    """Return a page with what came of its check, which may not be known yet."""
    text = read_page(path)
    drawings: list[DrawnFigure] = list(report.drawings) if report else []
    if lab_source.is_lab(path) and not (report and not report.code_passed):
        text, found = lab_cells.add_answers(path, text, report.answers if report else ())
        drawings = list(found)
    if report is None:
        drawings = [(fence, None) for fence in find_fences(text) if "figure" in fence.classes]
    uri = path.relative_to(DOCS).with_suffix(".md").as_posix()
    return Source(uri, path, text, report, book.get_number(path), drawings)


def render_whole_page(page: Source, book: Book, url: str = "") -> str:
    """Return all of a page, behind its front matter, as Markdown for any host."""
    text = render_page(page, book)
    text += (
        citation.render_citation_box(page.path, page.text, page.chapter, url)
        + abbreviations.render_definitions()
    )
    if page.report and page.report.failures:
        text = render_failures(page.path, page.report.failures) + text
    return text


def render_page(page: Source, book: Book) -> str:
    """Return the page with its drawings, its numbers and its links in place."""
    path, text, entries = page.path, page.text, book.entries
    way = get_drawing_url(page.uri)
    names = [fence.attributes.get("id", "") for fence, _ in page.drawings]
    figures = {name: number for number, name in enumerate(names, start=1)}
    edits: list[Edit] = [
        *((f.start, f.end, render_figure(f, drawing, way)) for f, drawing in page.drawings),
        *number_statements(text, entries),
        *fold_verifications(page, book),
        *link_references(path, text, entries, figures),
        *insert_lists(path, text, book),
        *glossary.link_terms(path, text),
        *((*match.span(), "") for match in AUTHOR_COMMENT.finditer(blank_code(text))),
    ]
    if lab_source.is_lab(path):
        edits += labs.add_lab_head(path, text)
    if path.parent == api.FOLDER and not page.holds:
        edits += api.replace_unknown_entries(text)
    if path in book.chapters:
        checked = page.report is not None
        edits += chapters.add_chapter_head(path, text, book.chapters[path], checked=checked)
    edits.append((len(text), len(text), sources.render_mirrors_box(path, text)))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return split_front_matter(text)[1]


def insert_lists(page: Path, text: str, book: Book) -> Iterable[Edit]:
    """Yield what is put together from other pages: equations, questions, names, who cites."""
    if MARK in text:
        start = text.index(MARK)
        yield start, start + len(MARK), render_register(book.entries, page, book.uses)
    if questions.MARK in text:
        start = text.index(questions.MARK)
        yield start, start + len(questions.MARK), questions.render_questions(book.chapters, page)
    if labs.MARK in text:
        start = text.index(labs.MARK)
        yield start, start + len(labs.MARK), labs.render_lab_table(book.pages, page)
    if main_path.MARK in text:
        start = text.index(main_path.MARK)
        yield start, start + len(main_path.MARK), main_path.render_main_path(book.chapters, page)
    if verdicts.MARK in text:
        start = text.index(verdicts.MARK)
        yield start, start + len(verdicts.MARK), verdicts.render_claim_list(text)
    yield from measured.insert_results(text)
    if page.parent == api.FOLDER:
        yield from backlinks.add_backlinks(text, page, book.uses)
    if page == sources.SOURCES:
        yield from sources.link_mirroring_pages(text)
    if page == bibliography.BIBLIOGRAPHY:
        yield from bibliography.link_citing_pages(text)


def render_figure(fence: Fence, drawing: Drawing | None, folder: str) -> str:
    """Return a figure: a drawing for each theme, its caption, its numbers, and its code, folded."""
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
    """Yield each statement's title with its number before it, as a link to itself."""
    for block in cards.find_blocks(text):
        name = cards.IDENTIFIER.search(block.text)
        if block.kind == "statement" and block.title and name and name[1] in entries:
            number = entries[name[1]].number
            link = f"[{number}](#{name[1]}){{ .number title='Link to this equation' }} "
            yield block.title_start, block.title_start, link


def fold_verifications(page: Source, book: Book) -> Iterable[Edit]:
    """Yield the line of each verification, which is folded behind it, and the folds of proofs.

    It says what is compared, for which values, and that it holds.
    """
    text, way, name = page.text, relpath(EQUATIONS, page.path.parent), None
    entries, package = book.entries, book.package
    said, waiting = (CHECKED, "") if page.report else (WAITING, " waiting")
    for block in cards.find_blocks(text):
        if block.kind == "statement":
            name = cards.IDENTIFIER.search(block.text)
        elif block.kind == "verification" and name and name[1] in entries:
            end = text.index("\n", block.start)
            # No links, since a line that can be pressed may hold nothing else that can be.
            mark = f' <span class="checked{waiting}">{said}</span>'
            title = f": {block.title}" if block.title else ""
            line = f"Verification{title}{mark}{render_domain(block.text, package)}"
            yield block.start, end, f"/// verification | {line}"
            entry = f"[In the register]({way}#entry-{name[1]}){{ .entry }}"
            yield block.end, block.end, f"\n{entry}\n"
        elif block.kind == "proof":
            yield from fold_proof_sessions(block, text, said, package)


@lru_cache(maxsize=1024)
def render_domain(text: str, package: str) -> str:
    """Return the words of a line that say for which values its comparisons were tried.

    The package, of which a digest is given, says what a domain is called.
    """
    words = "; ".join(comparisons.describe_domains(text))
    return f' <span class="domain">Tried for {words}.</span>' if words else ""


def fold_proof_sessions(proof: Block, text: str, said: str, package: str) -> Iterable[Edit]:
    """Yield what folds the sessions of a proof, which stand within it, behind a line."""
    yield proof.start, proof.start, "/"
    yield proof.end, proof.end, "/"
    for fence in find_fences(text):
        if fence.start in proof.body_range and fence.language == "pycon":
            domain = render_domain(text[fence.start : fence.end], package)
            line = f"/// details | Each line against the next, {said}{domain}"
            yield fence.start, fence.start, f"{line}\n    type: steps\n\n"
            yield fence.end, fence.end, "\n///\n"


def link_references(
    page: Path, text: str, entries: dict[str, Entry], figures: dict[str, int]
) -> Iterable[Edit]:
    """Yield each reference to an equation or a figure as a link that says its number."""
    for match in references.REFERENCE.finditer(formulas.blank_formulas(keep_prose(text))):
        name = references.read_target(match)
        said = text[slice(*match.span("text"))] if match["target"] else ""
        if entry := entries.get(name):
            said = said or f"({entry.number})"
            yield *match.span(), f'[{said}]({entry.link(page)} "{entry.equation.name}"){{ .eq }}'
        elif name in figures:
            yield *match.span(), f"[{said or f'Figure {figures[name]}'}](#{name})"


def render_failures(page: Path, failures: list[Failure]) -> str:
    """Return what is wrong with a page as a box for its top."""
    said = "\n\n".join(f"{page.name}:{failure.line}\n{failure.message}" for failure in failures)
    return (
        '<div class="admonition failure"><p class="admonition-title">'
        f"This page does not hold: {len(failures)} of its examples failed</p>"
        f"<pre>{html.escape(said)}</pre></div>\n\n"
    )
