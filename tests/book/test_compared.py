"""What pages say of larger and smaller, and of conditions, holds as it is listed."""

import ast
import copy
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Document

from engine.places import DOCS
from engine.texts import read
from pages import compared, words
from pages.compared import Shown
from tests.opposites import turned


def with_another(expression: str, number: int) -> Iterator[str]:
    """Yield an expression with half as much again in the place of a number, wherever it stands."""
    tree = ast.parse(f"(\n{expression}\n)", mode="eval")
    for place, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value == number:
            changed = copy.deepcopy(tree)
            copied = [*ast.walk(changed)][place]
            assert isinstance(copied, ast.Constant)
            copied.value = number + max(1, number // 2)
            yield ast.unparse(changed)


def falls(expression: str, sentence: str = "") -> bool:
    """Return whether an expression no longer holds; one that cannot be computed does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compared.false(Shown(sentence, holds=expression))
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return True


@pytest.mark.parametrize("page", compared.pages(), ids=lambda page: page.stem)
def test_what_shows_the_sentences_of_a_page_holds_and_can_fail(page):
    entries = compared.listed(page)

    assert entries
    assert [entry.sentence for entry in entries if compared.false(entry)] == []
    for entry in entries:
        if not (expression := entry.holds or entry.broken):
            continue
        ways = [*turned(expression, asserted=True)]
        for way in ways:
            down = falls(way, entry.sentence)
            assert down, f"it would hold with a part turned round, too: {entry}, {way}"
        down = bool(ways) or any(falls(way, entry.sentence) for way in turned(expression))
        assert down, f"nothing makes this false: {entry}"
        for number in words.numbers(entry.sentence):
            others = with_another(expression, number)
            down = any(falls(other, entry.sentence) for other in others)
            assert down, f"it would hold of more than {number}, too: {entry}"


@pytest.mark.parametrize(
    ("chapter", "was", "now"),
    [
        (
            "sinusoidal",
            "in its place squares every frequency",
            "in its place doubles every frequency",
        ),
        ("costs", "saves two fifths of these bytes", "saves a third of these bytes"),
        ("costs", "so the number of heads cancels", "so the number of heads stays"),
        (
            "biases",
            "if your kernel can look up the table",
            "unless your kernel can look up the table",
        ),
        ("biases", "A linear bias makes *geometric*", "A linear bias makes *linear*"),
        ("grids", "listed its cells by columns", "listed its cells by rows"),
        ("grids", "puts the column first", "puts the row first"),
        ("grids", "`size` has the width first", "`size` has the height first"),
        ("kernels", "so halving it takes four times as many", "so halving it takes twice as many"),
        ("kernels", "is in proportion to $e^{z", "falls in proportion to $e^{z"),
        ("padding", "is a mask only if no real token", "is a mask only if a real token"),
        ("rotary", "turns a quarter of each head", "turns a third of each head"),
        ("padding", "mask* depends on the key alone", "mask* depends on the query alone"),
        ("rotary", "RoPE turns it *counter-clockwise*", "RoPE turns it *clockwise*"),
        ("kernels", "If you found 201, you forgot", "If you found 200, you forgot"),
        ("skipping", "the two *to* and the two *be* as", "the two *to* as"),
        ("scaling", "keep a quarter, while the program", "keep a third, while the program"),
        ("skipping", "all its numbers but that of the row itself", "all its numbers but one"),
        (
            "biases",
            "its work before the kernel begins",
            "its work inside the kernel, on each score",
        ),
        ("rotary", "from the number $d_k$ of its channels", "from the width of the whole model"),
        (
            "scaling",
            "makes hundreds of turns in training needs no help, and one that does not complete"
            " a turn",
            "does not complete a turn needs no help, and one that makes hundreds of turns in"
            " training",
        ),
        ("skipping", "means know shares, not numbers", "means know numbers, not shares"),
        (
            "filters",
            "differ in how they weight the frequencies, not in which ones they have",
            "differ in which frequencies they have, not in how they weight them",
        ),
        ("biases", "The bias is added after the division", "The bias is added before the division"),
        (
            "rotary",
            "fused attention kernel needs no change",
            "fused attention kernel needs a change",
        ),
        ("rotary", "may come before the turn or after it", "may come after the turn alone"),
        ("learned", "among the *real* tokens, not its column", "in its row, that is, its column"),
        ("counting", "0 and 7 differ in one bit", "0 and 7 differ in three bits"),
        ("skipping", "Those with $c_{-1} = c_1$", "Those with $c_{-1} = -c_1$"),
        ("extrapolation", "squares is at most $d/n$", "squares is at most $n/d$"),
        ("aliasing", "and up to $10^8$ for $d = 512$", "and up to $10^9$ for $d = 512$"),
        ("rotary", "Turn the query forwards by", "Turn the query backwards by"),
        ("order", "weighted by how well the keys fit", "weighted by how well the queries fit"),
        ("extrapolation", "\\lambda I)\\, w = \\Phi^\\top y$;", "\\lambda I)\\, w = \\Phi y$;"),
        ("scaling", "and so $c = s^{d/(d-2)}$", "and so $c = s^{(d-2)/d}$"),
        ("biases", "form | told apart | told", "form | not told apart | told"),
        ("sinusoidal", "CTRL                   | half", "CTRL                   | interleaved"),
        (
            "padding",
            "key_padding_mask` | $(B, L)$ | padding",
            "key_padding_mask` | $(B, L)$ | real",
        ),
    ],
)
def test_a_word_for_its_neighbour_is_refused(chapter, was, now):
    assert refused(DOCS / f"chapters/{chapter}.md", was, now)


@pytest.mark.parametrize(
    ("page", "was", "now"),
    [
        (
            "reference/glossary.md",
            "A larger base makes the slow waves slower",
            "A larger base makes them faster",
        ),
        ("reference/glossary.md", "key minus query, negative", "query minus key, negative"),
        ("reference/errata.md", "up to position 31, and then not", "up to position 31, and later"),
        ("reference/claims.md", "the first pair is the fastest", "the first pair is the slowest"),
        ("reference/cookbook.md", "buckets are counted backwards", "buckets are counted forwards"),
        (
            "reference/claims.md",
            "{id: claim-three-left}\n\n**Misleading.**",
            "{id: claim-three-left}\n\n**Wrong.**",
        ),
        (
            "reference/errata.md",
            "| At the left of the heat map, fast channels",
            "| At the left of the heat map, slow channels",
        ),
        ("labs/bugs.py", "sines in its even channels", "sines in its odd channels"),
        ("labs/regression.py", "rise from 0.29 for the fastest", "fall from 0.29 for the slowest"),
        (
            "reference/notation.md",
            "turn by $\\theta$, counter-clockwise",
            "turn by $\\theta$, clockwise",
        ),
        (
            "reference/precision.md",
            "`float16` has eleven significant",
            "`bfloat16` has eleven significant",
        ),
        (
            "reference/precision.md",
            "| `float64` angles | `float32` angles |",
            "| `float32` angles | `float64` angles |",
        ),
        ("reference/conventions.md", "column of zeros |\n| Whisper", "refused |\n| Whisper"),
        ("reference/conventions.md", "| x, the column, first |", "| x, the row, first |"),
        ("reference/conventions.md", "upper half of the buckets", "lower half of the buckets"),
        (
            "reference/notation.md",
            "| `theta` | `rope_theta` | `base` |",
            "| `base` | `rope_theta` | `theta` |",
        ),
    ],
)
def test_a_word_or_a_cell_for_its_neighbour_is_refused_beside_the_chapters(page, was, now):
    assert refused(DOCS / page, was, now)


def refused(page: Path, was: str, now: str) -> bool:
    """Return whether nothing is said of a page, but of one that says something else."""
    text = read(page)
    assert text.count(was) == 1, was
    assert [*compared.parse(Document(text, str(page)))] == []
    return len([*compared.parse(Document(text.replace(was, now), str(page)))]) in (1, 2)


@pytest.mark.parametrize(
    ("expression", "number", "falling"),
    [
        ("all(2 * w == w + w for w in (1, 3))", 2, True),
        ("all(w**2 == w * w for w in (1, 3))", 2, True),
        ("160 - 96 == 2 / 5 * 160", 5, True),
        ("1 / 4 > 1 / 5 and 1 / 3 > 0", 3, False),
        ("2 * 2 > 3", 2, False),
        ("2.0 * 3 == 6", 2, False),  # a float is found in no expression
    ],
)
def test_another_factor_makes_false_what_shows_one(expression, number, falling):
    assert any(map(falls, with_another(expression, number))) is falling


def test_each_list_is_of_a_page_and_no_two_pages_share_one():
    stems = [page.stem for page in compared.pages()]

    assert sorted(file.stem for file in compared.FOLDER.iterdir()) == sorted(stems)


def test_a_comparison_that_is_turned_round_falls_and_a_truism_does_not():
    assert [*map(falls, turned("all(x < 1 for x in (0, 0.5))"))] == [True]
    assert [*map(falls, turned("all(x < 1 for x in ())"))] == [False]
    assert [*map(falls, turned("1 < 2 or 2 < 3"))] == [False, False]
    assert [*map(falls, turned("all(x < 3 for x in (1, 2) if x > 0)"))] == [True, False]
    assert len([*turned("all(x < 3 for x in (1, 2) if x > 0)", asserted=True)]) == 1
    assert len([*turned("(lambda f: f(1) < 2 < f(3))(lambda x: x > 1)", asserted=True)]) == 2
    assert [*map(falls, turned("np.allclose([1, 2], 1 + np.arange(2))"))] == [True]
