"""From a tree to a value: numbers, vectors and matrices of mpmath's numbers, functions.

A name that nothing explains leaves a formula unread. One that stands alone on the left of an
equals sign is explained by it: the formula defines it, for all that follows.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

from engine.formula_check.parse import (
    Applied,
    Cases,
    Chain,
    Fenced,
    Indexed,
    Matrix,
    Name,
    Number,
    Power,
    Product,
    Quotient,
    Total,
    Tree,
    Unread,
)

NEAR = mpmath.mpf(10) ** -9  # a wrong formula is meant to show; rounding is the session's business
ROUGH = mpmath.mpf("0.02")  # behind ≈
MANY = 60  # terms of a sum without end, in which those of a book's series have long vanished

Value = Any  # a number, an array of them, a function, or True and False

PLAIN: dict[str, Callable[..., Value]] = {
    "sin": mp.sin, "cos": mp.cos, "ln": mp.log, "exp": mp.exp, "sqrt": mp.sqrt, "sgn": mp.sign,
    "arg": mp.arg, "Re": mp.re, "erfc": mp.erfc, "Γ": mp.gamma,
    "max": lambda *values: max(values), "min": lambda *values: min(values),
    "clip": lambda value, low, high: min(max(value, low), high),
}  # fmt: skip

EXACTLY: dict[str, Callable[[Value, Value], bool]] = {
    "<": operator.lt, ">": operator.gt, "≤": operator.le, "≥": operator.ge,
}  # fmt: skip


class Scope(dict[str, Value]):
    """What each name stands for; those of the notation are made when they are asked for."""

    def __init__(self, values: dict[str, Value], notation: dict[str, Callable[..., Value]]) -> None:
        super().__init__(values)
        self.notation = notation

    def __missing__(self, name: str) -> Value:
        """Return what a name of the notation stands for here."""
        if name not in self.notation:
            raise Unread(f"{name} is not explained")
        try:
            return self.notation[name](self)
        except KeyError as error:
            raise Unread(f"{name} needs {error}") from None

    def known(self, name: str) -> bool:
        """Return whether a name is explained."""
        return name in self or name in self.notation

    def inner(self, **values: Value) -> "Scope":
        """Return a scope with more names in it."""
        return Scope({**self, **values}, self.notation)


class Unity:
    """A multiple of the identity, of whatever size fits."""

    __array_ufunc__ = None  # NumPy leaves the operators to this class

    def __init__(self, factor: Value = 1) -> None:
        self.factor = factor

    def __mul__(self, number: Value) -> "Unity":
        """Return a multiple of it."""
        return Unity(self.factor * number)

    __rmul__ = __mul__

    def __radd__(self, matrix: Value) -> Value:
        """Return a matrix with more on its diagonal."""
        return matrix + self.like(matrix)

    def like(self, matrix: Value) -> Value:
        """Return it in the size of a matrix."""
        return np.where(np.eye(len(matrix), dtype=bool), self.factor, mpmath.mpf(0))


def holds(chain: Chain, scope: Scope) -> int:
    """Return how many relations of a chain hold at a point, having defined what it defines.

    Raises AssertionError where one does not hold, and Unread where one cannot be computed.
    """
    if chain.condition is not None and not truth(chain.condition, scope):
        return 0
    sides, relations = [*chain.sides], [*chain.relations]
    if "⟺" in relations:
        middle = relations.index("⟺")
        one = Chain(tuple(sides[: middle + 1]), tuple(relations[:middle]))
        other = Chain(tuple(sides[middle + 1 :]), tuple(relations[middle + 1 :]))
        if truth(one, scope) != truth(other, scope):
            raise AssertionError("one side of ⟺ holds, and the other does not")
        return 1
    if relations and relations[0] == "=" and define(sides[0], sides[1], scope):
        sides, relations = sides[1:], relations[1:]
    held = 0
    for (left, right), relation in zip(pairwise(sides), relations, strict=True):
        one, other = compute(left, scope), compute(right, scope)
        if not related(one, relation, other):
            raise AssertionError(f"{shown(one)} {relation} {shown(other)}")
        held += 1
    return held


def truth(chain: Chain, scope: Scope) -> bool:
    """Return whether a condition holds."""
    values = [compute(side, scope) for side in chain.sides]
    pairs = zip(pairwise(values), chain.relations, strict=True)
    return all(
        EXACTLY[relation](one, other) if relation in EXACTLY else related(one, relation, other)
        for (one, other), relation in pairs
    )


def related(one: Value, relation: str, other: Value) -> bool:
    """Return whether two values are related as a sign says, up to rounding."""
    one = one.like(other) if isinstance(one, Unity) else one
    other = other.like(one) if isinstance(other, Unity) else other
    left, right = np.asarray(one, dtype=object), np.asarray(other, dtype=object)
    if left.shape != right.shape and left.size != 1 and right.size != 1:
        raise AssertionError(f"shapes {left.shape} and {right.shape}")
    left, right = np.broadcast_arrays(left, right)
    entries = list(zip(left.ravel(), right.ravel(), strict=True))
    size = max([mpmath.mpf(1), *(abs(entry) for pair in entries for entry in pair)])
    apart = [entry - against for entry, against in entries]
    match relation:
        case "=":
            return all(abs(gap) <= NEAR * size for gap in apart)
        case "≈":
            return all(
                abs(gap) <= ROUGH * abs(pair[1]) for gap, pair in zip(apart, entries, strict=True)
            )
        case "≠":
            return any(abs(gap) > 0 for gap in apart)
        case "≤":
            return all(gap <= NEAR * size for gap in apart)
        case "≥":
            return all(gap >= -NEAR * size for gap in apart)
        case "<" | ">":
            return all(EXACTLY[relation](gap, 0) for gap in apart)
    raise Unread(f"{relation} is not understood")


def define(left: Tree, right: Tree, scope: Scope) -> bool:
    """Explain the name on the left, if it is one that nothing explains; return whether it was."""
    match left:
        case Name(text) if not scope.known(text):
            scope[text] = compute(right, scope)
        case Indexed(Name(text), indices) if not (
            scope.known(key(left)) or _indexable(text, scope)
        ):
            names = [index.text for index in indices if isinstance(index, Name)]
            if len(names) < len(indices) or not {*names} <= {*FREE}:
                scope[key(left)] = compute(right, scope)
            if len(names) == len(indices):
                own = {*names} <= {*FREE} and not scope.known(text)
                scope[text if own else f"{text}_"] = _function(names, right, scope)
        case Product((Name(text), Fenced("(", parts))) if not scope.known(text):
            names = [part.text for part in parts if isinstance(part, Name)]
            if len(names) != len(parts):
                return False
            scope[text] = _function(names, right, scope)
        case Product((Indexed(Name(text), (Name(index),)), Fenced("(", (Name(argument),)))) if (
            not scope.known(text)
        ):
            scope[text] = lambda one: (
                lambda other: compute(right, scope.inner(**{index: one, argument: other}))
            )
        case _:
            return False
    return True


def _indexable(name: str, scope: Scope) -> bool:
    """Return whether a name is explained, and may have an index."""
    return scope.known(name) and (callable(scope[name]) or isinstance(scope[name], np.ndarray))


FREE = ("i", "j", "n", "p", "q", "k", "c", "t")  # letters that are indices everywhere


def _function(names: list[str], body: Tree, scope: Scope) -> Callable[..., Value]:
    def call(*values: Value) -> Value:
        return compute(body, scope.inner(**dict(zip(names, values, strict=True))))

    return call


def key(tree: Indexed) -> str:
    """Return the name of something whose index is part of it: `L_0`, `β_fast`, `W_Q`."""
    if not isinstance(tree.base, Name):
        return ""
    said = [part.text for part in tree.indices if isinstance(part, Name | Number)]
    return f"{tree.base.text}_{','.join(said)}" if len(said) == len(tree.indices) else ""


def compute(tree: Tree, scope: Scope) -> Value:
    """Return the value of a tree."""
    match tree:
        case Number(text):
            return mpmath.mpf(text)
        case Name(text):
            return scope[text]
        case Indexed(base, indices):
            return _indexed(tree, base, indices, scope)
        case Power(base, exponent):
            return _power(base, exponent, scope)
        case Fenced(kind, parts):
            return _fenced(kind, [compute(part, scope) for part in parts])
        case Applied():
            return _applied(tree, scope)
        case Product(factors):
            return _product(list(factors), scope)
        case Quotient(above, below, kind):
            return _quotient(compute(above, scope), kind, compute(below, scope))
        case Total(terms):
            return _total(terms, scope)
        case Matrix(((first, _, _), (_, Name("⋱"), _), (_, _, last))):
            return _diagonal([*_between(first, last, scope)])
        case Matrix(((first,), (Name("⋮"),), (last,))):
            return np.concatenate([*_between(first, last, scope)])
        case Matrix(rows):
            return _matrix([[compute(entry, scope) for entry in row] for row in rows])
        case Cases(cases):
            for value, condition in cases:
                if condition is None or truth(condition, scope):
                    return compute(value, scope)
            raise Unread("none of the cases")
        case Chain((side,), ()):
            return compute(side, scope)
    raise Unread(f"{type(tree).__name__} is not computed")


def _quotient(one: Value, kind: str, other: Value) -> Value:
    """Return a quotient, a remainder, or what a cross means between numbers and vectors."""
    if kind == "mod":
        return mp.fmod(mp.fmod(one, other) + other, other)
    if kind == "×":
        return np.cross(one, other) if isinstance(one, np.ndarray) else one * other
    return one / other


def _total(terms: tuple[tuple[str, Tree], ...], scope: Scope) -> Value:
    total: Value = None
    for sign, term in terms:
        value = compute(term, scope)
        if callable(value):
            raise Unread("a sum of functions")
        if sign == "±":
            value = scope["±"] * value
        value = -value if sign == "−" else value
        total = value if total is None else total + value
    return total


def _product(factors: list[Tree], scope: Scope) -> Value:
    """Multiply factors from the left, and call a function that stands before brackets."""
    value: Value = None
    for place, one in enumerate(factors):
        if value is not None and callable(value):
            bracket, wrap = _stripped(one)
            if not isinstance(bracket, Fenced):
                raise Unread("a function without brackets")
            value = wrap(value(*(compute(part, scope) for part in bracket.parts)), scope)
            continue
        other = compute(one, scope)
        if value is None:
            value = other
        elif callable(other):  # a function behind a factor: the rest is its own product
            return times(value, _product(factors[place:], scope))
        else:
            value = times(value, other)
    return value


def _stripped(tree: Tree) -> tuple[Tree, Callable[[Value, Scope], Value]]:
    """Return the brackets of an argument, and what is done to the result: an index, a power."""
    if isinstance(tree, Indexed):
        inner, wrap = _stripped(tree.base)
        return inner, lambda value, scope: entry(
            wrap(value, scope), [compute(index, scope) for index in tree.indices]
        )
    if isinstance(tree, Power):
        inner, wrap = _stripped(tree.base)
        return inner, lambda value, scope: power(wrap(value, scope), tree.exponent, scope)
    return tree, lambda value, scope: value


def times(one: Value, other: Value) -> Value:
    """Return a product: of matrices and vectors as such."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.ndim and other.ndim:
        return one @ other
    return one * other


