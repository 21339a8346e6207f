"""Formulas: the build converts LaTeX to MathML, and invalid LaTeX is an error.

`parse` finds the formulas of a page for the checks. `MathML` is a Python-Markdown extension
that comes after `pymdownx.arithmatex` with `generic: true`. It doesn't need MkDocs.
"""

import html
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from sybil import Document, Example, Region

from check.fences import blank_out, keep_prose
from check.mathml_speech import add_alttext
from check.page_source import cache_by_text
from check.problems import make_problem

if TYPE_CHECKING:
    from math_core import LatexToMathML

# A displayed formula has no empty line, so that one without an end doesn't swallow the page.
DISPLAY = re.compile(
    r"^[ \t]*\$\$(?P<tex>(?:(?!\$\$|\n[ \t]*\n).)+?)\$\$[ \t]*$", re.MULTILINE | re.DOTALL
)
INLINE = re.compile(r"(?<![\\$])\$(?![\s$])(?P<tex>(?:\\.|[^\\$\n])+?)(?<!\s)\$")
HEADING = re.compile(r"^#{1,6}[^\n]*\$|^[^\n]*\$[^\n]*\n(=+|-+)[ \t]*$", re.MULTILINE)
LINE_BEFORE = re.compile(r"\S[^\n]*\n[ \t]*\Z")
LINE_AFTER = re.compile(r"\n[ \t]*(?!///)\S")
UNMATCHED = re.compile(r"(?<!\\)\$|\\[(\[]|\\begin\{")

# math-core accepts these, but browsers render them wrong (a length after \\ as letters).
RENDERED_WRONG = re.compile(r"\\(boxed|cancel|vec|widehat|widetilde)\b|\\\\\[")
COMMENT_SIGN = re.compile(r"(?<!\\)%")

# The elements that arithmatex creates.
ARITHMATEX = re.compile(
    r'<(?P<tag>span|div) class="arithmatex[^"]*">\\[(\[](?P<tex>.*?)\\[)\]]</(?P=tag)>'
    r"(?P<mark>[.,;:?!)]*)",
    re.DOTALL,
)


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield each formula of a page, and a problem for each that would not be rendered."""
    text = keep_prose(document.text)
    for match in DISPLAY.finditer(text):
        yield Region(*match.span("tex"), (match["tex"], True), check_formula)
        if LINE_BEFORE.search(text, 0, match.start()):
            yield make_problem(match.start(), "a displayed formula needs an empty line before it")
        if LINE_AFTER.match(text, match.end()):
            yield make_problem(match.end(), "a displayed formula needs an empty line after it")
    for match in INLINE.finditer(DISPLAY.sub(lambda display: blank_out(display[0]), text)):
        yield Region(*match.span("tex"), (match["tex"], False), check_formula)
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if line.startswith("|") and "|" in match["tex"]:
            yield make_problem(
                match.start(), "a bar in a formula ends the cell; write \\lvert, \\mid"
            )
    for match in HEADING.finditer(text):
        yield make_problem(
            match.start(),
            "a formula in a heading is not rendered in the table of contents; write it in words",
        )
    for match in UNMATCHED.finditer(blank_formulas(text)):
        yield make_problem(
            match.start(),
            f"{match[0]} does not begin or end a formula; write $x$, or $$ on lines of its own",
        )


@lru_cache(maxsize=256)
def blank_formulas(text: str) -> str:
    """Return the page with formulas blanked out."""
    for pattern in (DISPLAY, INLINE):
        text = pattern.sub(lambda match: blank_out(match[0]), text)
    return text


def check_formula(example: Example) -> str | None:
    """Return an error message if a formula cannot be converted to MathML."""
    tex, display = example.parsed
    try:
        convert_to_mathml(tex, display=display)
    except ValueError as error:
        return str(error)
    return None


@lru_cache(maxsize=8192)
def convert_to_mathml(tex: str, *, display: bool) -> str:
    """Return a formula as a <math> element; raise ValueError if it cannot be converted."""
    tex = tex.strip()
    if command := RENDERED_WRONG.search(tex):
        raise ValueError(f"{command[0]} in ${tex}$: browsers render it wrong; write it another way")
    if COMMENT_SIGN.search(tex):
        raise ValueError(f"% in ${tex}$ begins a comment; write \\%")
    from math_core import LatexError  # here, since Python in a browser doesn't have it

    try:
        return load_converter().convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        raise ValueError(f"LaTeX in ${tex}$: {error}") from None


@lru_cache(maxsize=1)
def load_converter() -> "LatexToMathML":
    """Return the converter from LaTeX to MathML."""
    from math_core import LatexToMathML

    return LatexToMathML(fancy_error=False)


class MathML(Extension):
    """Python-Markdown extension that converts the formulas marked by arithmatex to MathML."""

    def __init__(self, on_error: Callable[[str], None]) -> None:
        """Call `on_error` with a message for each formula that cannot be converted."""
        super().__init__()
        self.on_error = on_error

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802, the name Markdown calls
        """Register the conversion, last of all."""
        md.postprocessors.register(Convert(md, self.on_error), "mathml", 1)


class Convert(Postprocessor):
    """Replace each element that arithmatex created."""

    def __init__(self, md: Markdown, on_error: Callable[[str], None]) -> None:
        super().__init__(md)
        self.on_error = on_error

    def run(self, text: str) -> str:
        """Return HTML with its formulas as MathML."""
        return ARITHMATEX.sub(self.convert, text)

    def convert(self, match: re.Match[str]) -> str:
        """Return an element with its formula as MathML, or as code if it cannot be converted."""
        tag, tex = match["tag"], html.unescape(match["tex"])
        try:
            inside = add_alttext(convert_to_mathml(tex, display=tag == "div"))
        except ValueError as error:
            self.on_error(str(error))
            inside = f"<code>{html.escape(tex)}</code>"
        # The punctuation after a formula is in its element, so that no line begins with it.
        return f'<{tag} class="arithmatex">{inside}{match["mark"]}</{tag}>'
