"""A card of a chapter says what it compares, and for which values."""

import pytest

from engine.readings.cards import domains as drawn_by
from pages import domains
from tests.checking import parser

CARD = """/// statement | Double
    attrs: {{id: eq-double}}

$$
2p = p + p
$$
///

/// implementation
///

/// verification{title}
```pycon
>>> {prompt}
True
```
///
"""
COMPARED = "gap(lambda p: 2 * p, lambda p: p + p, p=whole(9)) == 0"
SAID = "does not say what it compares"
TRIED = "does not say for which values it was tried"


@pytest.mark.parametrize(
    ("title", "prompt", "missing"),
    [
        (" | Both sides", COMPARED, []),
        ("", COMPARED, [SAID]),
        (" | Both sides", "2 * 3 == 3 + 3", [TRIED]),
        (" | Both sides", COMPARED.replace(", p=whole(9)", ""), [TRIED]),
        (" | Both sides", COMPARED.replace("whole(9)", "nine"), [TRIED]),
        ("", "2 * 3 == 3 + 3", [SAID, TRIED]),
    ],
)
def test_a_card_says_what_it_compares_and_for_which_values(tmp_path, title, prompt, missing):
    (tmp_path / "chapters").mkdir()
    page = tmp_path / "chapters/double.md"
    page.write_text(CARD.format(title=title, prompt=prompt), "utf-8")

    found = [region.parsed for region in domains.parse(parser().parse(page))]

    assert len(found) == len(missing)
    assert all(part in said for part, said in zip(missing, found, strict=True))


def test_only_chapters_are_judged(tmp_path):
    page = tmp_path / "double.md"
    page.write_text(CARD.format(title="", prompt="2 == 2"), "utf-8")
    assert list(domains.parse(parser().parse(page))) == []

    chapter = tmp_path / "chapters/double.md"
    chapter.parent.mkdir()
    chapter.write_text(page.read_text("utf-8"), "utf-8")
    assert len(list(domains.parse(parser().parse(chapter)))) == 2


@pytest.mark.parametrize(
    ("said", "drawn", "wrong"),
    [
        ("For all real $p$", "p=real(9)", ""),
        ("For all real $p$", "p=whole(9)", "says real p"),
        ("For all *real* numbers $p \\ne q$", "p=whole(9), q=whole(9)", "says real p"),
        (
            "For every whole $m$, all real $\\omega$ and $p$",
            "omega=real(9), p=whole(9)",
            "says real p",
        ),
        ("For every *whole* number $k$", "k=real(9)", "says whole k"),
        ("For every base $b > 1$", "b=above(1, 10**6)", ""),
        ("For every base $b > 0$", "b=above(1, 10**6)", "says b > 0"),
        ("For every $\\lambda \\ge 0$", "lam=above(0, 9)", "says λ ≥ 0"),
        ("For $H, W \\ge 1$", "H=whole(9, least=1), W=whole(9, least=2)", "says W ≥ 1"),
        ("For every even $d \\ge 2$", "d=even(64)", ""),
        ("For every even $d_k \\ge 2$", "d=even(64, least=4)", "says d_k ≥ 2"),
        ("For every $n \\ge 1$", "k=whole(9)", ""),
    ],
)
def test_a_statement_and_its_card_speak_of_the_same_values(said, drawn, wrong):
    call = f"```pycon\n>>> gap(f, g, {drawn}) < 1\nTrue\n```\n"
    statement = f"{said},\n\n$$\n1 = 1, \\qquad x > 0\n$$\n\nfor real $z > 3$."

    found = list(domains.contradictions(statement, drawn_by(call)))

    assert [wrong in message for message in found] == [True] * bool(wrong)


PAGE = """/// statement | Bits
    attrs: {{id: eq-bits}}

For every whole $p{ends}$ and $n \\ge 1$,

$$
1 = 1
$$
///

/// verification | Bits of the package
```pycon
>>> import posenc
>>> def digits(p, n):
...     return format(p % 2**n, "b")
>>> def bits(n, q):
...     return posenc.binary_encoding(1, n, start=q % 2**n)
>>> gap(
...     {sides},
...     n=whole(50, least=1), p=whole(2**50, least=0),
... ) == 0
True
```
///
"""
BITS = "lambda n, p: bits(n, p)"


@pytest.mark.parametrize(
    ("ends", "sides", "refused"),
    [
        (r" \ge 0", f"{BITS}, lambda n, p: digits(p, n)", 1),
        (r" \ge 0", f"{BITS}, lambda n, p: digits(n=n, p=p)", 1),
        (r" \ge 0", f"digits, {BITS}", 1),
        (r" \ge 0", "lambda n, p: p % 2**n, lambda n, p: sum(bits(n, p))", 1),
        (" < 2^n", f"{BITS}, lambda n, p: digits(p, n)", 0),
        (r" \le 9", f"{BITS}, lambda n, p: digits(p, n)", 0),
        (r" \le 2^{n}", f"{BITS}, lambda n, p: digits(p, n)", 1),
        (r" \le 2^n - 1", f"{BITS}, lambda n, p: digits(p, n)", 0),
        (r" \ge 0", f"{BITS}, lambda n, p: digits(max(n, p), n)", 1),
        (r" \ge 0", f"{BITS}, lambda n, p: digits(max(0, p), n)", 0),
        (r" \ge 0", f"{BITS}, lambda n, p: [p, digits(p, n)]", 0),
        (r" \ge 0", f"{BITS}, lambda n, p: digits(p + 1, n)", 0),
        (r" \ge 0", f"{BITS}, lambda n, p: f(n % p)", 0),
    ],
)
def test_a_letter_that_is_reduced_ends_in_the_statement(ends, sides, refused):
    text = PAGE.format(ends=ends, sides=sides)

    found = {message for _, message in domains.reductions(text)}

    assert len(found) == refused
    assert all(message.startswith("does not say where p ends") for message in found)


def test_a_letter_of_the_session_alone_may_be_reduced():
    text = PAGE.format(ends="", sides=f"{BITS}, lambda n, p: digits(p, n)").replace("$p$", "$x$")

    assert list(domains.reductions(text)) == []
