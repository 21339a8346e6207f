"""The pages of the book as a Python-Markdown extension, for any host of Python-Markdown.

A host hands over the text of a page and nothing else; so the page is known by its text.
What is written for authors becomes what Markdown knows: an equation gets its number and a
figure its drawing, references become links, lists are put together from other pages. Text
that is no page of the book, such as a docstring, is left alone.

In a host that has no hooks, `render.extension` stands in the list of its extensions, with
docs/_hooks on Python's path; then pages are as they were last checked. MkDocs' hooks give
the reports of the build that is being made.
"""

from collections.abc import Callable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from check.formulas import MathML
from check.page_check import Report
from check.page_source import read_page, split_front_matter
from check.paths import PACKAGE
from render import navigation, page_markdown, rules

RenderedPage = tuple[
    page_markdown.Source, str
]  # a page with what came of it, and all of it as Markdown
FIRST = 100  # before Python-Markdown's own preprocessors, which change spaces


class Pages:
    """The book as it stands, each page as Markdown; `report` returns what a check has found."""

    def __init__(
        self, report: Callable[[Path], Report | None], package: str, site: str = ""
    ) -> None:
        self.report = report
        self.package = package  # a digest of it
        self.site = site
        self.places = navigation.list_pages()
        self.book: page_markdown.Book = page_markdown.Book(package=package)
        self._rendered: dict[Path, RenderedPage] = {}

    def load_book(self) -> None:
        """Make a book of the pages; ValueError says which equation has another's id."""
        self.book = page_markdown.Book.load(self.places, self.package)

    @cached_property
    def path_by_text(self) -> dict[str, Path]:
        """Return the page of each text behind a front matter."""
        return {
            split_front_matter(read_page(place.path))[1].strip(): place.path
            for place in self.places
        }

    def render(self, path: Path) -> RenderedPage:
        """Return a page with what its check has found, and all of it as Markdown."""
        if path not in self._rendered:
            source = page_markdown.read_source(path, self.report(path), self.book)
            address = source.uri.removesuffix(".md").removesuffix("index")
            url = f"{self.site}{address.rstrip('/')}/".removesuffix("//") if self.site else ""
            self._rendered[path] = source, page_markdown.render_whole_page(source, self.book, url)
        return self._rendered[path]


class BookPages(Extension):
    """Python-Markdown extension: what authors write becomes what Markdown knows."""

    def __init__(self, pages: Pages) -> None:
        """Convert these pages."""
        super().__init__()
        self.pages = pages

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802, the name Markdown calls
        """Register the first of all preprocessors."""
        md.preprocessors.register(BookPreprocessor(md, self.pages), "book", FIRST)


class BookPreprocessor(Preprocessor):
    """Put in what is drawn, numbered and linked."""

    def __init__(self, md: Markdown, pages: Pages) -> None:
        super().__init__(md)
        self.pages = pages

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines of a page as Markdown; those of anything else as they are."""
        path = self.pages.path_by_text.get("\n".join(lines).strip())
        return self.pages.render(path)[1].split("\n") if path else lines


class StandalonePages(Pages):
    """The pages as they stand, for a host without hooks, with each drawing put into the site."""

    def __init__(self, site: str, folder: str) -> None:
        cache = rules.open_cache()
        super().__init__(cache.check_page, cache.package, site)
        self.folder = folder
        self.load_book()

    def render(self, path: Path) -> RenderedPage:
        """Return a page as Markdown, with its drawings where it looks for them."""
        new = path not in self._rendered
        source, text = super().render(path)
        if new and self.folder:
            folder = Path(self.folder) / page_markdown.get_drawing_folder(source.uri)
            folder.mkdir(parents=True, exist_ok=True)
            for fence, drawing in source.drawings:
                name = fence.attributes.get("id")
                if drawing:
                    (folder / f"{name}.csv").write_text(drawing.data, "utf-8")
                    for theme, image in drawing.svg.items():
                        (folder / f"{name}-{theme}.svg").write_text(image, "utf-8")
        return source, text


@lru_cache(maxsize=1)  # such hosts ask for the extension anew for each page
def load_pages(site: str, folder: str, edited: tuple[int, ...]) -> StandalonePages:
    """Return the book, made once for as long as nothing in it is edited."""
    return StandalonePages(site, folder)


class StandaloneBook(Extension):
    """The pages as they stand, with formulas, for a host without hooks."""

    def __init__(self, **options: Any) -> None:
        """Take the address of the site, and where it is built."""
        self.config = {
            "site": ["", "address of the site, with a slash behind it"],
            "folder": ["", "folder that the site is built in, for drawings; none are written"],
        }
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register pages and formulas."""
        paths = [*PACKAGE.rglob("*.py"), *(place.path for place in navigation.list_pages())]
        edited = tuple(path.stat().st_mtime_ns for path in paths)
        BookPages(
            load_pages(self.getConfig("site"), self.getConfig("folder"), edited)
        ).extendMarkdown(md)
        MathML(lambda message: None).extendMarkdown(md)


def makeExtension(**options: Any) -> StandaloneBook:  # noqa: N802, the name Markdown calls
    """Return the extension, as Python-Markdown asks a module for it."""
    return StandaloneBook(**options)
