"""What is made of a page is kept, and made anew when anything changes that it rests on."""

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
from tests.checking import cache

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
def made(tmp_path, monkeypatch):
    """Return a function that says what is made of the page, for its source and a module."""
    module = tmp_path / "posenc/tides.py"
    module.parent.mkdir()
    monkeypatch.setattr(markdown, "ROOT", tmp_path)
    kept = cache(tmp_path / "kept")
    book = Book(package=digest_package())

    def of(source: Source, code: str) -> dict[str, str]:
        module.write_text(code, "utf-8")
        return derive_exports(source, source.text, book, "", kept)

    return of


@pytest.fixture
def source():
    drawing = Drawing({"light": "<svg>low</svg>", "dark": "<svg/>"}, 1, 1, "")
    figure = next(fence for fence in find_fences(TEXT) if "figure" in fence.classes)
    return Source("chapters/invented.md", PAGE, TEXT, Report(), "7", [(figure, drawing)])


def test_what_is_made_of_a_page_follows_its_text_its_code_and_its_drawings(made, source):
    first = made(source, "low = 0\n")
    assert "low = 0" in first[".md"]
    assert "<svg>low" in first[".ipynb"]

    again = made(source, "high = 1\n")
    assert "high = 1" in again[".md"]
    assert "high = 1" in again[".py"]

    fence, drawing = source.drawings[0]
    higher = replace(drawing, svg={**drawing.svg, "light": "<svg>high</svg>"})
    again = made(replace(source, drawings=[(fence, higher)]), "high = 1\n")
    assert "<svg>high" in again[".ipynb"]

    again = made(replace(source, text=TEXT.replace("# Tides", "# Ebb")), "high = 1\n")
    assert again[".md"].startswith("# Ebb\n")


def test_a_page_is_made_anew_where_what_is_put_into_it_has_changed(source, tmp_path, monkeypatch):
    """Lists of others are: its Markdown has them, its own text has not."""
    kept, made = cache(tmp_path / "kept"), count()
    monkeypatch.setattr(publish, "_render_exports", lambda *_: {".md": str(next(made))})
    texts = ("lists one", "lists one", "lists two")

    found = [
        derive_exports(source, text, Book(package=digest_package()), "", kept) for text in texts
    ]

    assert found == [{".md": "0"}, {".md": "0"}, {".md": "1"}]


def test_nothing_is_made_twice(made, source, monkeypatch):
    first = made(source, "low = 0\n")
    monkeypatch.setattr(publish, "_render_exports", None)

    assert made(source, "low = 0\n") == first


def test_links_lead_where_the_reader_is():
    assert link_to_plain_page("sinusoidal.md#both") == "sinusoidal.md#both"
    assert link_to_plain_page("#dot") is None
    assert link_from_root("chapters/a.md", "")("../reference/b.md#c") == "reference/b.md#c"
    assert link_to_site("chapters/a.md", "")("b.md") is None
    there = link_to_site("chapters/a.md", "https://x.example/sub/")
    assert there("b.md#c") == "https://x.example/sub/chapters/b/#c"
    assert there("../index.md") == "https://x.example/sub/"
    assert there("../reference/api/index.md#d") == "https://x.example/sub/reference/api/#d"
    assert there("#here") == "https://x.example/sub/chapters/a/#here"


def test_the_list_for_language_models_has_the_sections_of_the_navigation():
    site = Site("a book", "What it is for.", "https://book.example/")
    places = [
        NavPage(DOCS / "index.md", "index.md", "", "Home"),
        NavPage(DOCS / "chapters/order.md", "chapters/order.md", "Codes", ""),
        NavPage(DOCS / "chapters/rotary.md", "chapters/rotary.md", "Codes", ""),
    ]

    lines = llms.render_index(site, places).splitlines()
    assert lines[:3] == ["# a book", "", "> What it is for."]
    assert [line for line in lines if line.startswith("## ")] == ["## Start", "## Codes"]
    links = [line.partition(": ")[0] for line in lines if line.startswith("- ")]
    assert links[0] == "- [Home](https://book.example/index.md)"
    assert links[1].endswith("](https://book.example/chapters/order.md)")

    whole = llms.join_pages(site, places, {place.uri: place.uri for place in places})
    assert whole.count("\nPage: https://book.example/") == 3
    assert llms.join_pages(site, places, {"index.md": "x"}).count("\nPage: ") == 1  # others fail
    assert whole.endswith("\nPage: https://book.example/chapters/rotary.md\n\nchapters/rotary.md")
