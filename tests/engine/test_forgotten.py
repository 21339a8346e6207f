"""A loop that forgets all rounds but its last is refused, and so is a call that is forgotten."""

import pytest
from sybil import Document

from engine import forgotten

SAID = "is of the last round of this loop alone; keep something of all rounds"


def said(*prompts: str) -> list[tuple[int, str]]:
    """Return the line and the name of what is complained of, of prompts without answers."""
    lines = [
        f"{'...' if line[:1] == ' ' else '>>>'} {line}"
        for one in prompts
        for line in one.split("\n")
    ]
    text = "\n".join(["# T", "", "```pycon", *lines, "```", ""])
    found = forgotten.parse(Document(text, "page.md"))
    return [
        (text.count("\n", 0, region.start) + 1, region.parsed.removesuffix(f" {SAID}"))
        for region in found
    ]


@pytest.mark.parametrize(
    ("loop", "names"),
    [
        ("for e in errors:\n    worst = max(0, e)", ["worst"]),
        ("for e in errors:\n    tried, worst = tried + 1, e", ["worst"]),
        ("for e in errors:\n    for one in e:\n        worst = one", ["worst"]),
        ("for worst in errors:\n    pass", ["worst"]),
        ("while more():\n    worst = e()", ["worst"]),
        ("for e in errors:\n    worst = max(worst, e)", []),
        ("for e in errors:\n    worst += e", []),
        ("for e in errors:\n    kept, worst = worst, e", []),
        ("for e in errors:\n    worst.append(e)", []),
        ("for e in errors:\n    other = e", []),
        ("worst = max(e for e in errors)", []),
    ],
)
def test_what_only_the_last_round_has_left_is_told(loop, names):
    read = "worst < 1e-12"

    assert said("worst = 0", loop, read) == [(5, name) for name in names]
    assert said(loop, "worst = 0", read) == []
    inner = "\n    ".join(["def held():", "worst = 0", *loop.split("\n"), f"return {read}"])
    assert said(inner) == [(4, name) for name in names]


CALL = "{0} is a method, which is true whatever it would say; call it: {0}()"


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("(a == b).all", ["(a == b).all"]),
        ("bool((a == b).all), near.any()", ["(a == b).all"]),
        ("assert (abs(a - b) < 1e-9).all, a", ["(abs(a - b) < 1e-09).all"]),
        ("check('they are equal', (a == b).any)", ["(a == b).any"]),
        ("(a == b).all()", []),
        ("(a == b).all(axis=0).any()", []),
        ("np.apply_along_axis(np.all, 0, a == b)", []),
        ("all(a == b)", []),
    ],
)
def test_a_verdict_that_is_not_asked_for_is_refused(prompt, found):
    assert said(prompt) == [(4, CALL.format(one)) for one in found]


def test_so_it_is_within_a_function():
    assert said("def same(a, b):\n    return (a == b).all") == [(4, CALL.format("(a == b).all"))]
