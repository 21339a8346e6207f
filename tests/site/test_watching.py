"""What `mkdocs serve` watches, and who may ask it for another build."""

from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from engine.places import PACKAGE
from website import plugin
from website.plugin import AGAIN, Book


class Told:
    """A server, and what follows the checks; both note when they begin."""

    def __init__(self) -> None:
        self.order: list[str] = []

    def watch(self, folder: str, **_: object) -> None:
        """Note a folder."""
        self.order.append(folder)

    def start(self) -> None:
        """Note that the checks are followed."""
        self.order.append("checks are followed")


def test_checks_are_followed_when_whoever_listens_to_them_is_there():
    """What asks for a build before that is not heard, and the page waits for ever."""
    told: Any = Told()
    book = Book()
    book.progress = told

    book.on_serve(told, MkDocsConfig(), lambda: None)

    *before, last = told.order
    assert last == "checks are followed"
    assert {str(AGAIN.parent), str(PACKAGE), str(PACKAGE / "core")} <= {*before}
    assert AGAIN.exists()
    assert book.watching


def test_what_python_compiles_is_no_edit(tmp_path, monkeypatch):
    for folder in ("__pycache__", "core/__pycache__"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(plugin, "PACKAGE", tmp_path)
    told: Any = Told()

    Book().on_serve(told, MkDocsConfig(), lambda: None)

    assert told.order == [str(tmp_path), str(tmp_path / "core"), str(AGAIN.parent)]
