"""Draw the points at which a formula is evaluated: values for its letters.

A letter has a domain in the session, or an expression in `docs/reference/formula_letters.toml`.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from types import ModuleType
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

from formula_check.evaluate import Identity

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "lam": "λ", "mu": "μ", "nu": "ν", "omega": "ω", "phi": "φ",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "Delta": "Δ",
}  # fmt: skip
DIGIT_SUFFIX = re.compile(r"([A-Za-z])(\d)")
MARK_NAMES = str.maketrans({"∗": "star", "′": "prime"})  # as expressions of Python spell them
SEED = 20170612
EDGE_SHARE = 1 / 3  # how often a letter has one of the edges of its domain

Outcomes = list[tuple[Any, Any]]  # the chance of each value

# A uniform draw from [0, 1) by Gauss's rule, exact for polynomials up to degree 5.
UNIFORM: Outcomes = [
    (mpmath.mpf(5) / 18, (1 - mpmath.sqrt(0.6)) / 2),
    (mpmath.mpf(8) / 18, mpmath.mpf(1) / 2),
    (mpmath.mpf(5) / 18, (1 + mpmath.sqrt(0.6)) / 2),
]
# An angle of the full circle, exact for waves of up to eleven turns.
CIRCLE: Outcomes = [(mpmath.mpf(1) / 12, mpmath.pi * n / 6) for n in range(12)]


def rename_letters(domain: Mapping[str, str]) -> dict[str, str]:
    """Return domains by the letters of the formula in place of Python's names: `L_0` for `L0`."""
    return {name_in_formula(name): text for name, text in domain.items()}


def name_in_formula(name: str) -> str:
    """Return the letter of a formula that a name of Python stands for."""
    kernel, mark, index = name.partition("_")
    kernel = GREEK.get(kernel, DIGIT_SUFFIX.sub(r"\1_\2", kernel))
    return f"{kernel}{mark}{index}"


def name_in_python(letter: str) -> str:
    """Return the name that an expression of Python has for a letter of a formula."""
    return letter.translate(MARK_NAMES)


def draw_points(expressions: Mapping[str, str], count: int) -> Iterator[dict[str, Any]]:
    """Yield points: the value of each letter's expression, or one drawn from it if a domain."""
    from posenc.proofs import Domain

    rng = np.random.default_rng(SEED)
    for _ in range(count):
        point: dict[str, Any] = {}
        for name, text in expressions.items():
            named = {name_in_python(name): value for name, value in point.items()}
            value = eval(text, {**_build_namespace(rng), **named})
            if isinstance(value, Domain):
                at_edge = value.edges and rng.random() < EDGE_SHARE
                value = value.edges[rng.integers(len(value.edges))] if at_edge else value.draw(rng)
            point[name] = convert_to_mpmath(value)
        yield point


def convert_to_mpmath(value: Any) -> Any:
    """Return a value with the numbers of mpmath."""
    if isinstance(value, bool | str | range | tuple | Identity) or callable(value):
        return value
    if isinstance(value, np.ndarray | list):
        if np.asarray(value).dtype == bool:
            return value
        result = np.empty(np.shape(value), dtype=object)
        entries = np.asarray(value).ravel().tolist()
        converted = {each: mp.mpmathify(each) for each in {*entries}}  # entries often repeat
        result.ravel()[:] = [converted[each] for each in entries]
        return result
    return mp.mpmathify(value.item() if isinstance(value, np.generic) else value)


def compute_norm(value: Any) -> Any:
    """Return the length of a vector."""
    return mp.sqrt(value @ value)


def _build_namespace(rng: np.random.Generator) -> dict[str, Any]:
    """Return the names that an expression may use."""
    import posenc
    from posenc import proofs

    return {
        **{name: getattr(proofs, name) for name in proofs.__all__},
        "posenc": ExactModule(posenc),
        "np": np,
        "mpmath": mpmath,
        "vector": lambda length: convert_to_mpmath(rng.normal(size=int(length))),
        "table": lambda rows, columns: convert_to_mpmath(
            rng.normal(size=(int(rows), int(columns)))
        ),
        "mp": mp,
        "I": Identity,
        "size": compute_norm,
        "outcomes": list_outcomes,
        "UNIFORM": UNIFORM,
        "CIRCLE": CIRCLE,
    }


def list_outcomes(**letters: Outcomes) -> tuple[tuple[Any, dict[str, Any]], ...]:
    """Return the outcomes of independent letters together, each with its chance."""
    result = []
    for together in product(*letters.values()):
        chance = mp.fprod(mp.mpmathify(one) for one, _ in together)
        values = zip(map(name_in_formula, letters), (value for _, value in together), strict=True)
        result.append((chance, dict(values)))
    return tuple(result)


class ExactModule:
    """A module of the package, called with mpmath numbers; it receives Python's and NumPy's."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        """Return a submodule, or a function that takes and returns mpmath numbers."""
        function = getattr(self._module, name)
        if isinstance(function, ModuleType):
            return ExactModule(function)

        def call(*values: Any, **words: Any) -> Any:
            result = function(
                *map(convert_to_python, values),
                **{word: convert_to_python(value) for word, value in words.items()},
            )
            numeric = isinstance(result, np.ndarray | float | int)
            return convert_to_mpmath(result) if numeric else result

        return call


def convert_to_python(value: Any) -> Any:
    """Return a value with the numbers of Python, whole ones as integers."""
    if isinstance(value, np.ndarray):
        if value.dtype == bool:
            return value
        return np.array([convert_to_python(one) for one in value.ravel()]).reshape(value.shape)
    if isinstance(value, mpmath.mpc):
        return complex(value)
    if isinstance(value, mpmath.mpf):
        return int(value) if value == int(value) else float(value)
    return type(value)(map(convert_to_python, value)) if isinstance(value, list | tuple) else value