def _indexed(tree: Indexed, base: Tree, indices: tuple[Tree, ...], scope: Scope) -> Value:
    name = key(tree)
    if name and scope.known(name):
        return scope[name]
    values = [compute(index, scope) for index in indices]
    if isinstance(base, Power) and base.exponent == Name("¯"):  # the conjugate of an entry
        if isinstance(base.base, Name) and scope.known(f"{base.base.text}¯"):
            return entry(scope[f"{base.base.text}¯"], values)
        return mp.conj(entry(compute(base.base, scope), values))
    if isinstance(base, Name) and scope.known(f"{base.text}_"):
        return scope[f"{base.text}_"](*values)
    return entry(compute(base, scope), values)


def entry(value: Value, indices: list[Value]) -> Value:
    """Return an entry of an array, or what a function gives for an index."""
    if callable(value):
        return value(*indices)
    if not isinstance(value, np.ndarray):
        raise Unread("an index of a number")
    for index in indices:
        if index != int(index) or not 0 <= index < len(value):
            raise Unread(f"the index {shown(index)} of {len(value)}")
        value = value[int(index)]
    return value


def _power(base: Tree, exponent: Tree, scope: Scope) -> Value:
    if exponent == Name("¯"):
        if isinstance(base, Name) and scope.known(f"{base.text}¯"):
            return scope[f"{base.text}¯"]
        return mp.conj(compute(base, scope))
    return power(compute(base, scope), exponent, scope)


