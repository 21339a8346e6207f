"""The book as a plugin of MkDocs: what happens at each step of a build.

A page that fails its check stops every build, strict or not, before anything is written.
`mkdocs serve` goes on, and shows on the page what failed. Its first build doesn't wait for checks:
pages say that they are not checked yet.
"""

import gc
import logging
import re
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from multiprocessing.process import BaseProcess
from pathlib import Path

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

from check import lab_source, references
from check.cache import FOLDER
from check.figures import THEMES
from check.formulas import MathML
from check.page_check import Report
from check.page_source import read_page, split_front_matter
from check.paths import DOCS, PACKAGE, ROOT, list_modules
from export import publish, wheel
from export.llms import Site
from render import navigation, page_markdown, questions, rules
from render.extension import BookPages, Pages
from render.workers import Workers, get_report, list_subjects, start_process
from website import (
    bundle,
    fonts,
    goldens,
    hosting,
    notebooks,
    previews,
    progress,
    search,
    social_card,
    styles,
)
from website.html import repair_article, repair_navigation
from website.page_cache import PageCache, search_entries

log = logging.getLogger("mkdocs.hooks.book")

COUNT = re.compile(r"<!-- count: (?P<what>\w+) -->")
RUN_ALL = (  # there from the first line on, so that nothing moves when it can be used
    '<div class="run" id="run-all"><p class="run-bar"><button type="button" class="md-button" '
    "disabled>Run all equations here</button></p></div>"
)
WHEEL = "<!-- wheel -->"  # stands for the link to it
NARROW = "\u202f"  # between groups of digits
REBUILD = FOLDER / "serve" / "checked"  # `mkdocs serve` watches it


class Build:
    """The state of one build; `before` is the previous one of this process."""

    def __init__(self, before: "Build | None", site_url: str, *, serving: bool) -> None:
        self.started = time.perf_counter()
        self.serving = serving
        ids = lru_cache(maxsize=1)(references.find_equation_pages)
        self.cache = rules.open_cache(ids)
        self.pages = Pages(self.report, self.cache.package, site_url)
        self.failures: list[str] = []
        self.examples = 0
        self.reports: dict[Path, Report] = {}
        self.shown: set[Path] = set()  # pages of the site, which may be a part of the book
        self.previews: dict[str, str] = {}
        self.sources: list[page_markdown.Source] = []
        self.page_cache: PageCache
        self.page = ""  # being converted
        self.content = ""  # of a page, while the search plugin reads another version
        self.drawing: list[BaseProcess] = []  # the font and the social card
        self.derived: dict[str, dict[str, str]] = {}
        self.unknown = {path for path in list_subjects() if self.cache.needs_run(path)}
        self.workers: Workers = self._start_workers(before.workers if before else None)

    def _start_workers(self, before: Workers | None) -> Workers:
        """Return processes that check all unknown pages; those of the last build if they do."""
        pages = {
            path: f"{self.cache.package} {read_page(path)}"
            for path in list_subjects()
            if path in self.unknown
        }
        if before and before.covers(pages):
            return before
        if before:
            before.stop()
        return Workers(pages)

    def fail(self, message: str) -> None:
        """Report an error once."""
        if message not in self.failures:
            log.error(message)
            self.failures.append(message)

    def report(self, path: Path) -> Report | None:
        """Return the report of a page; `mkdocs serve` doesn't wait for it."""
        self.shown.add(path)
        return self.check(path, wait=not self.serving)

    def check(self, path: Path, *, wait: bool) -> Report | None:
        """Return the report of a page, a lab, or a module, and log its failures.

        None if it is not known yet and `wait` is false.
        """
        if path in self.reports:
            return self.reports[path]
        future = self.workers.futures.get(path)
        if future is None or path not in self.unknown:
            report = self.cache.check_page(path)
        elif wait or future.done():
            report = get_report(future)
        else:
            return None
        self.reports[path] = report
        name = path.relative_to(ROOT)
        for failure in report.failures:
            self.fail(f"{name}:{failure.line}: {failure.message}")
        self.examples += report.examples
        return report

    def derive(self, source: page_markdown.Source) -> dict[str, str]:
        """Return what is made of a page besides its HTML."""
        if source.uri not in self.derived:
            pages, (_, text) = self.pages, self.pages.render(source.path)
            made = publish.derived(source, text, pages.book, pages.site, self.cache)
            self.derived[source.uri] = made
        return self.derived[source.uri]

    def counts(self) -> dict[str, int]:
        """Return the numbers that pages show with `<!-- count: … -->`."""
        return {
            "chapters": len(self.pages.book.chapters),
            "equations": len(self.pages.book.entries),
            "examples": self.examples,
        }


