"""Evaluate a parsed formula with mpmath: numbers, vectors, matrices and functions.

A formula with an unknown name raises `UnsupportedFormula`. But if the unknown name is all there is
on the left of an equals sign, the formula defines it for all formulas after it.
"""

import operator
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

from formula_check.parse import (
    Application,
    Brackets,
    Cases,
    Chain,
    Indexed,
    Matrix,
    Name,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Tree,
    UnsupportedFormula,
)

TOLERANCE = (
    mpmath.mpf(10) ** -9
)  # relative; the sessions check rounding, we look for wrong formulas
APPROX_TOLERANCE = mpmath.mpf("0.02")  # relative, for ≈
INFINITE_TERMS = 60  # of an infinite sum; every series in the book converges by then

Value = Any  # a number, an array of them, a function, or True and False

FUNCTIONS: dict[str, Callable[..., Value]] = {
    "sin": mp.sin, "cos": mp.cos, "ln": mp.log, "exp": mp.exp, "sqrt": mp.sqrt, "sgn": mp.sign,
    "arg": mp.arg, "Re": mp.re, "erfc": mp.erfc, "Γ": mp.gamma,
    "max": lambda *values: max(values), "min": lambda *values: min(values),
    "clip": lambda value, low, high: min(max(value, low), high),
}  # fmt: skip

ORDERINGS: dict[str, Callable[[Value, Value], bool]] = {
    "<": operator.lt, ">": operator.gt, "≤": operator.le, "≥": operator.ge,
}  # fmt: skip


class FormulaError(AssertionError):
    """A relation of a chain does not hold at a point."""

    def __init__(self, step: int, message: str) -> None:
        super().__init__(message)
        self.step = step  # which relation of the chain, from 0


class Scope(dict[str, Value]):
    """The values of names; a name of the notation is computed when it is first used."""

    def __init__(self, values: dict[str, Value], notation: dict[str, Callable[..., Value]]) -> None:
        super().__init__(values)
        self.notation = notation

    def __missing__(self, name: str) -> Value:
        """Return the value of a name of the notation at this point."""
        if name not in self.notation:
            raise UnsupportedFormula(f"{name} has no value")
        try:
            return self.notation[name](self)
        except KeyError as error:
            raise UnsupportedFormula(f"{name} needs {error}") from None

    def has_value(self, name: str) -> bool:
        """Return whether a name has a value."""
        return name in self or name in self.notation

    def extend(self, **values: Value) -> "Scope":
        """Return a scope with more names."""
        return Scope({**self, **values}, self.notation)


class Identity:
    """A multiple of the identity matrix, of the size that the formula needs."""

    __array_ufunc__ = None  # so that NumPy leaves the operators to this class

    def __init__(self, factor: Value = 1) -> None:
        self.factor = factor

    def __mul__(self, number: Value) -> "Identity":
        """Return a multiple of this matrix."""
        return Identity(self.factor * number)

    __rmul__ = __mul__

    def __radd__(self, matrix: Value) -> Value:
        """Return the sum of a matrix and this one."""
        return matrix + self.resize_like(matrix)

    def resize_like(self, matrix: Value) -> Value:
        """Return this matrix as an array of the size of another."""
        return np.where(np.eye(len(matrix), dtype=bool), self.factor, mpmath.mpf(0))


def check_chain(chain: Chain, scope: Scope) -> int:
    """Count the relations of a chain that hold at a point, and define the name that it defines.

    Raise `FormulaError` for the first relation that does not hold, and `UnsupportedFormula` for
    one that cannot be computed.
    """
    if chain.condition is not None and not is_true(chain.condition, scope):
        return 0
    if "⟺" in chain.relations:
        return _check_equivalence(chain, scope)
    start = 0
    if chain.relations[:1] == ("=",) and define(chain.sides[0], chain.sides[1], scope):
        start = 1
    sides = chain.sides[start:]
    values = [evaluate(side, scope) for side in sides] if len(sides) > 1 else []
    for step, (one, other) in enumerate(pairwise(values), start):
        try:
            holds = compare(one, chain.relations[step], other)
        except AssertionError as error:
            raise FormulaError(step, str(error)) from None
        if not holds:
            message = f"{format_value(one)} {chain.relations[step]} {format_value(other)}"
            raise FormulaError(step, message)
    return len(chain.relations) - start