def power(value: Value, exponent: Tree, scope: Scope) -> Value:
    """Return a power, a transpose or an inverse."""
    if exponent == Name("⊤"):
        return value.T if isinstance(value, np.ndarray) else value
    if exponent == Total((("−", Name("⊤")),)):
        return power(value, Total((("−", Number("1")),)), scope).T
    many = compute(exponent, scope)
    if callable(value) or callable(many):
        raise Unread("a power of a function")
    if isinstance(value, np.ndarray):
        if value.ndim != 2 or many != int(many):
            raise Unread("a power of what is no square matrix")
        square = mpmath.matrix(value.tolist()) ** int(many)
        return np.array(square.tolist(), dtype=object)
    return mp.power(value, many)


def _fenced(kind: str, values: list[Value]) -> Value:
    if kind == "⟨":
        one, other = values
        return one @ other
    if len(values) > 1 and all(isinstance(value, np.ndarray) for value in values):
        return np.stack(values, axis=1)  # the columns of a matrix
    if len(values) != 1:
        raise Unread("brackets with several values")
    value = values[0]
    if callable(value):
        return value
    match kind:
        case "|":
            return abs(value)
        case "‖":
            return mp.sqrt(sum(abs(part) ** 2 for part in np.asarray(value, dtype=object).ravel()))
        case "⌊":
            return mp.floor(value)
        case "⌈":
            return mp.ceil(value)
    return value


