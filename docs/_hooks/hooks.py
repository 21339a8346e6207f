"""The build, as MkDocs calls it. Each duty lives in a file of its own; here they are hung up.

A page that does not hold stops every build, strict or not, before anything is written.
`mkdocs serve` alone goes on, and shows on the page what failed.
"""

import logging
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import meta
from mkdocs.utils.templates import TemplateContext

import abbreviations
import backlinks
import citing
import dark
import heads
import hosting
import labs
import mathfont
import navigation
import percent
import previews
import publishing
import questions
import rendering
import searching
import serving
import sheets
from cache import FOLDER, Cache, forget_package
from examples import ROOT, Failure, Report
from fences import keep_what_is_read, read
from formulas import MathML
from mending import finished, mended
from register import register

log = logging.getLogger("mkdocs.hooks.book")


COUNT = re.compile(r"<!-- count: (?P<what>\w+) -->")


@dataclass
class Build:
    """What one build knows; a new one begins with every `on_pre_build`."""

    started: float = field(default_factory=time.perf_counter)
    cache: Cache = field(default_factory=Cache)
    book: rendering.Book = field(default_factory=rendering.Book)
    failures: list[str] = field(default_factory=list)
    examples: int = 0

    previews: dict[str, str] = field(default_factory=dict)
    sources: list[publishing.Source] = field(default_factory=list)
    nav: Navigation = field(default_factory=lambda: Navigation([], []))

    serving: bool = False
    page: str = ""  # the one that is being made
    indexed: bool = False  # whether its search entries were kept
    content: str = ""  # of it, while the search plugin reads another

    def fail(self, message: str) -> None:
        """Report once what is wrong."""
        if message not in self.failures:
            log.error(message)
            self.failures.append(message)

    def counts(self) -> dict[str, int]:
        """Return how much of what there is, for a page that says it: `<!-- count: … -->`."""
        return {
            "chapters": len(self.book.chapters),
            "equations": len(self.book.entries),
            "examples": self.examples,
        }

    def check(self, path: Path) -> Report:
        """Check a page, or the docstrings of a module, and report what fails."""
        name = path.relative_to(ROOT)
        try:
            report = self.cache.checked(path)
        except Exception as error:  # so broken that it cannot be read
            report = Report(failures=[Failure(1, f"cannot be read: {error}")])
        for failure in report.failures:
            self.fail(f"{name}:{failure.line}: {failure.message}")
        if report.seconds > labs.MOST:
            log.warning(f"{name}: ran {report.seconds:.0f} s; a lab takes {labs.MOST} at most")
        self.examples += report.examples
        return report


build = Build()


def on_startup(command: str, dirty: bool) -> None:
    """Remember whether this is `serve`."""
    build.serving = command == "serve"


def on_config(config: MkDocsConfig) -> None:
    """Add the formulas to Markdown: for pages, docstrings, all that goes through it."""
    hosting.configure(config)
    if not any(isinstance(extension, MathML) for extension in config.markdown_extensions):
        config.markdown_extensions.append(MathML(left_as_latex))  # type: ignore[arg-type]


def left_as_latex(message: str) -> None:
    """Report a formula that stays LaTeX, unless the check of its page has said so."""
    if not any(message in failure for failure in build.failures):
        build.fail(f"docs/{build.page}: {message}")


def on_pre_build(config: MkDocsConfig) -> None:
    """Begin anew, with the package as it now stands on disk."""
    global build
    forget_package()
    keep_what_is_read(True)
    build = Build(serving=build.serving)
    for module in sorted((ROOT / "posenc").rglob("*.py")):
        build.check(module)


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the font of the formulas and the style sheet."""
    font = FOLDER / f"math-{mathfont.key()}.woff2"
    if not font.exists():
        mathfont.write(font)
    files.append(File.generated(config, "assets/math.woff2", abs_src_path=str(font)))
    try:
        files.append(File.generated(config, "assets/book.css", content=sheets.joined()))
        files.append(File.generated(config, dark.NAME, content=dark.sheet(files)))
    except ValueError as error:
        build.fail(str(error))
    for file in [*hosting.files(config), *labs.files(config)]:
        files.append(file)


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Number the chapters, and the equations in their order; see who mentions what."""
    build.nav, book = nav, build.book
    for message in navigation.wrong(nav, config, files):
        build.fail(message)
    book.chapters = heads.chapters(nav)
    paths = [percent.path_of(page.file) for page in nav.pages]
    book.pages = [path for path in paths if path.suffix == ".md" or percent.is_lab(path)]
    try:
        book.entries = register(book.pages)
        book.uses = backlinks.uses(book.pages)
    except ValueError as error:
        build.fail(str(error))


