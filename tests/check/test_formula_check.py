"""Displayed formulas are parsed from MathML and evaluated."""

import mpmath
import pytest

from formula_check.blocks import find_proofs, read_domains
from formula_check.displays import POINTS
from formula_check.inline_formulas import find_wrong_formulas
from formula_check.letters import Letters, order_letters
from formula_check.parse import UnsupportedFormula, parse_chains
from formula_check.proof_formulas import check_derivation, find_derivations
from formula_check.statement_formulas import Result, check_statement

WHOLE = {"n": "whole(9, least=1)", "k": "whole(9, least=1)", "x": "real(9)", "y": "real(9)"}


def count_true(tex: str, **letters: str) -> int:
    """Return how many relations of a formula hold, at all points."""
    result = check_statement(f"$$\n{tex}\n$$\n", {}, Letters({**WHOLE, **letters}))
    assert not result.unsupported, result.unsupported
    assert not result.failure, result.failure
    return result.checked // POINTS


@pytest.mark.parametrize(
    ("tex", "count"),
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
        (r"\sum_{r \ge 1} 2^{-r} = 1", 1),
        (r"\cos x \begin{pmatrix} 1 \\ y \end{pmatrix} = (\cos x, y \cos x)", 1),
        (r"(n, x) \propto (2n, 2x)", 1),
    ],
)
def test_true_formulas_hold(tex, count):
    assert count_true(tex) == count


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
def test_false_formulas_are_refuted(tex):
    with pytest.raises(AssertionError, match="at "):
        count_true(tex)


@pytest.mark.parametrize(
    ("tex", "holds"),
    [
        (r"\sum_{j:\, j \ne 2} j = 4", True),
        (r"\sum_{j:\, j \ne 1} j = 4", False),
        (r"\sum_{j \ne k_*} j = 4", True),
        (r"\sum_{u_j = 1} j = 3", True),
        (r"\sum_{i, j} i j = 36", True),
        (r"\sum_{i, j} i j = 35", False),
    ],
)
def test_sums_over_named_ranges(tex, holds):
    ranges = {"range i": "range(4)", "range j": "range(4)", "k_∗": "2", "u": "[1, 1, 1, 0]"}
    result = check_statement(f"$$\n{tex}\n$$\n", {}, Letters(ranges))

    assert not result.unsupported
    assert bool(result.checked) == holds


@pytest.mark.parametrize(
    ("tex", "holds"),
    [
        (r"\operatorname{E} z = \tfrac12, \qquad \operatorname{Var} z = \tfrac1{12}", True),
        (r"\operatorname{E}\,(z + x)(z + y) = \tfrac13 + \tfrac12 (x + y) + x y", True),
        (r"\mathrm{E}[z]^2 = \tfrac14", True),
        (r"2 \operatorname{E} z \operatorname{E} z^2 = \tfrac13", True),
        (r"\operatorname{E} z^2 = \tfrac14", False),
    ],
)
def test_means_and_variances_over_outcomes(tex, holds):
    result = check_statement(f"$$\n{tex}\n$$\n", {}, Letters({**WHOLE, "E": "outcomes(z=UNIFORM)"}))

    assert not result.unsupported
    assert bool(result.checked) == holds


def test_a_letter_that_is_not_an_identifier_in_python():
    assert count_true(r"z = 2 \ell", **{"ℓ": "real(9)", "z": "2 * ℓ"})
    with pytest.raises(AssertionError):
        count_true(r"z = 3 \ell", **{"ℓ": "real(9, least=1)", "z": "2 * ℓ"})


def test_letters_are_evaluated_after_the_letters_they_use():
    values = {"z": "2 * y", "y": "x + k_star", "k_∗": "real(9)", "unused": "z"}
    ordered = order_letters(values, {"x": "real(9)"}, {"x", "z"}, "")

    assert [*ordered] == ["x", "k_∗", "y", "z"]


def test_vectors_and_matrices():
    letters = {"u": "vector(3)", "v": "vector(3)", "A": "table(3, 3)", "B": "table(3, 3)"}

    assert count_true(
        r"(A B)^\top u = B^\top A^\top u, \qquad u^\top A v = v^\top A^\top u", **letters
    )
    assert count_true(r"A^{-1} A = I, \qquad (A + 2 I) u = A u + 2 u", **letters)
    assert count_true(r"\lVert u \rVert^2 = \langle u, u \rangle", **letters)
    assert count_true(
        r"\begin{pmatrix} A & B \end{pmatrix} \begin{pmatrix} u \\ v \end{pmatrix} = A u + B v",
        **letters,
    )
    with pytest.raises(AssertionError):
        count_true(r"A B = B A", **letters)


def test_the_notation_of_the_book():
    assert count_true(r"\lVert \mathrm{PE}_p \rVert^2 = d / 2, \qquad \omega_0 = 1")
    assert count_true(r"\mathrm{PE}_{p+k} = M_k\, \mathrm{PE}_p, \qquad R_k = M_k^\top")
    with pytest.raises(AssertionError):
        count_true(r"\mathrm{PE}_{p-k} = M_k\, \mathrm{PE}_p")


def test_an_unknown_name_on_the_left_is_defined():
    assert count_true(r"\begin{aligned} s &= x + y, \\ s^2 &= (x + y)^2 \end{aligned}") == 1
    assert count_true(r"\begin{aligned} f(5) &= 25, \\ f(t) &= t^2 \end{aligned}") == 1
    assert count_true(r"\begin{aligned} a_j &= 2 j, \\ a_3 &= 6 \end{aligned}") == 1


