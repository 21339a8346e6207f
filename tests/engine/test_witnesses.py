"""A comparison has a witness, and can fail."""

import pytest
from sybil import Document

from engine import witnesses

HELPERS = """>>> import posenc
>>> from posenc import attention
>>> from posenc.proofs import everywhere, gap, share, whole
>>> def ours(d, n=1):
...     return posenc.inv_freq(d) * n
>>> def theirs(d):
...     return [10000 ** (-2 * i / d) for i in range(d // 2)]
>>> again = ours
>>> near = lambda d: attention(d)
>>> def length(d):
...     return abs(d)
"""


def said(prompt: str) -> list[str]:
    text = f"# T\n\n```pycon\n{HELPERS}>>> {prompt}\nTrue\n```\n"
    return [region.parsed for region in witnesses.parse(Document(text, "page.md"))]


@pytest.mark.parametrize(
    "sides",
    [
        "ours, theirs",
        "lambda d: ours(d), lambda d: theirs(d)",
        "near, theirs",
        "lambda ours: ours, lambda d: ours(d)",
        "lambda d: d + d, lambda d: 2 * d",
        "lambda d: attention(ours(d)), lambda d: d * d",
    ],
)
def test_a_side_that_computes_in_another_way_is_a_witness(sides):
    assert said(f"gap({sides}, d=whole(9)) == 0") == []


@pytest.mark.parametrize(
    "sides",
    [
        "ours, ours",
        "ours, again",
        "ours, lambda d: ours(d)",
        "ours, lambda **at: ours(**at)",
        "lambda d: again(d), lambda d: ours(d=d)",
    ],
)
def test_a_side_in_a_wrapper_is_no_other_side(sides):
    (message,) = said(f"share({sides}, d=whole(9)) == 0")

    assert message == "share holds ours against itself; compare it with something else"


@pytest.mark.parametrize(
    "sides",
    [
        "lambda d: ours(d), lambda d: ours(d, 2) / 2",
        "lambda d: posenc.inv_freq(d), lambda d: ours(d)",
        "near, lambda d: attention(d + 0)",
        "lambda d: ours(-d), lambda d: ours(d)",
        "lambda d: posenc.inv_freq(d).sum(), lambda d: sum(posenc.inv_freq(d))",
    ],
)
def test_both_sides_of_one_function_are_called_so(sides):
    (message,) = said(f"gap({sides}, d=whole(9)) == 0")

    assert "of the package, and would be wrong together" in message
    assert said(f"gap(  # both sides: twice the same\n...     {sides}, d=whole(9)) == 0") == []


@pytest.mark.parametrize(
    "sides",
    [
        "lambda d: posenc.alibi_bias(9, d), lambda d: posenc.sinusoidal_at(9, d)",
        "ours, lambda d: 6.28 / posenc.wavelengths(d)",
        "near, lambda d: near(ours(d))",
        "lambda d: [ours(d), near(d)], lambda d: ours(d)",
    ],
)
def test_the_package_is_no_witness_of_itself_whichever_functions_it_has(sides):
    for comment in ("", "  # both sides: rows"):
        (message,) = said(f"gap({comment}\n...     {sides}, d=whole(9)) == 0")

        assert message.endswith("compute one side without the package")


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("ours(d).all() > 0", False),
        ("d > 0", False),
        ("abs(d) > 0", False),
        ("abs(d) >= 1", False),
        ("d - 1 >= 0", False),
        ("abs(d) >= 0", True),
        ("0 <= length(d)", True),
        ("float(length(d)) >= -1", True),
        ("abs(d) > -1", True),
        ("-1 < length(d)", True),
        ("d == d", True),
        ("theirs(d) == theirs(d) and d > 0", True),
        ("d > 0 or True", True),
        ("sum(x ** 2 for x in theirs(d)) >= 0", True),
        ("d * d + abs(d) >= 0", True),
        ("d * (d - 1) >= 0", False),
    ],
)
def test_a_claim_that_holds_of_itself_is_refused(claim, holds):
    found = said(f"everywhere(lambda d: {claim}, d=whole(9))")

    assert bool(found) is holds
    assert all("which holds whatever is computed" in message for message in found)


