"""The list of all checks for a page or a docstring, as parsers for Sybil.

The `conftest.py` in the root collects them for pytest, and the hooks run them for the site. Both
run the same examples in the same order, in one namespace per page.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from sybil import Document, Sybil

from check import (
    cards,
    code_blocks,
    doctests,
    folds,
    formulas,
    front_matter,
    independence,
    inline_checks,
    lab_source,
    labs,
    plain_equations,
    prose_numbers,
    prose_tables,
    references,
)
from check.cache import Cache
from check.page_check import reset_state
from check.paths import ROOT
from render import (
    api,
    bibliography,
    displayed_formulas,
    explorers,
    glossary,
    heads,
    questions,
    sources,
)

DOCSTRINGS = Sybil(
    parsers=[doctests.parse_docstring],
    patterns=["posenc/*.py", "posenc/*/*.py", "posenc/*/*/*.py"],
    path=str(ROOT),
)


FindIds = Callable[[], dict[str, list[Path]]]


def build_page_rules(
    ids: FindIds = references.find_equation_pages, cache: Cache | None = None
) -> Sybil:
    """Return the Sybil with all checks of a page.

    `ids` returns the pages of each equation by its id. Results for displayed formulas come from
    the cache, if there is one.
    """
    return Sybil(
        parsers=[
            code_blocks.parse,
            folds.parse,
            inline_checks.parse,
            front_matter.parse,
            formulas.parse,
            prose_numbers.parse,
            prose_tables.parse,
            plain_equations.parse,
            cards.parse,
            independence.parse,
            explorers.parse,
            partial(references.parse, ids=ids),
            heads.parse,
            api.parse,
            sources.parse,
            questions.parse,
            glossary.parse,
            bibliography.parse,
            partial(displayed_formulas.parse, cache=cache),
            labs.parse,
        ],
        patterns=["*.md", "docs/labs/*.py"],
        document_types={lab_source.SUFFIX: labs.Lab},
        path=str(ROOT),
        setup=reset_state,
        encoding="utf-8-sig",
    )


def open_cache(ids: FindIds = references.find_equation_pages) -> Cache:
    """Return the cache of pages, for the package as it is on disk now."""

    def parse(path: Path) -> Document:
        """Parse a page, a lab, or the docstrings of a module."""
        is_module = path.suffix == ".py" and not lab_source.is_lab(path)
        return (DOCSTRINGS if is_module else page_rules).parse(path)

    cache = Cache(parse)
    page_rules = build_page_rules(ids, cache)
    return cache
