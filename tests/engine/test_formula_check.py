"""Formulas are read as they are drawn, and computed."""

import mpmath
import pytest

from engine.formula_check import inline_formulas, statement_formulas
from engine.formula_check.parse import Unread, chains

WHOLE = {"n": "whole(9, least=1)", "k": "whole(9, least=1)", "x": "real(9)", "y": "real(9)"}


def held(tex: str, **letters: str) -> int:
    """Return how many relations of a formula hold, at all points; one that does not is told."""
    found = statement_formulas.reading(f"$$\n{tex}\n$$\n", {}, {**WHOLE, **letters})
    assert not found.unread, found.unread
    assert not found.wrong, found.wrong
    return found.held // statement_formulas.POINTS


@pytest.mark.parametrize(
    ("tex", "many"),
    [
        (r"k / 2\pi = \frac{k}{2\pi}", 1),
        (r"\sin 2x = 2 \sin x \cos x", 1),
        (r"\sin^2 x + \cos^2 x = 1", 1),
        (r"\cos(x - y) = \cos x \cos y + \sin x \sin y", 1),
        (r"\sum_{i=0}^{n-1} (2i + 1) = n^2", 1),
        (r"\sum_{i=1}^{n} i = \frac{n(n + 1)}{2}, \qquad \sum_{i=1}^{n} 1 = n", 2),
        (r"\sum_{i=0}^{\infty} 3^{-i} = \tfrac32", 1),
        (r"e^{x} e^{y} = e^{x + y}", 1),
        (r"\log_2 8^n = 3n", 1),
        (r"\sqrt{x^2} = |x| = \left| -x \right| \le |x| + |y|", 3),
        (r"(k - n) \bmod n = k \bmod n", 1),
        (r"\lfloor k / n \rfloor \le k / n \le \lceil k / n \rceil", 2),
        (r"\max(x, y) + \min(x, y) = x + y", 1),
        (r"\max_{i<n} i = n - 1", 1),
        (r"\left| e^{\mathrm{i} x} \right| = 1", 1),
        (r"\begin{aligned} (x + y)^2 &= x^2 + 2xy \\ &+ y^2 \\ &\ge 0 \end{aligned}", 2),
        (r"|x| = \begin{cases} x & \text{if } x \ge 0, \\ -x & \text{otherwise.} \end{cases}", 1),
        (r"2^{-25} \approx 3.0 \cdot 10^{-8} \qquad\text{or}\qquad \pi \approx 3.14", 2),
        (r"x > 0 \iff -x < 0", 1),
        (r"\pi < 4 < 5", 2),
    ],
)
def test_what_is_true_holds(tex, many):
    assert held(tex) == many


@pytest.mark.parametrize(
    "tex",
    [
        r"k / 2\pi = \frac{k}{2} \pi",
        r"\sin 2x = 2 \sin x",
        r"\sum_{i=1}^{n-1} i = \frac{n(n + 1)}{2}",
        r"\max(x, y) = x",
        r"n < k",
        r"x > 0 \iff x < 0",
        r"\pi \approx 3.34",
        r"|x| = \begin{cases} x & \text{if } x \le 0, \\ -x & \text{otherwise.} \end{cases}",
    ],
)
def test_what_is_false_does_not(tex):
    with pytest.raises(AssertionError, match="at "):
        held(tex)


def test_vectors_and_matrices():
    letters = {"u": "vector(3)", "v": "vector(3)", "A": "table(3, 3)", "B": "table(3, 3)"}

    assert held(r"(A B)^\top u = B^\top A^\top u, \qquad u^\top A v = v^\top A^\top u", **letters)
    assert held(r"A^{-1} A = I, \qquad (A + 2 I) u = A u + 2 u", **letters)
    assert held(r"\lVert u \rVert^2 = \langle u, u \rangle", **letters)
    assert held(
        r"\begin{pmatrix} A & B \end{pmatrix} \begin{pmatrix} u \\ v \end{pmatrix} = A u + B v",
        **letters,
    )
    with pytest.raises(AssertionError):
        held(r"A B = B A", **letters)


