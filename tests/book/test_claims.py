"""The register of claims: each block has a title, a verdict, its texts, a chapter and a proof."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from engine import statements
from engine.fences import fences, without_fences
from engine.places import DOCS
from engine.texts import read

PAGE = DOCS / "reference/claims.md"

BLOCK = re.compile(r"^/// claim.*?^///[ \t]*$", re.MULTILINE | re.DOTALL)
HEAD = re.compile(
    r"/// claim \| (?P<title>[^\n*`$\[\]]+[^\n*`$\[\].])\n"
    r"    attrs: \{id: (?P<id>claim-[a-z0-9-]+)\}\n\n"
)
TEXTS = r"(?:Text 00[0-4]|Texts (?:00[0-4], )*00[0-4] and 00[0-4])"
VERDICT = re.compile(rf"^\*\*(Wrong|Misleading|Imprecise|Does not run)\.\*\* {TEXTS}\.$", re.M)
PLACE = re.compile(
    r"^Told right in \[[^\]]+\]\((?:\.\./chapters/\w+|notation)\.md#[\w-]+\)\.$", re.M
)
SECTION = re.compile(r"^## .+ \{ #(?P<id>[\w-]+) \}$", re.M)

SECTIONS = (
    "order naive frequencies numbers similarity uniqueness precision adding learned relative "
    "padding cost history programs notation unchecked"
)


def blocks(text: str) -> Iterator[str]:
    """Yield the claims of a page in order; what is shown inside a fence is none."""
    for match in BLOCK.finditer(without_fences(text)):
        yield text[slice(*match.span())]


def lacking(block: str) -> list[str]:
    """Return what a claim lacks."""
    head = HEAD.match(block)
    found = {
        "head": head,
        "verdict": head and VERDICT.match(block, head.end()),
        # A program that stops says nothing that could be told right.
        "chapter": PLACE.search(block) or "**Does not run.**" in block,
        "proof": any(map(statements.checks, fences(block))),
    }
    return [part for part, there in found.items() if not there]


CLAIMS = list(blocks(read(PAGE)))


def test_every_claim_has_all_its_parts():
    found = {block.partition("\n")[0]: lacking(block) for block in CLAIMS}

    assert {head: parts for head, parts in found.items() if parts} == {}


def test_ids_and_titles_are_unique():
    heads = [head for block in CLAIMS if (head := HEAD.match(block))]

    for part in ("id", "title"):
        assert {name: n for name, n in Counter(h[part] for h in heads).items() if n > 1} == {}


def test_no_claim_escapes():
    assert read(PAGE).count("/// claim") == len(CLAIMS) > 80


def test_every_section_has_claims():
    text = read(PAGE)
    sections = list(SECTION.finditer(text))
    ends = [*(section.start() for section in sections[1:]), len(text)]

    assert [section["id"] for section in sections] == SECTIONS.split()
    for section, end in zip(sections[:-1], ends[:-1], strict=True):
        assert list(blocks(text[section.start() : end])), section["id"]


CLAIM = """\
/// claim | All waves are equally long
    attrs: {id: claim-long}

**Wrong.** Texts 001, 002 and 004.
They are not.
Told right in [A chapter](../chapters/sinusoidal.md#frequencies).

```pycon
>>> 1 == 2
False
```
///
"""


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
        ("chapter", "Told right in [A chapter](../chapters/sinusoidal.md#frequencies).\n", ""),
        ("proof", ">>> 1 == 2\nFalse", ">>> x = 1"),
        ("proof", ">>> 1 == 2\nFalse", ">>> False\nFalse"),
        ("proof", "```pycon", "```text"),
    ],
)
def test_a_claim_that_lacks_a_part_is_seen(part, true, false):
    assert true in CLAIM
    (block,) = blocks(CLAIM.replace(true, false))

    assert lacking(block)[:1] == ([part] if part else [])
