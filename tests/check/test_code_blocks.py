"""Code, cards, formulas, references and figures of a page: each failure at its line."""

import textwrap
from pathlib import Path

import pytest

from check.cards import find_cards, number_equations
from check.page_check import Failure
from tests.checking import check_page

CARD = """\
/// statement | Norm
    attrs: {id: eq-test}

$$
x = 1
$$
///

/// implementation
```{.python title="posenc/tables/sinusoidal.py"}
--8<-- "posenc/tables/sinusoidal.py:pairs"
```
///

/// verification
```pycon
>>> 1 + 1
2
```
///
"""


def list_failures(tmp_path: Path, text: str) -> list[Failure]:
    page = tmp_path / "page.md"
    page.write_text(textwrap.dedent(text), "utf-8")
    return check_page(page).failures


def test_a_correct_page_passes(tmp_path):
    text = (
        "# Page\n\nSee [eq-norm][], [`posenc.inv_freq`][], [it](#page) and $x^2$.\n\n"
        "It is 0.84, or 62 832, not `0.7`; see section 3.5.\n\n"
    )

    assert (
        list_failures(tmp_path, text + CARD + pycon(">>> 0.8414, 62832", "(0.8414, 62832)")) == []
    )


def pycon(*lines: str, indent: int = 0) -> str:
    """Return a session, indented as in a tab or a list."""
    return textwrap.indent("\n".join(["```pycon", *lines, "```"]), " " * indent)


def include(title: str, *lines: str) -> str:
    return "\n".join([f'```{{.python title="{title}"}}', *lines, "```"])


HERE = "posenc/tables/sinusoidal.py"
UNDOCUMENTED = "posenc/core/checks.py"  # without an API page
MISSPELT = "posenc/rotary/rotatoin.py"
WARN = "import warnings; warnings.warn('x', DeprecationWarning)"


