"""What a page is converted anew for, and who does it."""

import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from engine.cache import Cache
from engine.places import ROOT
from pages.navigation import Chapter
from tests.checking import cache
from website.conversions import Conversions, remember

PAGES = [1, 2, 3, 4, 5]


def conversions(*files: File) -> Conversions:
    """Return those of a build of these files."""
    config = SimpleNamespace(config_file_path=str(ROOT / "mkdocs.yml"))
    return Conversions(cast(Cache, None), cast(MkDocsConfig, config), Files([*files]))


def file(name: str, inclusion: InclusionLevel = InclusionLevel.INCLUDED) -> File:
    """Return a file of the book."""
    return File(name, "docs", "site", use_directory_urls=True, inclusion=inclusion)


def test_a_page_rests_on_the_files_of_the_site_and_on_no_others():
    page = cast(Page, SimpleNamespace(meta={}))
    chapter, other = file("chapters/order.md"), file("chapters/adding.md")
    compiled = file("_hooks/__pycache__/hooks.cpython-311.pyc", InclusionLevel.EXCLUDED)

    before = conversions(chapter).rests_on(page, "text")
    assert conversions(chapter, compiled).rests_on(page, "text") == before
    assert conversions(chapter, other).rests_on(page, "text") != before


def shared_out(begun: int, folder: Path) -> list[str]:
    """Return the pages that the other process converts where the build has begun so many."""
    build = conversions()
    build.begun.value = begun

    def convert(page: Any) -> None:
        build.begun.value += 1  # as the build does: each process counts its own
        (folder / str(page)).touch()

    process = build.from_the_end(cast(list[Page], PAGES), convert)
    assert process
    process.join()
    assert build.begun.value == begun
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one process converts all pages")
def test_two_processes_convert_pages_until_they_meet(alone, tmp_path):
    """The other takes the last pages, and none that the build has begun with."""
    assert alone(shared_out, 3, tmp_path) == ["4", "5"]


@dataclass
class Theme:
    """What a build gives the template of pages."""

    title: str = "Order"
    content: str = "<p>Text</p>"
    status: str = ""  # of another page, in the navigation
    settings: str = "site_name: A book"
    repository: str = ""
    address: str = ""  # of the site
    number: int = 1  # of the chapter

    def written(self, folder: Path) -> bool:
        """Return whether the page is written anew, with what is kept in a folder."""
        ran = []

        def write(context: dict[str, Any]) -> str:
            ran.append(context)
            return f"<title>{context['page'].title}</title>"

        env = SimpleNamespace(get_template=lambda name: SimpleNamespace(render=write))
        (folder / "mkdocs.yml").write_text(self.settings)
        config = SimpleNamespace(
            config_file_path=str(folder / "mkdocs.yml"),
            extra={},
            site_url=self.address,
            repo_url=self.repository,
        )
        beside: dict[str, Any] = dict.fromkeys(("previous_page", "next_page", "edit_url"))
        page = SimpleNamespace(
            title=self.title, content=self.content, url="order/", meta={}, toc=[], **beside
        )
        other = SimpleNamespace(title="Adding", url="adding/", meta={"status": self.status})
        pages = SimpleNamespace(
            documentation_pages=lambda: [SimpleNamespace(page=page), SimpleNamespace(page=other)]
        )
        chapters = [Chapter(self.number, "A part", "order/")]
        cast(Any, remember)(env, config, pages, cache(folder / "kept"), chapters)
        html = cast(Any, env).get_template("main.html").render({"page": page})
        assert html == f"<title>{self.title}</title>"
        return bool(ran)


def test_a_page_is_written_once(tmp_path):
    assert [Theme().written(tmp_path), Theme().written(tmp_path)] == [True, False]


EDITED = {
    "title": Theme(title="Disorder"),
    "content": Theme(content="<p>Words</p>"),
    "a mark in the navigation": Theme(status="path"),
    "settings": Theme(settings="site_name: Another"),
    "repository": Theme(repository="https://example.org/book"),
    "address": Theme(address="https://example.org/"),
    "number of a chapter": Theme(number=2),
}


@pytest.mark.parametrize("edited", EDITED.values(), ids=EDITED)
def test_a_page_is_written_anew_for_whatever_the_theme_is_told(edited, tmp_path):
    Theme().written(tmp_path)

    assert edited.written(tmp_path)
    assert not Theme().written(tmp_path), "what was written before is kept"