class Book:
    """The plugin: it lives as long as the process, and has one build at a time."""

    def __init__(self) -> None:
        self.serving = False
        self.watching = False  # whether a rebuild can be asked for
        self.build: Build
        self.before: Build | None = None  # the last build that began
        self.progress: progress.Progress | None = None
        self.fetching: BaseProcess | None = None  # of the browser's Python
        self.writing: BaseProcess | None = None  # of golden vectors

    def on_startup(self, command: str, dirty: bool) -> None:
        """Note whether this is `serve`, and extend the path, which MkDocs resets."""
        sys.path.append(str(Path(__file__).parents[1]))
        gc.set_threshold(20_000, 20, 20)  # Python's own thresholds cost 5 % of a build
        self.serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> None:
        """Set addresses and extensions, and start the checks."""
        self.writing = goldens.begun()
        hosting.configure(config)
        self.fetching = self.fetching or bundle.begun(compiled=not self.serving)
        if self.progress:
            self.progress.given_up.set()
        # Nobody should cite the address that `serve` gives the site.
        address = "" if self.serving else config.site_url or ""
        build = self.build = self.before = Build(self.before, address, serving=self.serving)
        config.markdown_extensions.append(BookPages(build.pages))  # type: ignore[arg-type]
        config.markdown_extensions.append(MathML(self.report_latex))  # type: ignore[arg-type]

    def report_latex(self, message: str) -> None:
        """Report a formula that stays LaTeX, unless the check of its page has done so."""
        if not any(message in failure for failure in self.build.failures):
            self.build.fail(f"docs/{self.build.page}: {message}")

    def on_files(self, files: Files, config: MkDocsConfig) -> None:
        """Add what is generated: the font of the formulas, style sheets, the card, labs."""
        font = FOLDER / f"math-{fonts.key()}.woff2"
        if not font.exists():
            self.build.drawing.append(start_process(fonts.write, font))
        if picture := social_card.begun(config):
            self.build.drawing.append(picture)
        files.append(File.generated(config, "assets/math.woff2", abs_src_path=str(font)))
        try:
            files.append(File.generated(config, "assets/book.css", content=styles.joined()))
            files.append(File.generated(config, "assets/dark.css", content=styles.dark(files)))
        except ValueError as error:
            self.build.fail(str(error))
        if self.writing:
            self.writing.join()
        for file in (*hosting.files(config), *goldens.files(config), *social_card.files(config)):
            files.append(file)
        for lab in [file for file in files if lab_source.is_lab(file.abs_src_path or "")]:
            files.remove(lab)
            files.append(_as_page(lab, config))

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> None:
        """Check the navigation, number the equations in its order, and look up kept pages."""
        build = self.build
        for message in navigation.find_problems():
            build.fail(message)
        try:
            build.pages.load_book()
        except ValueError as error:
            build.fail(str(error))
        if self.fetching and not self.serving:
            self.fetching.join()
        bundle.configure(config, wait=not self.serving)
        build.page_cache = PageCache(build.cache, config, files)

    @event_priority(100)  # before mkdocs-jupyter looks at the page
    def on_pre_page(self, page: Page, config: MkDocsConfig, files: Files) -> Page:
        """Give a lab that holds to mkdocs-jupyter, which runs it, except in `serve`.

        The page of any other lab shows the answers of the check, or none.
        """
        lab = _path(page.file)
        if lab_source.is_lab(lab) and not self.serving and self.build.pages.render(lab)[0].holds:
            page.file.abs_src_path = str(notebooks.write_copy(lab, self.build.cache))
        return page

    def on_page_markdown(
        self, markdown: str, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Add the drawings of a page to the site; return nothing of a page that is kept."""
        build, build.page = self.build, page.file.src_uri
        if not build.page.endswith(".md"):
            build.fail(f"docs/{build.page}:1: a page is called .md")
            return markdown
        source, text = build.pages.render(_path(page.file))
        folder = page_markdown.get_drawing_folder(source.uri)
        for fence, drawing in source.drawings:
            name = f"{folder}/{fence.attributes.get('id')}"
            svg = drawing.svg if drawing else dict.fromkeys(THEMES, progress.FRAME)
            for theme, image in svg.items():
                files.append(File.generated(config, f"{name}-{theme}.svg", content=image))
            data = drawing.data if drawing else ""
            files.append(File.generated(config, f"{name}.csv", content=data))
        if source.holds:
            build.sources.append(source)
            if not self.serving:  # while other processes check the next pages
                build.derive(source)
        if lab_source.is_lab(source.path):
            page.meta, markdown = split_front_matter(read_page(source.path))
        return "" if build.page_cache.find(page, text) else markdown

    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Put the cells of a lab into its text, cut out previews, and link API entries."""
        kept = self.build.page_cache
        if (empty := kept.reuse(page)) is not None:
            self.build.previews |= kept.kept[page.file.src_uri].previews
            return empty
        if _is_run(page.file):
            lab = _path(page.file)
            Page.render(page, config, files)  # the text, as on other pages
            html = notebooks.insert_cells(page.content or "", html, lab, self.build.cache)
        found = dict(previews.cards(html))
        self.build.previews |= found
        kept.note_conversion(page, found)
        return hosting.with_source_lines(html, config)

    def on_env(self, env: Environment, config: MkDocsConfig, files: Files) -> None:
        """Stop the build, with all pages checked and none written, if one fails."""
        build = self.build
        for file in bundle.files(config, compiled=not self.serving):
            files.append(file)
        for drawing in build.drawing:
            drawing.join()
        for path in list_subjects():
            # In `serve`, a page that was made before its check ended is made again later.
            if not self.serving or path.is_relative_to(PACKAGE):
                build.check(path, wait=not self.serving)
        if build.failures and not self.serving:
            raise PluginError(f"{len(build.failures)} claims of the book do not hold; see above")
        for name, card in build.previews.items():
            files.append(File.generated(config, f"assets/previews/{name}.html", content=card))

    @event_priority(100)  # before the search plugin reads the page
    def _before_search(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Give the search plugin a version of the page that suits it."""
        if kept := self.build.page_cache.kept.get(page.file.src_uri):
            search_entries(config).extend(kept.entries)
        else:
            self.build.content = page.content or ""
            page.content = search.shown(self.build.content, page.file.src_uri)
        return context

    @event_priority(-100)
    def _after_search(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Restore the page, repaired, and weigh its entries in the search index."""
        if kept := self.build.page_cache.kept.get(page.file.src_uri):
            page.content = kept.html
        else:
            page.content = repair_article(self.build.content)
            if config.extra["runtime"] and page.file.src_uri == "reference/equations.md":
                page.content = page.content.replace("<h2 ", f"{RUN_ALL}\n<h2 ", 1)
            asked = questions.group_by_anchor(read_page(_path(page.file)))
            search.weigh(search_entries(config), page.url, asked)
        return context

    on_page_context = CombinedEvent(_before_search, _after_search)

    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Finish a page: number the chapters in its navigation, fill in counts and the wheel."""
        build, path = self.build, _path(page.file)
        if page.file.src_uri not in build.page_cache.kept:
            output = repair_navigation(output, page.url, build.pages.book.chapters.values())
            build.page_cache.finish(page, output)
        counts = build.counts()
        output = COUNT.sub(lambda mark: f"{counts[mark['what']]:,}".replace(",", NARROW), output)
        file = get_relative_url(f"assets/{wheel.name()}", page.url)
        output = output.replace(WHEEL, f' (<a href="{file}" download>{wheel.name()}</a>)')
        return output if path in build.reports else progress.watched(output, path, page.url)

    def on_post_template(
        self, output_content: str, template_name: str, config: MkDocsConfig
    ) -> str:
        """Leave out files that need the site's address if there is none."""
        return repair_navigation(hosting.template(output_content, template_name, config), "", [])

    @event_priority(-100)  # after the search plugin has written its index
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write what is made of the pages besides their HTML, once all are checked."""
        build, folder = self.build, Path(config.site_dir)
        search.split(folder)
        waiting = [path for path in (*build.shown, *list_modules()) if path not in build.reports]
        if not waiting:
            site = Site(config.site_name, config.site_description or "", build.pages.site)
            derived = {source.uri: build.derive(source) for source in build.sources}
            publish.publish(folder, derived, build.pages.places, site)
            whole = (page.read_text("utf-8") for page in folder.rglob("*.html"))
            (folder / hosting.POLICY).write_text(f"{hosting.policy(whole)}\n", "utf-8")
        if not self.serving:
            build.cache.delete_unused()
        seconds = time.perf_counter() - build.started
        said = f", {len(waiting)} pages and modules not checked yet" if waiting else ""
        log.info(
            "%d examples, %d failed%s; %.1f s", build.examples, len(build.failures), said, seconds
        )
        if waiting:
            self.progress = progress.Progress(build.workers, folder, REBUILD.touch)
            if self.watching:
                self.progress.start()

    def on_serve(
        self, server: LiveReloadServer, config: MkDocsConfig, builder: Callable[..., None]
    ) -> None:
        """Have the site built again after an edit of the package, and when all is checked."""
        for folder in [PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())]:
            if folder.name != "__pycache__":  # changes with every import
                server.watch(str(folder), recursive=False)
        REBUILD.parent.mkdir(parents=True, exist_ok=True)
        REBUILD.touch()
        server.watch(str(REBUILD.parent))
        self.watching = True
        if self.progress:  # not earlier: nobody would see its first request
            self.progress.start()

    def on_shutdown(self) -> None:
        """End all processes."""
        if self.before:
            self.before.workers.stop()


def _as_page(lab: File, config: MkDocsConfig) -> File:
    """Return a lab as a page, under the name that links use: labs/x.md."""
    name = f"{lab.src_uri.rpartition('.')[0]}.md"
    page = File.generated(config, name, content="")  # which `on_page_markdown` reads
    page.edit_uri = lab.src_uri
    return page


def _path(file: File) -> Path:
    """Return the file that a page of the site is written in."""
    return lab_source.find_source(DOCS / file.src_uri)


def _is_run(file: File) -> bool:
    """Return whether a page is a lab that mkdocs-jupyter runs."""
    return lab_source.is_lab(_path(file)) and file.abs_src_path is not None
