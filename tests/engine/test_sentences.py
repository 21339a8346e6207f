"""Sentences: where they begin and end, how many words they have, and what stands beside them."""

import pytest

from engine.sentences import Paragraph, paragraphs

PAGE = """\
---
title: Turns
---

# A turn never ends { #turn }

One is $x^2$ of `a b`, e.g. here. Two!
Three by S. Lie
continues.

```pycon
>>> 1 + 1
2
```

- first
- second, *et al. 2020*

| a row |
| another |

/// pitfall | Turned twice
**A title.** The rest.

```{.python .figure #fig-a alt="A"}
draw()
```
///

Not beside it.

```text
shown, `not` run
```

<!-- hidden. -->

/// statement | Named
    attrs: {id: eq-a}

Stated.
///
"""


def found(kind: str) -> list[Paragraph]:
    return [part for part in paragraphs(PAGE) if part.kind == kind]


def texts(part: Paragraph) -> list[str]:
    return [sentence.text for sentence in part.sentences]


def test_a_paragraph_has_its_sentences():
    assert [texts(part) for part in found("text")] == [
        ["One is ■■■■■ of □□□□□, e.g. here.", "Two!", "Three by S. Lie", "continues."],
        ["first"],
        ["second, *et al. 2020*"],
        ["**A title.**", "The rest."],
        ["Not beside it."],
        ["Stated."],
    ]


def test_headings_titles_of_blocks_and_rows_are_told_apart():
    assert [texts(part) for part in found("heading")] == [["# A turn never ends { #turn }"]]
    assert [texts(part)[0].split()[1:] for part in found("title")] == [
        ["Turned", "twice"],
        ["Named"],
    ]
    assert [texts(part) for part in found("row")] == [["| a row |"], ["| another |"]]


def test_positions_are_those_of_the_page():
    for part in paragraphs(PAGE):
        for sentence in part.sentences:
            there = PAGE[sentence.start : sentence.start + len(sentence.text)]
            assert there[-4:] == sentence.text[-4:]


def test_beside_means_directly_before_or_after():
    beside = {texts(part)[0]: part.shown for part in found("text")}

    assert beside == {
        "One is ■■■■■ of □□□□□, e.g. here.": True,
        "first": True,
        "second, *et al. 2020*": True,
        "**A title.**": True,
        "Not beside it.": True,
        "Stated.": False,
    }


@pytest.mark.parametrize(
    ("sentence", "words"),
    [("A turn of $x + y$ by `a b`.", 6), ("No - really no.", 3), ("It's 3 000.", 3)],
)
def test_a_formula_is_one_word(sentence, words):
    ((part,),) = [part.sentences for part in paragraphs(sentence)]

    assert part.words == words
