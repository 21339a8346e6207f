"""Comparisons and their domains are read from a session."""

import pytest

from check import comparisons, proofs

GAP = ">>> gap(lambda p: p + p, lambda p: 2 * p, below=0, p=whole(9), tries=20)\nTrue\n"
SHARE = ">>> share(lambda p: p, lambda p: 2.0, p=real(2)) > {}\nTrue\n"


def test_what_a_session_compares_is_said_in_words():
    text = f"```pycon\n{GAP}{GAP}{SHARE.format(0.9)}```\n"

    assert comparisons.describe_domains(text) == ["*p* whole, −9 to 9", "*p* real, −2 to 2"]


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

    assert [message in said for said in comparisons.find_domain_problems(text)] == [True]


@pytest.mark.parametrize("domain", ["p=whole(8, least=8)", "p=one_of(8)", "p=even(8), q=real(0)"])
def test_what_has_one_value_is_no_variable(domain):
    text = f"```pycon\n>>> gap(f, g, {domain}, below=1)\nTrue\n```\n"

    assert ["has one value" in said for said in comparisons.find_domain_problems(text)] == [True]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("print(share(f, g, p=seed()))", "nothing bounds the number of share"),
        ("0.9 < share(f, g, p=seed())", "nothing bounds the number of share"),
        ("gap(f, f, p=seed(), below=1)", "gap holds a side against itself"),
        ("steps(f, '=', lambda p: p, '=', lambda p: p, p=seed())", "steps holds a side"),
        ("gap(f, g, p=seed(), tries=19, below=1)", "gap tries too few points"),
        ("gap(f, g, p=seed(), tries=few, below=1)", "gap tries too few points"),
        ("gap(lambda p, q: p, lambda p, q: 2, p=real(1), q=real(1), below=1)", "a domain for q"),
    ],
)
def test_a_comparison_that_is_hollow_is_refused(said, message):
    text = f"```pycon\n>>> {said}\nTrue\n```\n"

    assert [message in said for said in comparisons.find_vacuous(text)] == [True]


@pytest.mark.parametrize(
    "said",
    [
        "gap(f, g, p=seed(), below=1e-15)",
        "0.9 < share(f, g, p=seed()) <= 1",
        "reached = share(f, g, p=seed())",
    ],
)
def test_one_that_is_bounded_is_not(said):
    assert list(comparisons.find_vacuous(f"```pycon\n>>> {said}\nTrue\n```\n")) == []


@pytest.mark.parametrize(
    "said",
    [
        "gap(f, g, p=seed(), tries=20, below=1)",
        "most = share(f, g, p=seed())",
        "steps(f, '=', g, '=', f, p=seed())",
        "gap(lambda p, q: p, lambda p, q: q, p=real(1), q=real(1), below=1)",
        "gap(lambda p, **at: p, lambda **at: 2, p=real(1), q=real(1), below=1)",
        "gap(A, B)",  # a function of the page
    ],
)
def test_one_that_is_not_stands(said):
    assert list(comparisons.find_vacuous(f"```pycon\n>>> {said}\nTrue\n```\n")) == []


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
    assert [message in said for said in proofs.find_proof_problems(text)] == [True]


def test_a_proof_that_is_held_lacks_nothing():
    assert list(proofs.find_proof_problems(CHAIN + HELD + "So:\n" + CHAIN + HELD)) == []
