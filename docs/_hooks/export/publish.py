"""Everything that the site offers besides HTML: plain Markdown, notebooks, scripts, the wheel.

The cache keeps all this by the content of its inputs, so a page that nobody edited costs nothing.
"""

import shutil
from collections.abc import Mapping
from os.path import normpath
from pathlib import Path, PurePosixPath

from check import lab_source, labs
from check.cache import Cache, digest_files
from check.paths import ROOT
from export import llms, markdown, notebooks, wheel
from export.cells import Cell, make_cells
from export.llms import Site
from export.markdown import LinkResolver
from render import api, citation
from render.navigation import NavPage
from render.page_markdown import Book, Source

FOR_LLMS = "llms"  # the key of a page's text for llms-full.txt; other keys end names of files
SOLVED = "-solved.ipynb"

HOOKS = Path(__file__).parents[1]
# The code of this process, even if a file is edited while it runs.
CODE = digest_files([*HOOKS.glob("export/*.py"), *HOOKS.glob("render/*.py")])


def write_exports(
    folder: Path, exports: Mapping[str, Mapping[str, str]], pages: list[NavPage], site: Site
) -> None:
    """Write the exports of all pages, as `derive_exports` returns them, into the site."""
    for uri, texts in exports.items():
        for suffix in texts.keys() - {FOR_LLMS}:
            file = folder / (uri.removesuffix(".md") + suffix)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(texts[suffix], "utf-8")
    (folder / "assets").mkdir(exist_ok=True)
    shutil.copyfile(wheel.build_wheel(), folder / "assets" / wheel.get_name())
    llms.write_files(folder, site, pages, {uri: texts[FOR_LLMS] for uri, texts in exports.items()})


def derive_exports(
    source: Source, text: str, book: Book, site: str, cache: Cache
) -> dict[str, str]:
    """Return the exports of a page, by the end of the file name; from the cache if they are there.

    `text` is the page as Markdown with everything that the build inserts.
    """
    inputs = repr((source.text, text, site, _list_inputs(source, book)))
    exports: dict[str, str] = cache.compute_once(
        "derived", inputs, lambda: _render_exports(source, book, site)
    )
    return exports


def _list_inputs(source: Source, book: Book) -> list[object]:
    """Return what the exports of a page depend on besides its text."""
    return [
        source.uri,
        source.chapter,
        CODE,
        [(entry.number, name, entry.equation.page.name) for name, entry in book.entries.items()],
        digest_files([citation.CITATION, ROOT / "pyproject.toml"]),
        markdown.list_included_code(source.text),
        book.package if api.ENTRY.search(source.text) else "",
        *(drawing.svg["light"] for _, drawing in source.drawings if drawing),
    ]


def _render_exports(source: Source, book: Book, site: str) -> dict[str, str]:
    def render(resolve_link: LinkResolver) -> str:
        return markdown.render_page(source.path, source.text, book, resolve_link)

    exports = {
        ".md": render(link_to_plain_page),
        FOR_LLMS: render(link_from_root(source.uri, site)),
    }
    is_lab = lab_source.is_lab(source.path)
    if source.chapter or is_lab:
        drawings = {
            fence.attributes["id"]: drawing.svg["light"]
            for fence, drawing in source.drawings
            if drawing
        }
        origin = notebooks.Origin(source.path.stem, source.chapter, site, drawings=drawings)
        resolve_link = link_to_site(source.uri, site)

        def make_page_cells(text: str) -> list[Cell]:
            return make_cells(markdown.split_page(source.path, text, book, resolve_link))

        cells = make_page_cells(source.text)
        if is_lab:
            exports[SOLVED] = notebooks.render_notebook(cells, origin)
            cells = make_page_cells(labs.remove_solutions(source.path))
            origin = notebooks.Origin(source.path.stem, "", site, has_answers=False)
        exports[".ipynb"] = notebooks.render_notebook(cells, origin)
        exports[".py"] = notebooks.render_script(cells, origin)
    return exports


def link_to_plain_page(target: str) -> str | None:
    """Return the target of a link on a plain page, which is in the same folder as the page."""
    return None if target.startswith("#") else target


def link_from_root(uri: str, site: str) -> LinkResolver:
    """Return a function for the links of a page in a file at the root of the site."""

    def resolve_link(target: str) -> str | None:
        return None if target.startswith("#") else site + _resolve_path(uri, target)

    return resolve_link


def link_to_site(uri: str, site: str) -> LinkResolver:
    """Return a function for the links of a page to HTML pages; None if the site has no address."""

    def resolve_link(target: str) -> str | None:
        address, mark, anchor = _resolve_path(uri, target).partition("#")
        page = PurePosixPath(address)
        if page.suffix == ".md":
            address = f"{page.parent if page.stem == 'index' else page.with_suffix('')}/"
        return site + address.removeprefix("./") + mark + anchor if site else None

    return resolve_link


def _resolve_path(uri: str, target: str) -> str:
    """Return the target of a link on a page as a path from the root of the site."""
    address, mark, anchor = target.partition("#")
    path = normpath(PurePosixPath(uri).parent / address) if address else uri
    return path + mark + anchor
