"""What the search knows of a page: words for formulas, names for code, equations as entries."""

import json
import re
from typing import Any

import pytest

from check import mathml_speech
from check.formulas import convert_to_mathml
from website import search

NORM = mathml_speech.add_alttext(convert_to_mathml(r"\lVert \omega \rVert", display=False))
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
<pre><code>class Turned:
    def shifted(x): return x</code></pre>
<details class="code"><summary>Code of this figure</summary>
<pre>posenc.plots.lines()</pre></details>
<h2 id="rest">Rest</h2>
"""


def test_the_search_reads_words_for_formulas_names_for_code_and_equations_as_entries():
    shown = search.prepare_page(PAGE, "chapters/relative.md")

    assert '<h4 id="eq-norm">6.1 Length &amp; more</h4>' in shown
    assert "<p>It is norm of omega.</p>" in shown
    assert re.findall(r"<code>(.*?)</code>", shown) == [
        "posenc.inv_freq",
        "ValueError: scale must be &gt; 0",
        "Turned",
        "shifted",
    ]
    assert "Rest" in shown
    folded = r"<math|<pre|Verification|checked|register|[Tt]raceback|Code of this"
    assert not re.search(folded, shown)


@pytest.mark.parametrize("uri", search.LISTS)
def test_what_a_list_repeats_is_found_where_it_stands(uri):
    assert "Rest" not in search.prepare_page(PAGE, uri)
    assert "Title" in search.prepare_page(PAGE, uri)


def weighed(place: str, asked: dict[str, list[str]], **entries: str) -> dict[str, dict[str, Any]]:
    """Return what becomes of entries of a page, all by their anchors."""
    made = [
        {"location": f"{place}#{anchor}" if anchor else place, "title": "A title", "text": text}
        for anchor, text in entries.items()
    ]
    search.weight_entries(made, place, asked)
    return {entry["location"].partition("#")[2]: entry for entry in made}


def test_the_book_weighs_more_than_what_lists_it_and_an_equation_more_than_the_words_around_it():
    def boost(place: str, anchor: str = "") -> float:
        entry: dict[str, Any] = {"location": place + anchor, "title": "", "text": ""}
        search.weight_entries([entry], place, {})
        return float(entry["boost"])

    assert boost("chapters/order/") > boost("reference/precision/") > boost("reference/api/rotary/")
    assert boost("chapters/order/", "#eq-x") > boost("chapters/order/", "#x")


def test_a_page_is_weighed_alone():
    entries = [{"location": place, "title": "", "text": ""} for place in ("a/", "b/#why")]
    search.weight_entries(entries, "a/", {"why": ["Why?"]})

    assert "boost" in entries[0]
    assert entries[1] == {"location": "b/#why", "title": "", "text": ""}


def test_an_answer_carries_its_question_and_an_equation_its_id():
    found = weighed("a/", {"why": ["Why?"]}, **{"why": "said", "eq-x-y": "said"})

    assert found["why"]["tags"] == ["Why?"]
    assert "tags" not in found["eq-x-y"]
    assert found["eq-x-y"]["names"] == "x y"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the key <code>rope_theta</code>", "§ropetheta"),
        ("<code>inv_freq</code> <code>inv_freq</code>", "§invfreq"),
        ("<code>posenc.inv_freq</code>", ""),
        ("a base of 10 000 or 500\u202f000", "§10000 §500000"),
        ("5.21 10 000 60611.5 and 100 617.1", "§10000"),
        ("norm equals square root of d over 2.", "§sqrtd2"),
        ("by square root of d sub model", "§sqrtdmodel"),
        ("by 2.5 of <code>x</code>, 6.1", ""),
    ],
)
def test_what_is_typed_in_one_piece_is_there_in_one_piece(text, names):
    assert weighed("a/", {}, there=text)["there"]["names"] == names


def test_a_whole_name_of_the_package_leads_to_where_it_is_described():
    assert (
        "§posencinvfreq" in weighed("a/", {}, **{"posenc.inv_freq": ""})["posenc.inv_freq"]["names"]
    )


@pytest.mark.site
def test_words_that_pages_do_not_say_lead_to_places_that_are_there(site):
    entries = json.loads((site / "search/entries.json").read_text("utf-8"))["docs"]
    names = {entry["location"]: entry["names"].split() for entry in entries}

    assert not search.read_search_words().keys() - names.keys()
    assert "RoFormer" in names["chapters/rotary/"]
    assert "§ropetheta" in names["reference/configs/"]