def test_a_sentence_may_define_what_a_formula_uses():
    text = "With $s = x + y$:\n\n$$\ns - y = x\n$$\n"

    assert check_statement(text, {}, Letters(WHOLE)).checked == POINTS
    assert check_statement(text.replace("x + y", "x - y"), {}, Letters(WHOLE)).failure


@pytest.mark.parametrize(
    ("tex", "why"),
    [
        (r"f(x) \to 0", "→"),
        (r"x = 0 \text{ in most cases}", "in most cases"),
        (r"\operatorname{rank} x = \beth", "ℶ|rank"),
        (r"x = z", "z has no value"),
    ],
)
def test_unsupported_formulas_have_a_reason(tex, why):
    result = check_statement(f"$$\n{tex}\n$$\n", {}, Letters(WHOLE))

    assert not result.checked
    assert any(one in result.unsupported for one in why.split("|")), result.unsupported


def test_an_incomplete_formula_cannot_be_parsed():
    with pytest.raises(UnsupportedFormula):
        list(parse_chains("<math><mi>x</mi><mo>=</mo></math>"))


def test_a_condition_that_is_never_met_is_reported():
    first, second = r"x &= x && \text{for } x > 10", r"y &= y && \text{for } y < 9"
    tex = rf"\begin{{aligned}} {first}, \\ {second} \end{{aligned}}"

    assert "never" in check_statement(f"$$\n{tex}\n$$\n", {}, Letters(WHOLE)).unsupported
    assert check_statement(f"$$\n{tex.replace('10', '0')}\n$$\n", {}, Letters(WHOLE)).checked


def test_domains_come_from_the_comparisons():
    text = """
```pycon
>>> gap(lambda d, L0, omega: 0, lambda d, L0, omega: 0, d=even(8), L0=real(9), omega=real(2)) == 0
True
```
"""
    assert read_domains(text) == [{"d": "even(8)", "L_0": "real(9)", "ω": "real(2)"}]


def test_numbers_are_exact_and_the_precision_is_restored():
    before = mpmath.mp.dps

    assert (
        count_true(
            r"10^{12} \left( \sqrt{1 + 10^{-24}} - 1 \right) \ge 10^{-13} \cdot 2", n="whole(9)"
        )
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
        (r"\omega_1 = 0.7", True),  # an example
        (r"\omega_i = f(i)", True),  # f is not in the notation
    ],
)
def test_inline_formulas_in_the_notation_of_the_book(formula, holds):
    positions = [each for each, _ in find_wrong_formulas(f"# T\n\n- So ${formula}$ is true.\n")]

    assert positions == ([] if holds else [10])
    assert [*find_wrong_formulas(f"# T\n\nLet ${formula}$ be so.\n")] == []


STATEMENT = r"""/// statement | Twice
    attrs: {id: eq-twice}

With $s = 2x$,

$$
s \le 2 \lvert x \rvert .
$$
///

/// verification | Both sides
```pycon
>>> share(left, right, x=real(10)) < 1
True
```
///
"""
PROOF = r"""/// proof
Let $t = -x$.

$$
\begin{aligned}
&s + 4 \\
&= 2x + 4 \\
&\le 2 \lvert t \rvert + 4 .
\end{aligned}
$$

```pycon
>>> steps(left, "=", middle, "<=", right, x=real(10))
'2 steps hold at 60 points'
```
///
"""
OTHER = STATEMENT.replace("eq-twice", "eq-other").replace("s = 2x", "s = 3x")


def prove(page: str) -> Result:
    """Return the result of checking the only derivation of a page."""
    (proof,) = find_proofs(page)
    (derivation,) = find_derivations(proof)
    return check_derivation(derivation, proof, Letters())


@pytest.mark.parametrize(
    "page",
    [
        f"{OTHER}\nText of some length between two cards.\n\n{PROOF}\n{STATEMENT}",
        f"{STATEMENT}\n{PROOF}\nText of some length between two cards.\n\n{OTHER}",
        STATEMENT.replace("/// verification", f"{PROOF}\n/// verification") + OTHER,
        f"{PROOF}\n{STATEMENT}\n{OTHER}",
    ],
)
def test_a_proof_belongs_to_the_nearest_statement(page):
    (proof,) = find_proofs(page)

    assert proof.id == "eq-twice"
    assert prove(page).checked == 2 * POINTS


@pytest.mark.parametrize(
    ("was", "now", "number"),
    [
        ("= 2x + 4", "= 2x - 4", 2),
        ("= 2x + 4", "= 3x + 4", 2),
        (r"\lvert t \rvert + 4", r"\lvert t \rvert + 3", 3),
        (r"\le", r"\ge", 3),
        ("t = -x", "t = x/2", 3),
    ],
)
def test_the_wrong_line_of_a_proof_is_reported(was, now, number):
    page = f"{PROOF}\n{STATEMENT}"
    assert was in page
    wrong = page.replace(was, now, 1)

    result = prove(wrong)
    (proof,) = find_proofs(wrong)
    (derivation,) = find_derivations(proof)

    assert " at x = " in result.failure
    assert derivation.find_line(result.step).number == number


def test_a_comment_in_a_proof_does_not_shift_lines():
    proof = PROOF.replace("Let $t", "<!-- a comment of some length -->\nLet $t")
    page = f"{proof}\n{STATEMENT}"
    (one,) = find_proofs(page)
    (derivation,) = find_derivations(one)

    start = one.block.end - len(one.text) + derivation.find_line(1).start
    assert page[start:].startswith(r"&\le 2 \lvert t")
