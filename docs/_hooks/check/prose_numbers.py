r"""Numbers in prose: each has to be shown by a session of its page, or by a check beside it.

What a session prints is checked, so a number of the text that agrees with it, to the digits that
the text has, is checked as well. How near the session has to be depends on how likely a number is
to agree by chance:

- decimals of three digits and more, and whole numbers from 100 on: anywhere on the page;
- shorter decimals, whole numbers from 10 on, percentages, and shares in words (*a seventh*): in
  a session, figure, formula or check of the same section. Text before the first section, and
  sections that look back (*Summary*, *Exercises*), may repeat what any section shows.

A check beside a sentence, `<!-- check: ... -->`, has all the numbers of the sentence, of any size.
Numbers that are no results but chosen as examples are named beside the sentence that has them,
`<!-- example: 9000, 90 -->`.

Left alone are years, versions, sections of papers, bounds (*less than 40*), and lines that link
the paper or the thread that they quote.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from math import inf
from pathlib import Path

from sybil import Document, Example, Region

from check.fences import Fence, blank_code, blank_out, find_fences, keep_prose
from check.formulas import DISPLAY, INLINE
from check.inline_checks import CHECK
from check.lab_source import is_lab
from check.page_source import FRONT_MATTER, cache_by_text
from check.problems import make_problem

GROUPED = r"\d{1,3}(?:(?: |,|_|\\,|\{,\})\d{3})+(?!\d)|\d+"
# What follows a number sign is a thread, repo#1234; a backslash or a brace, part of a formula.
NUMBER = re.compile(
    rf"(?<![\w.:/#^{{}}\\-])(?P<number>[-−]?(?:\d+\.\d+|{GROUPED}))"
    r"(?:(?P<percent> ?\\?%)| (?P<size>[KMGT])iB\b)?(?!\w|[.,/:-]\d|-\w)"
)
IN_CODE = re.compile(r"-?\d[\d_]*\.?\d*(?:e[+-]?\d+)?")
# Headings, also those that a table lists; sections of papers, versions, addresses, list markers,
# and what an answer says of a wrong guess.
NOT_A_RESULT = re.compile(
    r"^#.*|^\| [\d.]+ (?=[A-Z])|[Ss]ections? [\d.]+|Python [\d.]+|arXiv:[\d.v]+|\]\([^)]*\)"
    r"|^ *(?:\d+[.)] |\*\*\d+\.\*\*)|^ *If you (?:found|said|named|wrote)\b[^.]*?, "
)
SOURCE_LINK = re.compile(r"\]\((?:[^)]*bibliography\.md#|https?://)")
BOUND = re.compile(
    r"\b(?:than|least|most|within|below|above|beyond|under|over|before|close to|up to|near)\s+"
    r"(?:about\s+)?\Z"
)
ENDS_RANGE = re.compile(r"\b(?:to|and|till|last|is|head|pair|rows?|position)\s+\Z", re.IGNORECASE)
YEARS = range(1900, 2030)
SMALL, LARGE, PRECISE = 10, 100, 3

PARTS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9}
PARTS |= {"tenth": 10, "twelfth": 12, "hundredth": 100, "thousandth": 1000}
COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
SHARE = re.compile(
    rf"\b(?P<count>{'|'.join(COUNTS)})[ -](?P<part>{'|'.join(PARTS)})s?\b"
    r"(?= (?:of|at|and|as|by|in|from|apart|the|longer|more|less)\b|[)]?[.,;:?]|$)",
    re.IGNORECASE,
)
FRACTION = re.compile(r"\\[td]?frac\{?(\d+)\}?\{?(\d+)\}?|(\d+) ?/ ?(\d+)")
MULTIPLE = re.compile(r"\$(\d+) ?([A-Za-z])(?:_\w|_\{\w+\})?\$")  # $6d$
IN_CODE_MULTIPLE = re.compile(r"(?<![\w.])(\d+)(?: ?\* ?| ?)([A-Za-z])")  # 6 * d

SECTION = re.compile(r"^## [^\n]*", re.MULTILINE)
LOOKS_BACK = re.compile(
    r"\{ *#summary *\}|^## (?:Pitfalls|Check yourself|Exercises|Further reading)"
)
EXAMPLE = re.compile(r"<!--[ \t]*example:(?P<numbers>[^<>]*)-->")
LINE_WITH_COMMENTS = re.compile(
    r"[^\n]*(?:\n[ \t]*<!--[^\n]*)*"
)  # a line and the comments after it
SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]+?(?<!`)\1(?!`)")
EXEMPT_FOLDERS = ("contributing", "api")  # folders of pages that give rules and lists


@dataclass(frozen=True)
class Number:
    """A number in prose: where it is, how it is written, and its value."""

    place: int
    text: str
    kind: str  # decimal, whole, percent or share
    value: float
    digits: str  # of a decimal, as Python reads it

    @property
    def error(self) -> float:
        """Return how far what shows it may lie from it: half a unit of its last digit."""
        if self.kind == "share":
            return 0.1 * self.value
        digits = len(self.digits.partition(".")[2]) + 2 * (self.kind == "percent")
        return 0.5001 * 10.0**-digits

    @property
    def is_distinctive(self) -> bool:
        """Return whether it is hardly on a page by chance."""
        if self.kind == "decimal":
            return len(self.digits.lstrip("-0.").replace(".", "")) >= PRECISE
        return self.kind == "whole" and self.value >= LARGE


@dataclass
class Evidence:
    """The numbers that sessions, figures, formulas and checks show."""

    decimals: set[float] = field(default_factory=set)
    wholes: set[int] = field(default_factory=set)
    fractions: set[float] = field(default_factory=set)
    multiples: set[str] = field(default_factory=set)
    in_tables: set[float] = field(default_factory=set)  # which show percentages and shares

    def add_code(self, source: str) -> None:
        """Add the numbers of code and of what it prints."""
        numbers = [float(number) for number in find_code_numbers(source)]
        self.decimals.update(numbers)
        for one in numbers:
            if one == one // 1 or LARGE <= abs(one) < inf:
                self.wholes.add(abs(round(one)))
        self.wholes.update(find_wholes(source))
        self.multiples.update(times + of for times, of in IN_CODE_MULTIPLE.findall(source))

    def add_text(self, text: str, code: str) -> None:
        """Add what formulas and code within lines show; `code` is the text with such code."""
        shown = [match[0] for match in DISPLAY.finditer(text)]
        for source in shown:
            self.multiples.update(times + of for times, of in IN_CODE_MULTIPLE.findall(source))
        shown += [match[0] for match in INLINE.finditer(DISPLAY.sub("", text))]
        shown += [match[0] for match in SPAN.finditer(code)]
        for source in shown:
            self.wholes.update(find_wholes(source))
        for match in FRACTION.finditer(code):
            above, below = (int(number) for number in match.groups() if number)
            if below:
                self.fractions.add(above / below)

    def shows(self, number: Number) -> bool:
        """Return whether some number agrees with this one, to the digits that it has."""
        if number.kind == "whole":  # of a size, 64 GiB, either the count or the bytes
            return number.value in self.wholes or int(number.digits) in self.wholes
        if number.value in self.fractions:
            return True
        if number.kind == "decimal":
            return any(abs(one - number.value) <= number.error for one in self.decimals)
        return any(
            abs(one - scale * number.value) <= scale * number.error
            for one in self.decimals | self.in_tables
            for scale in (1, 100)  # 0.38 and 38 show 38 %
        )


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each number of a page that nothing shows."""
    path = Path(document.path)
    if path.parent.name in EXEMPT_FOLDERS:
        return
    if is_lab(document.path):  # whose answers are known when all cells have run
        yield Region(len(document.text), len(document.text), None, check_lab)
        return
    for place, message in find_unsupported(document.text):
        yield make_problem(place, message)


