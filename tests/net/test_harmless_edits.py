"""A page that stays true after an edit passes, without an edit of any other file."""

import pytest

from tests.net.server import break_file

RELATIVE = "docs/chapters/relative.md"
SECTION = """\
## Halfway { #halfway }

The first 16 pairs are half of the waves.

```pycon
>>> halfway = posenc.inv_freq(64)[:16]
>>> len(halfway)
16
```

```{.python .figure #fig-halfway alt="A falling line." caption="Sixteen frequencies."}
import posenc
import posenc.plots

posenc.plots.heatmap(posenc.sinusoidal_positional_encoding(16, 8))
```

## Similarity does not fall at every step { #ripples }
"""

# The name of the edit, the old text, and the new text; each is as true as before.
EDITS = [
    ("a reworded sentence", "Are nearer positions always more similar?", "Do nearer positions always resemble each other more?"),
    ("a word for another", "The anchor does not matter, and left looks like right.", "The anchor makes no difference, and left looks like right."),
    ("a heading", "## Similarity does not fall at every step {", "## Similarity can rise again {"),
    ("a comma", "Beyond that, the curve may ripple", "Beyond that the curve may ripple"),
    ("numbers in another order", "Of the first 127 steps, 49 go up.", "49 of the first 127 steps go up."),
    ("a renamed variable", ">>> rises = np.flatnonzero(np.diff(mine) > 0) + 1\n>>> len(rises), rises[0]", ">>> ups = np.flatnonzero(np.diff(mine) > 0) + 1\n>>> len(ups), ups[0]"),
    ("a new paragraph", "The next figure shows three rows", "Look along a diagonal before you read on.\n\nThe next figure shows three rows"),
    ("a new section with session and figure", "## Similarity does not fall at every step { #ripples }\n", SECTION),
    ("a bound in words", "Six positions before and six after look the same,", "Positions six before and six after look the same,"),
    ("an example of free choice", "Beyond that, the curve may ripple", "Take position 9000.\n<!-- example: 9000 -->\nBeyond that, the curve may ripple"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), [e[1:] for e in EDITS], ids=[e[0] for e in EDITS])
def test_a_page_passes_after_a_harmless_edit(server, assert_passes, old, new):
    assert_passes(RELATIVE)  # first, since its result is cached
    (verdict,) = server.judge(break_file(RELATIVE, RELATIVE, old, new))

    assert not verdict.failures, "\n".join(verdict.failures)
