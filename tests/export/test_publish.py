"""Exports of a page come from the cache unless one of their inputs has changed."""

from dataclasses import replace
from itertools import count

import pytest

from check.fences import find_fences
from check.figures import Drawing
from check.package import digest_package
from check.page_check import Report
from check.paths import DOCS
from export import llms, markdown, publish
from export.llms import Site
from export.publish import derive_exports, link_from_root, link_to_plain_page, link_to_site
from render.navigation import NavPage
from render.page_markdown import Book, Source
from tests.checking import open_test_cache

PAGE = DOCS / "chapters/invented.md"
TEXT = """\
# Tides

```{.python title="posenc/tides.py"}
--8<-- "posenc/tides.py"
```

```{.python .figure #fig-a alt="Rising." caption="A line."}
draw()
```
"""


@pytest.fixture
def export(tmp_path, monkeypatch):
    """Return a function that exports the page, given its source and the code that it includes."""
    module = tmp_path / "posenc/tides.py"
    module.parent.mkdir()
    monkeypatch.setattr(markdown, "ROOT", tmp_path)
    own_cache = open_test_cache(tmp_path / "cache")
    book = Book(package=digest_package())

    def derive(source: Source, code: str) -> dict[str, str]:
        module.write_text(code, "utf-8")
        return derive_exports(source, source.text, book, "", own_cache)

    return derive


@pytest.fixture
def source():
    drawing = Drawing({"light": "<svg>low</svg>", "dark": "<svg/>"}, 1, 1, "")
    figure = next(fence for fence in find_fences(TEXT) if "figure" in fence.classes)
    return Source("chapters/invented.md", PAGE, TEXT, Report(), "7", [(figure, drawing)])


def test_exports_follow_the_text_the_code_and_the_drawings_of_a_page(export, source):
    first = export(source, "low = 0\n")
    assert "low = 0" in first[".md"]
    assert "<svg>low" in first[".ipynb"]

    other_code = export(source, "high = 1\n")
    assert "high = 1" in other_code[".md"]
    assert "high = 1" in other_code[".py"]

    fence, drawing = source.drawings[0]
    higher = replace(drawing, svg={**drawing.svg, "light": "<svg>high</svg>"})
    other_drawing = export(replace(source, drawings=[(fence, higher)]), "high = 1\n")
    assert "<svg>high" in other_drawing[".ipynb"]

    other_text = export(replace(source, text=TEXT.replace("# Tides", "# Ebb")), "high = 1\n")
    assert other_text[".md"].startswith("# Ebb\n")


def test_a_change_of_an_inserted_list_exports_the_page_again(source, tmp_path, monkeypatch):
    own_cache, calls = open_test_cache(tmp_path / "cache"), count()
    monkeypatch.setattr(publish, "_render_exports", lambda *_: {".md": str(next(calls))})
    book = Book(package=digest_package())

    exports = [
        derive_exports(source, text, book, "", own_cache)
        for text in ("lists one", "lists one", "lists two")
    ]

    assert exports == [{".md": "0"}, {".md": "0"}, {".md": "1"}]


def test_links_are_resolved_for_each_kind_of_file():
    assert link_to_plain_page("sinusoidal.md#both") == "sinusoidal.md#both"
    assert link_to_plain_page("#dot") is None
    assert link_from_root("chapters/a.md", "")("../reference/b.md#c") == "reference/b.md#c"
    assert link_to_site("chapters/a.md", "")("b.md") is None
    resolve_link = link_to_site("chapters/a.md", "https://x.example/sub/")
    assert resolve_link("b.md#c") == "https://x.example/sub/chapters/b/#c"
    assert resolve_link("../index.md") == "https://x.example/sub/"
    assert resolve_link("../reference/api/index.md#d") == "https://x.example/sub/reference/api/#d"
    assert resolve_link("#here") == "https://x.example/sub/chapters/a/#here"


def test_the_list_for_language_models_has_the_sections_of_the_navigation():
    site = Site("a book", "What it is for.", "https://book.example/")
    pages = [
        NavPage(DOCS / "index.md", "index.md", "", "Home"),
        NavPage(DOCS / "chapters/order.md", "chapters/order.md", "Codes", ""),
        NavPage(DOCS / "chapters/rotary.md", "chapters/rotary.md", "Codes", ""),
    ]

    lines = llms.render_index(site, pages).splitlines()
    assert lines[:3] == ["# a book", "", "> What it is for."]
    assert [line for line in lines if line.startswith("## ")] == ["## Start", "## Codes"]
    links = [line.partition(": ")[0] for line in lines if line.startswith("- ")]
    assert links[0] == "- [Home](https://book.example/index.md)"
    assert links[1].endswith("](https://book.example/chapters/order.md)")

    whole = llms.join_pages(site, pages, {page.uri: page.uri for page in pages})
    assert whole.count("\nPage: https://book.example/") == 3
    assert llms.join_pages(site, pages, {"index.md": "x"}).count("\nPage: ") == 1  # others fail
    assert whole.endswith("\nPage: https://book.example/chapters/rotary.md\n\nchapters/rotary.md")
