"""A proof of a bound has to end with a side of its statement."""

import pytest

from formula_check.blocks import find_proofs
from formula_check.letters import Letters
from formula_check.proof_ends import check_proof_end

PAGE = r"""# T

/// proof
For all real numbers,

$$
\begin{{aligned}}
x\, e^{{-x}} &{first} \tfrac12 x \\
&{relation} {end} .
\end{{aligned}}
$$
///

/// statement | One
    attrs: {{id: eq-one}}

For every $x$ from 0 on,

$$
x\, e^{{-x}} \le {bound} .
$$
///

/// verification | All of it
```pycon
>>> share(left, right, x=real(10, least=1)) < 1
True
```
///
"""


def check_end(end: str, bound: str, first: str = r"\le", relation: str = r"\le") -> str:
    """Return the message for a proof with this end, of a statement with this bound."""
    page = PAGE.format(first=first, relation=relation, end=end, bound=bound)
    (proof,) = find_proofs(page)
    return check_proof_end(proof, Letters())


@pytest.mark.parametrize(
    ("end", "bound"),
    [("x", "x"), ("x^2 + 1", "1 + x x"), (r"\tfrac12 x", r"\frac{x}{2}")],
)
def test_a_proof_may_write_the_bound_in_another_form(end, bound):
    assert check_end(end, bound) == ""


@pytest.mark.parametrize(
    ("end", "bound"), [("x", r"\tfrac12 x"), (r"\tfrac12 x", "x"), ("x", "2 x")]
)
def test_a_bound_that_the_proof_does_not_derive_is_refused(end, bound):
    assert ", which is no side of the statement, at " in check_end(end, bound)


def test_bounds_in_other_letters_are_ignored():
    assert check_end("y", "x") == ""


def test_equalities_are_ignored():
    assert check_end("2 x", "x", first="=", relation="=") == ""
