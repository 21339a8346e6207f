"""The rule that the two sides of a comparison are computed independently."""

import pytest
from sybil import Document

from check import independence

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


def find_problems(prompt: str) -> list[str]:
    text = f"# T\n\n```pycon\n{HELPERS}>>> {prompt}\nTrue\n```\n"
    return [region.parsed for region in independence.parse(Document(text, "page.md"))]


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
def test_independent_sides_are_accepted(sides):
    assert find_problems(f"gap({sides}, d=whole(9), below=0)") == []


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
def test_wrappers_and_aliases_are_the_same_side(sides):
    (message,) = find_problems(f"share({sides}, d=whole(9), below=0)")

    assert message == "share compares ours with itself; compare it with something else"


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
def test_two_sides_that_call_one_function_need_a_comment(sides):
    (message,) = find_problems(f"gap({sides}, d=whole(9), below=0)")

    assert "a mistake in it would go unnoticed" in message
    assert (
        find_problems(f"gap(  # both sides: twice the same\n...     {sides}, d=whole(9), below=0)")
        == []
    )


@pytest.mark.parametrize(
    "sides",
    [
        "lambda d: posenc.alibi_bias(9, d), lambda d: posenc.sinusoidal_at(9, d)",
        "ours, lambda d: 6.28 / posenc.wavelengths(d)",
        "near, lambda d: near(ours(d))",
        "lambda d: [ours(d), near(d)], lambda d: ours(d)",
    ],
)
def test_two_functions_of_the_package_must_not_be_compared(sides):
    for comment in ("", "  # both sides: rows"):
        (message,) = find_problems(f"gap({comment}\n...     {sides}, d=whole(9), below=0)")

        assert message.endswith("compute one side without the package")
