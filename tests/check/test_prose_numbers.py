"""The rules for numbers in prose, in inline equations and in tables."""

import pytest
from sybil import Document

from check import plain_equations, prose_numbers, prose_tables

SESSION = """
```pycon
>>> print(0.5236, 0.38, 42, 1_234, [0.125, 3])
0.5236 0.38 42 1234 [0.125, 3]
```
"""


def find_problems(section: str, other: str = "") -> list[str]:
    """Return the messages for a section; `other` is another section."""
    text = f"# T\n\n## A\n\n{other}\n\n## B\n\n{section}\n"
    return [message for _, message in prose_numbers.find_unsupported(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It is 0.5236, or 0.52.",
        "It is 38 % of all.",
        "There are 42 of 1234, or 1 234.",
        "An eighth of it.",
        "In 2017, section 3.5 of [a paper](a.md) said so.",
        "It takes less than 40, and at most 50.",
        "They are 17 in [Vaswani et al.](../reference/bibliography.md#vaswani2017).",
        "Positions 0 to 41 are 42.",
        "42 and 8 are 50.",
        "With $d = 64$ it is 3.",
        "It has 17 and 18.\n<!-- example: 17, 18 -->",
        "It has 17.\n<!-- check: len(x) == 17 -->",
        "It is 0.77 <!-- check: round(x, 2) == 0.77 -->",
    ],
)
def test_a_supported_number_passes(sentence):
    assert find_problems(f"{SESSION}\n{sentence}") == []


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("It is 0.5237.", "0.5237"),
        ("It is 0.53.", "0.53"),
        ("It is 39 % of all.", "39 %"),
        ("There are 43.", "43"),
        ("There are 1 235.", "1 235"),
        ("A ninth of it.", "A ninth"),
        ("It has 17 and 18.\n<!-- example: 17 -->", "18"),
        ("It has 18.\n<!-- check: len(x) == 17 -->", "18"),
        ("It has 3 of them.\n<!-- check: len(x) == 4 -->", "3"),
    ],
)
def test_an_unsupported_number_is_refused(sentence, number):
    first, *_ = find_problems(f"{SESSION}\n{sentence}")

    assert f"the text says {number}, and" in first


def test_a_short_number_needs_support_in_its_own_section():
    assert find_problems("There are 42, 0.38, and 38 %.", SESSION) != []
    assert find_problems("It is 0.5236 of 1234.", SESSION) == []


@pytest.mark.parametrize("heading", ["Summary { #summary }", "Exercises"])
def test_a_section_that_looks_back_may_repeat_numbers_of_others(heading):
    text = f"# T\n\nThere are 42.\n\n## A\n\n{SESSION}\n\n## {heading}\n\nThere are 42.\n"

    assert prose_numbers.find_unsupported(text) == []


@pytest.mark.parametrize(
    ("formula", "is_refused"),
    [
        (r"2 \cdot 8 + 1 = 17", False),
        (r"2 \cdot 8 + 1 = 18", True),
        (r"2 / 3 = 0.67", False),
        (r"2 / 3 = 0.66", True),
        (r"2^{10} = 1\,024", False),
        ("x = 3", False),
    ],
)
def test_equations_of_plain_numbers_are_computed(formula, is_refused):
    problems = plain_equations.parse(Document(f"It is ${formula}$.\n", "page.md"))

    assert bool(list(problems)) is is_refused


ROWS = """```pycon
>>> for row in rows:
...     print(*row)
a 0.25 7 1.5
b 0.5 8 1.5
```
"""


@pytest.mark.parametrize(
    ("row", "is_refused"),
    [
        ("| a | 0.25 | 7 | 1.5 |", False),
        ("| a | 0.25 | 1.5 | 7 |", True),
        ("| a | 0.26 | 7 | 1.5 |", True),
        ("| [a](https://a) | 0.26 | 7 | 1.5 |", False),
    ],
)
def test_a_session_prints_the_rows_of_a_table_in_order(row, is_refused):
    table = f"| who | x | y | z |\n| :-- | --: | --: | --: |\n{row}\n| b | 0.5 | 8 | 1.5 |\n"
    text = f"{ROWS}\n{table}"
    problems = prose_tables.parse(Document(text, "page.md"))

    assert bool(list(problems)) is is_refused


@pytest.mark.parametrize(("cell", "is_refused"), [("0", False), ("1", True)])
def test_a_check_after_a_table_lists_its_rows_in_order(cell, is_refused):
    text = f"""```pycon
>>> 7 * 7
49
```

| position | bit 1 | bit 0 |
| -: | :-: | :-: |
| 1 | 0 | 1 |
| 2 | 1 | {cell} |
| 3 | 1 | 1 |
<!-- check: posenc.counting.binary_encoding(4, 2)[1:].tolist() == [[0, 1], [1, 0], [1, 1]] -->
"""
    problems = prose_tables.parse(Document(text, "page.md"))

    assert bool(list(problems)) is is_refused
