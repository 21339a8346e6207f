"""Two registers, claims and errata: each block has a title, a verdict, sources and a proof."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from check import cards
from check.fences import blank_fences, find_fences
from check.page_source import read_page
from check.paths import DOCS

PAGES = {name: read_page(DOCS / f"reference/{name}.md") for name in ("claims", "errata")}

BLOCK = re.compile(r"^/// claim.*?^///[ \t]*$", re.MULTILINE | re.DOTALL)
HEAD = re.compile(
    r"/// claim \| (?P<title>[^\n*`$\[\]]+[^\n*`$\[\].])\n"
    r"    attrs: \{id: (?P<id>claim-[a-z0-9-]+)\}\n\n"
)
TEXTS = r"(?:Text 00[0-4]|Texts (?:00[0-4], )*00[0-4] and 00[0-4])"
VERDICT = {
    "claims": re.compile(
        r"^\*\*(?:Wrong|Misleading|Imprecise)\.\*\* One meets it "
        r"\*\*(?P<grade>everywhere|often|now and then)\*\*(?P<sources>[:,] .+)\.$",
        re.MULTILINE,
    ),
    "errata": re.compile(
        rf"^\*\*(?:Wrong|Misleading|Imprecise|Does not run)\.\*\* {TEXTS}\.$", re.MULTILINE
    ),
}
SOURCE = re.compile(r"\]\((?:bibliography\.md#\w+|https://[^()\s]+)\)")
WHEN = re.compile(r"\b20\d\d\b|\bundated\b")
PLACE = re.compile(r"^See \[[^\]]+\]\((?:\.\./chapters/\w+|notation)\.md#[\w-]+\)\.$", re.M)
MOVED = re.compile(r"^See \[Claims, checked\]\(claims\.md#(?P<id>[\w-]+)\)\.$", re.M)
SECTION = re.compile(r"^## .+ \{ #(?P<id>[\w-]+) \}$", re.M)

SECTIONS = {
    "claims": "everywhere often now-and-then",
    "errata": "order naive frequencies numbers similarity uniqueness precision adding learned "
    "relative padding cost history programs notation unchecked",
}


def blocks(text: str) -> Iterator[str]:
    """Yield the claims of a page in order; what is shown inside a fence is none."""
    for match in BLOCK.finditer(blank_fences(text)):
        yield text[slice(*match.span())]


def title(block: str) -> str:
    """Return the line that opens a block."""
    return block.partition("\n")[0]


def identity(block: str) -> str:
    """Return the id of a block, or nothing."""
    head = HEAD.match(block)
    return head["id"] if head else ""


def lacking(block: str, page: str) -> list[str]:
    """Return what a claim lacks."""
    head = HEAD.match(block)
    verdict = head and VERDICT[page].match(block, head.end())
    proof = any(map(cards.has_check, find_fences(block)))
    # A program that stops says nothing that could be told right.
    place = bool(PLACE.search(block)) or "**Does not run.**" in block
    if page == "errata" and (moved := MOVED.search(block)):
        place = proof = moved["id"] == identity(block)
    found = {"head": head, "verdict": verdict, "chapter": place, "proof": proof}
    if page == "claims":
        found["source"] = not verdict or (
            SOURCE.search(verdict["sources"]) and WHEN.search(verdict["sources"])
        )
    return [part for part, there in found.items() if not there]


CLAIMS = {page: list(blocks(text)) for page, text in PAGES.items()}


@pytest.mark.parametrize("page", PAGES)
def test_every_claim_has_all_its_parts(page):
    found = {title(block): lacking(block, page) for block in CLAIMS[page]}

    assert {head: parts for head, parts in found.items() if parts} == {}


@pytest.mark.parametrize("page", PAGES)
def test_ids_and_titles_are_unique(page):
    heads = [head for block in CLAIMS[page] if (head := HEAD.match(block))]

    for part in ("id", "title"):
        assert {name: n for name, n in Counter(h[part] for h in heads).items() if n > 1} == {}


@pytest.mark.parametrize(("page", "least", "most"), [("claims", 30, 60), ("errata", 81, 200)])
def test_no_claim_escapes(page, least, most):
    assert PAGES[page].count("/// claim") == len(CLAIMS[page])
    assert least <= len(CLAIMS[page]) <= most


@pytest.mark.parametrize("page", PAGES)
def test_every_section_has_claims(page):
    text = PAGES[page]
    sections = list(SECTION.finditer(text))
    ends = [*(section.start() for section in sections[1:]), len(text)]

    assert [section["id"] for section in sections] == SECTIONS[page].split()
    for section, end in zip(sections, ends, strict=True):
        there = list(blocks(text[section.start() : end]))
        assert there or section["id"] == "unchecked", section["id"]
        if page == "claims":
            met = {one["grade"] for block in there for one in VERDICT[page].finditer(block)}
            assert met == {section["id"].replace("-", " ")}


def test_what_has_moved_is_there_and_nothing_is_proved_twice():
    there = {identity(block): block for block in CLAIMS["claims"]}
    moved = [one["id"] for block in CLAIMS["errata"] if (one := MOVED.search(block))]
    both = {identity(block) for block in CLAIMS["errata"]} & set(there)

    assert len(moved) > 10
    assert set(moved) <= set(there)
    assert both - set(moved) == set()


CLAIM = """\
/// claim | All waves are equally long
    attrs: {id: claim-long}

