"""Formulas in words, and what the search is shown in their place."""

import html
import re

import pytest

from engine import formula_words
from engine.formulas import mathml
from website import search

SAID = [
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


@pytest.mark.parametrize(("tex", "said"), SAID)
@pytest.mark.parametrize("display", [False, True])
def test_a_formula_is_said_in_words(tex, said, display):
    assert formula_words.words(mathml(tex, display=display)) == said


def test_the_words_stand_beside_the_formula_and_not_in_its_place():
    formula = mathml(r"a < \omega", display=True)

    carrying = formula_words.with_words(formula)

    assert carrying.startswith('<math alttext="a is less than omega" display="block">')
    assert re.sub(' alttext="[^"]*"', "", carrying) == formula
    assert "aria-label" not in carrying


NORM = formula_words.with_words(mathml(r"\lVert \omega \rVert", display=False))
PAGE = f"""
<h1 id="t">Title</h1>
<div class="admonition statement" id="eq-norm">
<p class="admonition-title"><a class="number" href="#eq-norm">6.1</a> Length &amp; more</p>
<p>It is {NORM}.</p>
</div>
<div class="admonition verification"><p class="admonition-title">Verification</p>
<div class="highlight"><pre><code><span>&gt;&gt;&gt; </span>posenc.inv_freq(8, scale=<span>0</span>)
Traceback (most recent call last):
ValueError: scale must be &gt; 0
&gt;&gt;&gt; posenc.inv_freq(8); import posenc
[1.0, 0.1]</code></pre></div></div>
<details class="code"><summary>Code of this figure</summary>
<pre>posenc.plots.lines()</pre></details>
<h2 id="rest">Rest</h2>
"""


def test_the_search_reads_words_for_formulas_names_for_code_and_equations_as_entries():
    shown = search.shown(PAGE, "chapters/relative.md")

    assert '<h4 id="eq-norm">6.1 Length &amp; more</h4>' in shown
    assert "<p>It is norm of omega.</p>" in shown
    assert re.findall(r"<code>(.*?)</code>", shown) == [
        "posenc.inv_freq",
        "ValueError: scale must be &gt; 0",
    ]
    assert "Rest" in shown
    assert not re.search(r"<math|<pre|Verification|[Tt]raceback|Code of this", shown)


@pytest.mark.parametrize("uri", search.LISTS)
def test_what_a_list_repeats_is_found_where_it_stands(uri):
    assert "Rest" not in search.shown(PAGE, uri)
    assert "Title" in search.shown(PAGE, uri)


def test_an_equation_weighs_more_and_has_its_id_and_an_answer_carries_its_question():
    places = ("a/", "a/#eq-x-y", "a/#posenc.x", "a/#why", "b/#eq-x-y", "b/#why")
    entries = [{"location": place, "text": "said"} for place in places]

    search.weigh(entries, "a/", {"why": ["Why?"]})

    assert entries == [
        {"location": "a/", "text": "said"},
        {"location": "a/#eq-x-y", "text": "said<p>x y</p>", "boost": 1.5},
        {"location": "a/#posenc.x", "text": "said", "boost": 2.0},
        {"location": "a/#why", "text": "said", "tags": ["Why?"]},
        {"location": "b/#eq-x-y", "text": "said"},
        {"location": "b/#why", "text": "said"},
    ]


def test_words_of_a_formula_are_safe_in_an_attribute():
    carried = formula_words.with_words(mathml(r"\text{say <\&>}", display=False))

    assert carried.startswith('<math alttext="say &lt;&amp;&gt;">')
    assert html.unescape(re.findall('alttext="([^"]*)"', carried)[0]) == "say <&>"
