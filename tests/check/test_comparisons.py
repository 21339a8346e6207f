"""Comparisons in a session, their domains, and the derivations that they check."""

import pytest

from check import comparisons, proofs

GAP = ">>> gap(lambda p: p + p, lambda p: 2 * p, below=0, p=whole(9), tries=20)\nTrue\n"
SHARE = ">>> share(lambda p: p, lambda p: 2.0, p=real(2)) > {}\nTrue\n"


def session(prompt: str) -> str:
    return f"```pycon\n>>> {prompt}\nTrue\n```\n"


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        ("p=nine", "the domain nine cannot be read"),
        ("p=whole('a')", "must be an integer"),
        ("p=9", "9 is not a domain; use one of posenc.proofs"),
        ("p=open('x')", "cannot be read"),
        ("p=whole(8, least=8)", "has one value"),
        ("p=one_of(8)", "has one value"),
        ("p=even(8), q=real(0)", "q=real(0) has one value"),
    ],
)
def test_invalid_and_constant_domains_are_refused(domain, message):
    (problem,) = comparisons.find_domain_problems(session(f"gap(f, g, {domain})"))

    assert message in problem


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ("print(share(f, g, p=seed()))", "the result of share has no upper bound"),
        ("0.9 < share(f, g, p=seed())", "the result of share has no upper bound"),
        ("gap(f, f, p=seed(), below=1)", "gap compares a side with itself"),
        ("steps(f, '=', lambda p: p, '=', lambda p: p, p=seed())", "steps compares a side"),
        ("gap(f, g, p=seed(), tries=19, below=1)", "gap tries too few points"),
        ("gap(f, g, p=seed(), tries=few, below=1)", "gap tries too few points"),
        ("gap(lambda p, q: p, lambda p, q: 2, p=real(1), q=real(1), below=1)", "a domain for q"),
    ],
)
def test_comparisons_that_cannot_fail_are_refused(prompt, message):
    (problem,) = comparisons.find_vacuous(session(prompt))

    assert message in problem


@pytest.mark.parametrize(
    "prompt",
    [
        "gap(f, g, p=seed(), below=1e-15)",
        "gap(f, g, p=seed(), tries=20, below=1)",
        "0.9 < share(f, g, p=seed()) <= 1",
        "most = share(f, g, p=seed())",
        "steps(f, '=', g, '=', f, p=seed())",
        "gap(lambda p, q: p, lambda p, q: q, p=real(1), q=real(1), below=1)",
        "gap(lambda p, **at: p, lambda **at: 2, p=real(1), q=real(1), below=1)",
        "gap(A, B)",  # a function of the page
    ],
)
def test_other_comparisons_are_accepted(prompt):
    assert list(comparisons.find_vacuous(session(prompt))) == []


DERIVATION = "\n$$\n\\begin{aligned}\na &= b \\\\\n&\\le c.\n\\end{aligned}\n$$\n\n"
STEPS = '```pycon\n>>> steps(f, "=", g, "<=", h, p=real(1))\n```\n'
UNCHECKED = "no session checks the lines of a derivation (=, <=)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n$$\na = b\n$$\n", "a proof without a derivation"),
        (DERIVATION, UNCHECKED),
        (DERIVATION + STEPS.replace('"=", g, ', ""), UNCHECKED),
        (DERIVATION + STEPS.replace('"<="', '"="'), UNCHECKED),
        (STEPS + DERIVATION, UNCHECKED),
        (DERIVATION + STEPS + DERIVATION, UNCHECKED),
        (DERIVATION + STEPS.replace("pycon", "{.pycon .not-run}"), UNCHECKED),
    ],
)
def test_a_derivation_without_matching_steps_is_refused(text, message):
    (problem,) = proofs.find_proof_problems(text)

    assert message in problem


def test_derivations_with_matching_steps_are_accepted():
    proof = DERIVATION + STEPS

    assert list(proofs.find_proof_problems(f"{proof}So:\n{proof}")) == []
