"""Formulas in words."""

import html
import re

from check import mathml_speech
from check.formulas import convert_to_mathml

FORMULAS = [
    (r"\omega_i = b^{-2i/d}", "omega sub i equals b to the power of minus 2 i over d end power"),
    (r"\lVert x \rVert^2 \ge 0", "norm of x end norm squared is at least 0"),
    (r"|k| + |m|", "absolute value of k end value plus absolute value of m end value"),
    (r"P(x|y)", "P (x given y)"),
    (r"\sqrt{d_k}", "square root of d sub k"),
    (r"\sqrt{d/2}", "square root of d over 2 end root"),
    (r"\frac{a + b}{c}", "fraction a plus b over c end fraction"),
    (r"\frac12", "1 over 2"),
    (r"\sin^2 \theta", "sine squared of theta"),
    (r"\Lambda \lambda_i", "capital lambda lambda sub i"),
    (r"\Delta", "capital delta"),
    (r"\sum_{i=0}^{n} u_i", "sum from i equals 0 to n of u sub i"),
    (r"\sum_t u_t", "sum over t of u sub t"),
    (r"\bar u_i", "u bar sub i"),
    (r"M_k^\top", "M sub k transposed"),
    (r"f'(x)", "f prime (x)"),
    (r"0, \ldots, d - 1", "0, and so on, d minus 1"),
    (r"\langle x, y \rangle", "inner product of x, y end product"),
    (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "(rows 1, 2; 3, 4)"),
    (r"\begin{aligned} a &= b, \\ c &= d. \end{aligned}", "a equals b; c equals d."),
    (r"k < 0 \text{ if } k \ne 1", "k is less than 0 if k is not 1"),
    (r"\underbrace{x}_{\text{one}}", "x one"),
]


def test_words_are_the_same_inline_and_displayed():
    for display in (False, True):
        words = [
            (tex, mathml_speech.speak(convert_to_mathml(tex, display=display)))
            for tex, _ in FORMULAS
        ]
        assert words == FORMULAS


def test_words_do_not_replace_the_formula():
    formula = convert_to_mathml(r"a < \omega", display=True)

    with_words = mathml_speech.add_alttext(formula)

    assert with_words.startswith('<math alttext="a is less than omega" display="block">')
    assert re.sub(' alttext="[^"]*"', "", with_words) == formula
    assert "aria-label" not in with_words


def test_words_are_escaped_in_the_attribute():
    with_words = mathml_speech.add_alttext(convert_to_mathml(r"\text{say <\&>}", display=False))

    assert with_words.startswith('<math alttext="say &lt;&amp;&gt;">')
    assert html.unescape(re.findall('alttext="([^"]*)"', with_words)[0]) == "say <&>"