def check_lab(example: Example) -> str | None:
    """Compare the text of a lab with its cells and with what they printed."""
    cells = [region for _, region in example.document.regions if "answer" in region.lexemes]
    printed = [
        f"{cell.lexemes['answer'].printed}\n{cell.lexemes['answer'].value}" for cell in cells
    ]
    text = example.document.text
    return "\n".join(
        f"line {text.count(chr(10), 0, place) + 1}: {message}"
        for place, message in find_unsupported(text, printed)
    )


def find_unsupported(text: str, printed: Sequence[str] = ()) -> list[tuple[int, str]]:
    """Return where a page has a number that nothing shows, each with a message.

    `printed` is what the cells of a lab printed; a chapter has it in its sessions.
    """
    visible = FRONT_MATTER.sub(lambda match: blank_out(match[0]), keep_prose(text))
    return [*check_sections(text, visible, printed), *check_sentences(text, visible)]


def check_sections(text: str, visible: str, printed: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the numbers that neither their section nor, where that is enough, their page shows."""
    page = collect_evidence(text, visible, 0, len(text))
    for source in printed:
        page.add_code(source)
    starts = [0, *(match.start() for match in SECTION.finditer(visible)), len(text)]
    for start, end in pairwise(starts):
        heading = SECTION.match(visible, start)
        near = page
        if heading and not LOOKS_BACK.search(heading[0]) and not printed:
            near = collect_evidence(text, visible, start, end)
        for place, line in list_lines(text, visible, start, end):
            for number, where in find_unsupported_in_line(
                place, line, read_examples(text, place), near, page
            ):
                yield (
                    place,
                    f"the text says {number.text}, and no session {where} shows it; let one print "
                    "it, put a check beside the sentence, or link the source in this line",
                )


def collect_evidence(text: str, visible: str, start: int, end: int) -> Evidence:
    """Return what is shown between two places of a page."""
    found = Evidence()
    for fence in find_fences(text):
        if start <= fence.start < end:
            found.add_code(fence.source)
    for match in CHECK.finditer(blank_code(text), start, end):
        found.add_code(match["expression"])
    for row in visible[start:end].split("\n"):
        if row.startswith("|"):
            found.in_tables.update(map(float, find_code_numbers(row)))
    found.add_text(visible[start:end], text[start:end])
    return found


def list_lines(text: str, visible: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield what is written between two places: lines, captions and alternative texts."""
    said = DISPLAY.sub(lambda match: blank_out(match[0]), visible[start:end])
    place = start
    for line in said.split("\n"):
        if not line.startswith(("#", "///", "{", "    attrs:", "<")):
            yield place, line
        place += len(line) + 1
    for fence in find_fences(text):
        if start <= fence.start < end:
            for kind in ("alt", "caption"):
                yield fence.start, fence.attributes.get(kind, "")


def read_examples(text: str, place: int) -> Evidence:
    """Return the numbers that a comment beside a line calls examples."""
    beside, found = LINE_WITH_COMMENTS.match(text, place), Evidence()
    for match in EXAMPLE.finditer(beside[0] if beside else ""):
        found.add_code(match["numbers"])
    return found


def find_unsupported_in_line(
    place: int, line: str, examples: Evidence, near: Evidence, page: Evidence
) -> Iterator[tuple[Number, str]]:
    """Yield the numbers of a line that are neither shown nor computed in it, and where."""
    numbers = [*find_numbers(line, place)]
    if SOURCE_LINK.search(line):
        return
    formulas = {number for match in INLINE.finditer(line) for number in find_wholes(match[0])}
    written = {int(n.value) for n in numbers if n.kind == "whole"} | formulas
    in_formulas = [match.span() for match in INLINE.finditer(line)]
    for match in MULTIPLE.finditer(line):
        if match[1] + match[2] not in near.multiples:
            yield Number(place, match[0], "whole", float(match[1]), match[1]), "of this section"
    for number in numbers:
        at = number.place - place
        if examples.shows(number):
            continue
        if number.kind == "whole":
            if any(a <= at < b for a, b in in_formulas) and number.value < LARGE**2:
                continue  # a parameter
            if number.value < SMALL or number.value in YEARS:
                continue
            whole = int(number.value)
            if ENDS_RANGE.search(line, 0, at) and whole + 1 in near.wholes:
                continue
            if is_computed(whole, written - {whole}):
                continue
        if number.kind != "decimal" and BOUND.search(line, 0, at):
            continue
        if not (page if number.is_distinctive else near).shows(number):
            yield number, "of this page" if number.is_distinctive else "of this section"


def find_numbers(line: str, place: int = 0) -> Iterator[Number]:
    """Yield the numbers of a line, in digits or as a share in words, but for what is no result."""
    line = NOT_A_RESULT.sub(lambda match: blank_out(match[0]), line)
    for match in NUMBER.finditer(line):
        written = match["number"].replace("−", "-")
        at = place + match.start("number")
        if match["percent"]:
            yield Number(at, match[0], "percent", float(written) / 100, written)
        elif "." in written:
            yield Number(at, match[0], "decimal", float(written), written)
        else:
            scale = 1024 ** (1 + "KMGT".index(match["size"])) if match["size"] else 1
            whole = int(re.sub(r"\D", "", written)) * scale
            yield Number(at, match[0], "whole", whole, re.sub(r"\D", "", written))
    for match in SHARE.finditer(line):
        value = COUNTS[match["count"].lower()] / PARTS[match["part"].lower()]
        yield Number(place + match.start(), match[0], "share", value, "")


def find_code_numbers(source: str) -> list[str]:
    """Return the numbers of code, as Python reads them, in order."""
    return [match[0].replace("_", "") for match in IN_CODE.finditer(source)]


def find_wholes(text: str) -> list[int]:
    r"""Return the whole numbers of a text, with 49 152, 49_152 and 49\,152 as one each."""
    return [int(re.sub(r"\D", "", number)) for number in re.findall(GROUPED, text)]


def is_computed(number: int, others: set[int]) -> bool:
    """Return whether a number is the sum, difference, product or quotient of two others."""
    pairs = permutations(others, 2)
    return any(number in (a + b, a - b, a * b) or b * number == a for a, b in pairs)


def check_sentences(text: str, visible: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers of a sentence that the checks behind it do not have."""
    lines = [*re.finditer(r"[^\n]*", visible)]
    starts = [line.start() for line in lines]
    checked = dict[int, Evidence]()  # by the number of the line
    for match in CHECK.finditer(blank_code(text)):
        number = bisect(starts, match.start()) - 1
        while number and not lines[number][0].strip():
            number -= 1  # checks and empty lines between the sentence and this one
        checked.setdefault(number, read_examples(text, starts[number]))
        checked[number].add_code(match["expression"])
    for number, evidence in checked.items():
        line = lines[number]
        for one in find_numbers(line[0], line.start()):
            if one.kind != "share" and one.value not in YEARS and not evidence.shows(one):
                yield line.start(), f"the text says {one.text}, and the check beside it does not"


def check_figure_text(figure: Fence, drawn: Iterable[str], sessions: Iterable[str]) -> str | None:
    """Return the decimals in the words of a figure that neither it nor a session shows."""
    shown = Evidence({*map(float, drawn)})
    for source in (figure.source, *sessions):
        shown.add_code(source)
    for kind in ("alt", "caption"):
        for number in find_numbers(figure.attributes.get(kind, "").replace("±", "")):
            if number.kind == "decimal" and not shown.shows(number):
                return f"the {kind} says {number.text}, and neither the figure nor a session does"
    return None
