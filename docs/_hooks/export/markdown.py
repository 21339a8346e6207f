"""A page as plain Markdown, without the extensions that this site uses.

Formulas stay LaTeX, includes are expanded, blocks become paragraphs with a bold beginning, and
references show their numbers. A page is split into parts, text and runnable code. `render_page`
joins them; notebooks and scripts put each part into a cell.
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

# Returns the target of a link in the plain page; None if only the text of the link should stay.
LinkResolver = Callable[[str], str | None]
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

LAB_CLASSES = ("cell", "printed", "value")  # of the fences of a lab

# The first word of a block where it is not the kind of the block.
BLOCK_NAMES = {
    "details": "",
    "admonition": "",
    "explorer": "Explore",
    "package": "In the package",
    "verdict": "What the checks say",
}


@dataclass(frozen=True)
class Part:
    """A part of a page: `text`, or code of a kind that runs, `pycon`, `python` or `figure`.

    In a lab the code is a `cell`, and its output is `printed` or a `value`.
    """

    kind: str
    text: str  # as plain Markdown
    code: str = ""
    id: str = ""  # the last three are for figures
    alt: str = ""
    caption: str = ""  # with its number


@dataclass(frozen=True)
class Context:
    """What the plain text of a page depends on besides the page itself."""

    page: Path
    entries: dict[str, Entry]
    figures: dict[str, int]
    resolve_link: LinkResolver


def render_page(page: Path, text: str, book: Book, resolve_link: LinkResolver) -> str:
    """Return a page as plain Markdown."""
    return join_parts(part.text for part in split_page(page, text, book, resolve_link))


def join_parts(texts: Iterable[str]) -> str:
    """Return texts as one, with an empty line between them."""
    return "\n\n".join(text for text in texts if text) + "\n"


def split_page(page: Path, text: str, book: Book, resolve_link: LinkResolver) -> Iterator[Part]:
    """Yield the parts of a page; `resolve_link` returns the targets of its links."""
    front, text = split_front_matter(_insert_lists(page, text, book))
    if not re.search(r"^# ", keep_prose(text), re.MULTILINE):
        text = f"# {front.get('title', page.stem)}\n\n{text}"
    all_fences = list(find_fences(text))
    figures = [fence.attributes.get("id", "") for fence in all_fences if "figure" in fence.classes]
    numbers = {name: number for number, name in enumerate(figures, start=1)}
    context = Context(page, book.entries, numbers, resolve_link)
    start = 0
    for fence in all_fences:
        yield Part("text", convert_text(text[start : fence.start], context))
        yield _convert_fence(fence, context)
        start = fence.end
    yield Part("text", convert_text(text[start:], context))


def _insert_lists(page: Path, text: str, book: Book) -> str:
    """Return the page with the lists and the API entries that the build inserts."""
    for start, end, new in sorted(page_markdown.insert_lists(page, text, book), reverse=True):
        text = text[:start] + new + text[end:]
    return ENTRY.sub(lambda entry: stubs.render_stub(entry["name"], book.package), text)


def convert_text(text: str, context: Context) -> str:
    """Return text without code fences as plain Markdown."""
    prose = keep_prose(text)
    words = blank_formulas(prose)
    edits: list[Edit] = [
        *(
            (*match.span(), _render_block_head(match, text, context))
            for match in OPENING.finditer(prose)
        ),
        *((*match.span(), "") for match in CLOSING.finditer(prose)),
        *((*match.span(), "") for match in TAGS.finditer(words)),
        *((*match.span(), "") for match in ATTRIBUTES.finditer(words)),
        *((*match.span(), "") for match in AUTHOR_COMMENT.finditer(text)),
        *(
            (*match.span(), "")
            for match in COMMENT.finditer(text)
            if not AUTHOR_COMMENT.match(match[0])
        ),
        *_replace_references(text, words, context),
    ]
    titles = [edit[:2] for edit in edits if edit[2].startswith("**")]
    for start, end, new in sorted(edits, reverse=True):
        # A title has been converted as a whole, so edits inside it are not needed.
        if not any(first < start and end <= last for first, last in titles):
            text = text[:start] + new + text[end:]
    return unescape_includes(re.sub(r"\n(?:[ \t]*\n){2,}", "\n\n", text).strip("\n"))


def unescape_includes(text: str) -> str:
    """Return text with the includes that a page shows as examples, without their escape sign."""
    return re.sub(r";(?=-+8<-)", "", text)


def _render_block_head(match: re.Match[str], text: str, context: Context) -> str:
    """Return the bold words at the beginning of a block."""
    kind = match["kind"]
    title = text[slice(*match.span("title"))].strip() if match["title"] else ""
    title = convert_text(title, context)
    name = IDENTIFIER.search(match["options"])
    if kind == "statement" and name and (entry := context.entries.get(name["id"])):
        return f"**Equation {entry.number} ({title}).**\n"
    words = (BLOCK_NAMES.get(kind, kind.replace("-", " ").capitalize()), title)
    head = ": ".join(word for word in words if word)
    return f"**{head}{'' if head.endswith(('?', '!', '.')) else '.'}**\n" if head else ""


def _replace_references(text: str, words: str, context: Context) -> Iterator[Edit]:
    """Yield edits for references and links; `words` is the text without formulas and code."""
    for match in references.REFERENCE.finditer(words):
        name = references.read_target(match)
        label = text[slice(*match.span("text"))] if match["target"] else ""
        if entry := context.entries.get(name):
            link = _render_link(label or f"({entry.number})", entry.link(context.page), context)
            yield *match.span(), link
        elif name in context.figures:
            yield *match.span(), label or f"Figure {context.figures[name]}"
        elif name.partition(".")[0] == "posenc":
            yield *match.span(), text[slice(*match.span("text"))]
    for match in LINK.finditer(words):
        label = text[slice(*match.span("text"))]
        yield *match.span(), _render_link(label, match["target"], context)


def _render_link(label: str, target: str, context: Context) -> str:
    """Return a link, or only its text if the target is not available."""
    external = target.startswith(("https:", "mailto:"))
    address = target if external else context.resolve_link(target)
    return f"[{label}]({address})" if address else label


def _convert_fence(fence: Fence, context: Context) -> Part:
    """Return a fence as a part: runnable code or text."""
    source = fence.source
    kind = next((kind for kind in LAB_CLASSES if kind in fence.classes), "")
    if "figure" in fence.classes:
        return _convert_figure(fence, context, kind or "figure")
    if kind:
        return Part(kind, _render_fence(fence.language, source), source)
    if fence.language in ("python", "pycon") and "not-run" not in fence.classes:
        if match := INCLUDE.fullmatch(source):
            return Part(
                "text", _render_fence("python", read_included_code(match["path"], match["section"]))
            )
        return Part(fence.language, _render_fence(fence.language, source), source)
    # An include that a page shows as an example is escaped.
    return Part("text", _render_fence(fence.language, unescape_includes(source)))


def _convert_figure(fence: Fence, context: Context, kind: str) -> Part:
    name, alt = fence.attributes["id"], fence.attributes["alt"]
    caption = convert_text(fence.attributes["caption"], context)
    caption = f"**Figure {context.figures[name]}.** {caption}"
    uri = context.page.relative_to(DOCS).with_suffix(".md").as_posix()
    drawing = context.resolve_link(f"{page_markdown.get_drawing_url(uri)}/{name}-light.svg")
    image = f"![{alt}]({drawing})" if drawing else f"*{alt}*"
    text = "\n\n".join((image, caption, _render_fence("python", fence.source)))
    return Part(kind, text, fence.source, name, alt, caption)


def list_included_code(text: str) -> list[str]:
    """Return the code that a page includes from files."""
    return [
        read_included_code(include["path"], include["section"])
        for include in INCLUDE.finditer(text)
        if (ROOT / include["path"]).is_file()
    ]


def read_included_code(path: str, section: str | None) -> str:
    """Return the lines of a file, or of a section of it, below a comment with its path."""
    text = (ROOT / path).read_text("utf-8")
    if section:
        text = text.partition(f"[start:{section}]\n")[2].partition(f"[end:{section}]")[0]
        text = text[: text.rfind("\n") + 1]
    return f"# {path}\n{dedent(SECTION.sub('', text))}"


def _render_fence(language: str, source: str) -> str:
    """Return code in a fence that is longer than any fence in the code."""
    longest = max((len(ticks) for ticks in re.findall(r"^\s*(`{3,})", source, re.M)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language}\n{source.rstrip(chr(10))}\n{ticks}"
