"""Check a page the way pytest and the build do."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from sybil import Sybil

from check import page_check
from check.cache import Cache
from check.page_check import Report
from render import rules


@lru_cache(maxsize=1)
def get_parser() -> Sybil:
    """Return the rules for pages, built once."""
    return rules.build_page_rules()


def check_page(path: Path, **known: Any) -> Report:
    """Return the report of a page without using a cache."""
    return page_check.check_page(get_parser().parse(path), **known)


def open_test_cache(folder: Path | None = None) -> Cache:
    """Return the cache of this test run, or one in a folder of its own."""
    cache = rules.open_cache()
    cache.folder = folder or cache.folder
    return cache
