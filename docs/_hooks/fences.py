"""Code fences: where they stand, what they say of themselves, and the text without them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<ticks>`{3,})(?P<info>[^`\n]*)\n"
    r"(?P<source>.*?)"
    r"^(?P=indent)(?P=ticks)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
# Code that is the text of a link is matched first, so that it can be left as it is.
CODE_SPAN = re.compile(r"\[(`+)[^`\n]+\1\]|(?P<ticks>`+)(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
INCLUDE = re.compile(r'--8<-- "(?P<path>[^":]+)(?::(?P<section>[^"]+))?"\n')

PYTHON = ("python", "pycon")
OTHERS = (
    "bibtex",
    "console",
    "css",
    "html",
    "javascript",
    "json",
    "markdown",
    "text",
    "toml",
    "yaml",
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


def fences(text: str) -> Iterator[Fence]:
    """Yield the fences of a page in order; those shown inside another fence are its text."""
    for match in FENCE.finditer(text):
        raw = match["source"].splitlines(keepends=True)
        lines = [line.removeprefix(match["indent"]) for line in raw]
        ends = list(accumulate(map(len, raw), initial=match.start("source")))
        starts = [end - len(line) for end, line in zip(ends[1:], lines, strict=True)]
        language, classes, attributes = header(match["info"])
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


def header(info: str) -> tuple[str, set[str], dict[str, str]]:
    """Return language, classes and attributes of `pycon` or `{.python .figure alt="…"}`."""
    info = info.strip()
    if not info.startswith("{"):
        return info, set(), {}
    classes, attributes = [], {}
    for word in shlex.split(info.strip("{}")):
        name, equals, value = word.partition("=")
        if equals:
            attributes[name] = value
        elif word.startswith("#"):
            attributes["id"] = word[1:]
        else:
            classes.append(word.removeprefix("."))
    return classes[0] if classes else "", set(classes[1:]), attributes


def blank(text: str) -> str:
    """Return text as spaces, line by line, so that positions stay."""
    return re.sub(r"[^\n]", " ", text)


def without_fences(text: str) -> str:
    """Return the page with fences and comments blanked out."""
    text = FENCE.sub(lambda match: blank(match[0]), text)
    return COMMENT.sub(lambda match: blank(match[0]), text)


def prose(text: str) -> str:
    """Return the page with all code blanked out, but for the names that link somewhere."""

    def hide(match: re.Match[str]) -> str:
        return blank(match[0]) if match["ticks"] else match[0]

    return CODE_SPAN.sub(hide, without_fences(text))
