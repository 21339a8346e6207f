"""The cells of a notebook: what is between two answers of a page."""

from export.cells import split_session


def test_a_session_is_cut_behind_each_answer():
    found = split_session(">>> a = 1\n>>> a\n1\n>>> print(a)\n1\n>>> b = 2\n")

    assert [(cell.source, cell.value, cell.printed) for cell in found] == [
        ("a = 1\na", "1\n", ""),
        ("print(a)", "", "1\n"),
        ("b = 2", "", ""),
    ]


def test_an_expected_error_is_caught_and_printed():
    said = "Traceback (most recent call last):\n  ...\nValueError: not a number\n"
    (cell,) = split_session(f">>> int('x')\n{said}")

    assert cell.source == (
        "try:\n    int('x')\nexcept ValueError as error:\n    print(\"ValueError:\", error)"
    )
    assert cell.printed == "ValueError: not a number\n"
