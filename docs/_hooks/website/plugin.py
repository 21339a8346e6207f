"""The MkDocs plugin of the book: what happens at each step of a build.

If a page fails its check, `mkdocs build` stops before anything is written, with or without
`--strict`. `mkdocs serve` continues and shows the failure on the page. Its first build doesn't wait
for the checks; pages say that they are not checked yet.
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

from check import lab_source, recordings, references
from check.cache import FOLDER
from check.figures import THEMES
from check.formulas import MathML
from check.page_check import Report
from check.page_source import read_page, split_front_matter
from check.paths import DOCS, PACKAGE, ROOT, list_modules
from export import publish, wheel
from export.llms import Site
from render import lists, navigation, page_markdown, questions, rules
from render.extension import BookPages, Pages
from render.workers import Workers, get_report, list_subjects, start_process
from website import (
    bundle,
    feed,
    fonts,
    goldens,
    hosting,
    model_list,
    notebooks,
    previews,
    progress,
    scripts,
    search,
    social_card,
    styles,
)
from website.html import repair_article, repair_navigation
from website.page_cache import PageCache, get_search_entries

log = logging.getLogger("mkdocs.hooks.book")

COUNT = re.compile(r"<!-- count: (?P<what>\w+) -->")
RUN_ALL = (  # disabled until Python has loaded, so that the page doesn't move
    '<div class="run" id="run-all"><p class="run-bar"><button type="button" class="md-button" '
    "disabled>Run all equations here</button></p></div>"
)
PROMPT = re.compile(r"^ *>>> ", re.MULTILINE)
REPOSITORY = "<!-- repository -->"  # replaced by a link to it, if its address is known
WHEEL = "<!-- wheel -->"  # replaced by a link to it, or by the command that installs it
NARROW_SPACE = "\u202f"  # between groups of digits
REBUILD = FOLDER / "serve" / "checked"  # `mkdocs serve` watches it


class Build:
    """The state of one build; `previous` is the one before it in this process."""

    def __init__(self, previous: "Build | None", site_url: str, *, serving: bool) -> None:
        self.started = time.perf_counter()
        self.serving = serving
        ids = lru_cache(maxsize=1)(references.find_equation_pages)
        self.cache = rules.open_cache(ids)
        self.pages = Pages(self.report, self.cache.package, site_url)
        self.failures: list[str] = []
        self.examples = 0
        self.reports: dict[Path, Report] = {}
        self.site_pages: set[Path] = set()  # in the tests a site may have a part of the book
        self.previews: dict[str, str] = {}
        self.sources: list[page_markdown.Source] = []
        self.page_cache: PageCache
        self.page = ""  # being converted
        self.content = ""  # of a page, while the search plugin reads another version
        self.processes: list[BaseProcess] = []  # that write the font and the social card
        self.exports: dict[str, dict[str, str]] = {}
        self.unchecked = {path for path in list_subjects() if self.cache.needs_run(path)}
        self.workers: Workers = self._start_workers(previous.workers if previous else None)

    def _start_workers(self, previous: Workers | None) -> Workers:
        """Return processes that check all unchecked pages; those of the last build if they do."""
        pages = {
            path: f"{self.cache.package} {read_page(path)}"
            for path in list_subjects()
            if path in self.unchecked
        }
        if previous and previous.covers(pages):
            return previous
        if previous:
            previous.stop()
        return Workers(pages)

    def fail(self, message: str) -> None:
        """Log an error once, and remember that the build has failed."""
        if message not in self.failures:
            log.error(message)
            self.failures.append(message)

    def report(self, path: Path) -> Report | None:
        """Return the report of a page; `mkdocs serve` doesn't wait for it."""
        self.site_pages.add(path)
        return self.check(path, wait=not self.serving)

    def check(self, path: Path, *, wait: bool) -> Report | None:
        """Return the report of a page, a lab, or a module, and log its failures.

        Without `wait`, return None if the check has not ended yet.
        """
        if path in self.reports:
            return self.reports[path]
        future = self.workers.futures.get(path)
        if future is None or path not in self.unchecked:
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

    def export(self, source: page_markdown.Source) -> dict[str, str]:
        """Return the Markdown, notebook and script of a page, by the suffix of the file."""
        if source.uri not in self.exports:
            pages, (_, text) = self.pages, self.pages.render(source.path)
            self.exports[source.uri] = publish.derive_exports(
                source, text, pages.book, pages.site, self.cache
            )
        return self.exports[source.uri]

    def count_contents(self) -> dict[str, float]:
        """Return the numbers that pages show with `<!-- count: … -->`."""
        return {
            "chapters": len(self.pages.book.chapters),
            "equations": len(self.pages.book.entries),
            "prompts": sum(len(PROMPT.findall(read_page(path))) for path in self.site_pages),
            "hours": lists.add_hours(lists.find_main_path(self.pages.book.chapters)),
        }


