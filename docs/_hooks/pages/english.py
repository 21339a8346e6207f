"""The English of the book, as `docs/contributing/english.md` tells it, where a pattern can see it.

`HABITS` holds what the book does not say, and what to do about each; `PROGRAM` holds where
*code* means a program, as everywhere else it is an encoding that is meant.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from sybil import Document, Region

from engine.complaints import complaint
from engine.fences import blank, fences
from engine.sentences import CODE, FORMULA, Paragraph, Sentence, paragraphs
from engine.texts import FRONT_MATTER, by_text
from pages.sources import ERRATA, SOURCES

SHORT, SHARE, ENOUGH = 8, 0.25, 20  # words; of the sentences of a page; that has so many

_SAID = r"(?:said|told|written|claimed|stated|taught|believed|heard|read)"
_NOW = r"(?:also|often|sometimes|usually|commonly)"
_VERB = r"(?:say|tell|claim|call|show|give|write|state|explain|propose|repeat|use|ask)"
ARGUMENT = (
    "an argument with texts that the reader has not seen; say what is true, without the opponent"
)
HABITS = {
    ARGUMENT: (
        rf"\byou (?:(?:will|may|might) (?:{_NOW} )?(?:read|hear)|{_NOW} (?:read|hear))\b"
        rf"|\b(?:is|are) {_NOW} {_SAID}\b|\bit is (?:said|claimed|believed|stated|taught)\b"
        r"|\btexts? \d{3}\b|\b(?:one|this|that|the) source text\b"
        rf"|\b(?:some|many|most|other|several|older) texts\b|\btexts (?:{_NOW} )?{_VERB}s?\b"
    ),
    "a sentence that begins with Who asks; write Whoever …, or Readers who …": r"^Who\b[^?]*[.:]$",
    "an order of words that English does not have; begin with the subject": (
        r"^(?:Asked|Compared|Counted|Found|Looked for|Meant|Missing|Needed|Shown|Wanted)"
        r" (?:is|are|was|were)\b"
        r"|^What [^?.,;:]+ can(?: and cannot)?[.:]?$"
    ),
    "no English idiom; say it in other words": (
        r"\bis told (?:in|by|at|here|there|anew)\b"
        r"|\bremind(?:s|ed)? of\b|\bbehind the (?:decimal )?point\b"
        r"|\bso many (?:\w+ ){1,2}an? \w+|\bthousand million\b|\bby turns\b|\banew\b"
        r"|\b(?:bring|brings|brought) with (?:it|them)\b|\bwhat is more\b"
        r"|\b(?:reason|cause|difference|mistake|error|trouble|answer) lies in\b"
        rf"|\bto \w+ (?:[\w{CODE}{FORMULA}]+ ){{1,4}}meets\b"
    ),
    "a word twice": r"\b(?!had |that )([a-z]{2,}) \1\b",
    "an idle word; leave it out": (
        r"\b(?:very|simply|obviously|clearly|basically|of course|really)\b"
        r"|\bjust\b(?! (?:above|after|as|before|behind|below|beyond|over|under)\b)"
    ),
    "praise; let the reader see it": (
        r"\b(?:amazing|awesome|breathtaking|cutting-edge|delv(?:e|es|ing)|effortless(?:ly)?"
        r"|fascinating|game-chang\w+|groundbreaking|incredibl[ey]|revolutionary|seamless(?:ly)?"
        r"|stunning(?:ly)?)\b"
    ),
    "a picture in place of a word; write the word": (
        "[\U0001f000-\U0001faff\u2600-\u2712\u2715-\u2716\u2719-\u27bf]"
    ),
}
PATTERNS = {remedy: re.compile(pattern, re.IGNORECASE) for remedy, pattern in HABITS.items()}

MARKS = ' #/*"'  # around a sentence or a title
A_CODE = re.compile(r"\bcodes?\b", re.IGNORECASE)
PROGRAM = re.compile(
    r"\b(?:(?:source|program|public|released|reference|library|own|your|Python|NumPy|test|example)"
    r"|(?-i:[A-Z])\w+['’]s|paper['’]s|\w+s['’]) code\b"  # MAE's, the authors'
    r"|\*codes?\*"  # the word itself
    r"|\b(?:Gray|binary|error|exit|status) codes?\b"
    r"|\b(?:in|of|by|runs?(?: no)?|hold|writ(?:e|es|ing|ten)(?: the)?) code\b"
    r"(?! (?:of|for|at|vector))"
    r"|\bcode (?:blocks?|cells?|fences?|examples?)\b"
    r"|\bcode (?:of|in|from) (?:an? |the |this |that |each |every |another )?"
    r"(?:model|cell|figure|lab|library|package|page|function|program|module|repository|equation)\b"
    rf"|\bcode (?:of|in|from) (?:(?-i:[A-Z])\w+|{CODE})"
    r"|\bcode (?:that|which) (?:calls|computes|crashes|fails|refuses|runs|is run|cannot run)\b",
    re.IGNORECASE,
)
MEANT = (
    "is an encoding meant? then write so, or vector, or row; of a program say what it is: "
    "source code, lines of code, a function"
)
# Where a link leads and what an element is called, which nobody reads.
UNREAD = re.compile(
    r"(?<=\])\([^()\n]*\)|(?<=\])\[[^\[\]\n]*\]|\[`?(?:eq-|fig-|posenc\.)[^\[\]\n]*\](?=\[\])"
    r"|\{ ?[#.:][^{}\n]*\}|<[^<>\n]+>"
)
# Whose claim it is, in the errata.
ATTRIBUTION = re.compile(r"Texts? \d{3}(?:(?:,| and) \d{3})*\.")
LINK = re.compile(r"\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")

Found = tuple[int, str]


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for whatever the book does not say."""
    texts = Path(document.path) in (SOURCES, ERRATA)  # pages about them may speak of them
    for start, text in said(document.text, quoting=texts):
        for remedy, pattern in PATTERNS.items():
            if not (texts and remedy == ARGUMENT) and (match := pattern.search(text.strip(MARKS))):
                yield complaint(start, f"{match[0]!r}: {remedy}")
        without = PROGRAM.sub(lambda match: blank(match[0]), text)
        if match := A_CODE.search(without):
            yield complaint(start + match.start(), f"{match[0]!r}: {MEANT}")
    yield from monotonous(document.text)


