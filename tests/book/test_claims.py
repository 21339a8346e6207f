"""The pages of claims and errata: each block has a title, a verdict, sources and a session."""

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
        r"^\*\*(?:Wrong|Misleading|Imprecise)\.\*\* (?=[^\n]{25,160}\n)[A-Z][^\n]*\.$", re.MULTILINE
    ),
    "errata": re.compile(rf"^\*\*(?:Wrong|Misleading|Imprecise)\.\*\* {TEXTS}\.$", re.MULTILINE),
}
SAID = re.compile(r"^Said in (?P<sources>.+)\.$", re.MULTILINE)
SOURCE = re.compile(r"\]\((?:bibliography\.md#\w+|https://[^()\s]+)\)")
YEAR = re.compile(r"\b20\d\d\b")
PLACE = re.compile(r"^See \[[^\]]+\]\((?:\.\./chapters/\w+|notation)\.md#[\w-]+\)\.$", re.M)
REPEATED = re.compile(r"^\| \[(?P<title>[^\]]+)\]\(claims\.md#(?P<id>claim-[\w-]+)\) \|", re.M)
SECTION = re.compile(r"^## .+ \{ #(?P<id>[\w-]+) \}$", re.M)

SECTIONS = {
    "claims": "order sinusoids rope longer batches",
    "errata": "repeated order frequencies uniqueness adding relative padding cost notation "
    "unchecked",
}


def find_blocks(text: str) -> Iterator[str]:
    """Yield the claim blocks of a page, in order."""
    for match in BLOCK.finditer(blank_fences(text)):
        yield text[slice(*match.span())]


def get_title(block: str) -> str:
    """Return the first line of a block."""
    return block.partition("\n")[0]


def get_id(block: str) -> str:
    """Return the id of a block, or an empty string."""
    head = HEAD.match(block)
    return head["id"] if head else ""


def find_missing_parts(block: str, page: str) -> list[str]:
    """Return the names of the parts that a claim lacks."""
    head = HEAD.match(block)
    verdict = head and VERDICT[page].match(block, head.end())
    parts = {
        "head": head,
        "verdict": verdict,
        "chapter": PLACE.search(block),
        "session": any(map(cards.has_check, find_fences(block))),
    }
    if page == "claims":
        said = SAID.search(block)
        parts["source"] = said and SOURCE.search(said["sources"]) and YEAR.search(said["sources"])
    return [name for name, part in parts.items() if not part]


CLAIMS = {page: list(find_blocks(text)) for page, text in PAGES.items()}


@pytest.mark.parametrize("page", PAGES)
def test_every_claim_has_all_its_parts(page):
    for block in CLAIMS[page]:
        assert find_missing_parts(block, page) == [], get_title(block)


@pytest.mark.parametrize("page", PAGES)
def test_ids_and_titles_are_unique(page):
    heads = [head for block in CLAIMS[page] if (head := HEAD.match(block))]

    for part in ("id", "title"):
        assert {name: n for name, n in Counter(h[part] for h in heads).items() if n > 1} == {}


@pytest.mark.parametrize(("page", "least", "most"), [("claims", 30, 60), ("errata", 20, 60)])
def test_every_claim_block_is_well_formed(page, least, most):
    assert PAGES[page].count("/// claim") == len(CLAIMS[page])
    assert least <= len(CLAIMS[page]) <= most


@pytest.mark.parametrize("page", PAGES)
def test_every_section_has_claims(page):
    text = PAGES[page]
    sections = list(SECTION.finditer(text))
    ends = [*(section.start() for section in sections[1:]), len(text)]

    assert [section["id"] for section in sections] == SECTIONS[page].split()
    for section, end in zip(sections, ends, strict=True):
        has_blocks = any(find_blocks(text[section.start() : end]))
        assert has_blocks or section["id"] in ("repeated", "unchecked"), section["id"]


def test_repeated_errata_are_claims_with_the_same_title():
    claims = {
        head["id"]: head["title"] for block in CLAIMS["claims"] if (head := HEAD.match(block))
    }
    repeated = {row["id"]: row["title"] for row in REPEATED.finditer(PAGES["errata"])}

    assert len(repeated) > 10
    assert repeated.items() <= claims.items()
    assert not claims.keys() & set(map(get_id, CLAIMS["errata"]))


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
SAID_TWICE = """\
**Wrong.** The longest is 7499 times as long as the shortest.
Said in [a thread](https://a.b/c), 2024.
"""


@pytest.mark.parametrize(
    ("part", "old", "new"),
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
        ("session", ">>> 1 == 2\nFalse", ">>> x = 1"),
        ("session", ">>> 1 == 2\nFalse", ">>> False\nFalse"),
        ("session", "```pycon", "```text"),
    ],
)
def test_missing_part_of_an_erratum_is_found(part, old, new):
    assert old in CLAIM
    (block,) = find_blocks(CLAIM.replace(old, new))

    assert find_missing_parts(block, "errata")[:1] == ([part] if part else [])


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        (None, "a thread", "section 3"),
        ("verdict", "Wrong", "Does not run"),
        ("verdict", "The longest is 7499 times as long as the shortest.", "No."),
        ("source", ", 2024", ""),
        ("source", "https://a.b/c", "order.md"),
        ("source", "Said in", "See"),
    ],
)
def test_missing_source_or_verdict_of_a_claim_is_found(part, old, new):
    assert old in SAID_TWICE
    block = CLAIM.replace("**Wrong.** Texts 001, 002 and 004.\n", SAID_TWICE.replace(old, new))

    assert find_missing_parts(block, "claims") == ([part] if part else [])
