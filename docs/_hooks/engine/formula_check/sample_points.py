"""Points at which a formula is computed: values for its letters.

Those that the card's own comparisons draw, under the names that Python has for them, or what
`docs/reference/formula_letters.toml` says for the card.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

from engine.formula_check.evaluate import Unity

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "lam": "λ", "mu": "μ", "nu": "ν", "omega": "ω", "phi": "φ",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "Delta": "Δ",
}  # fmt: skip
NUMBERED = re.compile(r"([A-Za-z])(\d)")
MARKS = str.maketrans({"∗": "star", "′": "prime"})  # which no name of Python may have
SEED = 20170612
EDGES = 1 / 3  # of all points: where a letter has one of its edges


def letters(domain: Mapping[str, str]) -> dict[str, str]:
    """Return the domains of a comparison, by the letters of the formula: `L0` is `L_0`."""
    return {letter(name): text for name, text in domain.items()}


def letter(name: str) -> str:
    """Return what a formula has for a name of Python."""
    kernel, mark, index = name.partition("_")
    kernel = GREEK.get(kernel, NUMBERED.sub(r"\1_\2", kernel))
    return f"{kernel}{mark}{index}"


def drawn(written: Mapping[str, str], tries: int) -> Iterator[dict[str, Any]]:
    """Yield points: each letter has what its expression gives, drawn where that is a domain."""
    from posenc.proofs import Domain

    rng = np.random.default_rng(SEED)
    for _ in range(tries):
        point: dict[str, Any] = {}
        for name, text in written.items():
            named = {name.translate(MARKS): value for name, value in point.items()}
            value = eval(text, {**_helpers(rng), **named})
            if isinstance(value, Domain):
                at_edge = value.edges and rng.random() < EDGES
                value = value.edges[rng.integers(len(value.edges))] if at_edge else value.draw(rng)
            point[name] = exact(value)
        yield point


def exact(value: Any) -> Any:
    """Return a value with mpmath's numbers in place of Python's."""
    if isinstance(value, bool | str | range | tuple | Unity) or callable(value):
        return value
    if isinstance(value, np.ndarray | list):
        if np.asarray(value).dtype == bool:
            return value
        found = np.empty(np.shape(value), dtype=object)
        entries = np.asarray(value).ravel().tolist()
        known = {one: mp.mpmathify(one) for one in {*entries}}  # a table of biases has few numbers
        found.ravel()[:] = [known[one] for one in entries]
        return found
    return mp.mpmathify(value.item() if isinstance(value, np.generic) else value)


def size(value: Any) -> Any:
    """Return the length of a vector."""
    return mp.sqrt(value @ value)


def _helpers(rng: np.random.Generator) -> dict[str, Any]:
    """Return what an expression may call."""
    from posenc import proofs

    return {
        **{name: getattr(proofs, name) for name in proofs.__all__},
        "posenc": Plainly(),
        "np": np,
        "mpmath": mpmath,
        "vector": lambda length: exact(rng.normal(size=int(length))),
        "table": lambda rows, columns: exact(rng.normal(size=(int(rows), int(columns)))),
        "mp": mp,
        "I": Unity,
        "size": size,
    }


class Plainly:
    """The package, called with the numbers of mpmath: it receives Python's and NumPy's."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return a function of the package, or of one of its modules."""
        import posenc

        function = getattr(posenc, name)

        def call(*values: Any, **words: Any) -> Any:
            found = function(
                *map(plain, values), **{word: plain(value) for word, value in words.items()}
            )
            return exact(found) if isinstance(found, np.ndarray | float | int) else found

        return call


def plain(value: Any) -> Any:
    """Return a value with Python's numbers, whole ones as integers."""
    if isinstance(value, np.ndarray):
        if value.dtype == bool:
            return value
        return np.array([plain(one) for one in value.ravel()]).reshape(value.shape)
    if isinstance(value, mpmath.mpc):
        return complex(value)
    if isinstance(value, mpmath.mpf):
        return int(value) if value == int(value) else float(value)
    return type(value)(map(plain, value)) if isinstance(value, list | tuple) else value
