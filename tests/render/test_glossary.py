"""The glossary: every term has an entry, and chapters link its first use."""

import re

import pytest
from sybil import Document

from check.inline_checks import AUTHOR_COMMENT
from check.page_source import read_page
from check.paths import DOCS
from render import glossary
from render.text_edits import apply_edits

CHAPTER = DOCS / "chapters/invented.md"
TEXT = """---
title: A token
---

# Token

A token in large type.
{ .lead }

## A token { #token }

/// statement | Token
    attrs: {id: eq-token}
A token.
///

Not `token`, not $token$, not [a token](x.md), nor [token][], nor betoken, but tokens and a *key*.
Another token.
"""


def find_problems(text: str) -> list[str]:
    return [region.parsed for region in glossary.parse(Document(text, str(glossary.GLOSSARY)))]


def add_links(text: str, page=CHAPTER) -> str:
    return apply_edits(text, glossary.link_terms(page, text))


def test_only_the_first_use_in_running_text_is_linked():
    text = add_links(TEXT)

    assert (
        text.replace("[tokens](../reference/notation.md#term-token){ .term }", "tokens").replace(
            "[key](../reference/notation.md#term-key){ .term }", "key"
        )
        == TEXT
    )
    assert text.count("{ .term }") == 2


def test_only_chapters_have_links_to_terms():
    assert add_links(TEXT, DOCS / "reference/notation.md") == TEXT


def test_every_chapter_links_4_to_15_terms():
    for page in sorted((DOCS / "chapters").glob("*.md")):
        links = list(glossary.link_terms(page, read_page(page)))
        assert 4 <= len(links) <= 15, page.name


def test_entries_have_a_short_definition_and_a_link():
    text = AUTHOR_COMMENT.sub("", read_page(glossary.GLOSSARY))
    section = text.partition("## Glossary {")[2].partition("\n## ")[0]
    entries = re.split(r"^### .*$", section, flags=re.MULTILINE)[1:]

    assert len(entries) == len(glossary.read_terms(text)) > 30
    for entry in entries:
        definition, more = entry.strip().split("\n\n")
        assert len(definition) < 300
        assert re.search(r"\]\((?:\.\./chapters/|#)", more)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{ #term-token }", "{ #token }", "a term's heading must end with"),
        ("  token: [token, tokens]\n", "", "token is missing from terms"),
        ("  token: [", "  tokens: [x]\n  token: [", "the term tokens has no entry"),
        ("### Token {", "### A token {", "A token comes after Softmax"),
    ],
)
def test_mistakes_in_the_glossary_are_reported(old, new, message):
    text = read_page(glossary.GLOSSARY)
    assert find_problems(text) == []
    assert old in text

    assert any(message in problem for problem in find_problems(text.replace(old, new, 1)))
