"""Pages checked as pytest and the build check them: from a file to what is wrong in it."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from sybil import Sybil

from check import page_check
from check.cache import Cache
from check.page_check import Report
from render import rules


@lru_cache(maxsize=1)
def parser() -> Sybil:
    """Return what finds all claims of a page."""
    return rules.build_page_rules()


def check(path: Path, **known: Any) -> Report:
    """Return what comes of a page; nothing is kept of it, and nothing is known but what is said."""
    return page_check.check_page(parser().parse(path), **known)


def cache(folder: Path | None = None) -> Cache:
    """Return the cache of this run of the tests, or one that keeps all in a folder of its own."""
    kept = rules.open_cache()
    kept.folder = folder or kept.folder
    return kept
