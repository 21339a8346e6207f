"""Code fences of a page, and the text of the page with its code blanked out."""

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
# In this order, since a comment may be inside code, and a backtick inside a comment.
LINK_TEXT = r"(?P<link_text>\[(`+)[^`\n]+\2\])"  # code that is the text of a link
CODE_SPAN = r"(?P<code>(?P<ticks>(?<!`)`+)(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`))"
COMMENT = r"(?P<comment><!--.*?-->)"
CODE_OR_COMMENT = re.compile(f"{LINK_TEXT}|{CODE_SPAN}|{COMMENT}", re.DOTALL)
INCLUDE = re.compile(r'--8<-- "(?P<path>[^":]+)(?::(?P<section>[^"]+))?"\n')

PYTHON = ("python", "pycon")
# Markdown is first because only a fence of Markdown may contain prompts and fences.
OTHER_LANGUAGES = (
    *("markdown", "bibtex", "console", "css", "html", "javascript", "json", "text", "toml", "yaml"),
)


@dataclass
class Fence:
    """A fence of a page; start and end are the positions of its first and last character."""

    start: int
    end: int
    indent: str
    language: str
    source: str  # dedented
    line_starts: list[int]  # positions on the page of each line, and of the line after the last
    classes: set[str] = field(default_factory=set)
    attributes: dict[str, str] = field(default_factory=dict)


@lru_cache(maxsize=2048)  # pages, and the blocks of pages
def find_fences(text: str) -> tuple[Fence, ...]:
    """Return the fences of a page in order, without those inside another fence."""
    return tuple(_find_fences(text))


def _find_fences(text: str) -> Iterator[Fence]:
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

    If it cannot be parsed, all of it is returned as the language, which is then unknown.
    """
    info = info.strip()
    try:
        words = shlex.split(info.strip("{}")) if info.startswith("{") else None
    except ValueError:  # a quotation mark is missing
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
    """Return spaces in place of a text, line by line, so that positions don't change."""
    return "\n".join(" " * len(line) for line in text.split("\n"))


@lru_cache(maxsize=256)  # many rules call it with the same page
def blank_fences(text: str) -> str:
    """Return the page with fences and comments blanked out."""
    return _blank(text, ("comment",))


@lru_cache(maxsize=256)
def keep_prose(text: str) -> str:
    """Return the page with code and comments blanked out, except code that is a link's text."""
    return _blank(text, ("comment", "code"))


@lru_cache(maxsize=256)
def blank_code(text: str) -> str:
    """Return the page with all code blanked out, but with its comments."""
    return _blank(text, ("code",))


def _blank(text: str, kinds: tuple[str, ...]) -> str:
    def blank(match: re.Match[str]) -> str:
        return blank_out(match[0]) if match.lastgroup in kinds else match[0]

    return CODE_OR_COMMENT.sub(blank, _blank_fences(text))


@lru_cache(maxsize=256)
def _blank_fences(text: str) -> str:
    return FENCE.sub(lambda match: blank_out(match[0]), text)
