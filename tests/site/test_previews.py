"""Previews of statements and glossary terms."""

import pytest

from website import previews

PAGE = """
<div class="admonition statement" id="eq-norm">
<p class="admonition-title"><a class="number" href="#eq-norm">6.1</a> Length of a row</p>
<p>By <a class="eq" href="../order/#eq-x" title="X">(1.1)</a><autoref identifier="a">it</autoref>,</p>
<div class="arithmatex" id="inner"><math><mi>p</mi></math></div>
<p>after.</p>
</div>
<div class="admonition implementation"><p>Not this.</p></div>
<h2 id="term-token">Token<a class="headerlink" href="#term-token">¶</a></h2>
<p>A piece of <em>text</em>.</p>
<p>Nor this.</p>
"""  # noqa: E501, as Markdown writes it


def test_a_preview_has_the_whole_statement_or_term_without_links():
    assert dict(previews.find_previews(PAGE)) == {
        "eq-norm": '<p class="preview-title">6.1 Length of a row</p>\n'
        '<p>By (1.1)it,</p>\n<div class="arithmatex"><math><mi>p</mi></math></div>\n'
        "<p>after.</p>\n",
        "term-token": '<p class="preview-title">Token</p>\n<p>A piece of <em>text</em>.</p>\n',
    }


def test_an_unclosed_statement_is_an_error():
    with pytest.raises(ValueError, match="not closed"):
        list(previews.find_previews(PAGE.split("</div>")[0]))
