"""The package as a page sees it: with something between them that looks at each call.

What a page has of the package is replaced in its namespace, functions and modules, and what it
asks objects of the package for. What the package calls itself stays as it is, and so do functions
of `posenc.proofs`: those judge.
"""

import functools
import sys
from collections.abc import Callable
from contextlib import suppress
from types import MethodType, ModuleType
from typing import Any, NamedTuple

from engine.witnesses import PACKAGE, PROOFS


class Call(NamedTuple):
    """What a page asks a function for."""

    right: Callable[..., Any]  # as the package has it
    name: str
    of: tuple[object, ...]  # which object, if it is a method
    args: tuple[Any, ...]
    words: dict[str, Any]

    def answer(self) -> Any:
        """Return what the function returns."""
        return self.right(*self.args, **self.words)


class Faced:
    """What stands between a page and the package."""

    def called(self, call: Call) -> Any:
        """Return what a page gets for a call."""
        raise NotImplementedError

    def seen(self, value: Any, name: str, *of: object) -> Any:
        """Return what a page gets for what a module or an object has by a name."""
        return value

    def put(self, namespace: dict[str, Any]) -> None:
        """Put this between a page and what it has of the package."""
        for name, value in [*namespace.items()]:
            namespace[name] = self.faced(value)

    def classes(self, namespace: dict[str, Any]) -> None:
        """Put this between a page and what it asks objects of the package for."""
        for name, module in [*sys.modules.items()]:
            for found in [*vars(module).values()] if of_package(name) else ():
                if isinstance(found, type) and of_package(found.__module__):
                    with suppress(TypeError):  # one that may not be changed
                        self._class(found, namespace)

    def _class(self, found: type, namespace: dict[str, Any]) -> None:
        def asked(this: Any, name: str) -> Any:
            value = object.__getattribute__(this, name)
            if name.startswith("__") or sys._getframe(1).f_globals is not namespace:
                return value
            of = f"{found.__qualname__}.{name}"
            state = getattr(this, "__dict__", None) or repr(this)
            if isinstance(value, MethodType):
                return self.function(value, of, state)
            faced = self.faced(value)
            return faced if callable(faced) else self.seen(faced, of, state)

        named = issubclass(found, tuple)  # and its entries have been looked at
        if not named and "__getattribute__" not in vars(found):
            found.__getattribute__ = asked  # type: ignore[assignment, method-assign]

    def faced(self, value: Any) -> Any:
        """Return what a page has in the place of a module or a function of the package."""
        if isinstance(value, ModuleType):
            new = of_package(value.__name__) and not isinstance(value, Face)
            return Face(value, self) if new else value
        kept = isinstance(value, type) or not callable(value) or hasattr(value, "_right_")
        if kept or not of_package(getattr(value, "__module__", "") or ""):
            return value
        return self.function(value, getattr(value, "__qualname__", repr(type(value))))

    def function(self, right: Callable[..., Any], name: str, *of: object) -> Callable[..., Any]:
        """Return a function that a page calls in the place of another."""

        @functools.wraps(right)
        def between(*args: Any, **words: Any) -> Any:
            return self.called(Call(right, name, of, args, words))

        between._right_ = right  # type: ignore[attr-defined]
        return between


class Face(ModuleType):
    """A module of the package as a page sees it."""

    def __init__(self, module: ModuleType, between: Faced) -> None:
        super().__init__(module.__name__)
        self.__dict__["_of_"] = (module, between)

    def __getattr__(self, name: str) -> Any:
        """Return what a page gets for what the module has by a name."""
        module, between = self.__dict__["_of_"]
        value = between.faced(getattr(module, name))
        stays = isinstance(value, ModuleType) or callable(value)
        return value if stays else between.seen(value, f"{module.__name__}.{name}")


def of_package(name: str) -> bool:
    """Return whether a module is one of the package, and does not judge."""
    return f"{name}.".startswith(f"{PACKAGE}.") and not judges(name)


def judges(name: str) -> bool:
    """Return whether a module is of those that compare."""
    return name.startswith(PROOFS)