@pytest.mark.parametrize(
    ("line", "message", "text"),
    [
        (3, "Expected:\n    0.2\nGot:\n    0.1", "# A\n" + pycon(">>> 0.1", "0.2")),
        # Fences that are dedented: lines are counted on the page.
        (6, "Got:", '=== "Tab"\n\n    x\n\n' + pycon(">>> 1", "2", indent=4)),
        (6, "Got:", "!!! note\n\n" + pycon(">>> 1", "1", ">>> 1", "2", indent=4)),
        (8, "Got:", "- a\n\n    - b\n\n" + pycon(">>> 1", "1", ">>> 1", "2", indent=8)),
        (3, "NameError", "```python\na = 1\nb = missing\n```"),
        (4, "ZeroDivisionError", "```python\ndef f():\n    # inside\n    1 / 0\nf()\n```"),
        (3, "SyntaxError", "```python\na = 1\nb = = 2\n```"),
        (2, "DeprecationWarning", pycon(f">>> {WARN}")),
        (1, "language 'Python' is not one of", "```Python\n1 / 0\n```"),
        (1, "language '' is not one of", "```\n1 / 0\n```"),
        (1, "is not one of", '```pycon title="x"\n>>> 1\n2\n```'),
        (2, "Got:", "```pycon \n>>> 1\n2\n```"),  # with a space at its end
        (2, "lacks blank", pycon(">>>1")),
        (2, "doctest directive", pycon(">>> 1  # doctest: +SKIP", "2")),
        (5, "belongs to no prompt", pycon(">>> 1", "1", "", "2")),
        (2, "belongs to no prompt", pycon("# a comment", ">>> 1", "1")),
        (1, "this code is not checked", ">>> 1 / 0"),
        (1, "this code is not checked", "```pycon\n>>> 1\n1"),
        (3, "this code is not checked", "x\n\n> ```python\n> 1 / 0\n> ```"),
        (1, "this code is not checked", "~~~python\n1 / 0\n~~~"),
        (2, "this code is not checked", "    indented:\n    >>> 1 / 0"),
        (1, "LaTeX in $x^{y$", "A $x^{y$ here."),
        (3, "LaTeX in", "x\n\n$$\n\\frobnicate\n$$"),
        (2, "an empty line before it", "Text:\n$$\nx\n$$"),
        (1, "browsers render it wrong", "A $\\boxed{x}$."),
        (1, "browsers render it wrong", "A $\\begin{cases} 1 \\\\[2ex] 0 \\end{cases}$."),
        (1, "a formula in a heading", "# The norm of $x$"),
        (1, "does not begin or end a formula", "A $ \\omega$ here."),
        (1, "does not begin or end a formula", "A \\(x\\) here."),
        (3, "does not begin or end a formula", "x\n\n$$\nx\n\nThe end."),
        (3, "an empty line after it", "$$\nx\n$$\nwhere"),
        (3, "a bar in a formula", "| a | b |\n| - | - |\n| $|x|$ | c |"),
        (1, "begins a comment", "A $x % y$ here."),
        (1, "<pre> is HTML, which is not checked; write Markdown", "<pre>1 / 0</pre>"),
        (1, "write [eq-norm][]", "See [eq-norm]."),
        (1, "the text says 0.85,", "It is 0.85.\n\n" + pycon(">>> 0.8414", "0.8414")),
        (1, "the text says 62 833,", "It is 62 833.\n\n" + pycon(">>> 62832", "62832")),
        (3, "the text says -0.42,", "x\n\n| $p$ | -0.42 |\n\n" + pycon(">>> 0.42", "0.42")),
        (1, "this one is text", "```text\n>>> 1 / 0\n```"),
        (1, "this code is not checked", '--8<-- "README.md"'),
        (2, "SystemExit", "```python\nraise SystemExit(0)\n```"),
        (2, "Got:", pycon(">>> 1 == 1", "1")),
        (1, "is not one of", "```{.python title=\"it's}\n1 / 0\n```"),
        (1, "{ #core_checks } and under it", include(UNDOCUMENTED, f'--8<-- "{UNDOCUMENTED}"')),
        (1, "removes a line with this mark", "Mark it with `# --8<-- [start:pairs]`."),
        (
            3,
            "removes a line with this mark",
            "````{.python .not-run}\n# ;--8<-- [start:x]\n# --8<-- [end:x]\n````",
        ),
        (1, "perhaps python", "```Python\n1 / 0\n```"),
        (1, "further options in braces, {.pycon …}", '```pycon title="x"\n>>> 1\n2\n```'),
        (1, "perhaps posenc/rotary/rotation.py", include(MISSPELT, f'--8<-- "{MISSPELT}"')),
        (1, "perhaps pairs", include(HERE, f'--8<-- "{HERE}:pair"')),
        (1, "perhaps the-norm", "See [it](#the-nrom).\n\n# The norm"),
        (1, "unknown in the braces: figur", "```{.python .figur}\n1\n```"),
        (1, "unknown reference 'eq-none'", "See [eq-none][]."),
        (1, "unknown reference 'norm'", "See [the norm][norm]."),
        (1, "unknown name posenc.nothing", "See [`posenc.nothing`][]."),
        (1, "unknown name posenc.nothing", "See [`posenc.inv_freq`][] and [`posenc.nothing`][]."),
        (1, "unknown name posenc.laws.rows", "See [`posenc.laws.rows`][]."),
        (1, "no heading or id", "See [here](#there)."),
        (1, "no file", "See [here](there.md)."),
        (1, "neither https nor relative", "See [here](http://example.org)."),
        (1, "no section 'nothing'", include(HERE, f'--8<-- "{HERE}:nothing"')),
        (1, "no file posenc/none.py", include("posenc/none.py", '--8<-- "posenc/none.py"')),
        (1, f'write title="{HERE}"', include("x.py", f'--8<-- "{HERE}:pairs"')),
        (1, "alone in its fence", include(HERE, "x = 1", f'--8<-- "{HERE}:pairs"')),
    ],
)
def test_a_problem_is_reported_at_its_line(tmp_path, line, message, text):
    first, *_ = list_failures(tmp_path, text)

    assert first.line == line
    assert message in first.message


