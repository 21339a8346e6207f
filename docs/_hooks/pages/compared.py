r"""Sentences that compare, relate or set a condition: each has what shows it.

Looked at are open sentences with a word of `words.py`: that compare, as *faster*, *falls*; that
say by how much, or by which law, as *doubles*, *a third*, *in proportion*; that tell what follows
*if*; that name a layout, or where a library has its rows; that say what a thing is instead of
another, which of two it is, or which step comes first; those of a statement that set a condition
or a bound; those of a told answer, *yes* and *no* together with their question; those of a
summary; those that refer to an equation; and those with an equation within the line that has an
operation in it, as $c = s^{d/(d-2)}$. So is each row of a table that is more than numbers, its
head among them. Pages beside the chapters prove little and tell a great deal: on those of
`BESIDE`, where references to equations do not count, it is also each sentence with a word that
would read as well as its opposite, a denial, a number, a formula or the name of a library; each
table, which counts as one sentence; each claim that is checked there, with its verdict; and in
labs, whose figures nobody draws alone, the words of each figure. What shows one stands in
`sentences/`, a file for each page: the whole sentence or row, so that a changed one has nothing,
and one of

- `holds`, an expression that is true, over `math`, `np`, `mpmath`, `itertools`, the package and its
  `experiments`, and numbers that other libraries returned, as
  `goldens("alibi")["slopes_12.paper_f64"]`;
- `broken`, one that is true where a condition is not met, and the conclusion fails;
- `shown`, a line of a session on the page, or of a cell of the lab, that says more than `True`,
  or the id of one of its equations or figures;
- `why`, if nothing of it can be computed.

An expression computes with the number that its sentence says in words, and reads the cells of its
table, row by row below the head, as `rows`. That the sentences are there is asked on every build;
a test computes what holds.
"""

import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from sybil import Document, Region

from engine.complaints import afterthought
from engine.fences import fences, without_fences
from engine.places import DOCS, ROOT
from engine.quoted_tables import TABLE
from engine.scripts import is_lab
from engine.sentences import Paragraph, Sentence, paragraphs
from engine.texts import toml
from pages import evidence, words

FOLDER = Path(__file__).with_name("sentences")
BESIDE = tuple(
    DOCS / page
    for page in (
        "index.md",
        "reference/claims.md",
        "reference/configs.md",
        "reference/conventions.md",
        "reference/cookbook.md",
        "reference/errata.md",
        "reference/experiments.md",
        "reference/glossary.md",
        "reference/goldens.md",
        "reference/judge.md",
        "reference/notation.md",
        "reference/precision.md",
        "reference/torch.md",
        "labs/bugs.py",
        "labs/build.py",
        "labs/lengths.py",
        "labs/plumbing.py",
        "labs/regression.py",
        "labs/stretching.py",
    )
)
FOLDED = re.compile(r"^/// (?:proof|verification)\b.*?^///[ \t]*$", re.MULTILINE | re.DOTALL)
ANSWER = re.compile(r"^/// answer\b.*?^///[ \t]*$", re.MULTILINE | re.DOTALL)
# The title of a block says what is not so; the verdict below it, and of which texts.
CLAIM = re.compile(
    r"^/// claim \| (?P<title>[^\n]+)\n[^\n]*\n+"
    r"(?P<verdict>\*\*[\w ]+\.\*\*(?: Texts? [^\n.]+\.)?)",
    re.MULTILINE,
)
SUMMARY = re.compile(r"^## [^\n]*\{ #summary \}.*?(?=^## )", re.MULTILINE | re.DOTALL)
CITED = re.compile(r"\[eq-[\w-]+\]")
FORMULA = re.compile(r"\$([^$\n]+)\$")
INDEX = re.compile(r"_\{[^{}]*\}")
SIGN = re.compile(r"[=<>]|\\(?:le|ge|ne|approx)\b")
# More than a letter or a number: $d/2$ or $2 n$, where $d = 64$ only sets a size.
COMPOSITE = re.compile(
    r"[-+/^(]|\\(?:t?frac|sum|sqrt|log|ln|cdot|[lr]Vert|[lr]vert|,|sin|cos|lfloor|bar)"
    r"|[A-Za-z]\s[A-Za-z]|\d\s*[A-Za-z]"
)
WORD = re.compile(r"\w+")
YES_OR_NO = re.compile(r"(?:Yes|No)[.,:]")
LETTER = re.compile(r"[^\W\d_]")
NO_SENTENCE = ("heading", "title")


@dataclass(frozen=True)
class Shown:
    """A sentence and what shows it."""

    sentence: str = ""
    holds: str = ""
    broken: str = ""
    shown: str = ""
    why: str = ""


def pages() -> list[Path]:
    """Return the pages whose sentences are looked at."""
    return [*sorted((DOCS / "chapters").glob("*.md")), *BESIDE]


def looked_at(page: Path) -> bool:
    """Return whether a page is one of them; a chapter is, wherever it lies."""
    return page.parent.name == "chapters" or page in BESIDE


def listed(page: Path) -> list[Shown]:
    """Return what is listed for a page."""
    file = FOLDER / f"{page.stem}.toml"
    entries = toml(file).get("sentence", []) if file.is_file() else []
    return [Shown(**entry) for entry in entries]


