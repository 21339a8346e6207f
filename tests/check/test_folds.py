"""A visible line of a chapter must not use a name that only a fold defines."""

import pytest
from sybil import Document

from check.folds import parse

FOLD = "/// details | Numbers\n{}\n///\n"
PROOF = "/// proof\n{}\n///\n"
IMPORT = "```pycon\n>>> import math\n```"
USE = "```pycon\n>>> 1\n1\n>>> [math.pi for x in (1, 2)]\n```"
FUNCTION = "```python\ndef area(r):\n    return math.pi * r**2\n```"
FIGURE = "```{.python .figure}\nmath.pi\n```"


def list_messages(text: str, path: str = "docs/chapters/a.md") -> list[str]:
    """Return the line and the message of each problem on a page."""
    regions = parse(Document(text, path))
    return [f"{text.count(chr(10), 0, part.start) + 1}: {part.parsed}" for part in regions]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (10, FOLD.format(IMPORT) + "\n" + USE),
        (8, FOLD.format(IMPORT) + "\n" + FUNCTION),
        (7, PROOF.format(IMPORT) + FUNCTION),
    ],
)
def test_a_name_from_a_fold_is_refused(line, text):
    (message,) = list_messages(text)

    assert message.startswith(f"{line}: math is defined only in the fold at line 3, but used here")


@pytest.mark.parametrize(
    "text",
    [
        f"{IMPORT}\n{USE}",
        FOLD.format(IMPORT) + FOLD.format(USE),
        FOLD.format(IMPORT) + FIGURE,
        f"{IMPORT}\n{FOLD.format(IMPORT)}{USE}",
        PROOF.format(IMPORT.replace("pycon\n>>> ", "python\n")) + FUNCTION,
        FOLD.format(IMPORT.replace("import math", "math = 1")) + USE.replace(" x ", " math "),
    ],
)
def test_other_names_are_accepted(text):
    assert list_messages(text) == []


def test_other_pages_may_share_a_folded_beginning():
    assert list_messages(FOLD.format(IMPORT) + USE, "docs/reference/a.md") == []