def test_the_notation_of_the_book():
    assert held(r"\lVert \mathrm{PE}_p \rVert^2 = d / 2, \qquad \omega_0 = 1")
    assert held(r"\mathrm{PE}_{p+k} = M_k\, \mathrm{PE}_p, \qquad R_k = M_k^\top")
    with pytest.raises(AssertionError):
        held(r"\mathrm{PE}_{p-k} = M_k\, \mathrm{PE}_p")


def test_a_name_on_the_left_is_defined_and_then_known():
    assert held(r"\begin{aligned} s &= x + y, \\ s^2 &= (x + y)^2 \end{aligned}") == 1
    assert held(r"\begin{aligned} f(5) &= 25, \\ f(t) &= t^2 \end{aligned}") == 1
    assert held(r"\begin{aligned} a_j &= 2 j, \\ a_3 &= 6 \end{aligned}") == 1


def test_a_sentence_may_define_what_a_formula_uses():
    said = "With $s = x + y$:\n\n$$\ns - y = x\n$$\n"

    assert statement_formulas.reading(said, {}, WHOLE).held == statement_formulas.POINTS
    assert statement_formulas.reading(said.replace("x + y", "x - y"), {}, WHOLE).wrong


@pytest.mark.parametrize(
    ("tex", "why"),
    [
        (r"f(x) \to 0", "→"),
        (r"x = 0 \text{ in most cases}", "in most cases"),
        (r"\operatorname{rank} x = \beth", "ℶ|rank"),
        (r"x = z", "z is not explained"),
    ],
)
def test_what_is_not_understood_is_said(tex, why):
    found = statement_formulas.reading(f"$$\n{tex}\n$$\n", {}, WHOLE)

    assert not found.held
    assert any(one in found.unread for one in why.split("|")), found.unread


def test_a_formula_without_end_is_not_understood():
    with pytest.raises(Unread):
        list(chains("<math><mi>x</mi><mo>=</mo></math>"))


def test_a_condition_that_is_never_met_is_said():
    first, second = r"x &= x && \text{for } x > 10", r"y &= y && \text{for } y < 9"
    tex = rf"\begin{{aligned}} {first}, \\ {second} \end{{aligned}}"

    assert "never" in statement_formulas.reading(f"$$\n{tex}\n$$\n", {}, WHOLE).unread
    assert statement_formulas.reading(f"$$\n{tex.replace('10', '0')}\n$$\n", {}, WHOLE).held


def test_points_are_those_of_the_cards_comparisons():
    said = """
```pycon
>>> gap(lambda d, L0, omega: 0, lambda d, L0, omega: 0, d=even(8), L0=real(9), omega=real(2)) == 0
True
```
"""
    assert statement_formulas.domains(said) == [{"d": "even(8)", "L_0": "real(9)", "ω": "real(2)"}]


def test_numbers_are_exact_and_the_working_precision_is_left_alone():
    before = mpmath.mp.dps

    assert (
        held(r"10^{12} \left( \sqrt{1 + 10^{-24}} - 1 \right) \ge 10^{-13} \cdot 2", n="whole(9)")
        == 1
    )
    assert mpmath.mp.dps == before


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        (r"\omega_i = b^{-2i/d}", True),
        (r"\omega_i = b^{-i/d}", False),
        (r"\omega_i = b^{-2i/(d-2)}", False),
        (r"D(k) = D(-k)", True),
        (r"D(k) = -D(-k)", False),
        (r"\lvert D(k) \rvert \le d/4", False),
        (r"\omega_1 = 0.7", True),  # of an example
        (r"\omega_i = f(i)", True),  # f is nothing that the book knows
    ],
)
def test_a_formula_in_the_line_holds_where_it_speaks_of_the_notation(formula, holds):
    said = [place for place, _ in inline_formulas.wrong(f"# T\n\n- So ${formula}$ is found.\n")]

    assert said == ([] if holds else [10])
    assert [*inline_formulas.wrong(f"# T\n\nLet ${formula}$ be so.\n")] == []
