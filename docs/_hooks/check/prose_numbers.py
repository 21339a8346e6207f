r"""Rule for numbers in prose: a session of the page, or an inline check, must have each of them.

The numbers of a session are checked, so a number in the text that agrees with one of them, to the
digits of the text, is supported. Where the session may be depends on how likely the number is to
agree by chance:

- Decimals with three digits or more, and whole numbers from 100: anywhere on the page.
- Shorter decimals, whole numbers from 10, percentages, and fractions in words (*a seventh*): in a
  session, figure, formula or check of the same section. Text before the first section, and sections
  that look back (*Summary*, *Exercises*), may use those of any section.

A check after a sentence, `<!-- check: ... -->`, must have all numbers of the sentence, of any size.
Numbers that are chosen, not computed, are listed after the sentence, `<!-- example: 9000, 90 -->`.

Years, versions, sections of papers, bounds (*less than 40*), and lines with a link to their source
are ignored.
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
# After a number sign is a thread, repo#1234, and after a backslash or a brace a part of a formula.
NUMBER = re.compile(
    rf"(?<![\w.:/#^{{}}\\-])(?P<number>[-−]?(?:\d+\.\d+|{GROUPED}))"
    r"(?:(?P<percent> ?\\?%)| (?P<size>[KMGT])iB\b)?(?!\w|[.,/:-]\d|-\w)"
)
IN_CODE = re.compile(r"-?\d[\d_]*\.?\d*(?:e[+-]?\d+)?")
# Headings that a table lists, sections of papers, versions, list markers, and the wrong results
# that a solution discusses.
NOT_A_RESULT = re.compile(
    r"^\| [\d.]+ (?=[A-Z])|[Ss]ections? [\d.]+|Python [\d.]+"
    r"|^ *(?:\d+[.)] |\*\*\d+\.\*\*)|^ *If you (?:found|said|named|wrote)\b[^.]*?, "
)
SOURCE_LINK = re.compile(r"\]\((?:[^)]*bibliography\.md#|https?://)")
BOUND = re.compile(
    r"\b(?:than|least|most|within|below|above|beyond|under|over|before|close to|up to|near)\s+"
    r"(?:about\s+)?\Z"
)
END_OF_RANGE = re.compile(r"\b(?:to|and|till|last|is|head|pair|rows?|position)\s+\Z", re.IGNORECASE)
YEARS = range(1900, 2030)
SMALL, LARGE = 10, 100  # whole numbers below SMALL are ignored; those from LARGE are distinctive
DISTINCTIVE_DIGITS = 3  # of decimals

PARTS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9}
PARTS |= {"tenth": 10, "twelfth": 12, "hundredth": 100, "thousandth": 1000}
COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
FRACTION_IN_WORDS = re.compile(
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
LINE_WITH_COMMENTS = re.compile(r"[^\n]*(?:\n[ \t]*<!--[^\n]*)*")
EXEMPT_FOLDERS = ("contributing", "api")  # folders of pages


@dataclass(frozen=True)
class Number:
    """A number in prose with its position, its text and its value."""

    position: int
    text: str
    kind: str  # decimal, whole, percent, fraction (in words) or multiple
    value: float
    digits: str  # of a decimal, as Python reads it

    @property
    def error(self) -> float:
        """Return the largest difference from a number that supports it: half a unit of a digit."""
        if self.kind == "fraction":
            return 0.1 * self.value
        digits = len(self.digits.partition(".")[2]) + 2 * (self.kind == "percent")
        return 0.5001 * 10.0**-digits

    @property
    def is_distinctive(self) -> bool:
        """Return whether it is unlikely to be on a page by chance."""
        if self.kind == "decimal":
            return len(self.digits.lstrip("-0.").replace(".", "")) >= DISTINCTIVE_DIGITS
        return self.kind == "whole" and self.value >= LARGE


@dataclass
class Evidence:
    """The numbers of sessions, figures, formulas and checks."""

    decimals: set[float] = field(default_factory=set)
    wholes: set[int] = field(default_factory=set)
    fractions: set[float] = field(default_factory=set)
    multiples: set[str] = field(default_factory=set)
    in_tables: set[float] = field(default_factory=set)  # support only percentages and fractions

    def add_code(self, source: str) -> None:
        """Add the numbers of code and of its output."""
        numbers = [float(number) for number in find_code_numbers(source)]
        self.decimals.update(numbers)
        for number in numbers:
            if number == number // 1 or LARGE <= abs(number) < inf:
                self.wholes.add(abs(round(number)))
        self.wholes.update(find_wholes(source))
        self.multiples.update(map("".join, IN_CODE_MULTIPLE.findall(source)))

    def add_text(self, text: str, code: str) -> None:
        """Add the numbers of formulas, and those of fractions also in code."""
        for match in DISPLAY.finditer(text):
            self.multiples.update(map("".join, IN_CODE_MULTIPLE.findall(match[0])))
            self.wholes.update(find_wholes(match[0]))
        for match in INLINE.finditer(DISPLAY.sub("", text)):
            self.wholes.update(find_wholes(match[0]))
        for match in FRACTION.finditer(code):
            above, below = (int(number) for number in match.groups() if number)
            if below:
                self.fractions.add(above / below)

    def supports(self, number: Number) -> bool:
        """Return whether some number agrees with this one, to the digits of this one."""
        if number.kind == "whole":  # of a size such as 64 GiB, the number or the bytes
            return number.value in self.wholes or int(number.digits) in self.wholes
        if number.value in self.fractions:
            return True
        if number.kind == "decimal":
            return any(abs(other - number.value) <= number.error for other in self.decimals)
        return any(
            abs(other - scale * number.value) <= scale * number.error
            for other in self.decimals | self.in_tables
            for scale in (1, 100)  # 0.38 and 38 both support 38 %
        )


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each unsupported number of a page."""
    path = Path(document.path)
    if path.parent.name in EXEMPT_FOLDERS:
        return
    if is_lab(document.path):  # its answers are available only after all cells have run
        yield Region(len(document.text), len(document.text), None, check_lab)
        return
    for position, message in find_unsupported(document.text):
        yield make_problem(position, message)


