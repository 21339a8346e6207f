"""Check the displayed formulas of a chapter: statements, the lines of proofs, inline notation.

A formula that cannot be computed is listed in `docs/reference/formula_letters.toml`, with the
reason.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from sybil import Document, Region

from check.cache import Cache, digest_files
from check.page_source import read_toml
from check.problems import make_problem
from formula_check import inline_formulas, letters
from formula_check.blocks import Proof, Statement, find_proofs, find_statements
from formula_check.letters import Letters, read_proof_letters, read_statement_letters
from formula_check.proof_ends import check_proof_end
from formula_check.proof_formulas import Derivation, check_derivation, find_derivations
from formula_check.statement_formulas import Result, check_statement

LIST = "docs/reference/formula_letters.toml"
# The checker as it was when this process began, like the engine in what is kept of a page.
CHECKER = digest_files([Path(__file__), *Path(letters.__file__).parent.glob("*.py")])

DOLLARS = len("$$")  # before a display

# Where a complaint may be among the regions of a page, the place that it names, and the message.
Complaint = tuple[int, int, str]


def parse(document: Document, cache: Cache | None = None) -> Iterator[Region]:
    """Yield a complaint for each formula of a chapter that does not hold as it is displayed."""
    if Path(document.path).parent.name != "chapters":
        return
    find = partial(find_complaints, document.text)
    content = describe_inputs(document.text, cache) if cache else ""
    found = cache.compute_once("formulas", content, find) if cache else find()
    for anchor, place, message in found:
        region = make_problem(anchor, message)
        region.lexemes["line"] = document.text.count("\n", 0, place) + 1
        yield region


def describe_inputs(text: str, cache: Cache) -> str:
    """Return everything that the result for a page depends on."""
    return repr((CHECKER, cache.package, read_toml(letters.LETTERS), text))


def find_complaints(text: str) -> list[Complaint]:
    """Return a complaint for each wrong formula of a chapter."""
    found = [(at, at, said) for at, said in inline_formulas.find_wrong_formulas(text)]
    statements = find_statements(text)
    ids = [one.id for one in statements]
    for one in statements:
        # LaTeX that cannot be converted and an id that is taken have complaints of their own.
        with suppress(ValueError):
            if ids.count(one.id) == 1 and (said := judge_statement(one)):
                found.append((one.block.start, one.block.start, f"{one.id}: {said}"))
    for proof in find_proofs(text):
        with suppress(ValueError):
            found += judge_proof(proof)
    return found


def judge_statement(one: Statement) -> str:
    """Return what is wrong with the formulas of a statement, or an empty string."""
    text, known = one.block.text, read_statement_letters(one.id)
    result = check_statement(text, one.domain, known)
    if result.failure:
        return f"the formula does not hold as it is displayed: {result.failure}"
    if result.unsupported:
        return explain_unsupported("formula", result.unsupported)
    if result.unused_definition:
        return (
            "the formula is a definition that nothing is compared with; give the value that the "
            f"package computes in {LIST}"
        )
    if known.unsupported:
        strict = check_statement(text, one.domain, Letters(known.values))
        if strict.checked and not strict.unused_definition:
            return f"the formula can be computed; remove its `unsupported` from {LIST}"
    return ""


def judge_proof(proof: Proof) -> Iterator[Complaint]:
    """Yield a complaint for each derivation of a proof that is wrong or cannot be computed."""
    known = read_proof_letters(proof.id)
    start = proof.block.end - len(proof.text)  # of the text on the page
    results = [(one, check_derivation(one, proof, known)) for one in find_derivations(proof)]
    for derivation, result in results:
        anchor = start + derivation.start - DOLLARS
        place, message = judge_derivation(derivation, result, known)
        if message:
            yield anchor, start + place, f"{proof.id}: {message}"
    if known.unsupported and not any(result.unsupported for _, result in results):
        yield (
            start,
            start,
            f"{proof.id}: the proof can be computed; remove its `unsupported` from {LIST}",
        )
    if end := check_proof_end(proof, read_statement_letters(proof.id)):
        yield start, start, f"{proof.id}: the proof ends with {end}"


def judge_derivation(derivation: Derivation, result: Result, known: Letters) -> tuple[int, str]:
    """Return the place in a proof and the message for a wrong derivation; it may be empty."""
    if result.failure:
        line = derivation.find_line(result.step)
        message = (
            f"line {line.number} of the derivation does not hold, {line.tex}: {result.failure}"
        )
        return line.start, message
    if result.unsupported and not known.unsupported:
        return derivation.start, explain_unsupported("derivation", result.unsupported)
    if result.unused_definition:
        return derivation.start, (
            "the derivation is a definition that nothing is compared with; say what the letter on "
            f"its left is in {LIST}"
        )
    return derivation.start, ""


def explain_unsupported(kind: str, why: str) -> str:
    """Return the message for a formula that cannot be computed."""
    return (
        f"the {kind} cannot be computed as it is displayed ({why}); say what its letters are in "
        f"{LIST}, or add `unsupported` with the reason"
    )
