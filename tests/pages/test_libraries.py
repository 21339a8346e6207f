"""Tables say of a library what its own numbers fit."""

import pytest
from sybil import Document

from engine.places import ROOT
from engine.texts import read
from pages import libraries


@pytest.mark.parametrize(
    ("row", "refused"),
    [
        ("Marian, RoFormer, CTRL | half | paper", []),
        ("Marian, RoFormer, CTRL | half | tensor2tensor", ["Marian", "RoFormer", "CTRL"]),
        ("fairseq | half, cosines first | i/(d/2-1)", ["fairseq"]),
        ("the paper; DistilBERT | `half` | paper", ["DistilBERT"]),
        ("Llama, by Meta | half | +1", ["Llama, by Meta"]),
        ("Llama | half | +1", []),
        ("Whisper | refused", []),
        ("another library | half | paper", []),
    ],
)
def test_a_row_gives_a_library_its_own_conventions(row, refused):
    text = f"# T\n\n| who | order | exponent |\n| :-- | :-- | :-- |\n| {row} |\n"
    found = [region.parsed for region in libraries.parse(Document(text, str(ROOT / "docs/a.md")))]

    assert sorted(message.partition(" is said")[0] for message in found) == sorted(refused)


def test_the_libraries_are_those_of_the_sessions():
    found = libraries.fits(read(libraries.HOME))

    assert {"2i/d", "half"} <= found["CTRL"]
    assert {"i/(d/2-1)", "half"} <= found["Whisper"]
    assert "interleaved" in found["Llama, by Meta"]
    assert len(found) > 20