**Wrong.** Texts 001, 002 and 004.
They are not.
See [A chapter](../chapters/sinusoidal.md#frequencies).

```pycon
>>> 1 == 2
False
```
///
"""
REPEATED = "**Wrong.** One meets it **often**: in [a thread](https://a.b/c) of 2024.\n"


@pytest.mark.parametrize(
    ("part", "true", "false"),
    [
        (None, "They are not.", "They differ."),
        ("head", "claim-long", "long"),
        ("head", "    attrs: {id: claim-long}\n", ""),
        ("head", "equally long", "equally long."),
        ("head", " | All waves are equally long", ""),
        ("verdict", "Wrong", "False"),
        ("verdict", "Texts 001, 002 and 004", "All texts"),
        ("verdict", "Texts 001, 002 and 004", "Texts 001"),
        ("verdict", "004", "005"),
        ("verdict", "**Wrong.**", "Look: **Wrong.**"),
        ("chapter", "../chapters/sinusoidal.md", "bibliography.md"),
        ("chapter", "#frequencies", ""),
        ("chapter", "See [A chapter](../chapters/sinusoidal.md#frequencies).\n", ""),
        ("chapter", "A chapter](../chapters/sinusoidal.md", "Claims, checked](claims.md"),
        ("proof", ">>> 1 == 2\nFalse", ">>> x = 1"),
        ("proof", ">>> 1 == 2\nFalse", ">>> False\nFalse"),
        ("proof", "```pycon", "```text"),
    ],
)
def test_a_claim_that_lacks_a_part_is_seen(part, true, false):
    assert true in CLAIM
    (block,) = blocks(CLAIM.replace(true, false))

    assert lacking(block, "errata")[:1] == ([part] if part else [])


@pytest.mark.parametrize(
    ("part", "true", "false"),
    [
        (None, "of 2024", "undated"),
        (None, "**often**", "**now and then**"),
        ("verdict", "**often**", "**sometimes**"),
        ("verdict", "**often**: in", "**often** in"),
        ("verdict", "Wrong", "Does not run"),
        ("source", " of 2024", ""),
        ("source", "https://a.b/c", "order.md"),
    ],
)
def test_a_claim_of_the_field_names_who_repeats_it_and_when(part, true, false):
    assert true in REPEATED
    block = CLAIM.replace("**Wrong.** Texts 001, 002 and 004.\n", REPEATED.replace(true, false))

    assert lacking(block, "claims") == ([part] if part else [])
