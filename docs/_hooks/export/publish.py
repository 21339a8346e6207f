"""What is made of the pages beside their HTML: plain Markdown, notebooks, scripts, the wheel.

All of it follows from the text of a page and what is kept by its content, so that a page
that nobody edited costs nothing.
"""

import shutil
from collections.abc import Callable, Mapping
from os.path import normpath
from pathlib import Path, PurePosixPath

from check import lab_source
from check.cache import Cache, digest_files
from check.paths import ROOT
from export import llms, markdown, notebooks, wheel
from export.cells import make_cells
from export.llms import Site
from render import api, citation
from render.navigation import NavPage
from render.page_markdown import Book, Source

Way = Callable[[str], str | None]
WHOLE = "whole"

HOOKS = Path(__file__).parents[1]
# What makes it, as it was when this process began.
MADE_BY = digest_files([*HOOKS.glob("export/*.py"), *HOOKS.glob("render/*.py")])


def write_exports(
    folder: Path, made: Mapping[str, Mapping[str, str]], places: list[NavPage], site: Site
) -> None:
    """Write into the folder of the site what was made of its pages, as `derived` returns it."""
    for uri, texts in made.items():
        for ending in texts.keys() - {WHOLE}:
            file = (folder / uri).with_suffix(ending)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(texts[ending], "utf-8")
    (folder / "assets").mkdir(exist_ok=True)
    shutil.copyfile(wheel.build_wheel(), folder / "assets" / wheel.get_name())
    llms.write_files(folder, site, places, {uri: texts[WHOLE] for uri, texts in made.items()})


def derive_exports(
    source: Source, text: str, book: Book, site: str, cache: Cache
) -> dict[str, str]:
    """Return what is made of a page, by the ending of the file; `text` is all of it as Markdown.

    Beside these stands what one file of the site has of all pages.
    """
    inputs = repr((source.text, text, site, _list_inputs(source, book)))
    made: dict[str, str] = cache.compute_once(
        "derived", inputs, lambda: _render_exports(source, book, site)
    )
    return made


def _list_inputs(source: Source, book: Book) -> list[object]:
    """Return what that rests on beside the text of the page, and the lists that are put into it."""
    numbers = [
        (entry.number, name, entry.equation.page.name) for name, entry in book.entries.items()
    ]
    others = digest_files([citation.CITATION, ROOT / "pyproject.toml"])
    documented = book.package if api.ENTRY.search(source.text) else ""
    drawn = [drawing.svg["light"] for _, drawing in source.drawings if drawing]
    named = [source.uri, source.chapter]
    return [
        *named,
        MADE_BY,
        numbers,
        others,
        markdown.list_included_code(source.text),
        documented,
        *drawn,
    ]


def _render_exports(source: Source, book: Book, site: str) -> dict[str, str]:
    def plainly(way: Way) -> str:
        return markdown.render_page(source.path, source.text, book, way)

    made = {".md": plainly(link_to_plain_page), WHOLE: plainly(link_from_root(source.uri, site))}
    if source.chapter or lab_source.is_lab(source.path):
        drawn = {
            fence.attributes["id"]: drawing.svg["light"]
            for fence, drawing in source.drawings
            if drawing
        }
        origin = notebooks.Origin(source.path.stem, source.chapter, site, drawn)
        way = link_to_site(source.uri, site)
        found = make_cells(markdown.split_page(source.path, source.text, book, way))
        made[".ipynb"] = notebooks.render_notebook(found, origin)
        made[".py"] = notebooks.render_script(found, origin)
    return made


def link_to_plain_page(target: str) -> str | None:
    """Return where a link leads from the plain page, which lies as the page does."""
    return None if target.startswith("#") else target


def link_from_root(uri: str, site: str) -> Way:
    """Return where links of a page lead from the root of the site."""

    def way(target: str) -> str | None:
        return None if target.startswith("#") else site + _resolve_link(uri, target)

    return way


def link_to_site(uri: str, site: str) -> Way:
    """Return where links of a page lead on the site; nowhere where it has no address."""

    def way(target: str) -> str | None:
        address, mark, anchor = _resolve_link(uri, target).partition("#")
        page = PurePosixPath(address)
        if page.suffix == ".md":
            address = f"{page.parent if page.stem == 'index' else page.with_suffix('')}/"
        return site + address.removeprefix("./") + mark + anchor if site else None

    return way


def _resolve_link(uri: str, target: str) -> str:
    """Return a link of a page as seen from the root."""
    address, mark, anchor = target.partition("#")
    there = normpath(PurePosixPath(uri).parent / address) if address else uri
    return there + mark + anchor