def _check_equivalence(chain: Chain, scope: Scope) -> int:
    middle = chain.relations.index("⟺")
    one = Chain(chain.sides[: middle + 1], chain.relations[:middle])
    other = Chain(chain.sides[middle + 1 :], chain.relations[middle + 1 :])
    if is_true(one, scope) != is_true(other, scope):
        raise FormulaError(middle, "one side of ⟺ holds and the other does not")
    return 1


def is_true(chain: Chain, scope: Scope) -> bool:
    """Return whether all relations of a condition hold."""
    values = [evaluate(side, scope) for side in chain.sides]
    pairs = zip(pairwise(values), chain.relations, strict=True)
    return all(
        ORDERINGS[relation](one, other) if relation in ORDERINGS else compare(one, relation, other)
        for (one, other), relation in pairs
    )


def compare(one: Value, relation: str, other: Value) -> bool:
    """Return whether a relation holds between two values, up to rounding."""
    one = one.resize_like(other) if isinstance(one, Identity) else one
    other = other.resize_like(one) if isinstance(other, Identity) else other
    left, right = np.asarray(one, dtype=object), np.asarray(other, dtype=object)
    if left.shape != right.shape and left.size != 1 and right.size != 1:
        raise AssertionError(f"a side of shape {left.shape} and one of shape {right.shape}")
    left, right = np.broadcast_arrays(left, right)
    entries = list(zip(left.ravel(), right.ravel(), strict=True))
    size = max([mpmath.mpf(1), *(abs(entry) for pair in entries for entry in pair)])
    apart = [entry - against for entry, against in entries]
    match relation:
        case "=":
            return all(abs(gap) <= TOLERANCE * size for gap in apart)
        case "≈":
            return all(
                abs(gap) <= APPROX_TOLERANCE * abs(pair[1])
                for gap, pair in zip(apart, entries, strict=True)
            )
        case "∝":
            return _are_proportional(left.ravel(), right.ravel())
        case "≠":
            return any(abs(gap) > TOLERANCE * size for gap in apart)
        case "≤":
            return all(gap <= TOLERANCE * size for gap in apart)
        case "≥":
            return all(gap >= -TOLERANCE * size for gap in apart)
        case "<" | ">":
            return all(ORDERINGS[relation](gap, 0) for gap in apart)
    raise UnsupportedFormula(f"the relation {relation} cannot be computed")


def _are_proportional(one: Value, other: Value) -> bool:
    """Return whether one vector is a positive multiple of the other."""
    size, length = mp.sqrt(sum(abs(one) ** 2)), mp.sqrt(sum(abs(other) ** 2))
    return len(one) > 1 and all(abs(one * length - other * size) <= TOLERANCE * size * length)


def define(left: Tree, right: Tree, scope: Scope) -> bool:
    """Define the unknown name on the left side, and return whether there is one."""
    match left:
        case Name(text) if not scope.has_value(text):
            scope[text] = evaluate(right, scope)
        case Indexed(Name(text), indices) if not (
            scope.has_value(name_indexed(left)) or _is_indexable(text, scope)
        ):
            names = [index.text for index in indices if isinstance(index, Name)]
            if len(names) < len(indices) or not {*names} <= {*INDEX_LETTERS}:
                scope[name_indexed(left)] = evaluate(right, scope)
            if len(names) == len(indices):
                own = {*names} <= {*INDEX_LETTERS} and not scope.has_value(text)
                scope[text if own else f"{text}_"] = _make_function(names, right, scope)
        case Product((Name(text), Brackets("(", parts))) if not scope.has_value(text):
            names = [part.text for part in parts if isinstance(part, Name)]
            if len(names) != len(parts):
                return False
            scope[text] = _make_function(names, right, scope)
        case Product((Indexed(Name(text), (Name(index),)), Brackets("(", (Name(argument),)))) if (
            not scope.has_value(text)
        ):
            scope[text] = lambda one: (
                lambda other: evaluate(right, scope.extend(**{index: one, argument: other}))
            )
        case _:
            return False
    return True


def find_defined_names(left: Tree) -> set[str]:
    """Return the names that an equation may define, by its left side."""
    match left:
        case Name(text):
            return {text}
        case Indexed(Name(text)):
            return {text, name_indexed(left)}
        case Product((Name(text), Brackets())):
            return {text}
        case Product((Indexed(Name(text)), Brackets())):
            return {text}
    return set()


