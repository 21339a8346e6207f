"""Search entries: sentences, names for code, equations as entries, weights."""

import json
import re
from typing import Any

import pytest

from check.formulas import convert_to_mathml
from render.questions import Question
from website import search
from website.formula_text import write_formula

NORM = convert_to_mathml(r"\lVert \omega_i k \rVert", display=False)
DISPLAY = convert_to_mathml(r"\lVert \omega \rVert = 1", display=True)
PAGE = f"""
<h1 id="t">Title</h1>
<p class="facts"><span>29 minutes</span><span><a href="a.py">script</a></span></p>
<div class="goals"><p>After this chapter you can search.</p></div>
<figure><img><figcaption><p>Figure 1. A caption</p></figcaption></figure>
<p class="take"><a href="a.csv">data</a></p>
<p><a class="md-button" href="b/">Read the book</a></p>
<button>Run</button>
<div class="admonition statement" id="eq-norm">
<p class="admonition-title"><a class="number" href="#eq-norm">6.1</a> Length &amp; more</p>
<p>It is {NORM}.</p>
{DISPLAY}
</div>
<details class="verification">
<summary>Verification: Rows <span class="checked">checked</span></summary>
<div class="highlight"><pre><code><span>&gt;&gt;&gt; </span>posenc.inv_freq(8, scale=<span>0</span>)
Traceback (most recent call last):
ValueError: scale must be &gt; 0
&gt;&gt;&gt; posenc.inv_freq(8); import posenc
[1.0, 0.1]</code></pre></div>
<p><a class="entry" href="#e">In the register</a></p></details>
<pre><code>class Turned:
    def shifted(x): return x</code></pre>
<details class="code"><summary>Code of this figure</summary>
<pre>posenc.plots.lines()</pre></details>
<h2 id="rest">Rest</h2>
"""
WHY = Question("Why?", "understand", "why", "It isn't `a < b`.")


def test_only_sentences_are_left_code_becomes_names_and_equations_become_entries():
    page = search.prepare_page(PAGE, "chapters/relative.md")

    assert '<h4 id="eq-norm">6.1 Length &amp; more</h4>' in page
    assert "<p>It is ‖ω_i k‖.</p>" in page
    assert re.findall(r"<code>(.*?)</code>", page) == [
        "posenc.inv_freq",
        "ValueError: scale must be &gt; 0",
        "Turned",
        "shifted",
    ]
    assert "Rest" in page
    removed = (
        r"<math|<pre|Verification|checked|register|[Tt]raceback|Code of this|= 1"
        r"|minutes|script|After this|caption|data|Read the|Run"
    )
    assert not re.search(removed, page)


@pytest.mark.parametrize("uri", search.LISTS)
def test_lists_are_left_out_of_the_index(uri):
    assert "Rest" not in search.prepare_page(PAGE, uri)
    assert "Title" in search.prepare_page(PAGE, uri)


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\sqrt{d/2}", "√(d/2)"),
        (r"\sqrt{d_k}", "√d_k"),
        (r"b^{-2i/d}", "b^(−2i/d)"),
        (r"M_{p,q} = -\frac{1}{2}", "M_(p, q) = −1/2"),
        (r"\sum_{i=0}^{n} \sin \omega_i p < 2^{53}", "∑_(i = 0)^n sin ω_i p < 2^53"),
    ],
)
def test_a_formula_is_a_line_of_text(tex, text):
    assert write_formula(convert_to_mathml(tex, display=False)) == text


def weight(questions: dict[str, list[Question]], **texts: str) -> dict[str, dict[str, Any]]:
    """Return the weighted entries of a page, by anchor, given their texts."""
    entries = [
        {"location": f"a/#{anchor}", "title": "A title", "text": text}
        for anchor, text in texts.items()
    ]
    search.weight_entries(entries, "a/", questions)
    return {entry["location"].partition("#")[2]: entry for entry in entries}


def test_chapters_weigh_more_than_reference_pages_and_text_more_than_exercises():
    def boost(url: str, anchor: str = "") -> float:
        entry: dict[str, Any] = {"location": url + anchor, "title": "", "text": ""}
        search.weight_entries([entry], url, {})
        return float(entry["boost"])

    assert boost("chapters/order/") > boost("reference/precision/") > boost("reference/api/rotary/")
    assert boost("chapters/order/", "#x") > boost("chapters/order/", "#easy-x")


def test_entries_of_other_pages_are_unchanged():
    entries = [{"location": location, "title": "", "text": ""} for location in ("a/", "b/#why")]
    search.weight_entries(entries, "a/", {"why": [WHY]})

    assert "boost" in entries[0]
    assert entries[1] == {"location": "b/#why", "title": "", "text": ""}


def test_a_section_has_its_questions_and_answers_and_an_equation_its_id_as_words():
    entries = weight({"why": [WHY]}, **{"why": "text", "eq-x-y": "text"})

    assert entries["why"]["tags"] == ["Why?"]
    assert entries["why"]["answers"] == ["It isn't a &lt; b."]
    assert "tags" not in entries["eq-x-y"]
    assert entries["eq-x-y"]["names"] == "x y"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the key <code>rope_theta</code>", "§ropetheta"),
        ("<code>inv_freq</code> <code>inv_freq</code>", "§invfreq"),
        ("<code>posenc.inv_freq</code>", ""),
        ("a base of 10 000 or 500\u202f000", "§10000 §500000"),
        ("5.21 10 000 60611.5 and 100 617.1", "§10000"),
        ("‖PE_p‖ = √(d/2).", "§sqrtd2"),
        ("by √d_model", "§sqrtdmodel"),
        ("by 2.5 of <code>x</code>, 6.1", ""),
    ],
)
def test_names_numbers_and_roots_become_one_word(text, names):
    assert weight({}, anchor=text)["anchor"]["names"] == names


def test_a_full_name_of_the_package_finds_its_api_entry():
    (entry,) = weight({}, **{"posenc.inv_freq": ""}).values()

    assert "§posencinvfreq" in entry["names"]


@pytest.mark.site
def test_search_words_belong_to_entries_that_exist(site):
    entries = json.loads((site / "search/entries.json").read_text("utf-8"))["docs"]
    names = {entry["location"]: entry["names"].split() for entry in entries}

    assert not search.read_search_words().keys() - names.keys()
    assert "RoFormer" in names["chapters/rotary/"]
    assert "§ropetheta" in names["reference/configs/"]
