"""What the book's tables say of libraries agrees with the libraries' own numbers.

Sessions of reference/conventions.md find which order of channels and which exponent explain the
numbers that a library returned, and print a line for each library. A table on any page whose
first cell names such a library gives it the same order and the same exponent.
"""

import re
from collections.abc import Iterator

import pytest

from check.fences import blank_fences, find_fences
from check.page_source import read_page
from check.paths import DOCS, path_from_root

CONVENTIONS = DOCS / "reference/conventions.md"
ORDERS = {name: name for name in ("interleaved", "half", "half, cosines first")}
EXPONENTS = {"2i/d": "2i/d", "i/(d/2-1)": "i/(d/2-1)"}
EXPONENTS |= {"paper": "2i/d", "tensor2tensor": "i/(d/2-1)"}  # as `exponent=` has them
PRINTED = re.compile(
    r"^(?!>>>|\.\.\.)(?P<names>[^|\n]+)(?P<cells>(?: \| [^|\n]+){3,})$", re.MULTILINE
)
NAMES = re.compile(r"[,;] (?!by )")


def measured_conventions(text: str) -> dict[str, set[str]]:
    """Return which conventions explain the numbers of each library, as the sessions print it."""
    found = dict[str, set[str]]()
    for fence in find_fences(text):
        for match in PRINTED.finditer(fence.source if fence.language == "pycon" else ""):
            cells = {cell.strip() for cell in match["cells"].split("|")}
            for name in NAMES.split(match["names"]):
                found.setdefault(name.strip(), set()).update(cells)
    return found


MEASURED = measured_conventions(read_page(CONVENTIONS))


def contradictions(text: str) -> Iterator[str]:
    """Yield the cells of a page that give a library another convention than its numbers do."""
    for row in re.finditer(r"^\|(.*)\|[ \t]*$", blank_fences(text), re.MULTILINE):
        names, *cells = (cell.strip().strip("`") for cell in row[1].split("|"))
        for name in NAMES.split(names):
            for words in (ORDERS, EXPONENTS):
                known = {words[one] for one in MEASURED.get(name, ()) if one in words}
                for cell in cells:
                    if known and cell in words and words[cell] not in known:
                        yield f"{name}: {cell!r}, measured {' or '.join(sorted(known))}"


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=path_from_root)
def test_tables_give_libraries_the_conventions_that_were_measured(page):
    assert list(contradictions(read_page(page))) == []


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("Marian, RoFormer, CTRL | half | paper", []),
        ("Marian, RoFormer, CTRL | half | tensor2tensor", ["Marian", "RoFormer", "CTRL"]),
        ("fairseq | half, cosines first | i/(d/2-1)", ["fairseq"]),
        ("the paper; DistilBERT | `half` | paper", ["DistilBERT"]),
        ("Llama, by Meta | half | +1", ["Llama, by Meta"]),
        ("Llama | half | +1", []),
        ("another library | half | paper", []),
    ],
)
def test_a_wrong_cell_is_found(row, wrong):
    text = f"# T\n\n| who | order | exponent |\n| :-- | :-- | :-- |\n| {row} |\n"

    assert sorted(one.partition(":")[0] for one in contradictions(text)) == sorted(wrong)


def test_conventions_are_read_from_the_sessions():
    assert {"2i/d", "half"} <= MEASURED["CTRL"]
    assert {"i/(d/2-1)", "half"} <= MEASURED["Whisper"]
    assert "interleaved" in MEASURED["Llama, by Meta"]
