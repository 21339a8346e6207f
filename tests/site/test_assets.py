"""What `mkdocs serve` copies into the site again, and what it leaves there."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, InclusionLevel
from mkdocs.utils import clean_directory

from website.assets import Assets

Build = Callable[..., dict[str, str]]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a folder with a style sheet, and a page."""
    folder = tmp_path / "docs"
    (folder / "assets").mkdir(parents=True)
    (folder / "assets/book.css").write_text("a {}")
    return folder


@pytest.fixture
def build(tmp_path: Path, source: Path) -> Build:
    """Return a function that builds a site as MkDocs does, and says what is in its assets.

    What is copied is new; what is left there says that it is old.
    """
    site, kept = tmp_path / "site", Assets()
    plugins = SimpleNamespace(_current_plugin=None)
    told = SimpleNamespace(site_dir=str(site), use_directory_urls=True, plugins=plugins)
    config = cast(MkDocsConfig, told)
    site.mkdir()

    def run(final: bool = True, fails: bool = False, **generated: str) -> dict[str, str]:
        kept.hide(site)
        clean_directory(str(site))
        files = [
            File(path.relative_to(source).as_posix(), str(source), str(site), True)
            for path in source.rglob("*.*")
        ]
        for name, content in generated.items():
            files.append(File.generated(config, f"assets/{name}.svg", content=content))
        for file in files:
            file.inclusion = InclusionLevel.INCLUDED
        kept.show(site)
        kept.spare(files)
        for file in files:
            file.copy_file()
        found = {path.stem: path.read_text() for path in (site / "assets").iterdir()}
        if not fails:
            kept.settle(final=final)
        for path in (site / "assets").iterdir():
            path.write_text(f"old {path.read_text().removeprefix('old ')}")
        return found

    return run


def test_what_has_not_changed_is_left_where_it_is(build):
    assert build(wave="<svg/>") == {"book": "a {}", "wave": "<svg/>"}
    assert build(wave="<svg/>") == {"book": "old a {}", "wave": "old <svg/>"}


def test_what_has_changed_is_copied(build, source):
    build(wave="<svg/>")
    (source / "assets/book.css").write_text("b {}")
    os.utime(source / "assets/book.css", (1, 1))

    assert build(wave="<svg>2</svg>") == {"book": "b {}", "wave": "<svg>2</svg>"}
    assert build(wave="<svg/>") == {"book": "old b {}", "wave": "<svg/>"}


def test_what_is_no_longer_there_is_gone(build):
    build(wave="<svg/>")

    assert build() == {"book": "old a {}"}


def test_all_is_copied_while_somebody_else_writes_to_it(build):
    """Drawings take the place of frames while the first build waits for checks."""
    build(final=False, wave="<svg/>")

    assert build(wave="<svg/>") == {"book": "a {}", "wave": "<svg/>"}


def test_after_a_build_that_failed_all_that_it_may_have_copied_is_copied_again(build):
    build(wave="<svg/>")
    build(fails=True, wave="<svg>2</svg>")

    assert build(wave="<svg/>") == {"book": "old a {}", "wave": "<svg/>"}
