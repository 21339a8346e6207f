"""Misprints in displayed formulas are reported."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from sybil import Document

from check.formulas import DISPLAY
from check.page_source import read_toml
from check.paths import DOCS
from formula_check import letters
from formula_check.blocks import Proof, find_proofs, find_statements
from formula_check.letters import LETTERS, read_proof_letters, read_statement_letters
from formula_check.proof_formulas import find_derivations
from formula_check.statement_formulas import check_statement
from render import displayed_formulas
from render.displayed_formulas import check_proof

CHAPTERS = sorted((DOCS / "chapters").glob("*.md"))
TOKEN = re.compile(
    r"\\(?:sin|cos|le|ge|cdot)\b"
    r"|(?<=[\w}) ])[+-]|(?<![\\\w.])-(?=[\w\\])"  # signs between terms, and before one
    r"|(?<=&)=|(?<=& )<"
    r"|(?<![\w{^_.])\d+(?![\d.\\])|(?<=[{^ (_])\d+"
    r"|(?<=_)[a-z]\b|(?<=_\{)[a-z]\b"  # indices
)
OTHER = {
    **{r"\sin": r"\cos", r"\cos": r"\sin", "+": "-", "-": "+", r"\cdot": "+"},
    **{r"\le": r"\ge", r"\ge": r"\le", "<": ">", "=": r"\ne"},
    **{"i": "j", "j": "i", "p": "q", "q": "p", "k": "p", "n": "k", "a": "b", "u": "q", "r": "q"},
}
BOUND = re.compile(r"\\(?:le|ge|ne)\b|[<>]")


@cache
def find_messages(text: str, chapter: str = "relative") -> list[str]:
    """Return the messages about the formulas of a chapter with this text."""
    document = Document(text, str(DOCS / f"chapters/{chapter}.md"))
    return [region.parsed for region in displayed_formulas.parse(document)]


@pytest.mark.parametrize(
    ("chapter", "was", "now"),
    [
        (
            "relative",
            r"\lVert \mathrm{PE}_p \rVert = \sqrt{d/2}.",
            r"\lVert \mathrm{PE}_p \rVert = \sqrt{d}.",
        ),
        ("relative", r"D(-k) = D(k).", r"D(-k) = -D(k)."),
        (
            "relative",
            r"\cos \omega_i k & \sin \omega_i k \\ -\sin",
            r"\cos \omega_i k & -\sin \omega_i k \\ \sin",
        ),
        ("sinusoidal", r"\omega_i = b^{-2i/d}.", r"\omega_i = b^{-i/d}."),
        ("sinusoidal", r"\mathrm{PE}_{p,\,2i} &= \sin", r"\mathrm{PE}_{p,\,2i} &= \cos"),
        ("rotary", r"x_{2i} \cos \omega_i p - x_{2i+1}", r"x_{2i} \cos \omega_i p + x_{2i+1}"),
        ("biases", r"2^{-8(h+1)/n}", r"2^{-8h/n}"),
        ("scaling", r"b\, s^{d/(d-2)}", r"b\, s^{(d-2)/d}"),
        ("scaling", r"(1 - \gamma_i)\, \frac{\omega_i}{s}", r"(1 + \gamma_i)\, \frac{\omega_i}{s}"),
        ("separation", r"4 \sum_{i=0}^{d/2-1} \sin^2", r"2 \sum_{i=0}^{d/2-1} \sin^2"),
    ],
)
def test_misprint_in_a_formula_is_reported(chapter, was, now):
    text = (DOCS / f"chapters/{chapter}.md").read_text()
    assert was in text

    assert find_messages(text, chapter) == []
    messages = find_messages(text.replace(was, now), chapter)
    assert any("as it is displayed" in message for message in messages)


@pytest.mark.parametrize(
    ("chapter", "was", "now", "line"),
    [
        ("rotary", r"&= (x_0 \cos\theta - x_1", r"&= (x_0 \cos\theta + x_1", 2),
        (
            "sinusoidal",
            r"\mathrm{i}\, e^{-\mathrm{i}\omega(a",
            r"\mathrm{i}\, e^{\mathrm{i}\omega(a",
            1,
        ),
        ("relative", r"&= \mathrm{PE}_{p+k+j}", r"&= \mathrm{PE}_{p-k+j}", 2),
        ("costs", r"&= 8\,L\,d^2 +", r"&= 8\,L\,d^2 -", 4),
    ],
)
def test_wrong_line_of_a_proof_is_reported(chapter, was, now, line):
    text = (DOCS / f"chapters/{chapter}.md").read_text().replace(was, now)
    assert now in text

    document = Document(text, str(DOCS / f"chapters/{chapter}.md"))
    regions = displayed_formulas.parse(document)
    problem = next(region for region in regions if "derivation" in region.parsed)
    assert f"line {line} of the derivation is wrong, " in problem.parsed
    assert now in text.split("\n")[problem.lexemes["line"] - 1]


def test_definition_without_a_comparison_is_reported():
    text = "/// statement | Thing\n    attrs: {id: eq-thing}\n\n$$\n\\Theta = 2 p\n$$\n///\n"

    (message,) = find_messages(text)
    assert "nothing is compared" in message


def test_formula_that_cannot_be_computed_needs_a_reason():
    text = "/// statement | Thing\n    attrs: {id: eq-thing}\n\n$$\np \\to 0\n$$\n///\n"

    (message,) = find_messages(text)
    assert "cannot be computed as it is displayed" in message


@pytest.mark.parametrize("table", ["eq-anchor", "eq-anchor.proof"])
def test_computable_formula_listed_as_unsupported_is_reported(tmp_path, monkeypatch, table):
    listed = LETTERS.read_text().replace(f"[{table}]\n", f'[{table}]\nunsupported = "a limit"\n')
    changed = tmp_path / "letters.toml"
    changed.write_text(listed)
    monkeypatch.setattr(letters, "LETTERS", changed)

    text = (DOCS / "chapters/sinusoidal.md").read_text()
    ((_, _, message),) = displayed_formulas.find_problems(text)
    assert "remove its `unsupported`" in message


def test_letters_are_defined_only_for_existing_statements():
    texts = [page.read_text() for page in CHAPTERS]
    ids = {statement.id for text in texts for statement in find_statements(text)}

    assert {*read_toml(LETTERS)} <= ids


def test_less_than_5_percent_of_proof_lines_are_unsupported():
    lines = [
        (proof.id, bool(read_proof_letters(proof.id).unsupported))
        for page in CHAPTERS
        for proof in find_proofs(page.read_text())
        for derivation in find_derivations(proof)
        for _ in derivation.lines
    ]
    unsupported = [name for name, listed in lines if listed]

    assert len(unsupported) < 0.05 * len(lines), sorted({*unsupported})


def yield_misprints(tex: str) -> Iterator[str]:
    """Yield a formula with one sign, relation, function, digit or index changed."""
    for match in TOKEN.finditer(tex):
        token = match[0]
        other = OTHER.get(token) or (str(int(token) + 1) if token.isdigit() else "j")
        yield tex[: match.start()] + other + tex[match.end() :]


def check_statement_misprints(page: Path) -> Iterator[bool]:
    """Yield for each misprint in an equality of a statement whether it is reported.

    Bounds are skipped, because a misprinted bound may be looser and true.
    """
    for statement in find_statements(page.read_text()):
        known, text = read_statement_letters(statement.id), statement.block.text
        for display in DISPLAY.finditer(text):
            if known.unsupported or BOUND.search(display["tex"]):
                continue
            for tex in yield_misprints(display["tex"]):
                wrong = text[: display.start("tex")] + tex + text[display.end("tex") :]
                result = check_statement(wrong, statement.domain, known)
                yield bool(
                    result.failure
                    or result.unsupported
                    or result.unused_definition
                    or not result.checked
                )


def list_proof_misprints(page: Path) -> list[Proof]:
    """Return each proof of a chapter with one misprint in its display, for every misprint."""
    return [
        replace(proof, block=replace(proof.block, raw=proof.block.raw.replace(derivation.tex, tex)))
        for proof in find_proofs(page.read_text())
        if not read_proof_letters(proof.id).unsupported
        for derivation in find_derivations(proof)
        for tex in yield_misprints(derivation.tex)
    ]


def is_reported(proof: Proof) -> bool:
    """Return whether a line of a proof is reported; LaTeX that cannot be converted counts, too."""
    try:
        return any(check_proof(proof))
    except ValueError:
        return True


def test_90_percent_of_misprints_in_proofs_are_reported():
    misprints = [proof for page in CHAPTERS for proof in list_proof_misprints(page)]
    sample = misprints[::9]
    reported = [proof for proof in sample if is_reported(proof)]

    assert len(sample) > 90
    assert len(reported) >= 0.9 * len(sample)


@pytest.mark.thorough
@pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.stem)
def test_85_percent_of_misprints_in_a_chapter_are_reported(page):
    statements = [*check_statement_misprints(page)]
    proofs = [is_reported(proof) for proof in list_proof_misprints(page)]

    assert sum(statements) >= 0.85 * len(statements)
    assert statements or page.stem == "requirements", "whose statements are all bounds"
    assert sum(proofs) >= 0.85 * len(proofs)
