"""A proof that leads to a bound ends with a side of its statement."""

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


def said(end: str, bound: str, first: str = r"\le", relation: str = r"\le") -> str:
    page = PAGE.format(first=first, relation=relation, end=end, bound=bound)
    (proof,) = find_proofs(page)
    return check_proof_end(proof, Letters())


@pytest.mark.parametrize(
    ("end", "bound"),
    [("x", "x"), ("x^2 + 1", "1 + x x"), (r"\tfrac12 x", r"\frac{x}{2}")],
)
def test_a_proof_may_end_with_the_bound_however_it_is_written(end, bound):
    assert said(end, bound) == ""


@pytest.mark.parametrize(
    ("end", "bound"), [("x", r"\tfrac12 x"), (r"\tfrac12 x", "x"), ("x", "2 x")]
)
def test_another_bound_than_the_derived_one_is_refused(end, bound):
    assert ", which is no side of the statement, at " in said(end, bound)


def test_what_the_statement_does_not_speak_of_is_left_alone():
    assert said("y", "x") == ""


def test_equalities_are_left_to_the_statement_itself():
    assert said("2 x", "x", first="=", relation="=") == ""
