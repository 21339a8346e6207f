"""Every error in a page fails the page, at the right line."""

import pytest

from check.paths import ROOT

pytestmark = pytest.mark.site

SINUSOIDAL = "docs/chapters/sinusoidal.md"
RELATIVE = "docs/chapters/relative.md"
SEPARATION = "docs/chapters/separation.md"
ORDER = "docs/chapters/order.md"
LEARNED = "docs/chapters/learned.md"
GRIDS = "docs/chapters/grids.md"
BIASES = "docs/chapters/biases.md"
OFFSETS = "docs/chapters/offsets.md"
SCALING = "docs/chapters/scaling.md"
ROTARY = "docs/chapters/rotary.md"
CONVENTIONS = "docs/reference/conventions.md"
NOTATION = "docs/reference/notation.md"
SOURCES = "docs/reference/sources.md"
BIBLIOGRAPHY = "docs/reference/bibliography.md"

# The name of the error, the file, the old text, the new text, where the message points (so many
# lines below the edit, or at a text), and a part of the message.
PAGES = [
    ("a wrong digit", SINUSOIDAL, "[0.0044, -0.0044]", "[0.0045, -0.0044]", -1, "Got:"),
    ("a digit too small", SINUSOIDAL, "[628, 47117, 60611]", "[627, 47117, 60611]", -1, "Got:"),
    ("a wrong sign", RELATIVE, "[[0.2837, 0.9589], [-0.9589", "[[0.2837, -0.9589], [0.9589", -1, "Got:"),
    ("a wrong digit in a folded answer", SINUSOIDAL, ".argmin().item()\n11", ".argmin().item()\n12", 0, "Got:"),
    ("a wrong number in a sentence", SINUSOIDAL, "takes 60 611 positions", "takes 60 612 positions", 0, "the text says 60 612"),
    ("a wrong cell of a table", SINUSOIDAL, "0.8253 | 0.0522", "0.8254 | 0.0522", 0, "the text says 0.8254"),
    ("a fence with a title", SINUSOIDAL, "```pycon\n>>> import math\n", '```pycon title="x"\n>>> import math\n', 0, "is not one of"),
    ("a fence in another spelling", RELATIVE, "```pycon\n>>> curve", "```Python\n>>> curve", 0, "'Python' is not one of"),
    ("a fence without a language", RELATIVE, "```pycon\n>>> curve", "```\n>>> curve", 0, "'' is not one of"),
    ("a trailing space and a wrong digit", SINUSOIDAL, "```pycon\n>>> [round(math.sin(p), 6) for p in (11, 344)]\n[-0.99999", "```pycon \n>>> [round(math.sin(p), 6) for p in (11, 344)]\n[-0.99998", 1, "Got:"),
    ("a check switched off", RELATIVE, ">>> curve[[98, 99]].round(2).tolist()\n", ">>> curve[[98, 99]].round(2).tolist()  # doctest: +SKIP\n", 0, "doctest directive"),
    ("an answer behind an empty line", RELATIVE, "[12.8, 15.56]\n", "[12.8, 15.56]\n\n[12.8, 15.57]\n", 2, "belongs to no prompt"),
    ("a fence never closed", RELATIVE, "[12.8, 15.56]\n```", "[12.8, 15.56]\n", 3, "belongs to no prompt"),
    ("a verification removed", RELATIVE, "/// verification | Products", "/// note | Products", "/// statement | Composition", "without a verification"),
    ("a verification of nothing", RELATIVE, ">>> gram = pe @ pe.T", ">>> # gram = 1", 0, "belongs to no prompt"),
    ("an implementation removed", RELATIVE, "/// implementation\n```python\ndef plain_norms", "/// note\n```python\ndef plain_norms", "/// statement | Norm", "without an implementation"),
    ("a statement without an id", SINUSOIDAL, "    attrs: {id: eq-sinusoidal}\n", "", -1, "without an id"),
    ("an id given twice", RELATIVE, "{id: eq-group}", "{id: eq-shift}", -1, "is used twice"),
    ("a figure without alt text", SINUSOIDAL, '#fig-waves alt="Three', '#fig-waves title="Three', 0, "without alt"),
    ("a figure that draws nothing", SINUSOIDAL, "posenc.plots.waves(32, 48, [0, 4, 8])", "from matplotlib.figure import Figure; (32, 48, 0, 4, 8); Figure()", -3, "figure is empty"),
    ("a figure that fails", SINUSOIDAL, "posenc.plots.waves(32, 48", "posenc.plots.waves(33, 48", -3, "dim must be even"),
    ("bad LaTeX", RELATIVE, r"\omega(p + k)", r"\omgea(p + k)", -2, "LaTeX in"),
    ("LaTeX never closed", RELATIVE, r"M_{-k} &= M_k^{-1}", r"M_{-k} &= M_k^{-1", -3, "LaTeX in"),
    ("a wrong sign in a proof", ROTARY, r"(x_0 \cos\theta - x_1 \sin\theta)", r"(x_0 \cos\theta + x_1 \sin\theta)", 0, "line 2 of the derivation is wrong"),
    ("a formula on the heels of text", RELATIVE, "in the interleaved layout,\n\n$$", "in the interleaved layout,\n$$", 1, "an empty line before"),
    ("an unknown equation", RELATIVE, "[eq-toeplitz][]", "[eq-topelitz][]", 0, "unknown reference 'eq-topelitz'"),
    ("an unknown name", SEPARATION, "[`posenc.analysis.nearest_alias`][]", "[`posenc.closest_alias`][]", 0, "unknown name posenc.closest_alias"),
    ("a link to a heading that is gone", RELATIVE, "(sinusoidal.md#both)", "(sinusoidal.md#bath)", 0, "no heading or id"),
    ("a stale snippet", SINUSOIDAL, '"posenc/core/frequencies.py:steps"', '"posenc/core/frequencies.py:strides"', -1, "no section 'strides'"),
    ("a snippet of a file that moved", SINUSOIDAL, 'title="posenc/core/frequencies.py"}\n--8<-- "posenc/core/frequencies.py:steps"', 'title="posenc/freq.py"}\n--8<-- "posenc/freq.py:steps"', 0, "no file"),
    ("a mirror of no section", ORDER, '"Are Humans?": humans', '"Are Horses?": humans', 0, "lists no section 'Are Horses?'"),
    ("a mirror without a place", ORDER, '"Are Humans?": humans', '"Are Humans?": horses', 0, "no anchor #horses"),
    ("a section without chapter or reason", SOURCES, "| Summary | a heading over the next two |", "| Summary | |", 0, "no chapter mirrors 'Summary'"),
    ("a paper that nobody cites", BIBLIOGRAPHY, "{ #gehring2017 }", "{ #gehring2016 }", 0, "no page cites gehring2016"),
    ("a paper that is not there", LEARNED, "bibliography.md#gehring2017", "bibliography.md#gehring2016", 0, "no heading or id"),
    ("a step of another width", GRIDS, "[(1, 0), (0, 6)]", "[(1, 0), (0, 7)]", -1, "Got:"),
    ("a similarity in a sentence", GRIDS, "has the similarity 0.66:", "has the similarity 0.67:", 0, "the text says 0.67"),
    ("a bucket one too far", OFFSETS, "8, 12, 16, 23, 32, 46, 64, 91]", "8, 12, 16, 24, 32, 46, 64, 91]", -1, "Got:"),
    ("a slope in a sentence", BIASES, "comes 0.7071, the steepest", "comes 0.7171, the steepest", 0, "the text says 0.7171"),
    ("a cell of the table of rules", SCALING, "ramp in $i$ | 1 | 1 | 0.663 |", "ramp in $i$ | 1 | 1 | 0.673 |", 0, "the text says 0.673"),
    ("the score of the other layout", ROTARY, "[-3.8228, -3.8228]", "[-1.6284, -1.6284]", -4, "Got:"),
    ("another library's number", CONVENTIONS, "(0.909297, 0.996401, 0.89301", "(0.909297, 0.883058, 0.552807", ">>> for library, (d, token, seen)", "Got:"),
    ("a wrong README", "README.md", "(25.587, 25.587)", "(25.587, 25.578)", -1, "Got:"),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "file", "old", "new", "below", "message"), PAGES, ids=[p[0] for p in PAGES]
)
def test_an_error_in_a_page_is_noticed(find_failure, name, file, old, new, below, message):
    failure = find_failure(file, old, new, file)

    before, _, after = (ROOT / file).read_text("utf-8").partition(old)
    above = before if isinstance(below, int) else (before + new + after).partition(below)[0]
    line = above.count("\n") + 1 + (below if isinstance(below, int) else 0)
    assert failure.startswith(f"{file}:{line}: ")
    assert message in failure
