"""Check the formulas of a chapter numerically: statements, lines of proofs, inline notation.

`docs/reference/formula_letters.toml` lists the formulas that cannot be computed, with the reason.
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
# Read at import: later edits of these files have no effect in this process.
CHECKER = digest_files([Path(__file__), *Path(letters.__file__).parent.glob("*.py")])

DOLLARS = len("$$")  # before a displayed formula

# An offset at which Sybil accepts a region, the offset whose line is reported, and the message.
Problem = tuple[int, int, str]


def parse(document: Document, cache: Cache | None = None) -> Iterator[Region]:
    """Yield a problem for each formula of a chapter that is wrong or cannot be computed."""
    if Path(document.path).parent.name != "chapters":
        return
    find = partial(find_problems, document.text)
    content = describe_inputs(document.text, cache) if cache else ""
    problems = cache.compute_once("formulas", content, find) if cache else find()
    for start, position, message in problems:
        region = make_problem(start, message)
        region.lexemes["line"] = document.text.count("\n", 0, position) + 1
        yield region


def describe_inputs(text: str, cache: Cache) -> str:
    """Return everything that the result for a page depends on, as a key of the cache."""
    return repr((CHECKER, cache.package, read_toml(letters.LETTERS), text))


def find_problems(text: str) -> list[Problem]:
    """Return a problem for each formula of a chapter that is wrong or cannot be computed."""
    wrong_formulas = inline_formulas.find_wrong_formulas(text)
    problems = [(start, start, message) for start, message in wrong_formulas]
    statements = find_statements(text)
    ids = [statement.id for statement in statements]
    for statement in statements:
        # Other rules report invalid LaTeX, which raises ValueError, and duplicate ids.
        with suppress(ValueError):
            if ids.count(statement.id) == 1 and (message := check_formulas(statement)):
                start = statement.block.start
                problems.append((start, start, f"{statement.id}: {message}"))
    for proof in find_proofs(text):
        with suppress(ValueError):
            problems += check_proof(proof)
    return problems


def check_formulas(statement: Statement) -> str:
    """Return what is wrong with the formulas of a statement, or an empty string."""
    text, letters = statement.block.text, read_statement_letters(statement.id)
    result = check_statement(text, statement.domain, letters)
    if result.failure:
        return f"the formula is wrong as it is displayed: {result.failure}"
    if result.unsupported:
        return explain_unsupported("formula", result.unsupported)
    if result.unused_definition:
        return (
            "the formula defines a letter, so nothing is compared; add the value that the package "
            f"computes to {LIST}"
        )
    if letters.unsupported:
        strict = check_statement(text, statement.domain, Letters(letters.values))
        if strict.checked and not strict.unused_definition:
            return f"the formula can be computed; remove its `unsupported` from {LIST}"
    return ""


def check_proof(proof: Proof) -> Iterator[Problem]:
    """Yield a problem for each derivation of a proof that is wrong or cannot be computed."""
    letters = read_proof_letters(proof.id)
    start = proof.block.end - len(proof.text)  # the offset of the proof's text on the page
    derivations = list(find_derivations(proof))
    results = [(each, check_derivation(each, proof, letters)) for each in derivations]
    for derivation, result in results:
        position, message = describe_result(derivation, result, letters)
        if message:
            display = start + derivation.start - DOLLARS
            yield display, start + position, f"{proof.id}: {message}"
    if letters.unsupported and not any(result.unsupported for _, result in results):
        yield (
            start,
            start,
            f"{proof.id}: the proof can be computed; remove its `unsupported` from {LIST}",
        )
    if end := check_proof_end(proof, read_statement_letters(proof.id)):
        yield start, start, f"{proof.id}: the proof ends with {end}"


def describe_result(derivation: Derivation, result: Result, letters: Letters) -> tuple[int, str]:
    """Return an offset in the proof and a message, which is empty if the derivation is right."""
    if result.failure:
        line = derivation.find_line(result.step)
        message = f"line {line.number} of the derivation is wrong, {line.tex}: {result.failure}"
        return line.start, message
    if result.unsupported and not letters.unsupported:
        return derivation.start, explain_unsupported("derivation", result.unsupported)
    if result.unused_definition:
        return derivation.start, (
            "the derivation defines a letter, so nothing is compared; add the value of the letter "
            f"on its left to {LIST}"
        )
    return derivation.start, ""


def explain_unsupported(kind: str, reason: str) -> str:
    """Return the message for a formula that cannot be computed."""
    return (
        f"the {kind} cannot be computed as it is displayed ({reason}); define its letters in "
        f"{LIST}, or add `unsupported` there with the reason"
    )
