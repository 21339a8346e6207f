"""The book as a plugin of MkDocs: what is done at each step of a build, by whom.

A page that does not hold stops every build, strict or not, before anything is written.
`mkdocs serve` alone goes on, and shows on the page what failed; its first build waits for
no check, and says of each page that is not checked yet that it is not.
"""

import gc
import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, MutableMapping
from functools import lru_cache
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url
from mkdocs.utils.templates import TemplateContext

from engine import labs, once, outlines, references, scripts, texts
from engine.cache import FOLDER, HOOKS
from engine.checks import Report
from engine.dependencies import Package
from engine.figures import THEMES
from engine.formulas import MathML
from engine.places import DOCS, PACKAGE, ROOT, modules
from engine.texts import read, split
from export import publish, wheel
from export.llms import Site
from pages import (
    api,
    backlinks,
    chapters,
    glossary,
    navigation,
    questions,
    rendering,
    rules,
)
from pages.extension import BookPages, Made, Pages
from pages.workers import Workers, as_made, as_read, besides, outcome, subjects
from website import (
    assets,
    conversions,
    fonts,
    goldens,
    hosting,
    notebooks,
    previews,
    progress,
    runtime,
    search,
    sharing,
    styles,
    templates,
)
from website.conversions import Conversions
from website.html import mended

log = logging.getLogger("mkdocs.hooks.book")

Turns = Callable[[Iterable[Path]], list[Path]]
Derived = dict[str, tuple[Made, dict[str, str]]]  # what is made of pages beside their HTML

COUNT = re.compile(r"<!-- count: (?P<what>\w+) -->")
WHEEL = "<!-- wheel -->"  # where a page leads to it
NARROW = "\u202f"  # between groups of digits, as everywhere in the book
FOUND_OUT = (  # of texts, and kept for the next build
    api.first_line,
    backlinks.mentions,
    chapters.minutes,
    glossary.first_uses,
    outlines.outline,
    rendering.tried,
    scripts.as_script,
    scripts.read,
    texts.yaml_of,
)
AGAIN = FOLDER / "serve" / "checked"  # who touches it has the site built again


class Build:
    """What one build knows; `before` it, the process may have had another."""

    def __init__(self, before: "Build | None", package: Package, turns: Turns) -> None:
        self.started = time.perf_counter()
        ids = lru_cache(maxsize=1)(references.equation_ids)
        self.cache = rules.cache(package, ids, notebooks.answers)
        self.texts = self.cache.file("texts", HOOKS)  # what was found out of them
        if before:
            self.cache.before = before.cache.held
        else:
            once.recall(self.texts, FOUND_OUT)
        self.failures: list[str] = []
        self.examples = 0
        self.reports: dict[Path, Report] = {}
        self.shown: set[Path] = set()  # the pages of the site, which may be a part of the book
        self.previews: dict[str, str] = {}
        self.sources: list[rendering.Source] = []
        self.conversions: Conversions
        self.pages: Pages
        self.page = ""  # the one that is being made
        self.content = ""  # of it, while the search plugin reads another
        self.meta: MutableMapping[str, Any] = {}  # likewise
        self.drawing: list[BaseProcess] = []  # the font and the picture, while they are made
        self.unknown: set[Path] = set()  # what has to be checked
        self.derived: Derived = {}
        self.derived_before = before.derived if before else {}
        self.workers: Workers = self.set_to_work(before.workers if before else None, turns)

    def set_to_work(self, before: Workers | None, turns: Turns) -> Workers:
        """Return processes at work on all that is not known, or those that are already."""
        package = self.cache.package.content
        paths = turns(path for path in subjects() if not self.cache.knows(path))
        unknown = {path: f"{package} {read(path)}" for path in paths}
        self.unknown = {*unknown}
        if before and before.answer(unknown):
            return before
        if before:
            before.stop()
        return Workers(unknown, notebooks.answers)

    def fail(self, message: str) -> None:
        """Report once what is wrong."""
        if message not in self.failures:
            log.error(message)
            self.failures.append(message)

    def check(self, path: Path, *, wait: bool) -> Report | None:
        """Return the report of a page, a lab, or a module, and report what fails.

        None where it is not known yet, and nobody waits for it.
        """
        if path in self.reports:
            return self.reports[path]
        future = self.workers.futures.get(path)
        if future is None or path not in self.unknown:
            report = self.cache.checked(path)
        elif wait or future.done():
            report = outcome(future)
        else:
            return None
        self.reports[path] = report
        name = path.relative_to(ROOT)
        for failure in report.failures:
            self.fail(f"{name}:{failure.line}: {failure.message}")
        if report.seconds > labs.MOST:
            log.warning(f"{name}: ran {report.seconds:.0f} s; a lab takes {labs.MOST} at most")
        self.examples += report.examples
        return report

    def derive(self, source: rendering.Source) -> dict[str, str]:
        """Return what is made of a page beside its HTML: the same of the same page as before."""
        if source.uri not in self.derived:
            pages, made = self.pages, self.pages.made(source.path)
            page, texts = self.derived_before.get(source.uri, (None, {}))
            if page is not made:
                texts = publish.derived(source, made[1], pages.book, pages.site, self.cache)
            self.derived[source.uri] = made, texts
        return self.derived[source.uri][1]

    def counts(self) -> dict[str, int]:
        """Return how much of what there is, for a page that says it: `<!-- count: … -->`."""
        return {
            "chapters": len(self.pages.book.chapters),
            "equations": len(self.pages.book.entries),
            "examples": self.examples,
        }