class Book:
    """The plugin, which lives as long as the process and has one build at a time."""

    def __init__(self) -> None:
        self.serving = False
        self.watching = False  # whether MkDocs watches files, so that a rebuild can be triggered
        self.build: Build
        self.previous: Build | None = None  # the last build that began
        self.progress: progress.Progress | None = None
        self.bundle_process: BaseProcess | None = None
        self.golden_process: BaseProcess | None = None

    def on_startup(self, command: str, dirty: bool) -> None:
        """Store whether this is `serve`, and extend `sys.path`, which MkDocs resets."""
        sys.path.append(str(Path(__file__).parents[1]))
        gc.set_threshold(20_000, 20, 20)  # Python's own thresholds cost 5 % of a build
        self.serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> None:
        """Set addresses and extensions, and start the checks."""
        self.golden_process = goldens.start_writing()
        hosting.configure(config)
        if self.bundle_process is None:
            self.bundle_process = bundle.start_build(compiled=not self.serving)
        if self.progress:
            self.progress.cancelled.set()
        # Nobody should cite the address that `serve` gives the site.
        address = "" if self.serving else config.site_url or ""
        build = self.build = self.previous = Build(self.previous, address, serving=self.serving)
        config.markdown_extensions.append(BookPages(build.pages))  # type: ignore[arg-type]
        config.markdown_extensions.append(MathML(self.report_latex))  # type: ignore[arg-type]

    def report_latex(self, message: str) -> None:
        """Report LaTeX that cannot be converted, unless the check of the page has done so."""
        if not any(message in failure for failure in self.build.failures):
            self.build.fail(f"docs/{self.build.page}: {message}")

    def on_files(self, files: Files, config: MkDocsConfig) -> None:
        """Add generated files: the font, style sheets, the social card, golden vectors, labs."""
        font = FOLDER / f"math-{fonts.get_key()}.woff2"
        if not font.exists():
            self.build.processes.append(start_process(fonts.write_subset, font))
        if card_process := social_card.start_drawing(config):
            self.build.processes.append(card_process)
        files.append(File.generated(config, "assets/math.woff2", abs_src_path=str(font)))
        try:
            files.append(File.generated(config, "assets/book.css", content=styles.join_sheets()))
            files.append(
                File.generated(config, "assets/dark.css", content=styles.make_dark_sheet(files))
            )
        except ValueError as error:
            self.build.fail(str(error))
        scripts.drop_comments(files)
        if self.golden_process:
            self.golden_process.join()
        for file in (
            *hosting.list_files(config),
            *goldens.list_files(config),
            *social_card.list_files(config),
            *feed.list_files(config),
            *model_list.list_files(config),
        ):
            files.append(file)
        for lab in [file for file in files if lab_source.is_lab(file.abs_src_path or "")]:
            files.remove(lab)
            files.append(_make_lab_page(lab, config))

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> None:
        """Check the navigation, number the equations in its order, and open the page cache."""
        build = self.build
        for message in navigation.find_problems():
            build.fail(message)
        try:
            build.pages.load_book()
        except ValueError as error:
            build.fail(str(error))
        if self.bundle_process and not self.serving:
            self.bundle_process.join()
        bundle.configure(config, wait=not self.serving)
        build.page_cache = PageCache(build.cache, config, files)

    @event_priority(100)  # before mkdocs-jupyter looks at the page
    def on_pre_page(self, page: Page, config: MkDocsConfig, files: Files) -> Page:
        """Have mkdocs-jupyter run a lab that can run and passes its check, except in `serve`.

        The page of any other lab shows the answers of the check, or none.
        """
        lab = _find_source_file(page.file)
        is_lab = lab_source.is_lab(lab) and recordings.can_run(lab)
        if is_lab and not self.serving and self.build.pages.render(lab)[0].passes:
            page.file.abs_src_path = str(notebooks.write_copy(lab, self.build.cache))
        return page

    def on_page_markdown(
        self, markdown: str, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Add the drawings of a page to the site; return an empty text for a cached page."""
        build, build.page = self.build, page.file.src_uri
        if not build.page.endswith(".md"):
            build.fail(f"docs/{build.page}:1: the file name of a page ends in .md; rename it")
            return markdown
        source, text = build.pages.render(_find_source_file(page.file))
        folder = page_markdown.get_drawing_folder(source.uri)
        for fence, drawing in source.drawings:
            name = f"{folder}/{fence.attributes.get('id')}"
            svg = drawing.svg if drawing else dict.fromkeys(THEMES, progress.PLACEHOLDER)
            for theme, image in svg.items():
                files.append(File.generated(config, f"{name}-{theme}.svg", content=image))
            data = drawing.data if drawing else ""
            files.append(File.generated(config, f"{name}.csv", content=data))
        if source.passes:
            build.sources.append(source)
            if not self.serving:  # now, while other processes check the next pages
                build.export(source)
        if lab_source.is_lab(source.path):
            page.meta, markdown = split_front_matter(read_page(source.path))
        return "" if build.page_cache.find(page, text) else markdown

    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Insert the cells of a lab, extract previews, and link API entries to their source."""
        page_cache = self.build.page_cache
        if (empty := page_cache.reuse(page)) is not None:
            self.build.previews |= page_cache.cached[page.file.src_uri].previews
            return empty
        if _is_run_lab(page.file):
            lab = _find_source_file(page.file)
            Page.render(page, config, files)  # the text, as on other pages
            html = notebooks.insert_cells(page.content or "", html, lab, self.build.cache)
        own_previews = dict(previews.find_previews(html))
        self.build.previews |= own_previews
        page_cache.record_conversion(page, own_previews)
        html = hosting.add_report_links(html, config, page.url)
        return hosting.add_source_links(html, config, self.build.cache.package)

    def on_env(self, env: Environment, config: MkDocsConfig, files: Files) -> None:
        """Wait for all checks, and stop the build if one has failed; no page is written yet."""
        build = self.build
        for file in bundle.list_files(config, compiled=not self.serving):
            files.append(file)
        for process in build.processes:
            process.join()
        for path in list_subjects():
            # In `serve`, a rebuild follows when the checks have ended.
            if not self.serving or path.is_relative_to(PACKAGE):
                build.check(path, wait=not self.serving)
        if build.failures and not self.serving:
            raise PluginError(f"{len(build.failures)} checks failed; fix the lines above")
        for name, card in build.previews.items():
            files.append(File.generated(config, f"assets/previews/{name}.html", content=card))

    @event_priority(100)  # before the search plugin reads the page
    def _before_search(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Replace the content of a page by the version for the search index."""
        if cached := self.build.page_cache.cached.get(page.file.src_uri):
            get_search_entries(config).extend(cached.search_entries)
        else:
            self.build.content = page.content or ""
            page.content = search.prepare_page(self.build.content, page.file.src_uri)
        return context

    @event_priority(-100)
    def _after_search(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Restore and repair the content of a page, and weight its search entries."""
        if cached := self.build.page_cache.cached.get(page.file.src_uri):
            page.content = cached.html
        else:
            page.content = repair_article(self.build.content)
            if config.extra["runtime"] and page.file.src_uri == "reference/equations.md":
                page.content = page.content.replace("<h2 ", f"{RUN_ALL}\n<h2 ", 1)
            by_anchor = questions.group_by_anchor(read_page(_find_source_file(page.file)))
            search.weight_entries(get_search_entries(config), page.url, by_anchor)
        if page.file.src_uri == "reference/equations.md":
            _shorten_contents(page)
        return context

    on_page_context = CombinedEvent(_before_search, _after_search)

    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Repair the navigation of a page, save it, and fill in counts and the wheel."""
        build, path = self.build, _find_source_file(page.file)
        if page.file.src_uri not in build.page_cache.cached:
            output = repair_navigation(output, page.url, build.pages.book.chapters.values())
            build.page_cache.save(page, output)
        counts = build.count_contents()
        output = COUNT.sub(
            lambda mark: f"{counts[mark['what']]:,g}".replace(",", NARROW_SPACE), output
        )
        output = output.replace(WHEEL, _link_wheel(page.url, config.site_url))
        output = output.replace(REPOSITORY, _link_repository(config.repo_url))
        return (
            output
            if path in build.reports
            else progress.add_progress_script(output, path, page.url)
        )

    def on_post_template(
        self, output_content: str, template_name: str, config: MkDocsConfig
    ) -> str:
        """Drop the site map if there is no address, and repair the navigation of other files."""
        if template_name == "sitemap.xml" and not config.site_url:
            return ""  # MkDocs writes no empty file
        return repair_navigation(output_content, "", [])

    @event_priority(-100)  # after the search plugin has written its index
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write notebooks, scripts and Markdown once all pages are checked; log a summary."""
        build, folder = self.build, Path(config.site_dir)
        search.split_index(folder)
        waiting = [
            path for path in (*build.site_pages, *list_modules()) if path not in build.reports
        ]
        if not waiting:
            site = Site(config.site_name, config.site_description or "", build.pages.site)
            exports = {source.uri: build.export(source) for source in build.sources}
            publish.write_exports(folder, exports, build.pages.nav_pages, site)
            pages = (page.read_text("utf-8") for page in folder.rglob("*.html"))
            (folder / hosting.POLICY).write_text(f"{hosting.make_policy(pages)}\n", "utf-8")
        if not self.serving:
            build.cache.delete_unused()
        seconds = time.perf_counter() - build.started
        rest = f", {len(waiting)} pages and modules not checked yet" if waiting else ""
        log.info(
            "%d examples, %d failed%s; %.1f s", build.examples, len(build.failures), rest, seconds
        )
        if waiting:
            self.progress = progress.Progress(build.workers, folder, REBUILD.touch)
            if self.watching:
                self.progress.start()

    def on_serve(
        self, server: LiveReloadServer, config: MkDocsConfig, builder: Callable[..., None]
    ) -> None:
        """Rebuild the site after an edit of the package, and when all pages are checked."""
        for folder in [PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())]:
            if folder.name != "__pycache__":  # changes with every import
                server.watch(str(folder), recursive=False)
        REBUILD.parent.mkdir(parents=True, exist_ok=True)
        REBUILD.touch()
        server.watch(str(REBUILD.parent))
        self.watching = True
        if self.progress:  # not earlier, because MkDocs didn't watch the file yet
            self.progress.start()

    def on_shutdown(self) -> None:
        """Stop all processes."""
        if self.previous:
            self.previous.workers.stop()


def _shorten_contents(page: Page) -> None:
    """Leave only chapters in the table of contents of the register, whose folds are closed.

    The theme measures the place of each entry in the table, so browsers would lay out every fold.
    """
    for chapter in page.toc:
        for section in chapter.children:
            section.children.clear()


def _link_wheel(url: str, site: str | None) -> str:
    """Return a link to the wheel, or, with the address of the site, the command to install it."""
    name = wheel.get_name()
    if site:
        return f'<code>pip install "posenc @ {site}assets/{name}"</code>'
    return f'<a href="{get_relative_url(f"assets/{name}", url)}" download>{name}</a>'


def _link_repository(url: str | None) -> str:
    return f'<a href="{url}">Source code</a>.' if url else ""


def _make_lab_page(lab: File, config: MkDocsConfig) -> File:
    """Return a lab as a page with the name that links use: labs/x.md."""
    name = f"{lab.src_uri.rpartition('.')[0]}.md"
    page = File.generated(config, name, content="")  # `on_page_markdown` reads the lab
    page.edit_uri = lab.src_uri
    return page


def _find_source_file(file: File) -> Path:
    """Return the file in `docs` that a page of the site comes from."""
    return lab_source.find_source(DOCS / file.src_uri)


def _is_run_lab(file: File) -> bool:
    """Return whether a page is a lab that mkdocs-jupyter runs."""
    return lab_source.is_lab(_find_source_file(file)) and file.abs_src_path is not None
