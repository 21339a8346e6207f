"""A formula that is false as it is displayed stops the build, whatever its card computes."""

import re
from collections.abc import Iterator

import pytest
from sybil import Document

from engine.formula_check import statement_formulas
from engine.formulas import DISPLAY
from engine.places import DOCS
from pages import displayed_formulas

CHAPTERS = sorted((DOCS / "chapters").glob("*.md"))
TOKEN = re.compile(
    r"\\sin\b|\\cos\b|(?<=[\w}) ])[+-]"
    r"|(?<![\w{^_.])\d+(?![\d.\\])|(?<=[{^ (])\d+"
)
OTHER = {r"\sin": r"\cos", r"\cos": r"\sin", "+": "-", "-": "+"}
BOUND = re.compile(r"\\(?:le|ge|ne)\b|[<>]")


def complaints(text: str, chapter: str = "relative") -> list[str]:
    """Return what is said of the formulas of a chapter with this text."""
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
def test_a_misprint_is_refused(chapter, was, now):
    text = (DOCS / f"chapters/{chapter}.md").read_text()
    assert was in text

    assert complaints(text, chapter) == []
    assert any("as it is displayed" in said for said in complaints(text.replace(was, now), chapter))


def test_one_that_nobody_can_compute_is_read_again_when_it_changes():
    text = (DOCS / "chapters/adding.md").read_text()
    changed = text.replace(r"\frac{r}{1 - r}\, x^2", r"\frac{r}{1 + r}\, x^2")
    assert changed != text

    (said,) = complaints(changed, "adding")
    assert "hold it against its verification" in said
    assert (
        complaints(text.replace(r"\frac{r}{1 - r}\, x^2", r"\frac{r}{1 - r} \, x^2"), "adding")
        == []
    )


def test_a_definition_that_nothing_is_compared_with_is_refused():
    said = "/// statement | Thing\n    attrs: {id: eq-thing}\n\n$$\n\\Theta = 2 p\n$$\n///\n"

    (complaint,) = complaints(said)
    assert "nothing is compared with it" in complaint


def test_a_formula_that_is_not_understood_needs_a_reason():
    said = "/// statement | Thing\n    attrs: {id: eq-thing}\n\n$$\np \\to 0\n$$\n///\n"

    (complaint,) = complaints(said)
    assert "cannot be computed as it is displayed" in complaint


def test_the_register_names_statements_of_the_book():
    stated = {
        one.id
        for page in (DOCS / "chapters").glob("*.md")
        for one in statement_formulas.stated(page.read_text())
    }

    assert set(statement_formulas.register()) <= stated


def misprints(tex: str) -> Iterator[str]:
    """Yield a formula with one sign, number or function in place of another."""
    for match in TOKEN.finditer(tex):
        other = OTHER.get(match[0]) or str(int(match[0]) + 1)
        yield tex[: match.start()] + other + tex[match.end() :]


def noticed(one: statement_formulas.Stated, draws: dict[str, str]) -> list[bool]:
    """Return of each misprint in an equality whether it no longer holds.

    A bound that is misprinted may be a looser one, and as true.
    """
    text, found = one.block.text, []
    for display in DISPLAY.finditer(text):
        for tex in misprints(display["tex"]) if not BOUND.search(display["tex"]) else ():
            wrong = text[: display.start("tex")] + tex + text[display.end("tex") :]
            found.append(not sound(wrong, one, draws))
    return found


def sound(text: str, one: statement_formulas.Stated, draws: dict[str, str]) -> bool:
    """Return whether a statement holds with this text."""
    found = statement_formulas.reading(text, one.domain, draws)
    return bool(found.held and not found.wrong and not found.unread and not found.defined)


@pytest.mark.thorough
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda page: page.stem)
def test_misprints_are_noticed(chapter):
    register = statement_formulas.register()
    stated = [
        one
        for one in statement_formulas.stated(chapter.read_text())
        if "unread" not in register.get(one.id, {})
    ]
    found = [said for one in stated for said in noticed(one, register.get(one.id, {}))]

    assert sum(found) >= 0.85 * len(found)
    assert found or chapter.stem == "requirements", "whose statements are all bounds"
