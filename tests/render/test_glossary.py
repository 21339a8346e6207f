"""The glossary: each term has an entry, and is linked where a chapter first uses it."""

import re

import pytest
from sybil import Document

from check.inline_checks import AUTHOR_COMMENT
from check.page_source import read_page
from check.paths import DOCS
from render import glossary

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


def complaints(text: str) -> list[str]:
    return [region.parsed for region in glossary.parse(Document(text, str(glossary.GLOSSARY)))]


def linked(text: str, page=CHAPTER) -> str:
    for start, end, new in sorted(glossary.link_terms(page, text), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def test_the_first_use_in_running_text_is_linked_and_no_other():
    text = linked(TEXT)

    assert (
        text.replace("[tokens](../reference/glossary.md#term-token){ .term }", "tokens").replace(
            "[key](../reference/glossary.md#term-key){ .term }", "key"
        )
        == TEXT
    )
    assert text.count("{ .term }") == 2


def test_no_page_but_a_chapter_is_marked():
    assert linked(TEXT, DOCS / "reference/notation.md") == TEXT


def test_every_chapter_explains_its_first_words():
    for page in sorted((DOCS / "chapters").glob("*.md")):
        found = list(glossary.link_terms(page, read_page(page)))
        assert 4 <= len(found) <= 15, page.name


def test_an_entry_begins_with_a_definition_of_a_few_lines():
    text = AUTHOR_COMMENT.sub("", read_page(glossary.GLOSSARY))
    entries = re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]

    assert len(entries) == len(glossary.read_terms(text)) > 30
    for entry in entries:
        definition, more = entry.strip().split("\n\n")
        assert len(definition) < 300
        assert re.search(r"\]\((?:\.\./chapters/|notation\.md)", more)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{ #term-token }", "{ #token }", "a term is a heading that ends in"),
        ("  token: [token, tokens]\n", "", "token is missing from the terms"),
        ("  token: [", "  tokens: [x]\n  token: [", "the term tokens has no entry"),
        ("## Token {", "## A token {", "A token stands after Softmax"),
    ],
)
def test_what_is_wrong_with_the_glossary_is_complained_of(old, new, message):
    text = read_page(glossary.GLOSSARY)
    assert complaints(text) == []
    assert old in text

    assert any(message in found for found in complaints(text.replace(old, new, 1)))
