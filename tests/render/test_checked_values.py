"""The line of a card on the values for which its statement is checked."""

import pytest

from render.checked_values import describe_values, format_number, list_letters

FORMULAS = r"""For $d \ge 2$ and $\mathrm{PE}_p$, with $h_{\text{kv}}$:

$$
\omega_i p = L_0 \beta_\text{low}
$$
"""


def session(*calls: str) -> str:
    return "```pycon\n" + "".join(f">>> gap(f, g, {call})\nTrue\n" for call in calls) + "```\n"


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        (["d=even(8)"], "even *d* from 2 to 8"),
        (["d=whole(8, least=1), p=whole(8, least=1)"], "integers *d* and *p* from 1 to 8"),
        (["L0=above(1, 10**6)"], "1 < *L*<sub>0</sub> ≤ 10⁶"),
        (["d=above(0, 3), p=above(0, 3)"], "0 < *d*, *p* ≤ 3"),
        (["w=real(1)"], "real *ω* between −1 and 1"),
        (["p=one_of(1, 2)"], "*p* = 1 or 2"),
        (["p=one_of(1, 2, 3, 4, 5, 6)"], "*p* = 1, 2, 3, … 6 (6 values)"),
        # each letter once, with the widest range of its first kind
        (["p=real(8)", "p=real(2**53)", "p=whole(9)"], "real *p* between −2⁵³ and 2⁵³"),
        (["p=one_of(1, 2)", "p=whole(9, least=1)"], "integer *p* from 1 to 9"),
        # names of the code are left out, but not that they vary
        (["p=real(1), way=one_of('a', 'b')"], "real *p* between −1 and 1"),
        (["d=even(8), seed=seed()"], "even *d* from 2 to 8, the rest drawn at random"),
        (["n=seed()"], "values drawn at random"),
    ],
)
def test_values_are_described_in_the_letters_of_the_formulas(calls, words):
    assert describe_values(session(*calls), FORMULAS) == f"Checked for {words}."


@pytest.mark.parametrize("calls", [[], ["way=one_of(1, 2)"], ["p=open('x')"]])
def test_nothing_is_said_without_a_letter_or_a_domain(calls):
    assert describe_values(session(*calls), FORMULAS) == ""


def test_letters_are_those_of_formulas_without_words():
    letters = list_letters(FORMULAS)

    assert {"d", "p", "ω", "ω_i", "i", "L_0", "β_low", "h_kv"} <= letters
    assert not {"E", "P", "F", "o"} & letters


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (2**53 - 300, "2⁵³"),
        (-(10**6), "−10⁶"),
        (1e-9, "10⁻⁹"),
        (0, "0"),
        (3.14, "3.14"),
        (2000, "2000"),
        (0.50390625, "0.5039"),
        (0.999999, "0.999999"),
        (8958937768937, "about 9.0·10¹²"),
    ],
)
def test_numbers_are_short(number, words):
    assert format_number(number) == words
