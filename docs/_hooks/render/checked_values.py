"""Say in the letters of a statement for which values it is checked.

The comparisons of a session name the domain of each variable, in the names of its code. A reader
sees the letters of the formulas, each once: names that are in no formula are left out. A letter
with several domains has the widest range of the kind that the session names first.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

from check import comparisons
from check.formulas import DISPLAY, INLINE
from formula_check.sample_points import GREEK, name_in_formula

if TYPE_CHECKING:
    from posenc.proofs import Domain

WORDS = re.compile(r"\\(?:text|mathrm|operatorname\*?|begin|end)\{[^}]*\}")
LETTER = re.compile(r"(\\[A-Za-z]+|[A-Za-z])(?:_(?:\{([^{}]*)\}|(\\[a-z]+|\w)))?")
SYMBOLS = {f"\\{name}": letter for name, letter in GREEK.items()} | {r"\varphi": "φ"}
WORD = re.compile(r"[a-z]{2,}")
INDEX_WORD = re.compile(r"_\{?\\(?:text|mathrm)\{(\w+)\}\}?")
# Letters that sessions write for those of a formula, besides the same ones spelled in Python.
ALIASES = {
    "bandwidth": "β", "channels": "d_h", "d": "d_k", "g": "γ", "heads": "h_kv", "m": "μ",
    "peak": "α", "ridge": "λ", "s": "σ", "scale": "s", "std": "σ", "w": "ω",
}  # fmt: skip
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
NEAR = 1e-9  # how near to a power of two a number is written as the power
MOST_VALUES = 5  # of a list that is written out


@dataclass(frozen=True)
class Range:
    """The values of a letter: those of an interval, or a list."""

    kind: str  # even, integer, real, above or list
    low: float
    high: float
    values: tuple[float, ...] = ()

    def join(self, other: "Range") -> "Range":
        """Return the range that covers this one and another."""
        values = tuple(dict.fromkeys(self.values + other.values))
        return Range(self.kind, min(self.low, other.low), max(self.high, other.high), values)

    def describe(self, letters: list[str]) -> str:
        """Return letters with the values that each of them has."""
        low, high = format_number(self.low), format_number(self.high)
        if self.kind == "above":
            return f"{low} < {', '.join(letters)} ≤ {high}"
        *rest, last = letters
        joined = f"{', '.join(rest)} and {last}" if rest else last
        if self.kind == "list":
            return f"{joined} = {_format_values(self.values)}"
        kind = "integers" if self.kind == "integer" and rest else self.kind
        if self.kind == "real" or self.low < 0 or self.high > 2**50:
            return f"{kind} {joined} between {low} and {high}"
        return f"{kind} {joined} from {low} to {high}"


def _make_range(domain: "Domain") -> Range | None:
    """Return the range of a domain; None for seeds, words and truth values."""
    if domain.least is not None and domain.most is not None:
        kind = "integer" if domain.kind == "whole" else domain.kind
        return Range(kind, domain.least, domain.most)
    values = domain.edges
    unordered = any(isinstance(one, bool) or not isinstance(one, int | float) for one in values)
    if domain.kind == "seed" or unordered:
        return None
    return Range("list", min(values), max(values), values)


def describe_values(text: str, formulas: str) -> str:
    """Return the sentence on the values that the sessions of a text try.

    `formulas` is the text whose formulas have the letters that a reader knows. The sentence is
    empty if the sessions compare nothing, or only vary names that are in no formula.
    """
    domains = [comparison.domains for comparison in comparisons.find_comparisons(text)]
    if not domains:
        return ""
    parts = [*_describe_letters(_read_ranges(domains), list_letters(formulas))]
    if any(source == "seed()" for each in domains for source in each.values()):
        parts.append("the rest drawn at random" if parts else "values drawn at random")
    return f"Checked for {', '.join(parts)}." if parts else ""


def _read_ranges(domains: Iterable[Mapping[str, str]]) -> dict[str, Range]:
    """Return the range of each letter that has one."""
    found: dict[str, list[Range]] = {}
    for each in domains:
        for name, source in each.items():
            with suppress(ValueError):  # reported by comparisons.find_domain_problems
                if values := _make_range(comparisons.read_domain(source)):
                    found.setdefault(name_in_formula(name), []).append(values)
    return {letter: _merge(ranges) for letter, ranges in found.items()}


def _merge(ranges: list[Range]) -> Range:
    """Return the widest range of the first kind; a list only if there is nothing else."""
    intervals = [each for each in ranges if each.kind != "list"] or ranges
    first, *others = (each for each in intervals if each.kind == intervals[0].kind)
    for other in others:
        first = first.join(other)
    return first


def _describe_letters(ranges: Mapping[str, Range], letters: set[str]) -> Iterator[str]:
    """Yield the values of the letters, those with the same values together."""
    groups: dict[Range, list[str]] = {}
    for letter, values in ranges.items():
        known = letter if letter in letters else ALIASES.get(letter, letter)
        if known in letters:
            groups.setdefault(values, []).append(_format_letter(known))
    for values, group in groups.items():
        yield values.describe(group)


def list_letters(text: str) -> set[str]:
    """Return the letters in the formulas of a text, with and without their indices."""
    letters = set[str]()
    for match in [*DISPLAY.finditer(text), *INLINE.finditer(DISPLAY.sub(" ", text))]:
        waiting = [WORDS.sub(" ", INDEX_WORD.sub(r"_{\1}", match["tex"]))]
        while waiting:
            for found in LETTER.finditer(waiting.pop()):
                letter = SYMBOLS.get(found[1], found[1])
                index = found[2] or found[3] or ""
                letters |= {letter, f"{letter}_{index}"}
                waiting += [] if WORD.fullmatch(index) else [index]
    return letters


def _format_letter(letter: str) -> str:
    """Return a letter in italics, with its index below."""
    kernel, _, index = letter.partition("_")
    return f"*{kernel}*" + (f"<sub>{index}</sub>" if index else "")


def _format_values(values: tuple[float, ...]) -> str:
    """Return a list of numbers in words; of a long one the first and the last."""
    *rest, last = map(format_number, values)
    if len(values) > MOST_VALUES:
        return f"{', '.join(rest[:3])}, … {last} ({len(values)} values)"
    return f"{', '.join(rest)} or {last}" if rest else last


def format_number(value: float) -> str:
    """Return a number as a power of 2 or 10 if it is close to one, else with few digits."""
    sign, size = "−" if value < 0 else "", abs(value)
    if size and (power := round(log2(size))) >= 11 and abs(size / 2**power - 1) < NEAR:
        return f"{sign}2{str(power).translate(SUPERSCRIPTS)}"
    mantissa, _, exponent = f"{size:.0e}".partition("e")
    if size and float(f"1e{exponent}") == size and abs(int(exponent)) >= 5:
        return f"{sign}10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    if size >= 1e7:
        mantissa, _, exponent = f"{size:.1e}".partition("e")
        return f"about {sign}{mantissa}·10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    short = f"{size:.4g}"
    return sign + (short if "." in short else f"{size:.7g}")
