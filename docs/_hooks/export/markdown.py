"""A page as plain Markdown: what a reader without this site's engine can read.

Formulas stay whole LaTeX, includes are expanded, blocks become paragraphs with a bold
beginning, references say their numbers. A page is cut into parts, text and code that
runs, in the order of reading; `plain` joins them, notebooks and scripts put each into a cell.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from check import references
from check.cards import Entry
from check.fences import INCLUDE, Fence, find_fences, keep_prose
from check.formulas import blank_formulas
from check.inline_checks import AUTHOR_COMMENT
from check.page_source import split_front_matter
from check.paths import DOCS, ROOT
from export import stubs
from render import page_markdown
from render.page_markdown import Book

# Where the address of a link leads in the plain page; without an address, its text stays.
Way = Callable[[str], str | None]
Edit = tuple[int, int, str]

OPENING = re.compile(
    r"^[ \t]*/{3,} *(?P<kind>[\w-]+)(?: *\|(?P<title>[^\n]*))?\n"
    r"(?P<options>(?: {4,}\S[^\n]*\n)*)",
    re.MULTILINE,
)
CLOSING = re.compile(r"^[ \t]*/{3,}[ \t]*$", re.MULTILINE)
IDENTIFIER = re.compile(r"\bid: *(?P<id>[\w-]+)")
ATTRIBUTES = re.compile(r"[ \t]*\{:? ?[.#][^{}\n]*\}")
TAGS = re.compile(r"^[ \t]*</?[a-z]+[^>\n]*>[ \t]*$", re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
LINK = re.compile(r"!?\[(?P<text>(?:\\.|[^\[\]\\])*)\]\((?P<target>[^()\s]+)(?: \"[^\"]*\")?\)")
ENTRY = re.compile(r"^::: (?P<name>[\w.]+)\n(?: {4,}[^\n]*\n|\n(?= {4}))*", re.MULTILINE)
SECTION = re.compile(r"^[ \t]*# --8<-- [^\n]*\n", re.MULTILINE)

KINDS = ("solution", "cell", "printed", "value")  # of a lab: classes that a fence may have

# How a block begins, where it has a title and where it has none; the rest says its kind.
NAMES = {"details": "", "admonition": "", "explorer": "Explore"}


@dataclass(frozen=True)
class Part:
    """A stretch of a page: `text`, or code of a kind that runs: `pycon`, `python`, `figure`.

    In a lab, `cell` or `solution`, and what the code before it answered: `printed`, `value`.
    """

    kind: str
    text: str  # as plain Markdown
    code: str = ""  # of what runs
    id: str = ""  # of a figure, as below
    alt: str = ""
    caption: str = ""  # with its number


@dataclass(frozen=True)
class Setting:
    """What the text of a page rests on beside itself."""

    page: Path
    entries: dict[str, Entry]
    figures: dict[str, int]
    way: Way


def render_page(page: Path, text: str, book: Book, way: Way) -> str:
    """Return a page as plain Markdown."""
    return join_parts(part.text for part in split_page(page, text, book, way))


def join_parts(texts: Iterable[str]) -> str:
    """Return texts as one, with an empty line between them."""
    return "\n\n".join(text for text in texts if text) + "\n"


def split_page(page: Path, text: str, book: Book, way: Way) -> Iterator[Part]:
    """Yield the parts of a page; `way` says where its links lead."""
    front, text = split_front_matter(_insert_lists(page, text, book))
    if not re.search(r"^# ", keep_prose(text), re.MULTILINE):
        text = f"# {front.get('title', page.stem)}\n\n{text}"
    found = list(find_fences(text))
    drawn = [fence.attributes.get("id", "") for fence in found if "figure" in fence.classes]
    numbers = {name: number for number, name in enumerate(drawn, start=1)}
    setting = Setting(page, book.entries, numbers, way)
    place = 0
    for fence in found:
        yield Part("text", convert_text(text[place : fence.start], setting))
        yield _convert_fence(fence, setting)
        place = fence.end
    yield Part("text", convert_text(text[place:], setting))


def _insert_lists(page: Path, text: str, book: Book) -> str:
    """Return the page with the lists that the build writes into it, and entries of the API."""
    for start, end, new in sorted(page_markdown.insert_lists(page, text, book), reverse=True):
        text = text[:start] + new + text[end:]
    return ENTRY.sub(lambda entry: stubs.render_stub(entry["name"], book.package), text)


def convert_text(text: str, setting: Setting) -> str:
    """Return a stretch without code fences as plain Markdown."""
    masked = keep_prose(text)
    calm = blank_formulas(masked)
    edits: list[Edit] = [
        *(
            (*match.span(), _render_block_head(match, text, setting))
            for match in OPENING.finditer(masked)
        ),
        *((*match.span(), "") for match in CLOSING.finditer(masked)),
        *((*match.span(), "") for match in TAGS.finditer(calm)),
        *((*match.span(), "") for match in ATTRIBUTES.finditer(calm)),
        *((*match.span(), "") for match in AUTHOR_COMMENT.finditer(text)),
        *(
            (*match.span(), "")
            for match in COMMENT.finditer(text)
            if not AUTHOR_COMMENT.match(match[0])
        ),
        *_replace_references(text, calm, setting),
    ]
    openings = [edit[:2] for edit in edits if edit[2].startswith("**")]
    for start, end, new in sorted(edits, reverse=True):
        inside = any(first < start and end <= last for first, last in openings)
        if not inside:  # of a title that is written anew as a whole
            text = text[:start] + new + text[end:]
    return unescape_includes(re.sub(r"\n(?:[ \t]*\n){2,}", "\n\n", text).strip("\n"))


def unescape_includes(text: str) -> str:
    """Return text in which an include that is only shown looks like one, so that it can be used."""
    return re.sub(r";(?=-+8<-)", "", text)


def _render_block_head(match: re.Match[str], text: str, setting: Setting) -> str:
    """Return the bold words that a block begins with."""
    kind = match["kind"]
    title = text[slice(*match.span("title"))].strip() if match["title"] else ""
    title = convert_text(title, setting)
    name = IDENTIFIER.search(match["options"])
    if kind == "statement" and name and (entry := setting.entries.get(name["id"])):
        return f"**Equation {entry.number} ({title}).**\n"
    said = NAMES.get(kind, kind.replace("-", " ").capitalize())
    said = ": ".join(word for word in (said, title) if word)
    return f"**{said}{'' if said.endswith(('?', '!', '.')) else '.'}**\n" if said else ""


def _replace_references(text: str, calm: str, setting: Setting) -> Iterator[Edit]:
    for match in references.REFERENCE.finditer(calm):
        name = references.read_target(match)
        said = text[slice(*match.span("text"))]
        if entry := setting.entries.get(name):
            said = said if match["target"] else f"({entry.number})"
            yield *match.span(), _render_link(said, entry.link(setting.page), setting)
        elif name in setting.figures:
            number = setting.figures[name]
            yield *match.span(), said if match["target"] else f"Figure {number}"
        elif name.partition(".")[0] == "posenc":
            yield *match.span(), said
    for match in LINK.finditer(calm):
        said = text[slice(*match.span("text"))]
        yield *match.span(), _render_link(said, match["target"], setting)


def _render_link(said: str, target: str, setting: Setting) -> str:
    """Return a link, or its text where that is all there is."""
    way = target if target.startswith(("https:", "mailto:")) else setting.way(target)
    return f"[{said}]({way})" if way else said


def _convert_fence(fence: Fence, setting: Setting) -> Part:
    """Return a fence as a part: one that runs, or text."""
    source = fence.source
    kind = next((kind for kind in KINDS if kind in fence.classes), "")
    if "figure" in fence.classes:
        return _convert_figure(fence, setting, kind or "figure")
    if kind:
        return Part(kind, _render_fence(fence.language, source), source)
    if fence.language in ("python", "pycon") and "not-run" not in fence.classes:
        if match := INCLUDE.fullmatch(source):
            return Part(
                "text", _render_fence("python", read_included_code(match["path"], match["section"]))
            )
        return Part(fence.language, _render_fence(fence.language, source), source)
    # What a page of Markdown shows of includes is marked, so as not to be one.
    return Part("text", _render_fence(fence.language, unescape_includes(source)))


def _convert_figure(fence: Fence, setting: Setting, kind: str) -> Part:
    name, alt = fence.attributes["id"], fence.attributes["alt"]
    said = convert_text(fence.attributes["caption"], setting)
    caption = f"**Figure {setting.figures[name]}.** {said}"
    uri = setting.page.relative_to(DOCS).with_suffix(".md").as_posix()
    drawing = setting.way(f"{page_markdown.get_drawing_url(uri)}/{name}-light.svg")
    image = f"![{alt}]({drawing})" if drawing else f"*{alt}*"
    text = "\n\n".join((image, caption, _render_fence("python", fence.source)))
    return Part(kind, text, fence.source, name, alt, caption)


def list_included_code(text: str) -> list[str]:
    """Return the lines of files that a page includes."""
    found = INCLUDE.finditer(text)
    return [
        read_included_code(i["path"], i["section"]) for i in found if (ROOT / i["path"]).is_file()
    ]


def read_included_code(path: str, section: str | None) -> str:
    """Return the lines that a page includes, and which file they are from."""
    text = (ROOT / path).read_text("utf-8")
    if section:
        text = text.partition(f"[start:{section}]\n")[2].partition(f"[end:{section}]")[0]
        text = text[: text.rfind("\n") + 1]
    return f"# {path}\n{dedent(SECTION.sub('', text))}"


def _render_fence(language: str, source: str) -> str:
    """Return code in a fence that is longer than any within it."""
    within = max((len(ticks) for ticks in re.findall(r"^\s*(`{3,})", source, re.M)), default=2)
    ticks = "`" * max(3, within + 1)
    return f"{ticks}{language}\n{source.rstrip(chr(10))}\n{ticks}"
