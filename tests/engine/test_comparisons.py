"""Comparisons are read from a session, told in words, and made wrong."""

from pathlib import Path

import pytest

from engine import comparisons, proofs, strength
from tests.checking import parser

IMPORTS = ">>> import math\n>>> import numpy as np\n>>> from posenc.proofs import *\n"
GAP = ">>> gap(lambda p: p + p, lambda p: 2 * p, p=whole(9), tries=20) == 0\nTrue\n"
SHARE = ">>> share(lambda p: p, lambda p: 2.0, p=real(2)) > {}\nTrue\n"


def page(tmp_path, *said: str):
    file = tmp_path / "page.md"
    file.write_text(f"# T\n\n```pycon\n{IMPORTS}{''.join(said)}```\n", "utf-8")
    return parser().parse(file)


def faults(tmp_path: Path, said: str) -> list[tuple[str, str]]:
    """Return each altered statement of a prompt, and who notices."""
    run = [e for e in page(tmp_path, said) if e.region.evaluator in strength.RUN]
    *before, own = run
    assert strength.outcome(before) is None
    return [
        (altered.told()["now"], strength.in_fork(altered, [own], []))
        for altered in comparisons.altered(own.region.parsed)
    ]


def test_what_a_session_compares_is_said_in_words():
    text = f"```pycon\n{GAP}{GAP}{SHARE.format(0.9)}```\n"

    assert comparisons.domain_of(text) == ["*p* whole, −9 to 9", "*p* real, −2 to 2"]


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        ("p=nine", "the domain nine cannot be read"),
        ("p=whole('a')", "must be an integer"),
        ("p=9", "9 is no domain; write one of posenc.proofs"),
        ("p=open('x')", "cannot be read"),
    ],
)
def test_a_domain_is_written_out_where_it_is_used(domain, message):
    text = f"```pycon\n>>> gap(lambda p: p, lambda p: p, {domain})\n0.0\n```\n"

    assert [message in said for said in comparisons.unreadable(text)] == [True]


def test_an_equality_off_by_a_thousandth_is_noticed_or_not(tmp_path, alone):
    assert alone(faults, tmp_path, GAP) == [("1.001 * side 2", strength.NOTICED)]
    blind = GAP.replace("== 0", "< 0.1")
    assert alone(faults, tmp_path, blind) == [("1.001 * side 2", strength.SURVIVED)]
    zero = ">>> gap(lambda p: 0 * p, lambda p: 0, p=whole(9)) < {}\nTrue\n"
    assert alone(faults, tmp_path, zero.format(1e-4)) == [("1.001 * side 2", strength.NOTICED)]
    assert alone(faults, tmp_path, zero.format(1e-2)) == [("1.001 * side 2", strength.SURVIVED)]


@pytest.mark.parametrize(
    "side",
    ["[p, p]", "(p, 2 * p)", "[[p, 0], [0, p]]", "(np.ones(2), p * np.ones(2))", "np.eye(2)"],
)
def test_whatever_a_side_returns_it_is_made_wrong(tmp_path, side, alone):
    said = f">>> gap(lambda p: {side}, lambda p: {side}, p=whole(9)) == 0\nTrue\n"

    assert alone(faults, tmp_path, said) == [("1.001 * side 2", strength.NOTICED)]


def test_letters_that_take_two_bytes_may_stand_before_it(tmp_path, alone):
    said = ">>> \"ωωω\", gap(lambda p: p, lambda p: 1.0 * p, p=whole(9)) == 0\n('ωωω', True)\n"

    assert alone(faults, tmp_path, said) == [("1.001 * side 2", strength.NOTICED)]


@pytest.mark.parametrize("side", ["p", "[p, 2 * p]", "mpmath.matrix([[p, 1], [0, p]])"])
def test_so_is_a_line_of_a_derivation(tmp_path, side, alone):
    said = f'>>> import mpmath; steps(lambda p: {side}, "=", lambda p: {side}, p=real(9))\n'

    found = alone(faults, tmp_path, f"{said}'1 step holds at 60 points'\n")
    assert found == [("1.001 * side 2", strength.NOTICED)]


def test_a_bound_that_a_tenth_less_would_break_is_tight(tmp_path, alone):
    tight = ">>> 0.9 < share(lambda p: p, lambda p: 2.0, p=real(2)) <= 1\nTrue\n"
    assert alone(faults, tmp_path, tight) == [("0.9 * side 2", strength.NOTICED)]
    loose = ">>> share(lambda p: p, lambda p: 3.0, p=real(2)) <= 1\nTrue\n"
    assert alone(faults, tmp_path, loose) == [("0.9 * side 2", strength.SURVIVED)]


def test_a_bound_that_is_zero_somewhere_is_made_tighter_elsewhere(tmp_path, alone):
    said = ">>> 0.9 < share(lambda p: abs(p), lambda p: abs(p), p=whole(9)) <= 1\nTrue\n"

    assert alone(faults, tmp_path, said) == [("0.9 * side 2", strength.NOTICED)]