def _is_indexable(name: str, scope: Scope) -> bool:
    """Return whether a name has a value that takes an index."""
    return scope.has_value(name) and (callable(scope[name]) or isinstance(scope[name], np.ndarray))


INDEX_LETTERS = (
    "i",
    "j",
    "n",
    "p",
    "q",
    "k",
    "c",
    "t",
)  # letters that can be the index of a definition


def _make_function(names: list[str], body: Tree, scope: Scope) -> Callable[..., Value]:
    def call(*values: Value) -> Value:
        return evaluate(body, scope.extend(**dict(zip(names, values, strict=True))))

    return call


def name_indexed(tree: Indexed) -> str:
    """Return the name that a letter and its index form together: `L_0`, `β_fast`, `W_Q`."""
    if not isinstance(tree.base, Name):
        return ""
    parts = [part.text for part in tree.indices if isinstance(part, Name | Number)]
    return f"{tree.base.text}_{','.join(parts)}" if len(parts) == len(tree.indices) else ""


def evaluate(tree: Tree, scope: Scope) -> Value:
    """Return the value of a tree."""
    match tree:
        case Number(text):
            return mpmath.mpf(text)
        case Name(text):
            return scope[text]
        case Indexed(base, indices):
            return _evaluate_indexed(tree, base, indices, scope)
        case Power(base, exponent):
            return _evaluate_power(base, exponent, scope)
        case Brackets(kind, parts):
            return _evaluate_fenced(kind, [evaluate(part, scope) for part in parts])
        case Application():
            return _evaluate_applied(tree, scope)
        case Product(factors):
            return _multiply_factors(list(factors), scope)
        case Quotient(above, below, kind):
            return _divide(evaluate(above, scope), kind, evaluate(below, scope))
        case Sum(terms):
            return _add(terms, scope)
        case Matrix(((first, _, _), (_, Name("⋱"), _), (_, _, last))):
            return _join_diagonal([*_evaluate_dots(first, last, scope)])
        case Matrix(((first,), (Name("⋮"),), (last,))):
            return np.concatenate([*_evaluate_dots(first, last, scope)])
        case Matrix(rows):
            return _join_matrix([[evaluate(entry, scope) for entry in row] for row in rows])
        case Cases(cases):
            for value, condition in cases:
                if condition is None or is_true(condition, scope):
                    return evaluate(value, scope)
            raise UnsupportedFormula("no case applies")
        case Chain((side,), ()):
            return evaluate(side, scope)
    raise UnsupportedFormula(f"a {type(tree).__name__} has no value")


def _divide(one: Value, kind: str, other: Value) -> Value:
    """Return a quotient, a remainder, or the product that a cross stands for."""
    if kind == "mod":
        return mp.fmod(mp.fmod(one, other) + other, other)
    if kind == "×":
        return np.cross(one, other) if isinstance(one, np.ndarray) else one * other
    return one / other


def _add(terms: tuple[tuple[str, Tree], ...], scope: Scope) -> Value:
    total: Value = None
    for sign, term in terms:
        value = evaluate(term, scope)
        if callable(value):
            raise UnsupportedFormula("a sum of functions")
        if sign == "±":
            value = scope["±"] * value
        value = -value if sign == "−" else value
        total = value if total is None else total + value
    return total


def _multiply_factors(factors: list[Tree], scope: Scope) -> Value:
    """Multiply factors from the left, and call a function with the brackets after it."""
    value: Value = None
    for position, factor in enumerate(factors):
        if value is not None and callable(value):
            bracket, wrap = _strip_argument(factor)
            if not isinstance(bracket, Brackets):
                raise UnsupportedFormula("a function without brackets")
            value = wrap(value(*(evaluate(part, scope) for part in bracket.parts)), scope)
            continue
        other = evaluate(factor, scope)
        if value is None:
            value = other
        elif callable(other):  # a function after a factor: the rest is a product of its own
            return multiply(value, _multiply_factors(factors[position:], scope))
        else:
            value = multiply(value, other)
    return value


def _strip_argument(tree: Tree) -> tuple[Tree, Callable[[Value, Scope], Value]]:
    """Return the brackets of an argument, and a function that applies their index or power."""
    if isinstance(tree, Indexed):
        inner, wrap = _strip_argument(tree.base)
        return inner, lambda value, scope: take_entry(
            wrap(value, scope), [evaluate(index, scope) for index in tree.indices]
        )
    if isinstance(tree, Power):
        inner, wrap = _strip_argument(tree.base)
        return inner, lambda value, scope: raise_to(wrap(value, scope), tree.exponent, scope)
    return tree, lambda value, scope: value


