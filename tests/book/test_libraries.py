"""Tables of conventions agree with the numbers that the libraries returned.

Sessions in reference/conventions.md determine the order of channels and the exponent from the
numbers of each library, and print a line for each. On all pages, rows whose first cell names such
a library must give the same order and exponent.
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


def read_measured_conventions(text: str) -> dict[str, set[str]]:
    """Return the conventions of each library, as printed by the sessions."""
    conventions = dict[str, set[str]]()
    for fence in find_fences(text):
        for match in PRINTED.finditer(fence.source if fence.language == "pycon" else ""):
            cells = {cell.strip() for cell in match["cells"].split("|")}
            for name in NAMES.split(match["names"]):
                conventions.setdefault(name.strip(), set()).update(cells)
    return conventions


MEASURED = read_measured_conventions(read_page(CONVENTIONS))


def find_contradictions(text: str) -> Iterator[str]:
    """Yield the cells of a page that contradict the measured conventions of a library."""
    for row in re.finditer(r"^\|(.*)\|[ \t]*$", blank_fences(text), re.MULTILINE):
        names, *cells = (cell.strip().strip("`") for cell in row[1].split("|"))
        for name in NAMES.split(names):
            for words in (ORDERS, EXPONENTS):
                measured = {words[cell] for cell in MEASURED.get(name, ()) if cell in words}
                for cell in cells:
                    if measured and cell in words and words[cell] not in measured:
                        yield f"{name}: {cell!r}, measured {' or '.join(sorted(measured))}"


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=path_from_root)
def test_tables_agree_with_the_measured_conventions(page):
    assert list(find_contradictions(read_page(page))) == []


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
def test_contradicting_cells_are_found(row, wrong):
    text = f"# T\n\n| who | order | exponent |\n| :-- | :-- | :-- |\n| {row} |\n"

    assert sorted(message.partition(":")[0] for message in find_contradictions(text)) == sorted(
        wrong
    )


def test_conventions_are_read_from_the_sessions():
    assert {"2i/d", "half"} <= MEASURED["CTRL"]
    assert {"i/(d/2-1)", "half"} <= MEASURED["Whisper"]
    assert "interleaved" in MEASURED["Llama, by Meta"]
