"""The pages of the book as a Python-Markdown extension, for any host of Python-Markdown.

The extension replaces what authors write by what Markdown understands: it numbers equations,
inserts drawings, links references, and generates lists. A host passes only the text of a page, so
the extension finds the page by its text; any other text, such as a docstring, stays as it is.

MkDocs' hooks use `BookPages` with the reports of the current build. A host without hooks lists
`render.extension` among its extensions, with docs/_hooks on Python's path.
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

RenderedPage = tuple[page_markdown.Source, str]  # a page as written, and as Markdown
PRIORITY = 100  # before Python-Markdown's own preprocessors, which change spaces


class Pages:
    """All pages of the book as Markdown; `get_report` returns the result of a page's check."""

    def __init__(
        self, get_report: Callable[[Path], Report | None], package: str, site: str = ""
    ) -> None:
        self.get_report = get_report
        self.package = package  # a digest of the package
        self.site = site
        self.nav_pages = navigation.list_pages()
        self.book: page_markdown.Book = page_markdown.Book(package=package)
        self._rendered: dict[Path, RenderedPage] = {}

    def load_book(self) -> None:
        """Read equations and links from all pages; raise ValueError if two share an id."""
        self.book = page_markdown.Book.load(self.nav_pages, self.package)

    @cached_property
    def path_by_text(self) -> dict[str, Path]:
        """Return the path of each page by its text without front matter."""
        paths = [page.path for page in self.nav_pages]
        return {split_front_matter(read_page(path))[1].strip(): path for path in paths}

    def render(self, path: Path) -> RenderedPage:
        """Return a page with the result of its check, and the page as Markdown."""
        if path not in self._rendered:
            source = page_markdown.read_source(path, self.get_report(path), self.book)
            address = source.uri.removesuffix(".md").removesuffix("index")
            url = f"{self.site}{address.rstrip('/')}/".removesuffix("//") if self.site else ""
            markdown = page_markdown.render_whole_page(source, self.book, url)
            self._rendered[path] = source, markdown
        return self._rendered[path]


class BookPages(Extension):
    """Python-Markdown extension that replaces the text of a page by its Markdown."""

    def __init__(self, pages: Pages) -> None:
        super().__init__()
        self.pages = pages

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802, Markdown's name
        """Register the preprocessor."""
        md.preprocessors.register(BookPreprocessor(md, self.pages), "book", PRIORITY)


class BookPreprocessor(Preprocessor):
    """Replaces the lines of a page by its Markdown."""

    def __init__(self, md: Markdown, pages: Pages) -> None:
        super().__init__(md)
        self.pages = pages

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines of a page as Markdown, and any other lines unchanged."""
        path = self.pages.path_by_text.get("\n".join(lines).strip())
        return self.pages.render(path)[1].split("\n") if path else lines


class StandalonePages(Pages):
    """The pages for a host without hooks; writes their drawings into the folder of the site."""

    def __init__(self, site: str, folder: str) -> None:
        cache = rules.open_cache()
        super().__init__(cache.check_page, cache.package, site)
        self.folder = folder
        self.load_book()

    def render(self, path: Path) -> RenderedPage:
        """Return a page as Markdown, after writing its drawings."""
        is_new = path not in self._rendered
        source, text = super().render(path)
        if is_new and self.folder:
            folder = Path(self.folder) / page_markdown.get_drawing_folder(source.uri)
            folder.mkdir(parents=True, exist_ok=True)
            for fence, drawing in source.drawings:
                name = fence.attributes.get("id")
                if drawing:
                    (folder / f"{name}.csv").write_text(drawing.data, "utf-8")
                    for theme, image in drawing.svg.items():
                        (folder / f"{name}-{theme}.svg").write_text(image, "utf-8")
        return source, text


@lru_cache(maxsize=1)  # such hosts create the extension again for each page
def load_pages(site: str, folder: str, modified: tuple[int, ...]) -> StandalonePages:
    """Return the pages; the times of modification are the key of the cache."""
    return StandalonePages(site, folder)


class StandaloneBook(Extension):
    """The pages, with formulas as MathML, for a host without hooks."""

    def __init__(self, **options: Any) -> None:
        """Define the options."""
        self.config = {
            "site": ["", "address of the site, with a slash at the end"],
            "folder": ["", "folder of the built site, for drawings; none are written if empty"],
        }
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register pages and formulas."""
        paths = [*PACKAGE.rglob("*.py"), *(page.path for page in navigation.list_pages())]
        modified = tuple(path.stat().st_mtime_ns for path in paths)
        pages = load_pages(self.getConfig("site"), self.getConfig("folder"), modified)
        BookPages(pages).extendMarkdown(md)
        MathML(lambda message: None).extendMarkdown(md)


def makeExtension(**options: Any) -> StandaloneBook:  # noqa: N802, Markdown's name
    """Return the extension."""
    return StandaloneBook(**options)
