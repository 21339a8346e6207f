"""The mathematics font of the site: STIX Two Math, cut down to what formulas can need."""

import hashlib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from check.cache import replace_file

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

# Beyond the ranges below; a formula or a heading with another sign is told of by a test.
SIGNS = "¯°±·×÷íéöü–—‘’“”…‖′″ℂℕℝℤ←→↔↦⇒⇔⟺∀∂∃∅∆∇∈∉∏∑−∓∗∘√∝∞∥∧∨∩∪∫∼≃≅≈≔≠≡≤≥≪≫⊂⊆⊕⊗⊙⊤⊥⋅⋮⋯⋱⌈⌉⌊⌋⟨⟩⏞⏟"


def characters() -> set[int]:
    """Return the code points to keep. Each kilobyte is one that every reader waits for."""
    ranges = (
        (0x20, 0x7E), (0xA0, 0xA0),  # Latin
        (0x391, 0x3A9), (0x3B1, 0x3C9), (0x3D5, 0x3D5), (0x3F5, 0x3F5),  # Greek
        (0x302, 0x304), (0x2061, 0x2064),  # accents, invisible operators
        (0x239B, 0x23AD),  # parts of brackets
        (0x210E, 0x210E), (0x1D434, 0x1D467), (0x1D6FC, 0x1D71B),  # italic, as letters are set
    )  # fmt: skip
    kept = {point for first, last in ranges for point in range(first, last + 1)}
    return kept | {ord(sign) for sign in SIGNS}


def key() -> str:
    """Return a name for what `write` would write."""
    made_by = (
        Path(__file__).read_bytes() + version("ziamath").encode() + version("fonttools").encode()
    )
    return hashlib.sha256(made_by).hexdigest()[:16]


def write(path: Path) -> None:
    """Write the subset as WOFF2, whole or not at all: another build may wait for it.

    The same bytes every time: no hour is put into it.
    """
    from fontTools import subset  # here, as builds that find the font need not load it

    spec = find_spec("ziamath")
    if spec is None or spec.origin is None:
        raise ImportError("ziamath, which carries the font, is not installed")
    options = subset.Options(flavor="woff2", hinting=False)
    # Kerning, for headings. The variants of letters for scripts would be half of the file, and
    # Chromium does not use them.
    options.layout_features = ["kern"]
    font = subset.load_font(
        str(Path(spec.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"), options
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    make_roots_even(font)
    font.recalcTimestamp = False
    with replace_file(path) as unfinished:
        subset.save_font(font, str(unfinished), options)
    font.close()


def make_roots_even(font: "TTFont") -> None:
    """Make each size of the root as wide as the smallest, whatever its height.

    Chromium keeps room for the widest of them behind every root.
    """
    root = font.getBestCmap()[ord("√")]
    width = font["hmtx"][root][0]
    variants = font["MATH"].table.MathVariants
    sizes = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    names = {size.VariantGlyph for size in sizes.MathGlyphVariantRecord}
    names |= {part.glyph for part in sizes.GlyphAssembly.PartRecords}
    for name in names:
        share = width / font["hmtx"][name][0]
        glyph = font["glyf"][name]
        glyph.coordinates.scale((share, 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = (width, glyph.xMin)