def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each such sentence of a page that nothing shows."""
    page = Path(document.path)
    if not looked_at(page):
        return
    entries = {entry.sentence: entry for entry in listed(page)}
    needless = set(entries)
    for sentence in claiming(document):
        needless.discard(sentence.text)
        if sentence.text not in entries:
            yield afterthought(
                document,
                sentence.start,
                "this compares, relates, or sets a condition, and nothing is listed that "
                f"shows it: give it an entry in {FOLDER.name}/{page.stem}.toml",
            )
        elif wrong := unshown(entries[sentence.text], document.text):
            wrong = f"{FOLDER.name}/{page.stem}.toml: {wrong}"
            yield afterthought(document, sentence.start, wrong)
    for said in sorted(needless):
        yield afterthought(
            document,
            len(document.text),
            f"{FOLDER.name}/{page.stem}.toml shows {said!r}, and no sentence needs it; remove it",
        )


def claiming(document: Document) -> Iterator[Sentence]:
    """Yield the sentences that need an entry, as they are written."""
    text, beside = document.text, Path(document.path) in BESIDE
    outside = without_fences(text)
    folded, answers, summed = (
        [match.span() for match in block.finditer(outside)] for block in (FOLDED, ANSWER, SUMMARY)
    )
    trained = {sentence.start for sentence in evidence.claiming(document)}
    asked = ""
    for paragraph in paragraphs(text):
        if paragraph.kind in NO_SENTENCE or within(paragraph, folded):
            continue
        if paragraph.kind == "row":
            row = text[paragraph.start : paragraph.start + len(paragraph.text)].rstrip()
            if LETTER.search(row) and not beside:
                yield Sentence(paragraph.start, row)
            continue
        told, stated = within(paragraph, answers), paragraph.inside == "statement"
        for sentence in paragraph.sentences:
            said = text[sentence.start : sentence.start + len(sentence.text)]
            if sentence.text.rstrip("*_)”").endswith("?"):
                asked = said
            elif sentence.start in trained or words.POINTS.match(said):
                continue
            elif told and YES_OR_NO.match(said):
                yield Sentence(sentence.start, f"{asked} {said}")
            elif (
                told
                or within(paragraph, summed)
                or words.claims(sentence.text, stated)
                or equates(said)
                or (words.tells(said) if beside else cites(said))
            ):
                yield Sentence(sentence.start, said)
    if beside:
        yield from blocks(document)


def blocks(document: Document) -> Iterator[Sentence]:
    """Yield each table of a page, each claim with its verdict, and a lab's words of figures."""
    for table in TABLE.finditer(without_fences(document.text)):
        yield Sentence(table.start(), table[0].strip())
    for claim in CLAIM.finditer(without_fences(document.text)):
        yield Sentence(claim.start(), f"{claim['title']}: {claim['verdict']}")
    for fence in fences(document.text) if is_lab(document.path) else ():
        for said in filter(None, map(fence.attributes.get, ("alt", "caption"))):
            yield Sentence(fence.start, said)


def within(paragraph: Paragraph, blocks: list[tuple[int, int]]) -> bool:
    """Return whether a paragraph begins in one of some blocks."""
    return any(start <= paragraph.start < end for start, end in blocks)


def equates(said: str) -> bool:
    """Return whether a sentence that sets no task has a relation of more than names and numbers."""
    formulas = (INDEX.sub("", one[1]) for one in FORMULA.finditer(said))
    sides = (parts for parts in map(SIGN.split, formulas) if len(parts) > 1)
    return not words.ASKS.match(said) and any(map(COMPOSITE.search, chain.from_iterable(sides)))


def cites(said: str) -> bool:
    """Return whether a sentence that sets no task refers to an equation."""
    return bool(CITED.search(said)) and not words.ASKS.match(said)


def unshown(entry: Shown, text: str) -> str:
    """Return what is wrong with an entry, as far as the page can tell."""
    if sum(map(bool, astuple(entry)[1:])) != 1:
        return f"{entry.sentence!r} needs one of holds, broken, shown, why"
    if entry.shown and not stands(entry.shown, text):
        return (
            f"no session of this page shows {entry.shown!r}, and no equation or figure has that id"
        )
    expression = entry.holds or entry.broken
    for number in sorted(words.numbers(entry.sentence)) if expression else ():
        if not re.search(rf"(?<![\w.]){number}(?![\w.])", expression):
            return f"{entry.sentence!r} says {number}, and {expression} computes nothing with it"
    return ""


def stands(shown: str, text: str) -> bool:
    """Return whether a line stands in a session of a page, or is the id of something there."""
    if re.fullmatch(r"(?:eq|fig)-[\w-]+", shown):
        return bool(re.search(rf"(?:id: |#){shown}\b", text))
    if not set(WORD.findall(shown)) - {"True", "False"}:
        return False
    sessions = (one for one in fences(text) if one.language == "pycon" or "cell" in one.classes)
    return any(shown in fence.source.split("\n") for fence in sessions)


def false(entry: Shown) -> bool:
    """Return whether what is said to be true of an entry is not."""
    import numpy as np

    expression = entry.holds or entry.broken
    if not expression:
        return False
    found = eval(f"(\n{expression}\n)", names() | {"rows": rows(entry.sentence)})
    return not (isinstance(found, bool | np.bool_) and found)


def rows(table: str) -> list[list[str]]:
    """Return the cells of a table below its head."""
    lines = (line.strip("|").split("|") for line in table.split("\n")[2:])
    return [[cell.strip() for cell in line] for line in lines]


def names() -> dict[str, Any]:
    """Return what the expressions may use."""
    import itertools
    import math

    import mpmath
    import numpy as np

    import posenc
    from posenc import experiments

    return {
        "experiments": experiments,
        "goldens": lambda family: np.load(ROOT / f"tests/golden/{family}.npz"),
        "itertools": itertools,
        "math": math,
        "mpmath": mpmath,
        "np": np,
        "posenc": posenc,
    }
