"""Code fences: where they stand, what they say of themselves, and the text without them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<ticks>`{3,})(?P<info>[^`\n]*)\n"
    r"(?P<source>.*?)"
    r"^(?P=indent)(?P=ticks)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
# Of these, whichever comes first: a comment may stand in code, and a backtick in a comment.
LINK_TEXT = r"(?P<linked>\[(`+)[^`\n]+\2\])"  # code that is the text of a link
SPAN = r"(?P<span>(?P<ticks>(?<!`)`+)(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`))"
COMMENT = r"(?P<comment><!--.*?-->)"
CODE_OR_COMMENT = re.compile(f"{LINK_TEXT}|{SPAN}|{COMMENT}", re.DOTALL)
# The file of an include, and the section of it.
INCLUDE = re.compile(r'--8<-- "(?P<path>[^":]+)(?::(?P<section>[^"]+))?"\n')

PYTHON = ("python", "pycon")
# Markdown first: it alone may show prompts and fences.
OTHER_LANGUAGES = (
    *("markdown", "bibtex", "console", "css", "html", "javascript", "json", "text", "toml", "yaml"),
)


@dataclass
class Fence:
    """One fence of a page; start and end are its first and its last character."""

    start: int
    end: int
    indent: str
    language: str
    source: str  # dedented
    line_starts: list[int]  # on the page, of each line of the source, and of what follows it
    classes: set[str] = field(default_factory=set)
    attributes: dict[str, str] = field(default_factory=dict)


@lru_cache(maxsize=2048)  # pages, and the blocks of pages
def find_fences(text: str) -> tuple[Fence, ...]:
    """Return the fences of a page in order; those shown inside another fence are its text."""
    return tuple(_fences(text))


def _fences(text: str) -> Iterator[Fence]:
    for match in FENCE.finditer(text):
        raw = re.findall(r".*\n", match["source"])
        lines = [line.removeprefix(match["indent"]) for line in raw]
        ends = list(accumulate(map(len, raw), initial=match.start("source")))
        starts = [end - len(line) for end, line in zip(ends[1:], lines, strict=True)]
        language, classes, attributes = parse_info(match["info"])
        yield Fence(
            start=match.start(),
            end=match.end(),
            indent=match["indent"],
            language=language,
            source="".join(lines),
            line_starts=[*starts, ends[-1]],
            classes=classes,
            attributes=attributes,
        )


def parse_info(info: str) -> tuple[str, set[str], dict[str, str]]:
    """Return language, classes and attributes of `pycon` or `{.python .figure alt="…"}`.

    A header that cannot be read is returned as a language, which nobody knows.
    """
    info = info.strip()
    try:
        words = shlex.split(info.strip("{}")) if info.startswith("{") else None
    except ValueError:  # a quotation that is not closed
        words = None
    if words is None:
        return info, set(), {}
    classes: list[str] = []
    attributes: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if equals:
            attributes[name] = value
        elif word.startswith("#"):
            attributes["id"] = word[1:]
        else:
            classes.append(word.removeprefix("."))
    return classes[0] if classes else "", set(classes[1:]), attributes


def blank_out(text: str) -> str:
    """Return text as spaces, line by line, so that positions stay."""
    return "\n".join(" " * len(line) for line in text.split("\n"))


@lru_cache(maxsize=256)  # every parser asks for it, page by page
def blank_fences(text: str) -> str:
    """Return the page with fences and comments blanked out."""
    return _hide(text, ("comment",))


@lru_cache(maxsize=256)
def keep_prose(text: str) -> str:
    """Return the page with all code blanked out, but for the names that link somewhere."""
    return _hide(text, ("comment", "span"))


@lru_cache(maxsize=256)
def blank_code(text: str) -> str:
    """Return the page with all code blanked out, and its comments left."""
    return _hide(text, ("span",))


def _hide(text: str, kinds: tuple[str, ...]) -> str:
    def hide(match: re.Match[str]) -> str:
        return blank_out(match[0]) if match.lastgroup in kinds else match[0]

    return CODE_OR_COMMENT.sub(hide, _outside(text))


@lru_cache(maxsize=256)
def _outside(text: str) -> str:
    """Return the page with its fences blanked out."""
    return FENCE.sub(lambda match: blank_out(match[0]), text)
