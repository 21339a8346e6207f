"""What a page shares with all other code of its process, and has to leave as it was.

Code that changes the working folder, a setting of Matplotlib, or a function of the package would
spoil the pages behind it, which then hold or fail by the order in which they are checked. What a
line changes is told at that line, and is put back before the next one runs. How NumPy prints and
what it warns of, how exactly mpmath and decimal compute, and the random numbers that all code
shares, a page may set for itself: `checks.reset` begins each page with what they are at first.
"""

import locale
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

# Of which no name may stand for something else: the package, and what judges it.
WATCHED = ("builtins", "decimal", "fractions", "math", "mpmath", "numpy", "posenc", "statistics")
BY_PROMPTS = ("builtins", "_")  # what a prompt answered last


@dataclass(frozen=True)
class Shared:
    """Something that all code of a process shares."""

    name: str
    look: Callable[[], Any]
    put_back: Callable[[Any], object]
    differs: Callable[[Any, Any], bool] = lambda was, now: bool(was != now)
    kept: Callable[[Any, Any], Any] = lambda was, now: now  # for the next look


class Surroundings:
    """How things stand; made before the first line of a page runs."""

    def __init__(self) -> None:
        self.was = [one.kept(None, one.look()) for one in SHARED]

    def changed(self) -> Iterator[str]:
        """Yield what has been changed since, and put it back."""
        for place, (one, was) in enumerate(zip(SHARED, self.was, strict=True)):
            now = one.look()
            if was is not None and one.differs(was, now):
                one.put_back(was)
                now = one.look()
                yield one.name
            self.was[place] = one.kept(was, now)


def _environment(was: dict[str, str]) -> None:
    for name in os.environ.keys() - was.keys():
        del os.environ[name]
    os.environ.update(was)


def _path(was: list[str]) -> None:
    sys.path[:] = was


def _streams(was: tuple[Any, ...]) -> None:
    sys.stdin, sys.stdout, sys.stderr = was


def _settings() -> dict[str, Any] | None:
    """Return Matplotlib's settings as they are stored; asking for them chooses a backend."""
    loaded = sys.modules.get("matplotlib")
    return dict.copy(loaded.rcParams) if loaded else None


def _set(was: dict[str, Any]) -> None:
    dict.update(sys.modules["matplotlib"].rcParams, was)


def _other_objects(was: dict[str, Any], now: dict[str, Any]) -> bool:
    return any(now.get(name) is not value for name, value in was.items())


Names = dict[str, tuple[ModuleType, dict[str, Any]]]


@cache  # asked of each module of the process behind each line of a page
def _is_watched(name: str) -> bool:
    return name.partition(".")[0] in WATCHED


def _modules() -> dict[str, ModuleType]:
    return {
        name: module
        for name, module in [*sys.modules.items()]
        if _is_watched(name) and isinstance(module, ModuleType)
    }


def _named(was: Names | None, now: dict[str, ModuleType]) -> Names:
    """Return what each name stands for, without another copy of a module that has no new one."""
    before = was or {}
    return {
        name: before[name]
        if name in before and len(before[name][1]) == len(vars(module))
        else (module, {key: it for key, it in vars(module).items() if (name, key) != BY_PROMPTS})
        for name, module in now.items()
    }


def _renamed(was: Names, now: dict[str, ModuleType]) -> bool:
    """Return whether a name stands for something else, or is gone; new ones may be there."""
    for name, (module, names) in was.items():
        if now.get(name) is not module:
            return True
        there = vars(module)
        try:  # what is the same object is not compared
            held = names == there if len(names) == len(there) else names.items() <= there.items()
        except Exception:  # an array, or a tensor, in the place of another one
            held = False
        if not held and any(_replaced(names, there)):
            return True
    return False


def _replaced(was: dict[str, Any], now: dict[str, Any]) -> Iterator[bool]:
    for name, value in was.items():
        yield name not in now or now[name] is not value


def _named_again(was: Names) -> None:
    for name, (module, names) in was.items():
        sys.modules[name] = module
        vars(module).update(names)


SHARED = (
    Shared("the working folder", os.getcwd, os.chdir),
    Shared("the environment", lambda: {**os.environ}, _environment),
    Shared("sys.path", lambda: [*sys.path], _path),
    Shared("the standard streams", lambda: (sys.stdin, sys.stdout, sys.stderr), _streams),
    Shared("the limit of recursion", sys.getrecursionlimit, sys.setrecursionlimit),
    Shared(
        "the locale",
        lambda: locale.setlocale(locale.LC_ALL),
        lambda was: locale.setlocale(locale.LC_ALL, was),
    ),
    Shared("Matplotlib's settings", _settings, _set, _other_objects),
    Shared("a name of a module", _modules, _named_again, _renamed, _named),
)