def said(text: str, *, quoting: bool) -> Iterator[Found]:
    """Yield each sentence, title, value of the front matter, alternative text and caption.

    Rows of tables are left out where they quote.
    """
    if front := FRONT_MATTER.match(text):
        place, mirrored = front.start("yaml"), False  # titles of the source texts, as they are
        for line in front["yaml"].split("\n"):
            mirrored = line.startswith("mirrors:") or (mirrored and line.startswith(" "))
            if not mirrored:
                yield place, re.sub(r"^ *\w+:|[\"']", lambda match: blank(match[0]), line)
            place += len(line) + 1
    for fence in fences(text):
        for kind in ("alt", "caption"):
            yield fence.start, fence.attributes.get(kind, "")
    for paragraph in paragraphs(text):
        for sentence in () if quoting and paragraph.kind == "row" else paragraph.sentences:
            yield sentence.start, UNREAD.sub(lambda match: blank(match[0]), sentence.text)


def monotonous(text: str) -> Iterator[Region]:
    """Yield a complaint for paragraphs of short sentences alone, and for too many on a page."""
    short, whole = 0, 0
    for paragraph in paragraphs(text):
        lengths = list(running(paragraph))
        few = [length <= SHORT for length in lengths]
        short, whole = short + sum(few), whole + len(few)
        if len(few) > 2 and all(few):
            yield complaint(
                paragraph.start,
                f"{len(few)} sentences of at most {SHORT} words, and no other; join some",
            )
    if whole >= ENOUGH and short > SHARE * whole:
        yield complaint(
            0,
            f"{short} of {whole} sentences have at most {SHORT} words, more than "
            f"{SHARE:.0%}; join some of them",
        )


def running(paragraph: Paragraph) -> Iterator[int]:
    """Yield the lengths of the sentences of running text; "See [a chapter](a.md)." is none."""
    if paragraph.kind == "text" and paragraph.inside != "statement":
        for sentence in paragraph.sentences:
            text, links = LINK.subn("", sentence.text)
            points = links and Sentence(0, text).words <= 3
            if sentence.complete and not (points or ATTRIBUTION.fullmatch(text)):
                yield sentence.words
