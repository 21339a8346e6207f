"""The pages of the book as a Python-Markdown extension, for any host of Python-Markdown.

A host hands over the text of a page and nothing else; so the page is known by its text.
What is written for authors becomes what Markdown knows: an equation gets its number and a
figure its drawing, references become links, lists are put together from other pages. Text
that is no page of the book, such as a docstring, is left alone.

In a host that has no hooks, `pages.extension` stands in the list of its extensions, with
docs/_hooks on Python's path; then pages are as they were last checked. MkDocs' hooks give
the reports of the build that is being made.
"""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from engine.checks import Report
from engine.dependencies import Package
from engine.formulas import MathML
from engine.texts import read, split
from pages import navigation, rendering, rules

FIRST = 100  # before Python-Markdown's own preprocessors, which change spaces


class Pages:
    """The book as it stands, with each page as Markdown; `report` tells what came of one."""

    def __init__(
        self, report: Callable[[Path], Report | None], package: Package, site: str = ""
    ) -> None:
        self.report = report
        self.package = package
        self.site = site
        self.places = navigation.places()
        self.book = rendering.Book(package=package)
        self._made: dict[Path, tuple[rendering.Source, str]] = {}

    def bind(self) -> None:
        """Make a book of the pages; ValueError says which equation has another's id."""
        self.book = rendering.Book.bound(self.places, self.package)

    @cached_property
    def by_text(self) -> dict[str, Path]:
        """Return the page of each text behind a front matter."""
        return {split(read(place.path))[1].strip(): place.path for place in self.places}

    def made(self, path: Path) -> tuple[rendering.Source, str]:
        """Return a page with what came of it, and all of it as Markdown."""
        if path not in self._made:
            source = rendering.source(path, self.report(path), self.book)
            address = source.uri.removesuffix(".md").removesuffix("index")
            url = f"{self.site}{address.rstrip('/')}/".removesuffix("//") if self.site else ""
            self._made[path] = source, rendering.whole(source, self.book, url)
        return self._made[path]


class BookPages(Extension):
    """Python-Markdown extension: what authors write becomes what Markdown knows."""

    def __init__(self, pages: Pages) -> None:
        """Convert these pages."""
        super().__init__()
        self.pages = pages

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802, the name Markdown calls
        """Register the first of all preprocessors."""
        md.preprocessors.register(Written(md, self.pages), "book", FIRST)


class Written(Preprocessor):
    """Put in what is drawn, numbered and linked."""

    def __init__(self, md: Markdown, pages: Pages) -> None:
        super().__init__(md)
        self.pages = pages

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines of a page as Markdown; those of anything else as they are."""
        path = self.pages.by_text.get("\n".join(lines).strip())
        return self.pages.made(path)[1].split("\n") if path else lines


class Standing(Extension):
    """The pages as they stand, with formulas, for a host without hooks."""

    def __init__(self, **options: Any) -> None:
        """Take no options but the address of the site."""
        self.config = {"site": ["", "address of the site, with a slash behind it"]}
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register pages and formulas."""
        cache = rules.cache()
        pages = Pages(cache.checked, cache.package, self.getConfig("site"))
        pages.bind()
        BookPages(pages).extendMarkdown(md)
        MathML(lambda message: None).extendMarkdown(md)


def makeExtension(**options: Any) -> Standing:  # noqa: N802, the name Markdown calls
    """Return the extension, as Python-Markdown asks a module for it."""
    return Standing(**options)
