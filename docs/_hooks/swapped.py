"""Count the sentences whose opposite would pass: the holes in what the text of a page is asked.

    uv run python docs/_hooks/swapped.py                  # each page, and how many of how many
    uv run python docs/_hooks/swapped.py grids            # the changes that pass on one page

In each sentence, table row, alternative text and caption one word is put in place of its
neighbour, *left* for *right*, *falls* for *grows*, and the rules that look at text alone are asked.
Those that run code are not, so a change inside a session is none of these.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from sybil import Document

from engine.fences import fences
from engine.places import DOCS
from engine.scripts import is_lab
from engine.sentences import paragraphs
from engine.texts import read
from pages import claimed, compared, evidence, pictured, wholes, words

RULES = (compared, evidence, claimed, wholes, pictured)


def swaps(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the places of words that have a neighbour, and the neighbour; links stay."""
    spans = [
        (sentence.start, sentence.start + len(sentence.text))
        for paragraph in paragraphs(text)
        if paragraph.kind in ("text", "row")
        for sentence in paragraph.sentences
        if not sentence.text.endswith("?")
    ]
    for fence in fences(text):
        for key in ("alt", "caption"):
            said = fence.attributes.get(key, "")
            if "figure" in fence.classes and said and (place := text.find(said)) >= 0:
                spans.append((place, place + len(said)))
    for start, end in sorted(spans):
        for match in words.NEIGHBOUR.finditer(text, start, end):
            before = text[start : match.start()]
            if not match[0].islower():
                continue
            if before.count("`") % 2 == before.count("$") % 2 == 0 and "](" not in before[-40:]:
                yield match.start(), match.end(), words.OTHER[match[0]]


def complaints(text: str, page: Path) -> int:
    """Return how much the rules have against a page with this text."""
    document = Document(text, str(page))
    return sum(1 for rule in RULES for _ in rule.parse(document))


def passing(page: Path) -> tuple[list[str], int]:
    """Return the changes of a page that nothing refuses, and how many were tried."""
    text, found, tried = read(page), [], 0
    usual = complaints(text, page)
    for start, end, other in swaps(text):
        tried += 1
        if complaints(text[:start] + other + text[end:], page) <= usual:
            line = text.count("\n", 0, start) + 1
            around = text[max(0, start - 50) : end + 30].replace("\n", " ")
            found.append(f"{page.name}:{line}: {other!r} in …{around}…")
    return found, tried


def main() -> None:
    """Print what passes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", nargs="*", help="the stems of pages; all if there are none")
    arguments = parser.parse_args()
    passed = total = 0
    labs = (lab for lab in DOCS.glob("labs/*.py") if is_lab(lab))
    for page in sorted([*DOCS.rglob("*.md"), *labs]):
        if arguments.pages and page.stem not in arguments.pages:
            continue
        found, tried = passing(page)
        passed, total = passed + len(found), total + tried
        print(f"{page.relative_to(DOCS)}: {len(found)} of {tried} pass", flush=True)
        if arguments.pages:
            print("\n".join(found))
    print(f"{passed} of {total} changed words pass")


if __name__ == "__main__":
    main()
