"""What the search knows of a page: words for formulas, names for code, equations as entries."""

import re

import pytest

from engine import formula_words
from engine.formulas import mathml
from website import search

NORM = formula_words.with_words(mathml(r"\lVert \omega \rVert", display=False))
PAGE = f"""
<h1 id="t">Title</h1>
<div class="admonition statement" id="eq-norm">
<p class="admonition-title"><a class="number" href="#eq-norm">6.1</a> Length &amp; more</p>
<p>It is {NORM}.</p>
</div>
<details class="verification">
<summary>Verification: Rows <span class="checked">checked</span></summary>
<div class="highlight"><pre><code><span>&gt;&gt;&gt; </span>posenc.inv_freq(8, scale=<span>0</span>)
Traceback (most recent call last):
ValueError: scale must be &gt; 0
&gt;&gt;&gt; posenc.inv_freq(8); import posenc
[1.0, 0.1]</code></pre></div>
<p><a class="entry" href="#e">In the register</a></p></details>
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
    folded = r"<math|<pre|Verification|checked|register|[Tt]raceback|Code of this"
    assert not re.search(folded, shown)


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