def multiply(one: Value, other: Value) -> Value:
    """Return a product; of arrays, the matrix product."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.ndim and other.ndim:
        return one @ other
    return one * other


def _evaluate_indexed(tree: Indexed, base: Tree, indices: tuple[Tree, ...], scope: Scope) -> Value:
    name = name_indexed(tree)
    if name and scope.has_value(name):
        return scope[name]
    values = [evaluate(index, scope) for index in indices]
    if isinstance(base, Power) and base.exponent == Name("¯"):  # the conjugate of an entry
        if isinstance(base.base, Name) and scope.has_value(f"{base.base.text}¯"):
            return take_entry(scope[f"{base.base.text}¯"], values)
        return mp.conj(take_entry(evaluate(base.base, scope), values))
    if isinstance(base, Name) and scope.has_value(f"{base.text}_"):
        return scope[f"{base.text}_"](*values)
    return take_entry(evaluate(base, scope), values)


def take_entry(value: Value, indices: list[Value]) -> Value:
    """Return an entry of an array, or the value of a function at an index."""
    if callable(value):
        return value(*indices)
    if not isinstance(value, np.ndarray):
        raise UnsupportedFormula("an index of a number")
    for index in indices:
        if index != int(index) or not 0 <= index < len(value):
            raise UnsupportedFormula(f"the index {format_value(index)} of {len(value)}")
        value = value[int(index)]
    return value


def _evaluate_power(base: Tree, exponent: Tree, scope: Scope) -> Value:
    if exponent == Name("¯"):
        if isinstance(base, Name) and scope.has_value(f"{base.text}¯"):
            return scope[f"{base.text}¯"]
        conjugate = scope["¯"] if scope.has_value("¯") else mp.conj  # or another use of the bar
        return conjugate(evaluate(base, scope))
    return raise_to(evaluate(base, scope), exponent, scope)


def raise_to(value: Value, exponent: Tree, scope: Scope) -> Value:
    """Return a power, a transpose or an inverse."""
    if exponent == Name("⊤"):
        return value.T if isinstance(value, np.ndarray) else value
    if exponent == Sum((("−", Name("⊤")),)):
        return raise_to(value, Sum((("−", Number("1")),)), scope).T
    many = evaluate(exponent, scope)
    if callable(value) or callable(many):
        raise UnsupportedFormula("a power of a function")
    if isinstance(value, np.ndarray):
        if value.ndim != 2 or many != int(many):
            raise UnsupportedFormula("a power of an array that is not a square matrix")
        square = mpmath.matrix(value.tolist()) ** int(many)
        return np.array(square.tolist(), dtype=object)
    return mp.power(value, many)


def _evaluate_fenced(kind: str, values: list[Value]) -> Value:
    if kind == "⟨":
        one, other = values
        return one @ other
    if len(values) > 1 and all(isinstance(value, np.ndarray) for value in values):
        return np.stack(values, axis=1)  # the columns of a matrix
    if len(values) > 1 and kind == "(" and not any(map(callable, values)):
        return np.array(values, dtype=object)
    if len(values) != 1:
        raise UnsupportedFormula("brackets with several values")
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


def _evaluate_applied(tree: Application, scope: Scope) -> Value:
    if tree.indices:
        values = [evaluate(tree.body, inner) for inner in _iterate_scopes(tree, scope)]
        return sum_values(values) if tree.function == "sum" else FUNCTIONS[tree.function](*values)
    if tree.function in ("mean", "var"):
        return _average_positions(tree.function, tree.body, scope)
    if tree.function in ("E", "Var"):
        value = _take_expectation(tree.function, tree.body, scope)
        return value if tree.power is None else raise_to(value, tree.power, scope)
    if tree.function not in (*FUNCTIONS, "log"):
        raise UnsupportedFormula(f"{tree.function} cannot be computed")
    body = tree.body
    parts = body.parts if isinstance(body, Brackets) and body.kind == "(" else (body,)
    values = [evaluate(part, scope) for part in parts]
    if any(map(callable, values)):
        raise UnsupportedFormula(f"{tree.function} of a function")
    if tree.function == "log":
        if not tree.bounds:
            raise UnsupportedFormula("a logarithm without a base")
        value = mp.log(values[0]) / mp.log(evaluate(tree.bounds[0], scope))
    else:
        value = FUNCTIONS[tree.function](*values)
    return value if tree.power is None else mp.power(value, evaluate(tree.power, scope))


def sum_values(values: list[Value]) -> Value:
    """Return the sum of numbers or arrays."""
    total: Value = mpmath.mpf(0)
    for value in values:
        total = total + value
    return total


def _average_positions(name: str, body: Tree, scope: Scope) -> Value:
    """Return the mean or the variance over the positions of a sequence."""
    values = [evaluate(body, scope.extend(p=p)) for p in map(mpmath.mpf, range(int(scope["L"])))]
    mean = mp.fsum(values) / len(values)
    return mean if name == "mean" else mp.fsum((one - mean) ** 2 for one in values) / len(values)


def _take_expectation(name: str, body: Tree, scope: Scope) -> Value:
    """Return the mean or the variance over the outcomes of the letters that are random here."""
    if not scope.has_value("E"):
        raise UnsupportedFormula("the random letters have no outcomes; define them as E")
    outcomes = [(chance, evaluate(body, scope.extend(**values))) for chance, values in scope["E"]]
    mean = sum_values([chance * value for chance, value in outcomes])
    if name == "E":
        return mean
    return sum_values([chance * (value - mean) ** 2 for chance, value in outcomes])


def _iterate_scopes(tree: Application, scope: Scope) -> Iterator[Scope]:
    """Yield a scope for each value of the indices that meets the condition."""
    scopes = [scope]
    for index in tree.indices:
        scopes = [
            outer.extend(**{index: value})
            for outer in scopes
            for value in _iterate_index(tree, index, outer)
        ]
    for inner in scopes:
        if tree.condition is None or is_true(tree.condition, inner):
            yield inner


def _iterate_index(tree: Application, index: str, scope: Scope) -> Iterator[Value]:
    """Yield the values of an index: those between its bounds, or a range that has a name."""
    if not tree.bounds:
        name = f"range {index}"
        if not scope.has_value(name):
            raise UnsupportedFormula(f'the range of {index} is missing; define it as "{name}"')
        yield from map(mpmath.mpf, scope[name])
        return
    low, high = tree.bounds
    first = evaluate(low, scope)
    last = first + INFINITE_TERMS if high == Name("∞") else evaluate(high, scope)
    while first <= last:
        yield first
        first += 1


def _evaluate_dots(first: Tree, last: Tree, scope: Scope) -> Iterator[Value]:
    """Yield the entries that dots stand for, by their index, from the first to the last."""
    match first, last:
        case (Indexed(base, (Indexed(inner, (low,)),)), Indexed(_, (Indexed(_, (high,)),))):
            wrap: Callable[[Tree], Tree] = lambda n: Indexed(base, (Indexed(inner, (n,)),))  # noqa: E731
        case (Indexed(base, (low,)), Indexed(_, (high,))):
            wrap = lambda n: Indexed(base, (n,))  # noqa: E731
        case _:
            raise UnsupportedFormula("dots between entries without an index")
    for n in range(int(evaluate(low, scope)), int(evaluate(high, scope)) + 1):
        yield evaluate(wrap(Number(str(n))), scope)


def _join_diagonal(blocks: list[Value]) -> Value:
    """Return a matrix with square blocks on its diagonal."""
    size = sum(len(block) for block in blocks)
    matrix, start = np.full((size, size), mpmath.mpf(0), dtype=object), 0
    for block in blocks:
        end = start + len(block)
        matrix[start:end, start:end], start = block, end
    return matrix


def _join_matrix(rows: list[list[Value]]) -> Value:
    """Return a matrix of numbers, or of blocks; a single column of vectors is one vector."""
    if all(len(row) == 1 for row in rows):
        column = [np.atleast_1d(np.asarray(row[0], dtype=object)) for row in rows]
        return np.concatenate(column)
    blocks = [[np.asarray(entry, dtype=object) for entry in row] for row in rows]
    if all(entry.ndim == 0 for row in blocks for entry in row):
        return np.array([[entry[()] for entry in row] for row in blocks], dtype=object)
    return np.block(blocks)


def format_value(value: Value) -> str:
    """Return a value for a message."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return mpmath.nstr(value, 12) if isinstance(value, mpmath.mpf | mpmath.mpc) else str(value)