class Book:
    """The plugin: it lives as long as the process, and has one build at a time."""

    def __init__(self) -> None:
        self.serving = False
        self.anew = True  # whether each page is to be made anew
        self.watching = False  # an edit, or whatever else asks for another build
        self.build: Build
        self.before: Build | None = None  # the last one that has begun
        self.package: Package | None = None
        self.progress: progress.Progress | None = None
        self.templates = templates.Templates()
        self.assets = assets.Assets()
        self.fetching: BaseProcess | None = None  # of what runs in a reader's browser
        self.writing: BaseProcess | None = None  # of golden vectors

    def on_startup(self, command: str, dirty: bool) -> None:
        """Remember whether this is `serve`, and where the hooks are, which MkDocs forgets."""
        sys.path.append(str(Path(__file__).parents[1]))
        gc.set_threshold(20_000, 20, 20)  # Python's own thresholds cost 5 % of a build
        self.serving = command == "serve"

    @event_priority(100)  # before the search plugin asks for templates
    def on_config(self, config: MkDocsConfig) -> None:
        """Say where the site is, and set to work on what has to be checked."""
        templates.remember(config.theme, self.templates)
        self.writing = goldens.begun()
        hosting.configure(config)
        self.fetching = self.fetching or runtime.begun(compiled=not self.serving)
        if self.progress:
            self.progress.given_up.set()
        self.package = Package.now(PACKAGE, self.package)
        before = self.before
        turns = as_read if self.serving else as_made
        build = self.build = self.before = Build(before, self.package, turns)
        # `serve` gives the site an address that nobody should cite.
        address = "" if self.serving else config.site_url or ""
        pages = before.pages if before else None
        build.pages = Pages(self.report, build.cache.package, address, pages)
        extensions: list[Any] = [BookPages(build.pages), MathML(self.left_as_latex)]
        config.markdown_extensions += extensions

    def report(self, path: Path) -> Report | None:
        """Return what came of a page; only a build that is kept waits for it."""
        self.build.shown.add(path)
        return self.build.check(path, wait=not self.serving)

    def left_as_latex(self, message: str) -> None:
        """Report a formula that stays LaTeX, unless the check of its page has said so."""
        if not any(message in failure for failure in self.build.failures):
            self.build.fail(f"docs/{self.build.page}: {message}")

    def on_pre_build(self, config: MkDocsConfig) -> None:
        """Keep the assets of the last build from being deleted."""
        if self.serving:
            self.assets.hide(Path(config.site_dir))

    def on_files(self, files: Files, config: MkDocsConfig) -> None:
        """Add the font of the formulas, the picture of the site, and the style sheet."""
        self.assets.show(Path(config.site_dir))
        font = FOLDER / f"math-{fonts.key()}.woff2"
        if not font.exists():
            self.build.drawing.append(besides(fonts.write, font))
        if picture := sharing.begun(config):
            self.build.drawing.append(picture)
        files.append(File.generated(config, "assets/math.woff2", abs_src_path=str(font)))
        try:
            files.append(File.generated(config, "assets/book.css", content=styles.joined()))
            files.append(File.generated(config, "assets/dark.css", content=styles.dark(files)))
        except ValueError as error:
            self.build.fail(str(error))
        if self.writing:
            self.writing.join()
        for file in (*hosting.files(config), *goldens.files(config), *sharing.files(config)):
            files.append(file)
        for lab in [file for file in files if scripts.is_lab(file.abs_src_path or "")]:
            files.remove(lab)
            files.append(_as_page(lab, config))

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> None:
        """See that each page is in the navigation, and number the equations in its order."""
        build = self.build
        for message in navigation.wrong():
            build.fail(message)
        try:
            build.pages.bind()
        except ValueError as error:
            build.fail(str(error))
        build.conversions = Conversions(build.cache, config, files)
        if self.serving and self.anew:
            pages = [file.page for file in files.documentation_pages() if file.page]
            build.conversions.from_the_end(pages, lambda page: _convert(page, config, files))

    def on_page_markdown(
        self, markdown: str, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """See what came of a page, and give its drawings to the site; a lab becomes Markdown."""
        build, build.page = self.build, page.file.src_uri
        if not build.page.endswith(".md"):
            build.fail(f"docs/{build.page}:1: a page is called .md")
            return markdown
        source, text = build.pages.made(_path(page.file))
        folder = rendering.folder_of_drawings(source.uri)
        for fence, drawing in source.drawings:
            name = f"{folder}/{fence.attributes.get('id')}"
            svg = drawing.svg if drawing else dict.fromkeys(THEMES, progress.FRAME)
            for theme, image in svg.items():
                files.append(File.generated(config, f"{name}-{theme}.svg", content=image))
            data = drawing.data if drawing else ""
            files.append(File.generated(config, f"{name}.csv", content=data))
        if source.holds:  # nothing is made of what does not hold
            build.sources.append(source)
            if not self.serving:  # here, as at the end no other process has anything left to do
                build.derive(source)
        build.conversions.once(page, text)
        if not scripts.is_lab(source.path):
            return markdown
        page.meta, markdown = split(read(source.path))
        return markdown

    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Cut out what references show, and lead from the API to the source."""
        self.build.previews |= previews.cards(html)
        return hosting.with_source_lines(html, config)

    def on_env(self, env: Environment, config: MkDocsConfig, files: Files) -> None:
        """Stop here, with all pages checked and none written, where one does not hold."""
        build = self.build
        if self.fetching and not self.serving:
            self.fetching.join()
        runtime.configure(config, wait=not self.serving)
        for file in runtime.files(config, compiled=not self.serving):
            files.append(file)
        numbered = build.pages.book.chapters.values()
        conversions.remember(env, config, files, build.cache, numbered)
        for drawing in build.drawing:
            drawing.join()
        for path in subjects():
            # A page that was made before its check came to an end is made again; see on_post_build.
            if not self.serving or path.is_relative_to(PACKAGE):
                build.check(path, wait=not self.serving)
        if build.failures and not self.serving:
            raise PluginError(f"{len(build.failures)} claims of the book do not hold; see above")
        for name, card in build.previews.items():
            files.append(File.generated(config, f"assets/previews/{name}.html", content=card))
        if self.serving:
            self.assets.spare(files)

    @event_priority(100)  # before the search plugin reads the page
    def _before_search(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Show the search plugin what it is to read, and spare it a page that it has read."""
        build = self.build
        build.content, build.meta = page.content or "", page.meta
        if build.conversions.index(page):
            page.meta = {**page.meta, "search": {"exclude": True}}
            page.content = ""
        else:
            page.content = search.shown(build.content, page.file.src_uri)
        return context

    @event_priority(-100)
    def _after_search(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Show readers what they are to read, and keep what the search plugin has read."""
        build = self.build
        page.content, page.meta = build.content, build.meta
        if page.file.src_uri not in build.conversions.again:
            asked = questions.by_anchor(read(_path(page.file)))
            search.weigh(conversions.entries(config.plugins), page.url, asked)
            build.conversions.keep(page)
        return context

    on_page_context = CombinedEvent(_before_search, _after_search)

    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Fill in what is counted and named."""
        counts = self.build.counts()
        output = COUNT.sub(lambda mark: f"{counts[mark['what']]:,}".replace(",", NARROW), output)
        file = get_relative_url(f"assets/{wheel.name()}", page.url)
        output = output.replace(WHEEL, f' (<a href="{file}" download>{wheel.name()}</a>)')
        path = _path(page.file)
        return output if path in self.build.reports else progress.watched(output, path, page.url)

    def on_post_template(
        self, output_content: str, template_name: str, config: MkDocsConfig
    ) -> str:
        """Leave out what needs the address of the site where there is none; mend what is left."""
        return mended(hosting.template(output_content, template_name, config))

    @event_priority(-100)  # after the search plugin has written its index
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write what is made of the pages beside their HTML and where search finds them."""
        build, folder = self.build, Path(config.site_dir)
        search.split(folder)
        waiting = [path for path in (*build.shown, *modules()) if path not in build.reports]
        if not waiting:
            site = Site(config.site_name, config.site_description or "", build.pages.site)
            derived = {source.uri: build.derive(source) for source in build.sources}
            publish.publish(folder, derived, build.pages.places, site)
            whole = (page.read_text("utf-8") for page in folder.rglob("*.html"))
            (folder / hosting.POLICY).write_text(f"{hosting.policy(whole)}\n", "utf-8")
        once.forget(FOUND_OUT)
        if not self.serving:  # whose process keeps the package that it first imported
            once.keep(build.texts, FOUND_OUT)
            build.cache.tidy()
        seconds = time.perf_counter() - build.started
        said = f", {len(waiting)} pages and modules not checked yet" if waiting else ""
        log.info(
            "%d examples, %d failed%s; %.1f s", build.examples, len(build.failures), said, seconds
        )
        self.anew = bool(waiting)  # since what is checked is shown otherwise
        self.assets.settle(final=not waiting)
        if waiting:
            self.progress = progress.Progress(build.workers, folder, AGAIN.touch)
            if self.watching:
                self.progress.start()

    def on_serve(
        self, server: LiveReloadServer, config: MkDocsConfig, builder: Callable[..., None]
    ) -> None:
        """Have the site built again after an edit of the package, and when all is checked."""
        for folder in [PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())]:
            if folder.name != "__pycache__":  # which changes with every import
                server.watch(str(folder), recursive=False)
        AGAIN.parent.mkdir(parents=True, exist_ok=True)
        AGAIN.touch()
        server.watch(str(AGAIN.parent))
        self.watching = True
        if self.progress:  # not before: what it asks for would be missed
            self.progress.start()

    def on_shutdown(self) -> None:
        """End all processes."""
        if self.before:
            self.before.workers.stop()


def _convert(page: Page, config: MkDocsConfig, files: Files) -> None:
    """Make the article of a page, as MkDocs does."""
    page.read_source(config)
    page.markdown = config.plugins.on_page_markdown(
        page.markdown or "", page=page, config=config, files=files
    )
    page.render(config, files)


def _as_page(lab: File, config: MkDocsConfig) -> File:
    """Return a lab as a page, under the name that links give it: labs/x.md."""
    name = f"{lab.src_uri.rpartition('.')[0]}.md"
    page = File.generated(config, name, abs_src_path=str(_path(lab)))
    page.edit_uri = lab.src_uri
    return page


def _path(file: File) -> Path:
    """Return the file that a page of the site is written in."""
    return Path(file.abs_src_path) if file.abs_src_path else scripts.source(DOCS / file.src_uri)