def _applied(tree: Applied, scope: Scope) -> Value:
    if tree.index:
        values = [compute(tree.body, scope.inner(**inner)) for inner in _ranging(tree, scope)]
        if tree.function == "sum":
            total: Value = mpmath.mpf(0)
            for value in values:
                total = total + value
            return total
        return PLAIN[tree.function](*values)
    if tree.function not in PLAIN and tree.function not in ("log", "mean", "var"):
        raise Unread(f"{tree.function} is not computed")
    body = tree.body
    if tree.function in ("mean", "var"):
        return _moment(tree.function, body, scope)
    parts = body.parts if isinstance(body, Fenced) and body.kind == "(" else (body,)
    values = [compute(part, scope) for part in parts]
    if any(map(callable, values)):
        raise Unread(f"{tree.function} of a function")
    if tree.function == "log":
        if not tree.bounds:
            raise Unread("a logarithm without a base")
        value = mp.log(values[0]) / mp.log(compute(tree.bounds[0], scope))
    else:
        value = PLAIN[tree.function](*values)
    return value if tree.power is None else mp.power(value, compute(tree.power, scope))


def _moment(name: str, body: Tree, scope: Scope) -> Value:
    """Return the mean or the variance over the positions of a text."""
    values = [compute(body, scope.inner(p=p)) for p in map(mpmath.mpf, range(int(scope["L"])))]
    mean = mp.fsum(values) / len(values)
    return mean if name == "mean" else mp.fsum((one - mean) ** 2 for one in values) / len(values)


def _ranging(tree: Applied, scope: Scope) -> Iterator[dict[str, Value]]:
    """Yield the values of an index, or of two that differ."""
    one, _, other = tree.index.partition("≠")
    for n in _range(replace(tree, index=one), scope):
        if not other:
            yield {one: n}
            continue
        for m in _range(replace(tree, index=one), scope):
            if m != n:
                yield {one: n, other: m}


def _range(tree: Applied, scope: Scope) -> Iterator[Value]:
    """Yield the values of an index."""
    if not tree.bounds:
        if not scope.known(f"range {tree.index}"):
            raise Unread(f"the range of {tree.index} is not written")
        yield from map(mpmath.mpf, scope[f"range {tree.index}"])
        return
    low, high = tree.bounds
    first = compute(low, scope)
    last = first + MANY if high == Name("∞") else compute(high, scope)
    while first <= last:
        yield first
        first += 1


def _between(first: Tree, last: Tree, scope: Scope) -> Iterator[Value]:
    """Yield what stands from one entry to the last: dots go on with the index."""
    match first, last:
        case (Indexed(base, (Indexed(inner, (low,)),)), Indexed(_, (Indexed(_, (high,)),))):
            wrap: Callable[[Tree], Tree] = lambda n: Indexed(base, (Indexed(inner, (n,)),))  # noqa: E731
        case (Indexed(base, (low,)), Indexed(_, (high,))):
            wrap = lambda n: Indexed(base, (n,))  # noqa: E731
        case _:
            raise Unread("dots between what has no index")
    for n in range(int(compute(low, scope)), int(compute(high, scope)) + 1):
        yield compute(wrap(Number(str(n))), scope)


def _diagonal(blocks: list[Value]) -> Value:
    """Return a matrix with square blocks on its diagonal."""
    size = sum(len(block) for block in blocks)
    found, start = np.full((size, size), mpmath.mpf(0), dtype=object), 0
    for block in blocks:
        end = start + len(block)
        found[start:end, start:end], start = block, end
    return found


def _matrix(rows: list[list[Value]]) -> Value:
    """Return a matrix of numbers, or of blocks; a single column of vectors is one vector."""
    if all(len(row) == 1 for row in rows):
        column = [np.atleast_1d(np.asarray(row[0], dtype=object)) for row in rows]
        return np.concatenate(column)
    blocks = [[np.asarray(entry, dtype=object) for entry in row] for row in rows]
    if all(entry.ndim == 0 for row in blocks for entry in row):
        return np.array([[entry[()] for entry in row] for row in blocks], dtype=object)
    return np.block(blocks)


def shown(value: Value) -> str:
    """Return a value as a message says it."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return mpmath.nstr(value, 12) if isinstance(value, mpmath.mpf | mpmath.mpc) else str(value)
