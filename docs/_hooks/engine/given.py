"""What a page gives to functions: of which kinds their arguments are, in how many prompts.

A check is as strong as what it is tried on, and a function of a page that draws positions, rows
or masks can draw less than it says: no negative position, the same row everywhere, no padding.
No wrong answer shows that, for what is looked at is right. So each call of the package, and of the
page's own functions, is looked at while the page runs, and for each argument it is counted in how
many prompts it has been negative, zero, no whole number, large, a row unlike the next one, and so
on. The same is counted of what the page's own functions return, the sides of a comparison among
them, and of what is asserted. `pages/given.py` has these counts held against what they have been.
"""

import ast
import inspect
import io
import json
import math
import numbers
import os
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import lru_cache, partial
from itertools import combinations
from types import FunctionType
from typing import Any

import numpy as np
from sybil import Document

from engine import examples, labs, sessions
from engine.checks import reset
from engine.faced import Call, Faced, judges
from engine.strength import forked

RUN = (sessions.evaluate, examples.python, labs.cell)
ASSERTED = "_asserted_"  # what the code of a page knows the watch by
END = "end"
TRAINING = "posenc.experiments"  # what a lab trains with, however it imports it
WHOLE = 900  # seconds that a page may take
ENTRIES = 10_000  # of an array, at most, that are looked at: spread over all of it
CALLS = 5000  # of a function in one prompt, at most, that are looked at: the first ones
NAME = re.compile(r"[\w-]{1,24}")  # a choice between some, such as a layout
MANY = 10  # values in the calls of one prompt
NEAR = 1e-9  # what is nearer is the same: last bits are others on another machine
ROUNDING = 1e-12  # of numbers about 1, added up; a page gives smaller ones than NEAR on purpose
SIGNS = {"negative", "zero", "positive"}
SIZES = {"tens": 10, "thousands": 1e3, "millions": 1e6, "far": 1e12}  # at least, of the largest

Kinds = dict[str, dict[str, int]]  # of each argument, in how many prompts each


class Given(Faced):
    """Notes of which kinds the arguments of all calls are."""

    def __init__(self) -> None:
        self.kinds: defaultdict[str, set[str]] = defaultdict(set)
        self.values: defaultdict[str, set[Any]] = defaultdict(set)
        self.calls = Counter[str]()
        self.own: dict[str, Any] = {}  # names of the page

    def put(self, namespace: dict[str, Any]) -> None:
        """Put this between a page and the package, and between it and its own functions."""
        self.own = namespace
        super().put(namespace)
        for name, value in [*namespace.items()]:
            if self.is_own(value):
                namespace[name] = self.function(value, name)

    def is_own(self, value: Any) -> bool:
        """Return whether something is a function of the page that nothing stands before yet."""
        return isinstance(value, FunctionType) and value.__globals__ is self.own

    def faced(self, value: Any) -> Any:
        """Stand before what compares, too: its sides are functions of the page."""
        if isinstance(value, FunctionType) and _judges(value):
            return value if hasattr(value, "_right_") else self.function(value, value.__name__)
        return super().faced(value)

    def asserted(self, value: Any) -> Any:
        """Note and return what a page asserts."""
        self.kinds["assert(it)"] |= kinds(value)
        return value

    def called(self, call: Call) -> Any:
        """Note what is given to a function, and what one of the page returns."""
        self.calls[call.name] += 1
        if self.calls[call.name] > CALLS:
            return call.answer()
        if _judges(call.right):
            own = [
                self.function(a, f"{call.name} {n}") if self.is_own(a) else a
                for n, a in enumerate(call.args)
            ]
            return call._replace(args=tuple(own)).answer()
        given = dict(_named(call.right, call.args, call.words))
        for argument, value in given.items():
            self.note(f"{call.name}({argument})", value)
        for (one, first), (other, second) in combinations(given.items(), 2):
            if apart := difference(first, second):
                self.kinds[f"{call.name}({one} - {other})"] |= apart
        result = call.answer()
        if self.is_own(call.right):
            self.note(f"{call.name}()", result)
        return result

    def note(self, place: str, value: Any) -> None:
        """Note of which kinds a value is, and which of several."""
        self.kinds[place] |= kinds(value)
        if len(self.values[place]) < MANY and isinstance(value, numbers.Real | str | tuple):
            self.values[place].add(told_apart(value))

    def told(self) -> Iterator[tuple[str, str]]:
        """Yield the kinds of each argument since this was asked."""
        for place, found in self.kinds.items():
            count = len(self.values[place])
            several = {"several": count > 1, "many": count >= MANY}
            yield from ((place, kind) for kind in sorted(found))
            yield from ((place, kind) for kind, there in several.items() if there)
        for noted in (self.kinds, self.values, self.calls):
            noted.clear()


def given(document: Document) -> Kinds:
    """Return the kinds of what a page gives to the package, which has to hold."""
    told, _ = forked(partial(_watched, document), WHOLE)
    if told[-1:] != [END]:  # it was stopped, by time or by the system
        raise RuntimeError(f"{document.path}: its code was not run to the end")
    found = defaultdict[str, Counter[str]](Counter)
    for place, kind in map(json.loads, told[:-1]):
        found[place][kind] += 1
    return {place: dict(sorted(found[place].items())) for place in sorted(found)}


