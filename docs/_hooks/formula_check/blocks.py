"""Find the statements and proofs of a page, with the domains that their sessions name."""

import re
from dataclasses import dataclass, field

from check import comparisons
from check.cards import COMMENT, IDENTIFIER, Block, find_blocks
from check.fences import blank_out, keep_prose
from formula_check.sample_points import rename_letters

Domain = dict[str, str]  # what each letter is drawn from, as the session writes it

PARAGRAPH = re.compile(r"\n[ \t]*\n")


@dataclass
class Proof:
    """A proof, with the paragraph that leads to it and the statement that it proves."""

    block: Block
    lead: str
    statement: "Statement | None" = None

    @property
    def id(self) -> str:
        """Return the id of the statement that it proves."""
        return self.statement.id if self.statement else ""

    @property
    def text(self) -> str:
        """Return the text of the proof, where comments are spaces, so that offsets stay."""
        return COMMENT.sub(lambda match: blank_out(match[0]), self.block.raw)


@dataclass
class Statement:
    """A statement, with the domains of the sessions that verify or prove it."""

    id: str
    block: Block
    end: int  # of the last block that belongs to it
    domains: list[Domain] = field(default_factory=list)  # those of the verification come first

    @property
    def domain(self) -> Domain:
        """Return the domain of each letter in the first session that names it."""
        return merge_domains(self.domains)


def find_statements(text: str) -> list[Statement]:
    """Return the statements of a page that have an id."""
    statements, _ = _read_page(text)
    return statements


def find_proofs(text: str) -> list[Proof]:
    """Return the proofs of a page, each with its statement."""
    _, proofs = _read_page(text)
    return proofs


def read_domains(text: str) -> list[Domain]:
    """Return the domains of each comparison in the sessions of a text."""
    return [rename_letters(comparison.domains) for comparison in comparisons.find_comparisons(text)]


def merge_domains(domains: list[Domain]) -> Domain:
    """Return the domain of each letter in the first session that names it."""
    return {name: text for domain in reversed(domains) for name, text in domain.items()}


def _read_page(text: str) -> tuple[list[Statement], list[Proof]]:
    statements: list[Statement] = []
    proofs: list[tuple[Proof, Statement | None, int]] = []  # what precedes it, how far above
    current: Statement | None = None
    end = 0
    for block in find_blocks(text):
        if block.kind == "statement":
            name = IDENTIFIER.search(block.text)
            current = Statement(name[1], block, block.end) if name else None
            statements += [current] if current else []
        elif block.kind == "proof":
            proof = Proof(block, _last_paragraph(text[end : block.start]))
            proofs.append((proof, current, block.start - (current.end if current else 0)))
        elif current:
            current.domains[:0] = read_domains(block.text)
            current.end = block.end
        end = block.end
    for proof, above, distance in proofs:
        proof.statement = _choose_nearest(proof, above, distance, statements)
        if proof.statement:
            proof.statement.domains += read_domains(proof.block.text)
    return statements, [proof for proof, *_ in proofs]


def _choose_nearest(
    proof: Proof, above: Statement | None, distance: int, statements: list[Statement]
) -> Statement | None:
    """Return the statement before or after a proof, whichever is nearer on the page."""
    below = next(
        (statement for statement in statements if statement.block.start > proof.block.end), None
    )
    if above and below:
        return below if below.block.start - proof.block.end <= distance else above
    return above or below


def _last_paragraph(text: str) -> str:
    return PARAGRAPH.split(keep_prose(text).strip())[-1]
