"""What is kept of a page between builds, and what an edit runs again."""

import builtins
import os
import time

import pytest

from engine import cache
from engine.cache import Cache

PAGE = "# Page\n\nProse.\n\n```python\nimport builtins\nbuiltins.ran.append(1)\n```\n"


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Return a function that checks a text as the page, and says whether its code was run."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "kept")
    page, kept = tmp_path / "page.md", Cache()
    ran: list[int] = []
    monkeypatch.setattr(builtins, "ran", ran, raising=False)

    def check(text: str) -> bool:
        page.write_text(text, "utf-8")
        ran.clear()
        kept.checked(page)
        return bool(ran)

    return check


def test_an_edit_of_prose_runs_no_code(runs):
    assert runs(PAGE)
    assert not runs(PAGE)
    assert not runs(PAGE.replace("Prose", "Other prose, and a paragraph more.\n\nProse"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ran.append(1)", "ran.append(2)"),
        ("```python\n", "```python\nx = 1\n```\n\n```python\n"),
        ("append(1)\n```\n", "append(1)\n```\n\n```pycon\n>>> 1\n2\n```\n"),
    ],
)
def test_an_edit_of_code_runs_all_of_it(runs, old, new):
    assert runs(PAGE)
    assert runs(PAGE.replace(old, new))


def test_a_page_that_does_not_hold_is_run_every_time(runs):
    broken = PAGE + "\n[nowhere](nowhere.md)\n"

    assert runs(broken)
    assert runs(broken)


def test_what_no_build_has_asked_for_in_a_month_is_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    earlier, now = Cache(), Cache()
    old, wanted, young = (earlier.file("pages", name) for name in ("old", "wanted", "young"))
    for file, days in ((old, 31), (wanted, 31), (young, 29)):
        earlier.keep(file, "")
        os.utime(file, (time.time() - days * 86_400,) * 2)

    assert now.file("pages", "wanted") == wanted
    now.tidy()
    assert set((tmp_path / "pages").iterdir()) == {wanted, young}

    Cache().tidy()
    assert wanted.exists(), "it was asked for just now"
