"""Read what the letters of a formula stand for, and put them in the order of drawing.

`docs/reference/formula_letters.toml` has a table for each statement that needs one, and a table
`[eq-….proof]` for its proof. A proof uses the letters of its statement, too.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import CodeType

from check.page_source import read_toml
from check.paths import DOCS
from formula_check.evaluate import name_indexed
from formula_check.parse import MOMENTS, Application, Indexed, Name, Sum, normalise_name
from formula_check.sample_points import name_in_python

LETTERS = DOCS / "reference/formula_letters.toml"
WIDTH = re.compile(r"\bd\b")  # of a model, next to that of a head

# The domain of a letter that has none in the session or in the file.
DEFAULT_DOMAINS = {
    "d": "even(32)",
    "d_k": "even(32)",
    "b": "above(1, 10**6)",
    "i": "whole(int(WIDTH) // 2 - 1, least=0)",
    "p": "real(1000)",
    "q": "real(1000)",
    "k": "real(1000)",
}
WIDTH_SYMBOLS = {"ω", "λ", "PE", "EP", "R", "M", "D"}  # symbols of the notation that use d and b


@dataclass(frozen=True)
class Letters:
    """The letters of a statement or proof, and why its formulas cannot be computed, if so."""

    values: Mapping[str, str] = field(default_factory=dict)  # expressions of Python, in order
    unsupported: str = ""


def read_statement_letters(statement: str) -> Letters:
    """Return the letters of a statement, by its id."""
    return _read_table(read_toml(LETTERS).get(statement, {}))


def read_proof_letters(statement: str) -> Letters:
    """Return the letters of the proof of a statement: those of the statement, then its own."""
    table = read_toml(LETTERS).get(statement, {})
    own = _read_table(table.get("proof", {}))
    return Letters({**_read_table(table).values, **own.values}, own.unsupported)


def _read_table(table: Mapping[str, object]) -> Letters:
    texts = {name: text for name, text in table.items() if isinstance(text, str)}
    unsupported = texts.pop("unsupported", "")
    return Letters(texts, unsupported)


def order_letters(
    values: Mapping[str, str],
    domain: Mapping[str, str],
    names: set[str],
    text: str,
    defined: Collection[str] = (),
) -> dict[str, str]:
    """Return the expression of each letter that is needed, after those that it uses.

    `values` are those of the file, `domain` those of the session, `names` the letters of the
    formulas. The `text` tells whether the width is that of a model or of a head. A letter that a
    sentence has `defined` only has the value of the file, if there is one.
    """
    values = {normalise_name(name): one for name, one in values.items()}
    free = names - {*defined}
    width = "d_k" if "d_k" in text and not WIDTH.search(text) else "d"
    if width == "d_k" and "d" in domain:  # sessions call the width of a head d
        domain = {width if name == "d" else name: one for name, one in domain.items()}
    domain = {name: one for name, one in domain.items() if name in free and one != "seed()"}
    usual = {
        name: one for name, one in DEFAULT_DOMAINS.items() if name in free or name in (width, "b")
    }
    every = {**usual, **domain, **values}
    first = [name for name in (width, "b", *domain) if name not in values]
    expressions = {
        name: every[name].replace("WIDTH", width)
        for name in dict.fromkeys([*first, *values, *every])
    }
    return _sort_by_use(expressions, names | ({width, "b"} if names & WIDTH_SYMBOLS else set()))


def _sort_by_use(expressions: dict[str, str], needed: set[str]) -> dict[str, str]:
    """Return the expressions that are needed, each after those that it uses."""
    spelled = {name_in_python(name): name for name in expressions}
    order: dict[str, None] = {}
    visited = set()

    def visit(name: str) -> None:
        if name not in visited:
            visited.add(name)
            for used in list_used_names(compile(expressions[name], name, "eval")):
                if used in spelled:
                    visit(spelled[used])
            order[name] = None

    for name in expressions:
        if name.startswith("range ") or name.rstrip("_¯") in {*needed, ""}:
            visit(name)
    return {name: expressions[name] for name in order}


def list_used_names(code: CodeType) -> Iterator[str]:
    """Yield the global names of an expression, and those of its lambdas."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from list_used_names(inner)


def collect_names(trees: object) -> set[str]:
    """Return the names in trees; an index that is part of a name stays with it."""
    if isinstance(trees, Indexed):
        if name_indexed(trees) == "d_k":
            return {"d_k"}
        inside = collect_names(trees.base) | collect_names(trees.indices)
        return {name_indexed(trees)} | inside
    if isinstance(trees, Name):
        return {trees.text}
    if isinstance(trees, Application) and trees.function in MOMENTS:
        return {"E"} | collect_names(trees.body)
    if isinstance(trees, Sum) and "±" in dict(trees.terms):
        return {"±"} | collect_names(trees.terms)
    if is_dataclass(trees):
        return collect_names([getattr(trees, one.name) for one in fields(trees)])
    if isinstance(trees, list | tuple):
        return {name for tree in trees for name in collect_names(tree)}
    return set()
