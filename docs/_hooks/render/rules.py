"""All that is asked of a page, and of a docstring: the parsers that find each of its claims.

The root `conftest.py` collects them for pytest; the hooks evaluate them for the site. Both
get the same examples in the same order in one namespace a page, and `file:line` of what is wrong.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from sybil import Document, Sybil

from check import (
    cards,
    code_blocks,
    doctests,
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
    chapters,
    displayed_formulas,
    explorers,
    glossary,
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
    """Return what finds all claims of a page.

    `ids` gives the pages of each equation by its id; formulas that are known to hold in a cache
    are not computed again.
    """
    return Sybil(
        parsers=[
            code_blocks.parse,
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
            chapters.parse,
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

    def document(path: Path) -> Document:
        """Return a page, a lab, or a module of the package with each of its claims."""
        docstrings = path.suffix == ".py" and not lab_source.is_lab(path)
        return (DOCSTRINGS if docstrings else book).parse(path)

    found = Cache(document)
    book = build_page_rules(ids, found)
    return found