FIGURE = '```{{.python .figure #fig-a alt="{alt}" caption="{caption}"}}\n{code}\n```'
DRAW = "from matplotlib.figure import Figure\nf = Figure()\n_ = f.subplots().plot([1, 2]){more}\nf"


@pytest.mark.parametrize(
    ("message", "alt", "caption", "code"),
    [
        ("[ in alt text", "in [0, 1)", "C", DRAW.format(more="")),
        ("$ in alt text", "of $x$", "C", DRAW.format(more="")),
        ("reference in a caption", "A", "See [eq-norm][].", DRAW.format(more="")),
        ("LaTeX in", "A", "Of $x^{y$.", DRAW.format(more="")),
        (None, "A", "C", DRAW.format(more="")),
        ("a figure without alt", " ", "C", DRAW.format(more="")),
        ("a figure without caption", "A", "", DRAW.format(more="")),
        ("ends with an expression", "A", "C", DRAW.format(more="") + "\nx = f"),
        ("got int", "A", "C", "1"),
        ("the figure is empty", "A", "C", "from matplotlib.figure import Figure\nFigure()"),
        ("Glyph", "A", "C", DRAW.format(more="\n_ = f.suptitle('\\u4e00')")),
        ("NameError", "A", "C", "from_the_page"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_reported(tmp_path, message, alt, caption, code):
    page = "```python\nfrom_the_page = 1\n```\n" + FIGURE.format(
        alt=alt, caption=caption, code=code
    )

    messages = [failure.message for failure in list_failures(tmp_path, page)]

    assert len(messages) == bool(message)
    assert all(message in failure for failure in messages)


PROOF = """
$$
\\begin{aligned}
p + p &= 2p
\\end{aligned}
$$

```pycon
>>> from posenc.proofs import steps, whole
>>> steps(lambda p: p + p, "=", lambda p: 2 * p, p=whole(9))
'1 step holds at 60 points'
```
"""


def test_a_proof_follows_its_statement_or_replaces_the_implementation(tmp_path):
    proof = f"/// proof | Twice the same\n{PROOF}///\n\n"
    with_both = CARD.replace("/// implementation", f"{proof}/// implementation")
    head, _, rest = CARD.partition("/// implementation")
    verification = rest[rest.index("/// verification") :]
    without_code = head + proof + verification

    assert list_failures(tmp_path, CARD) == []
    assert list_failures(tmp_path, with_both) == []
    assert list_failures(tmp_path, CARD + proof) == []
    assert list_failures(tmp_path, without_code) == []
    assert [card.support.kind for card in find_cards(with_both)] == ["implementation"]
    assert [card.support.kind for card in find_cards(without_code)] == ["proof"]
    assert [card.start for card in find_cards(without_code)] == [without_code.index("/// proof")]
    equation = next(iter(number_equations([tmp_path / "page.md"]).values())).equation
    assert equation.implementations == []


def test_lines_of_the_package_may_have_a_block_of_their_own(tmp_path):
    plain = "/// implementation\n```python\nx = 1\n```\n///\n\n/// package | exact"
    card = CARD.replace("/// implementation", plain)

    assert list_failures(tmp_path, card) == []
    assert [card.support.kind for card in find_cards(card)] == ["package"]
    equation = next(iter(number_equations([tmp_path / "page.md"]).values())).equation
    assert equation.implementations == [HERE]


def test_a_definition_names_its_source(tmp_path):
    line = "Definition: the code of T5.\n{ .definition }\n"
    card = CARD.replace("x = 1\n$$\n", f"x = 1\n$$\n\n{line}")

    assert list_failures(tmp_path, card) == []
    (entry,) = number_equations([tmp_path / "page.md"]).values()
    assert entry.equation.source == "the code of T5"


def test_a_proof_before_its_statement_is_refused(tmp_path):
    (failure,) = list_failures(tmp_path, f"/// proof\n{PROOF}///\n\n" + CARD)

    assert "proof after nothing" in failure.message


def remove_block(start: str, stop: str) -> str:
    """Return the card without the lines from `start` to `stop`, or to its end."""
    head, _, rest = CARD.partition(start)
    return head + (rest[rest.index(stop) :] if stop else "")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("without a verification", remove_block("/// verification", "")),
        ("without an implementation", remove_block("/// implementation", "/// verification")),
        ("package after statement", CARD.replace("/// implementation", "/// package")),
        ("verification after nothing", remove_block("/// statement", "/// verification")),
        (
            "proof after implementation",
            CARD.replace("/// verification", f"/// proof\n{PROOF}///\n\n/// verification"),
        ),
        ("without an id", CARD.replace("    attrs: {id: eq-test}\n", "")),
        ("without an id", CARD.replace("eq-test", "norm")),
        ("without a name", CARD.replace(" | Norm", "")),
        ("without a displayed formula", CARD.replace("$$\nx = 1\n$$\n", "")),
        (
            "definition without its source",
            CARD.replace("x = 1\n$$\n", "x = 1\n$$\n\nDefinition.\n"),
        ),
        ("includes no lines of the package", CARD.replace("--8<--", "# ")),
        ("output could be wrong", CARD.replace(">>> 1 + 1\n2", ">>> True\nTrue")),
        ("output could be wrong", CARD.replace(">>> 1 + 1\n2", ">>> x = 1 + 1")),
        ("output could be wrong", CARD.replace("```pycon", "```text")),
        ("output could be wrong", CARD.replace("```pycon", "```{.pycon .not-run}")),
        ("includes no lines of the package", CARD.replace(HERE, "README.md")),
        ("without indentation, and close it", CARD.replace("/// statement", "/// Statement")),
        ("without indentation, and close it", CARD.replace("/// statement", "> /// statement")),
        ("without indentation, and close it", '!!! statement "Norm"\n\n    x'),
        (
            "without indentation, and close it",
            "/// admonition | Norm\n    type: statement\n\nx\n///",
        ),
        ("is used twice", CARD + CARD),
        (
            "without indentation, and close it",
            CARD.replace("/// verification", " /// verification"),
        ),
        ("without indentation, and close it", CARD.removesuffix("///\n")),
    ],
)
def test_an_incomplete_card_is_refused(tmp_path, message, text):
    assert any(message in failure.message for failure in list_failures(tmp_path, text))


def test_a_fence_marked_as_not_run_does_not_run(tmp_path):
    assert list_failures(tmp_path, "```{.python .not-run}\n1 / 0\n```") == []


def test_a_fence_inside_another_is_text(tmp_path):
    assert list_failures(tmp_path, "````markdown\n```pycon\n>>> 1 / 0\n```\n````") == []


def test_a_repeated_figure_id_is_refused(tmp_path):
    figure = FIGURE.format(alt="A", caption="C", code=DRAW.format(more=""))

    failures = list_failures(tmp_path, f"{figure}\n\n{figure}\n")

    assert [failure.message for failure in failures] == [
        "the id fig-a is used twice on this page; give this figure another"
    ]


def test_the_text_of_a_reference_may_have_formulas_and_code(tmp_path):
    assert list_failures(tmp_path, "[the `x` of $d$][eq-norm], `<!--`, $x$ and `-->`") == []


def test_a_page_runs_on_after_a_failure(tmp_path):
    failures = list_failures(tmp_path, "```pycon\n>>> 1\n2\n>>> 3\n4\n```")

    assert [failure.line for failure in failures] == [2, 4]


def test_pages_do_not_affect_each_other(tmp_path):
    first = "```pycon\n>>> import numpy as np; np.set_printoptions(precision=1); x = 1\n```"
    second = "```pycon\n>>> import numpy as np; np.array([0.123])\narray([0.123])\n>>> x\n1\n```"

    assert list_failures(tmp_path, first) == []
    assert [failure.line for failure in list_failures(tmp_path, second)] == [4]


def test_code_that_passed_is_skipped_but_references_are_checked(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```pycon\n>>> 1\n2\n```\n\nSee [eq-none][].\n", "utf-8")

    assert [failure.line for failure in check_page(page, skip_code=True).failures] == [6]