def check_lab(example: Example) -> str | None:
    """Return a message for each number of a lab that neither a cell nor its answer has."""
    cells = [region for _, region in example.document.regions if "answer" in region.lexemes]
    answers = [cell.lexemes["answer"] for cell in cells]
    printed = [f"{answer.printed}\n{answer.value}" for answer in answers]
    text = example.document.text
    return "\n".join(
        f"line {text.count(chr(10), 0, position) + 1}: {message}"
        for position, message in find_unsupported(text, printed)
    )


def find_unsupported(text: str, printed: Sequence[str] = ()) -> list[tuple[int, str]]:
    """Return the position of each unsupported number of a page, with a message.

    `printed` is the output of the cells of a lab; a chapter has its output in sessions.
    """
    visible = FRONT_MATTER.sub(lambda match: blank_out(match[0]), keep_prose(text))
    return [*check_sections(text, visible, printed), *check_sentences(text, visible)]


def check_sections(text: str, visible: str, printed: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the numbers that their section, or for distinctive ones their page, doesn't have."""
    page = collect_evidence(text, visible, 0, len(text))
    for source in printed:
        page.add_code(source)
    starts = [0, *(match.start() for match in SECTION.finditer(visible)), len(text)]
    for start, end in pairwise(starts):
        heading = SECTION.match(visible, start)
        section = page
        if heading and not LOOKS_BACK.search(heading[0]) and not printed:
            section = collect_evidence(text, visible, start, end)
        for position, line in list_lines(text, visible, start, end):
            examples = read_examples(text, position)
            for number in find_unsupported_in_line(position, line, examples, section, page):
                place = "page" if number.is_distinctive else "section"
                message = (
                    f"the text says {number.text}, and no session of this {place} has it; print "
                    "it in one, add a check after the sentence, or link the source in this line"
                )
                yield position, message


def collect_evidence(text: str, visible: str, start: int, end: int) -> Evidence:
    """Return the numbers of all that is evidence between two positions of a page."""
    evidence = Evidence()
    for fence in find_fences(text):
        if start <= fence.start < end:
            evidence.add_code(fence.source)
    for match in CHECK.finditer(blank_code(text), start, end):
        evidence.add_code(match["expression"])
    for row in visible[start:end].split("\n"):
        if row.startswith("|"):
            evidence.in_tables.update(map(float, find_code_numbers(row)))
    evidence.add_text(visible[start:end], text[start:end])
    return evidence


def list_lines(text: str, visible: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the lines, captions and alt texts between two positions, each with its position."""
    prose = DISPLAY.sub(lambda match: blank_out(match[0]), visible[start:end])
    position = start
    for line in prose.split("\n"):
        if not line.startswith(("#", "///", "{", "    attrs:", "<")):
            yield position, line
        position += len(line) + 1
    for fence in find_fences(text):
        if start <= fence.start < end:
            for kind in ("alt", "caption"):
                yield fence.start, fence.attributes.get(kind, "")


def read_examples(text: str, position: int) -> Evidence:
    """Return the numbers that a comment after a line lists as examples."""
    line, evidence = LINE_WITH_COMMENTS.match(text, position), Evidence()
    for match in EXAMPLE.finditer(line[0] if line else ""):
        evidence.add_code(match["numbers"])
    return evidence


def find_unsupported_in_line(
    position: int, line: str, examples: Evidence, section: Evidence, page: Evidence
) -> Iterator[Number]:
    """Yield the numbers of a line that its section or page doesn't have."""
    if SOURCE_LINK.search(line):
        return
    numbers = [*find_numbers(line, position)]
    formulas = [*INLINE.finditer(line)]
    wholes = {int(number.value) for number in numbers if number.kind == "whole"}
    wholes |= {number for match in formulas for number in find_wholes(match[0])}
    for match in MULTIPLE.finditer(line):
        if match[1] + match[2] not in section.multiples:
            yield Number(position, match[0], "multiple", float(match[1]), match[1])
    for number in numbers:
        column = number.position - position
        if examples.supports(number):
            continue
        if number.kind == "whole":
            if number.value < SMALL or number.value in YEARS:
                continue
            in_formula = any(match.start() <= column < match.end() for match in formulas)
            if in_formula and number.value < LARGE**2:
                continue  # a parameter
            whole = int(number.value)
            if END_OF_RANGE.search(line, 0, column) and whole + 1 in section.wholes:
                continue
            if is_computed(whole, wholes - {whole}):
                continue
        if number.kind != "decimal" and BOUND.search(line, 0, column):
            continue
        if not (page if number.is_distinctive else section).supports(number):
            yield number


def find_numbers(line: str, position: int = 0) -> Iterator[Number]:
    """Yield the numbers of a line, in digits or as a fraction in words, that may be results."""
    line = NOT_A_RESULT.sub(lambda match: blank_out(match[0]), line)
    for match in NUMBER.finditer(line):
        digits = match["number"].replace("−", "-")
        at = position + match.start("number")
        if match["percent"]:
            yield Number(at, match[0], "percent", float(digits) / 100, digits)
        elif "." in digits:
            yield Number(at, match[0], "decimal", float(digits), digits)
        else:
            digits = re.sub(r"\D", "", digits)
            scale = 1024 ** (1 + "KMGT".index(match["size"])) if match["size"] else 1
            yield Number(at, match[0], "whole", int(digits) * scale, digits)
    for match in FRACTION_IN_WORDS.finditer(line):
        value = COUNTS[match["count"].lower()] / PARTS[match["part"].lower()]
        yield Number(position + match.start(), match[0], "fraction", value, "")


def find_code_numbers(source: str) -> list[str]:
    """Return the numbers of code in order, without underscores."""
    return [match[0].replace("_", "") for match in IN_CODE.finditer(source)]


def find_wholes(text: str) -> list[int]:
    r"""Return the whole numbers of a text, with 49 152, 49_152 and 49\,152 as one each."""
    return [int(re.sub(r"\D", "", number)) for number in re.findall(GROUPED, text)]


def is_computed(number: int, others: set[int]) -> bool:
    """Return whether a number is the sum, difference, product or quotient of two others."""
    pairs = permutations(others, 2)
    return any(number in (a + b, a - b, a * b) or b * number == a for a, b in pairs)


def check_sentences(text: str, visible: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers of each sentence that the checks after it don't have."""
    lines = [*re.finditer(r"[^\n]*", visible)]
    starts = [line.start() for line in lines]
    evidence_by_line: dict[int, Evidence] = {}
    for match in CHECK.finditer(blank_code(text)):
        index = bisect(starts, match.start()) - 1
        while index and not lines[index][0].strip():
            index -= 1  # checks and empty lines between the sentence and this check
        evidence_by_line.setdefault(index, read_examples(text, starts[index]))
        evidence_by_line[index].add_code(match["expression"])
    for index, evidence in evidence_by_line.items():
        start = starts[index]
        for number in find_numbers(lines[index][0], start):
            ignored = number.kind == "fraction" or number.value in YEARS
            if not ignored and not evidence.supports(number):
                yield start, f"the text says {number.text}, and the check after it does not"


def check_figure_text(figure: Fence, drawn: Iterable[str], sessions: Iterable[str]) -> str | None:
    """Return an error message if the alt text or caption has a decimal that nothing supports.

    `drawn` are the numbers that the figure shows.
    """
    evidence = Evidence({*map(float, drawn)})
    for source in (figure.source, *sessions):
        evidence.add_code(source)
    for kind in ("alt", "caption"):
        for number in find_numbers(figure.attributes.get(kind, "").replace("±", "")):
            if number.kind == "decimal" and not evidence.supports(number):
                return f"the {kind} says {number.text}, and neither the figure nor a session does"
    return None
