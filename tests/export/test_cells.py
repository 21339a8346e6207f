"""Cells of notebooks."""

from export.cells import split_session, wrap_in_function


def test_a_cell_of_a_session_ends_after_each_answer():
    cells = split_session(">>> a = 1\n>>> a\n1\n>>> print(a)\n1\n>>> b = 2\n")

    assert [(cell.source, cell.value, cell.printed) for cell in cells] == [
        ("a = 1\na", "1\n", ""),
        ("print(a)", "", "1\n"),
        ("b = 2", "", ""),
    ]


def test_an_expected_error_is_caught_and_printed():
    traceback = "Traceback (most recent call last):\n  ...\nValueError: not a number\n"
    (cell,) = split_session(f">>> int('x')\n{traceback}")

    assert cell.source == (
        "try:\n    int('x')\nexcept ValueError as error:\n    print(\"ValueError:\", error)"
    )
    assert cell.printed == "ValueError: not a number\n"


def test_a_figure_that_defines_names_becomes_a_function():
    code = "import posenc\nx = posenc.inv_freq(4)\nx.plot()\n"

    assert wrap_in_function(code, "fig-a") == (
        "def fig_a():\n    import posenc\n    x = posenc.inv_freq(4)\n    return x.plot()"
        "\n\n\nfig_a()"
    )
    assert wrap_in_function("import posenc\nposenc.plot()\n", "fig-b") == (
        "import posenc\nposenc.plot()"
    )