def test_each_equal_step_of_a_derivation_is_made_wrong(tmp_path, alone):
    chain = (
        '>>> steps(lambda p: p * p, "=", lambda p: p ** 2,\n'
        '...       "<=", lambda p: p ** 2 + 1, p=real(2))\n'
        "'2 steps hold at 60 points'\n"
    )

    assert alone(faults, tmp_path, chain) == [("1.001 * side 2", strength.NOTICED)]


def test_two_calls_of_one_prompt_are_made_wrong_one_by_one(tmp_path, alone):
    both = (
        ">>> [gap(lambda p: p, lambda p: p, p=whole(9)) < e"
        " for e in (1e-9, 1)], gap(lambda p: p, lambda p: p, p=whole(1)) < 1\n"
        "([True, True], True)\n"
    )

    came = [came for _, came in alone(faults, tmp_path, both)]
    assert sorted(came) == [strength.NOTICED, strength.SURVIVED]


@pytest.mark.parametrize("domain", ["p=whole(8, least=8)", "p=one_of(8)", "p=even(8), q=real(0)"])
def test_what_has_one_value_is_no_variable(domain):
    text = f"```pycon\n>>> gap(f, g, {domain}) < 1\nTrue\n```\n"

    assert ["has one value" in said for said in comparisons.unreadable(text)] == [True]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("gap(f, g, p=seed())", "nothing bounds the number of gap from above"),
        ("print(share(f, g, p=seed()))", "nothing bounds the number of share"),
        ("gap(f, g, p=seed()) >= 0", "nothing bounds the number of gap"),
        ("0.9 < share(f, g, p=seed())", "nothing bounds the number of share"),
        ("gap(f, f, p=seed()) < 1", "gap holds a side against itself"),
        ("steps(f, '=', lambda p: p, '=', lambda p: p, p=seed())", "steps holds a side"),
        ("gap(f, g, p=seed(), tries=19) < 1", "gap tries too few points"),
        ("gap(f, g, p=seed(), tries=few) < 1", "gap tries too few points"),
        ("gap(lambda p, q: p, lambda p, q: 2, p=real(1), q=real(1)) < 1", "a domain for q"),
    ],
)
def test_a_comparison_that_is_hollow_is_refused(said, message):
    text = f"```pycon\n>>> {said}\nTrue\n```\n"

    assert [message in said for said in comparisons.hollow(text)] == [True]


@pytest.mark.parametrize(
    "said",
    [
        "gap(f, g, p=seed()) < 1e-15",
        "0.9 < share(f, g, p=seed()) <= 1",
        "1 > gap(f, g, p=seed())",
        "0 == gap(f, g, p=seed())",
        "reached = share(f, g, p=seed())",
    ],
)
def test_one_that_is_bounded_is_not(said):
    assert list(comparisons.hollow(f"```pycon\n>>> {said}\nTrue\n```\n")) == []


@pytest.mark.parametrize(
    "said",
    [
        "gap(f, g, p=seed(), tries=20) < 1",
        "most = share(f, g, p=seed())",
        "all(gap(f, g, p=seed()) < e for e in (1, 2))",
        "steps(f, '=', g, '=', f, p=seed())",
        "gap(lambda p, q: p, lambda p, q: q, p=real(1), q=real(1)) < 1",
        "gap(lambda p, **at: p, lambda **at: 2, p=real(1), q=real(1)) < 1",
        "gap(A, B)",  # a function of the page
    ],
)
def test_one_that_is_not_stands(said):
    assert list(comparisons.hollow(f"```pycon\n>>> {said}\nTrue\n```\n")) == []


CHAIN = "\n$$\n\\begin{aligned}\na &= b \\\\\n&\\le c.\n\\end{aligned}\n$$\n\n"
HELD = '```pycon\n>>> steps(f, "=", g, "<=", h, p=real(1))\n```\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n$$\na = b\n$$\n", "a proof without a derivation"),
        (CHAIN, "a derivation (=, <=) that nothing holds line against line"),
        (CHAIN + HELD.replace('"=", g, ', ""), "a derivation (=, <=) that nothing holds"),
        (CHAIN + HELD.replace('"<="', '"="'), "a derivation (=, <=) that nothing holds"),
        (HELD + CHAIN, "a derivation (=, <=) that nothing holds"),
        (CHAIN + HELD + CHAIN, "a derivation (=, <=) that nothing holds"),
        (CHAIN + HELD.replace("pycon", "{.pycon .not-run}"), "nothing holds"),
    ],
)
def test_a_proof_is_held_line_against_line(text, message):
    assert [message in said for said in proofs.lacking(text)] == [True]


def test_a_proof_that_is_held_lacks_nothing():
    assert list(proofs.lacking(CHAIN + HELD + "So:\n" + CHAIN + HELD)) == []
