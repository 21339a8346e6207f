"""Options: where a card draws words that the package accepts, it draws all of them.

What a function accepts for a parameter is what it checks that with, `checks.choice("layout",
layout, LAYOUTS)`. A card that draws some of these words and leaves one out speaks of less than it
seems to, unless its statement or its title names those that it means. And where either of them
says *all layouts*, or *both*, a comparison draws every layout that there is.
"""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from sybil import Document, Region

from engine import comparisons, statements, trees
from engine.complaints import complaint
from engine.dependencies import Module, Package
from engine.texts import by_text
from engine.witnesses import Helpers, prompts

CHOICE = "checks.choice"
EVERY = r"\b(?:all|any|both|each|every)\*? (?:of the |the )?(?:\w+ )?{}s?\b"
Accepted = dict[str, dict[str, frozenset[str]]]  # of each function, by its parameters


@lru_cache(maxsize=2)  # of the package as it is, and as it was before an edit
def accepted(package: Package) -> Accepted:
    """Return the words that functions and classes of the package accept, by their last names.

    To be looked at only: all pages are given the same.
    """
    found: Accepted = {}
    for module in package.modules.values():
        if CHOICE not in module.text:
            continue
        choices = dict(_choices(module, package))
        for name, definition in module.definitions.items():
            parameters = {
                part.arg
                for node in definition
                for part in ast.walk(node)
                if isinstance(part, ast.arg) and isinstance(node, ast.FunctionDef | ast.ClassDef)
            }
            if known := {one: choices[one] for one in parameters & {*choices}}:
                found[name] = known
    return found


def _choices(module: Module, package: Package) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield what a module checks parameters with."""
    for nodes in module.definitions.values():
        for node in (part for statement in nodes for part in ast.walk(statement)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == CHOICE:
                name, _, options = node.args
                if isinstance(name, ast.Constant) and (words := _words(options, module, package)):
                    yield str(name.value), words


def _words(node: ast.expr, module: Module, package: Package) -> frozenset[str]:
    """Return the words of a tuple, of `get_args(Layout)`, or of the name of one of these."""
    if isinstance(node, ast.Name):
        for there, name in _places(node.id, module):
            home = package.modules.get(there)
            for statement in home.definitions.get(name, ()) if home else ():
                if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value:
                    return _words(statement.value, home or module, package)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "get_args":
        return _words(node.args[0], module, package)
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
        node = node.slice
    if not isinstance(node, ast.Tuple):
        return frozenset()
    return frozenset(str(word.value) for word in node.elts if isinstance(word, ast.Constant))


def _places(name: str, module: Module) -> Iterator[tuple[str, str]]:
    yield module.name, name
    for chain in module.imports.get(name, ()):
        yield ".".join(chain[:-1]), chain[-1]


@by_text
def parse(document: Document, package: Package) -> Iterator[Region]:
    """Yield a complaint for each card that leaves out an option."""
    if Path(document.path).parent.name == "chapters":
        for start, message in left_out(document.text, accepted(package)):
            yield complaint(start, message)


def left_out(text: str, known: Accepted) -> Iterator[tuple[int, str]]:
    """Yield what cards of a page leave out, and where the verification stands."""
    helpers, asked = Helpers(), [*prompts(text)]
    said = ""
    for block in statements.blocks(text):
        if block.kind == "statement":
            said = block.text
        if block.kind != "verification":
            continue
        own = [(at, source) for at, source in asked if at < block.end]
        asked = asked[len(own) :]
        sources = []
        for at, source in own:
            helpers.learn(trees.tree(source))
            sources += [source] * (at > block.start)
        for message in _left_out(f"{said}\n{block.title}", sources, helpers, known):
            yield block.start, message


def _left_out(
    said: str,
    sources: list[str],
    helpers: Helpers,
    known: Accepted,
) -> Iterator[str]:
    options: dict[str, set[frozenset[str]]] = {}
    drawn: set[frozenset[str]] = set()
    for call in (call for source in sources for call in comparisons.calls(trees.tree(source))):
        reached = {name for side in call.args for name in helpers.reached(side)}
        there = [pair for name in sorted(reached) for pair in known.get(name, {}).items()]
        for parameter, words in there:
            options.setdefault(parameter, set()).add(words)
        for letter in call.keywords:
            tried = _strings(letter.value)
            drawn.add(tried)
            for parameter, words in there:
                if tried and tried < words and not _named(tried, parameter, said):
                    left = ", ".join(sorted(words - tried))
                    yield (
                        f"{letter.arg} is no {left}, which the package accepts for its "
                        f"{parameter}; draw it, too, or name in the statement what is meant"
                    )
    for parameter, each in options.items():
        if re.search(EVERY.format(parameter), said) and not any(words in drawn for words in each):
            yield (
                f"all values of {parameter} are spoken of, and no comparison draws them all; "
                f"draw one_of({', '.join(map(repr, sorted(frozenset().union(*each))))})"
            )


def _strings(domain: ast.expr) -> frozenset[str]:
    """Return the words that a domain draws, if they are all that it draws."""
    if not (isinstance(domain, ast.Call) and ast.unparse(domain.func) == "one_of"):
        return frozenset()
    words = [one.value for one in domain.args if isinstance(one, ast.Constant)]
    strings = [word for word in words if isinstance(word, str)]
    return frozenset(strings if len(strings) == len(domain.args) else ())


def _named(words: frozenset[str], parameter: str, said: str) -> bool:
    """Return whether a text names each of some words, and does not speak of all."""
    each = all(re.search(rf"\b{re.escape(word)}\b", said) for word in words)
    return each and not re.search(EVERY.format(parameter), said)
