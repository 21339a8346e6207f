"""What really runs: the functions of a folder, each by its file and the line that it begins on."""

import ast
import gc
import importlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from cProfile import Profile
from pathlib import Path
from types import CodeType

from engine.dependencies import BESIDES, Definition, Package
from engine.places import ROOT, modules

Place = tuple[Path, int]


def loaded() -> None:
    """Import all of the package that can be, so that nothing runs later because it is imported."""
    for path in modules():
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] != "__main__":
            importlib.import_module(".".join(part for part in parts if part != "__init__"))


@contextmanager
def functions_of(folder: Path) -> Iterator[set[Place]]:
    """Note the functions of a folder that run meanwhile, and so all that is nested in them."""
    gc.collect()  # a generator that an earlier error left half read would run on when thrown away
    profile, ran = Profile(builtins=False, subcalls=False), set[Place]()
    with profile:
        yield ran
    codes = [entry.code for entry in profile.getstats() if isinstance(entry.code, CodeType)]
    named = ((Path(code.co_filename), code.co_firstlineno) for code in codes)
    ran |= {place for place in named if place[0].is_relative_to(folder)}


def outside(
    package: Package, definitions: Iterable[Definition], ran: Iterable[Place]
) -> list[Place]:
    """Return the functions that ran and lie in none of these definitions.

    What a module has for names that it loads later is asked for every name that it lacks, so also
    where a part of the package is first imported; what it loads then counts like all else.
    """
    later = {
        (module.path, first(node))
        for module in package.modules.values()
        for node in module.definitions.get("__getattr__", ())
    }
    lines: set[Place] = set()
    for name, definition in definitions:
        module = package.modules[name]
        nodes = module.besides if definition == BESIDES else module.definitions.get(definition, ())
        for node in nodes:
            lines |= {
                (module.path, line) for line in range(first(node), (node.end_lineno or 0) + 1)
            }
    return sorted(set(ran) - lines - later)


def first(node: ast.stmt) -> int:
    """Return the first line of a statement, that of a decorator if it has any."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
