"""Processes that check pages, and when the next build keeps them."""

from pathlib import Path

import pytest

from render.workers import Workers


@pytest.fixture
def workers():
    made = Workers({Path("a.md"): "text of a", Path("b.md"): "text of b"})
    yield made
    made.stop()


@pytest.mark.parametrize(
    ("pages", "kept"),
    [
        ({"a.md": "text of a", "b.md": "text of b"}, True),
        ({"b.md": "text of b"}, True),
        ({"b.md": "edited"}, False),
        ({"b.md": "text of b", "c.md": "text of c"}, False),
        ({}, False),  # the edit that they check was undone
    ],
)
def test_workers_are_kept_if_they_check_what_is_left(workers, pages, kept):
    assert workers.covers({Path(page): digest for page, digest in pages.items()}) == kept