@pytest.mark.parametrize(
    ("sides", "refused"),
    [
        ("lambda d: ours(d)[[0]], lambda d: theirs(d)", "[0]"),
        ("lambda d: ours(d)[rows], lambda d: theirs(d)", "[0, 5]"),
        ("lambda d: ours(d), lambda d: [theirs(d)[k] for k in rows]", "[0, 5]"),
        ("lambda d: ours(d)[0], lambda d: theirs(d)[0]", "[0]"),
        ("lambda d: ours(d)[:1], lambda d: theirs(d)[:1]", "[:1]"),
        ("lambda d: ours(d)[[0, 5, d]], lambda d: theirs(d)", ""),
        ("lambda d: ours(d)[[0, d]], lambda d: theirs(d)", ""),
        ("lambda d: ours(d)[:d], lambda d: theirs(d)[:d]", ""),
        ("lambda d: ours(d)[0], lambda d: theirs(d)[1]", ""),
        ("lambda d: [ours(d)[-2:], 1], lambda d: [theirs(d)[-2:], 1]", "[-2:]"),
        ("first, lambda d: np.array(theirs(d)[:1])", "[:1]"),
        ("lambda d: [*ours(d)[::2]], lambda d: [*theirs(d)[::2]]", ""),
        ("lambda d: [*ours(d)[:3]], lambda d: [*theirs(d)[:3]]", ""),
        ("lambda d: ours(d), lambda d: [*theirs(d)[:1], 0]", ""),
    ],
)
def test_one_or_two_rows_do_not_speak_for_all(sides, refused):
    text = HELPERS + ">>> rows = [0, 5]\n>>> def first(d):\n...     return ours(d)[:1]\n"
    text = f"# T\n\n```pycon\n{text}>>> gap({sides}, d=whole(9)) == 0\nTrue\n```\n"
    found = [region.parsed for region in witnesses.parse(Document(text, "page.md"))]

    said = f"gap looks at {refused} alone; look at 3 or more, or at all"
    assert found == ([said] if refused else [])


@pytest.mark.parametrize(
    ("claim", "refused"),
    [
        ("(d > 2) <= (d > 1)", True),
        ("d and (d % 2 == 0) < (d > 1 or d < 0)", True),
        ("(d > 2) == (d > 1)", False),
        ("not d > 2 or d > 1", False),
        ("0 < d <= 9", False),
    ],
)
def test_truths_are_not_ordered(claim, refused):
    found = said(f"everywhere(lambda d: {claim}, d=whole(9))")

    assert len(found) == refused
    assert all("orders what is true and false" in message for message in found)


@pytest.mark.parametrize(
    ("claim", "refused"),
    [
        ("abs(ours(8) - theirs(8)).min() < 1e-13", True),
        ("float(abs(ours(8) - theirs(8)).min()) < 1e-13", True),
        ("np.min(abs(ours(8) - theirs(8))) <= 1e-13", True),
        ("any(abs(a - b) < 1e-13 for a, b in pairs)", True),
        ("(abs(ours(8) - theirs(8)) < 1e-13).any()", True),
        ("abs(ours(8) - theirs(8)).max() < 1e-13", False),
        ("max(steps) - min(steps) < 1e-13", False),
        ("all(abs(a - b) < 1e-13 for a, b in pairs)", False),
        ("distances.min() < 0.5", False),  # that something is near is a claim of its own
        ("1e-13 < distances.min()", False),
        ("np.any([abs(ours(8) - b) < 1e-13 for b in ends], axis=0).all()", False),
    ],
)
def test_the_closest_of_many_does_not_speak_for_all(claim, refused):
    assert ["one entry of many is close" in line for line in said(claim)] == [True] * refused
    (inside,) = said(f"def held():\n...     assert {claim}") or [""]
    assert ("one entry of many" in inside) is refused


@pytest.mark.parametrize(
    ("claim", "refused"),
    [
        ("max(scores[0]) > 0.9", True),
        ("min(max(pair) for pair in scores) > 0.9", True),
        ("0.9 < float(scores.max())", True),
        ("np.max(scores) >= 0.9", True),
        ("min(held) > 0.9", True),
        ("min(min(pair) for pair in scores) > 0.9", False),
        ("abs(ours(8) - theirs(8)).max() > 0.9", False),  # they differ
        ("abs(ours(8) - theirs(8))[2:].max() > 0.9", False),
        ("float(weights.max(axis=1).min()) > 0.9", False),
        ("0.9 < max(scores[0]) <= 1", False),  # how near a bound something comes
        ("max(scores[0]) > max(scores[1])", False),
        ("max(scores[0]) < 0.9", False),
    ],
)
def test_the_best_of_several_does_not_speak_for_all(claim, refused):
    cell = f"held = [max(pair) for pair in scores]\ncheck('it holds', {claim})"
    text = f"# T\n\n```{{.python .cell}}\n{cell}\n```\n"
    found = [region.parsed for region in witnesses.parse(Document(text, "page.md"))]

    assert ["one of several is large" in one for one in [*found, *said(claim)]] == (
        [True] * (1 + ("held" not in claim)) if refused else []
    )