@event_priority(100)  # before a plugin changes the text: lines are those of the file
def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Check a page and put in what is drawn, numbered and linked."""
    path, build.page = percent.path_of(page.file), page.file.src_uri
    if not build.page.endswith(".md"):
        build.fail(f"docs/{build.page}:1: a page is called .md")
        return markdown
    text, report = read(path), build.check(path)
    if report.answers and not report.failures:  # a lab
        text, report.drawings = labs.executed(path, text, report.answers)
    folder, way = rendering.folder_of_figures(page.file.src_uri)
    for fence, drawing in report.drawings:
        name = f"{folder}/{fence.attributes['id']}"
        for theme, svg in drawing.svg.items():
            files.append(File.generated(config, f"{name}-{theme}.svg", content=svg))
        files.append(File.generated(config, f"{name}.csv", content=drawing.data))
    number = str(build.book.chapters[path].number) if path in build.book.chapters else ""
    if not report.failures:  # of a page that does not hold, nothing is made but what shows it
        source = publishing.Source(build.page, path, text, number, report.drawings)
        build.sources.append(source)
    text, _ = meta.get_data(rendering.render(path, text, report, build.book, way))
    text += citing.foot(path, page, number)
    text += abbreviations.definitions()
    if report.failures:
        text = rendering.failed(path, report.failures) + text
    if build.serving:
        serving.convert_once(page, text, build.cache.foundation)
    return text


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Cut out what references show, and lead from the API to the source."""
    build.previews |= previews.cards(html)
    return hosting.with_source_lines(html, config)


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> None:
    """Stop here, with all pages checked and none written, where one does not hold."""
    env.bytecode_cache = serving.TEMPLATES
    if build.failures and not build.serving:
        raise PluginError(f"{len(build.failures)} claims of the book do not hold; see above")
    for name, card in build.previews.items():
        files.append(File.generated(config, f"assets/previews/{name}.html", content=card))


@event_priority(100)  # before the search plugin reads the page
def _already_indexed(
    context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
) -> TemplateContext:
    """Show the search plugin what it is to read, and spare it a page that it has read."""
    build.content = page.content or ""
    build.indexed = build.serving and serving.index(page, config)
    if build.indexed:
        page.meta["search"] = {"exclude": True}
        page.content = ""
    else:
        page.content = searching.shown(build.content, page.file.src_uri)
    return context


@event_priority(-100)
def _newly_indexed(
    context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
) -> TemplateContext:
    """Show readers what they are to read, and keep what the search plugin has read."""
    page.content = build.content
    if not build.indexed:
        asked = questions.by_anchor(read(percent.path_of(page.file)))
        searching.weigh(serving.entries(config.plugins), page.url, asked)
        if build.serving:
            serving.keep_indexed(page, config)
    return context


on_page_context = CombinedEvent(_already_indexed, _newly_indexed)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Number the chapters in the navigation; mend what the theme leaves undone."""
    output = COUNT.sub(lambda mark: f"{build.counts()[mark['what']]:,}", output)
    return finished(output, page.url, tuple(build.book.chapters.values()))


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Leave out what needs the address of the site where there is none; mend what is left."""
    return mended(hosting.template(output_content, template_name, config))


@event_priority(-100)  # after the search plugin has written its index
def on_post_build(config: MkDocsConfig) -> None:
    """Write what is made of the pages beside their HTML and where search finds them."""
    folder = Path(config.site_dir)
    searching.split(folder)
    publishing.publish(folder, build.sources, build.book, build.cache, config, build.nav)
    keep_what_is_read(False)
    if not build.serving:
        build.cache.tidy()
    seconds = time.perf_counter() - build.started
    log.info("%d examples, %d failed; %.1f s", build.examples, len(build.failures), seconds)