def _watched(document: Document) -> Iterator[str]:
    """Run a page, and yield the kinds of what each prompt has given.

    Of a lab that trains only what it asserts: what was trained is another number elsewhere.
    """
    os.environ["DASK_SCHEDULER"] = "synchronous"  # its threads are not there in a fork
    names, watch = document.namespace, Given()
    trains = isinstance(document, labs.Lab) and TRAINING in document.text
    reset(names)
    names[ASSERTED] = watch.asserted
    for example in document:
        if example.region.evaluator in RUN:
            source = example.region.parsed.source
            with _silent(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with suppress(Exception):  # a refusal that a session shows
                    tree = ast.fix_missing_locations(_Asserts().visit(ast.parse(source)))
                    exec(compile(tree, "<prompt>", "exec"), names)
            if not trains:
                watch.put(names)
                watch.classes(names)  # of modules that this has imported
            yield from map(json.dumps, watch.told())
    yield END


class _Asserts(ast.NodeTransformer):
    """Has what is asserted handed to the watch."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = ast.Call(ast.Name(ASSERTED, ast.Load()), [node.test], [])
        return node


@contextmanager
def _silent() -> Iterator[None]:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield


def _judges(call: Callable[..., Any]) -> bool:
    return judges(getattr(call, "__module__", None) or "")


def _named(
    call: Callable[..., Any], args: tuple[Any, ...], words: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the arguments of a call by their names."""
    try:
        bound = signature(call).bind(*args, **words)
    except (TypeError, ValueError):  # refused, which is for the page to show
        return
    for name, value in bound.arguments.items():
        if signature(call).parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            yield from value.items()
        else:
            yield name, value


@lru_cache(maxsize=1024)
def signature(call: Callable[..., Any]) -> inspect.Signature:
    """Return the arguments that a function takes."""
    return inspect.signature(call)


def kinds(value: Any) -> set[str]:
    """Return of which kinds an argument is."""
    if value is None or isinstance(value, bool | np.bool_):
        return {str(value)}
    if isinstance(value, str):
        return {value if NAME.fullmatch(value) else "text"}
    array = numeric(value)
    if array is None:
        return {type(value).__name__}
    if array.dtype.kind == "b":
        return {f"some {one}" for one in np.unique(array)} | _alike(array)
    found = signs(array)
    if isinstance(value, np.ndarray):
        found.add(value.dtype.name)
    for axis in range(array.ndim):
        along = f"steps along axis {axis}" if axis else "steps"
        found |= {f"{along} {sign}" for sign in signs(_steps(array, axis)) & SIGNS}
    return found | _alike(array)


def told_apart(value: Any) -> str:
    """Return a value in words that are the same for what differs by rounding alone."""
    if not isinstance(value, float | np.floating):
        return repr(value)
    return "0" if abs(float(value)) <= ROUNDING else f"{value:.6g}"


def difference(one: Any, other: Any) -> set[str]:
    """Return of which kinds the difference of two arguments is, if they are of one shape."""
    first, second = numeric(one), numeric(other)
    if first is None or second is None or first.shape != second.shape:
        return set()
    if first.ndim or "b" in (first.dtype.kind, second.dtype.kind):
        alike = np.allclose(first, second, rtol=NEAR, atol=NEAR, equal_nan=True)
        return {"alike" if alike else "unlike"}
    return signs(first - second)


def numeric(value: Any) -> np.ndarray | None:
    """Return numbers as an array, no larger than can be looked at in no time; None for others."""
    if isinstance(value, bool | np.bool_ | str | bytes) or value is None:
        return None
    if not isinstance(value, np.ndarray | numbers.Number | list | tuple | range):
        return None  # arrays of other libraries may not be there before somebody asks for them
    try:
        array = np.asarray(value)
        array = array if array.dtype.kind in "bifcu" else array.astype(float)
    except Exception:  # of a list of anything
        return None
    if array.size > ENTRIES:
        steps = [math.ceil(size / ENTRIES ** (1 / array.ndim)) for size in array.shape]
        array = array[tuple(slice(None, None, step) for step in steps)]
    return array


def signs(array: np.ndarray) -> set[str]:
    """Return which signs numbers have, how large they are, and whether all are whole."""
    if array.dtype.kind == "c":
        return {f"complex {kind}" for part in (array.real, array.imag) for kind in signs(part)}
    finite = array[np.isfinite(array)].astype(float)
    found = {"not finite"} if finite.size < array.size else set[str]()
    if not finite.size:
        return found
    sizes = abs(finite)
    beside = abs(finite - np.rint(finite)) > NEAR * np.maximum(1, sizes)
    found |= {"negative"} if finite.min() < -NEAR else set()
    found |= {"positive"} if finite.max() > NEAR else set()
    found |= {"zero"} if sizes.min() <= NEAR else set()
    found |= {"no whole number"} if beside.any() else set()
    return found | {size for size, least in SIZES.items() if sizes.max() * (1 + NEAR) >= least}


def _alike(array: np.ndarray) -> set[str]:
    """Return along which axes entries differ."""
    axes = (axis for axis in range(array.ndim) if array.shape[axis] > 1)
    differ = (axis for axis in axes if _steps(array, axis).any())
    return {f"varies along axis {axis}" for axis in differ}


def _steps(array: np.ndarray, axis: int) -> np.ndarray:
    """Return how far entries are from the next ones: 0 where they are the same but for rounding."""
    if array.dtype.kind == "b":
        return np.diff(array, axis=axis)
    with np.errstate(invalid="ignore"):  # infinite ones
        steps = np.diff(array.astype(np.result_type(array, float)), axis=axis)
    sizes = np.maximum(1, abs(array))
    first, last = sizes.swapaxes(0, axis)[:-1], sizes.swapaxes(0, axis)[1:]
    near = NEAR * np.maximum(first, last).swapaxes(0, axis)
    return np.where(abs(steps) <= near, 0, steps)
