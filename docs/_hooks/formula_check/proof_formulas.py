"""Check the derivations that a proof displays, each line against the next.

The letters have the domains of the `steps` call below, or of the statement, or the values that
the letters file gives. Definitions may be in the paragraph before the proof, in the proof
before the display, or in the statement.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from check.fences import keep_prose
from check.formulas import DISPLAY, convert_to_mathml
from formula_check.blocks import Domain, Proof, merge_domains, read_domains
from formula_check.displays import (
    check_at_points,
    list_defined_letters,
    read_definitions,
    read_displays,
    read_statement_definitions,
)
from formula_check.evaluate import FormulaError, find_defined_names
from formula_check.letters import Letters, collect_names, order_letters
from formula_check.parse import Chain, UnsupportedFormula, parse_chains
from formula_check.statement_formulas import Result

RELATION = re.compile(r"=|<|>|\\(?:leq?|geq?|lt|gt|neq?|approx|propto)\b")
OPENING = re.compile(r"(?<!\\)\{|\\begin\{(?!aligned)")
CLOSING = re.compile(r"(?<!\\)\}|\\end\{(?!aligned)")
LINE_BREAK = re.compile(r"\\\\\n\s*|\\(?:begin|end)\{aligned\}\s*")


@dataclass(frozen=True)
class Line:
    """A line of a displayed derivation."""

    number: int  # from 1
    start: int  # in the text of the proof
    tex: str


@dataclass(frozen=True)
class Derivation:
    """One display of a proof."""

    tex: str
    start: int  # in the text of the proof
    text: str  # of the proof before the display
    session: str  # the text after it, up to the next display

    @property
    def lines(self) -> list[Line]:
        """Return the lines of the display."""
        breaks = [*LINE_BREAK.finditer(self.tex)]
        starts = [0, *(one.end() for one in breaks)]
        ends = [*(one.start() for one in breaks), len(self.tex)]
        rows = [
            (start, self.tex[start:end].strip()) for start, end in zip(starts, ends, strict=True)
        ]
        filled = [(start, row) for start, row in rows if row]
        return [
            Line(n, self.start + start, " ".join(row.split()))
            for n, (start, row) in enumerate(filled, 1)
        ]

    def find_line(self, step: int) -> Line:
        """Return the line with a relation of the chain, which are counted from 0."""
        positions = [
            match.start()
            for match in RELATION.finditer(self.tex)
            if _measure_depth(self.tex[: match.start()]) == 0
        ]
        position = self.start + (positions[step] if step < len(positions) else 0)
        before = [line for line in self.lines if line.start <= position]
        return before[-1] if before else self.lines[0]


def _measure_depth(tex: str) -> int:
    """Return how many braces and environments are open at the end of a text."""
    tex = tex.replace("{aligned}", "")
    return len(OPENING.findall(tex)) - len(CLOSING.findall(tex))


def find_derivations(proof: Proof) -> Iterator[Derivation]:
    """Yield the displays of a proof."""
    text = keep_prose(proof.text)
    displays = [*DISPLAY.finditer(text)]
    ends = [*(match.start() for match in displays[1:]), len(text)]
    for match, end in zip(displays, ends, strict=False):
        session = proof.text[match.end() : end]
        yield Derivation(match["tex"], match.start("tex"), text[: match.start()], session)


def check_derivation(derivation: Derivation, proof: Proof, letters: Letters) -> Result:
    """Check each line of a display against the next, at points where its letters have values."""
    statement = proof.statement.block.text if proof.statement else ""
    try:
        displayed = [*parse_chains(convert_to_mathml(derivation.tex, display=True))]
        own = [*read_definitions(f"{proof.lead}\n\n{derivation.text}")]
        definitions = [*own, *_read_needed_definitions(statement, [*own, *displayed])]
        names = collect_names([*definitions, *displayed])
        domain = _merge_domains(derivation, proof)
        text = f"{statement}\n{derivation.tex}"
        expressions = order_letters(
            letters.values, domain, names, text, list_defined_letters(definitions)
        )
        counts = check_at_points(displayed, definitions, expressions)
    except FormulaError as error:
        return Result(failure=str(error), step=error.step)
    except UnsupportedFormula as error:
        return Result(unsupported=str(error))
    return Result(
        checked=counts.total(), unused_definition=not all(counts[chain] for chain in displayed)
    )


def _read_needed_definitions(statement: str, trees: list[Chain]) -> Iterator[Chain]:
    """Yield the definitions of a statement, in sentences and displays, that formulas need."""
    displayed = [*read_displays(statement, lenient=True)]
    waiting = [*read_statement_definitions(statement, displayed)]
    waiting += [chain for chain in displayed if chain.relations[:1] == ("=",)]
    names = collect_names(trees)
    while needed := [each for each in waiting if find_defined_names(each.sides[0]) & names]:
        yield from needed
        names |= collect_names(needed)
        waiting = [each for each in waiting if each not in needed]


def _merge_domains(derivation: Derivation, proof: Proof) -> Domain:
    """Return the domains of the session after a display, and then those of the statement."""
    inherited = proof.statement.domain if proof.statement else {}
    return {**inherited, **merge_domains(read_domains(derivation.session))}
