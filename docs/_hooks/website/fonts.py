"""The mathematics font of the site: a subset of STIX Two Math with the characters of formulas."""

import hashlib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from check.cache import replace_file

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

# In addition to the ranges below. A test fails if a formula or a heading has another sign.
SIGNS = "¯°±·×÷íéöüćč–—‘’“”…‖′″ℂℕℝℤ←→↔↦⇒⇔⟺∀∂∃∅∆∇∈∉∏∑−∓∗∘√∝∞∥∧∨∩∪∫∼≃≅≈≔≠≡≤≥≪≫⊂⊆⊕⊗⊙⊤⊥⋅⋮⋯⋱⌈⌉⌊⌋⟨⟩⏞⏟"


def list_code_points() -> set[int]:
    """Return the code points of the subset, which is small because every reader waits for it."""
    ranges = (
        (0x20, 0x7E), (0xA0, 0xA0),  # Latin
        (0x391, 0x3A9), (0x3B1, 0x3C9), (0x3D5, 0x3D5), (0x3F5, 0x3F5),  # Greek
        (0x302, 0x304), (0x2061, 0x2064),  # accents, invisible operators
        (0x239B, 0x23AD),  # parts of brackets
        (0x210E, 0x210E), (0x1D434, 0x1D467), (0x1D6FC, 0x1D71B),  # italic
    )  # fmt: skip
    points = {point for first, last in ranges for point in range(first, last + 1)}
    return points | {ord(sign) for sign in SIGNS}


def get_key() -> str:
    """Return a digest of all that the subset depends on."""
    versions = version("ziamath") + version("fonttools")
    return hashlib.sha256(Path(__file__).read_bytes() + versions.encode()).hexdigest()[:16]


def write_subset(path: Path) -> None:
    """Write the subset as WOFF2, with the same bytes every time."""
    from fontTools import subset  # slow, and most builds find the font in the cache

    spec = find_spec("ziamath")
    if spec is None or spec.origin is None:
        raise ImportError("ziamath, which contains the font, is not installed; run uv sync")
    options = subset.Options(flavor="woff2", hinting=False)
    # Kerning is for headings. The letter variants for scripts would be half of the file, and
    # Chromium doesn't use them.
    options.layout_features = ["kern"]
    font = subset.load_font(
        str(Path(spec.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"), options
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=list_code_points())
    subsetter.subset(font)
    make_roots_even(font)
    font.recalcTimestamp = False
    with replace_file(path) as draft:
        subset.save_font(font, str(draft), options)
    font.close()


def make_roots_even(font: "TTFont") -> None:
    """Make each size of the root sign as wide as the smallest.

    Chromium reserves the width of the widest one after every root.
    """
    root = font.getBestCmap()[ord("√")]
    width = font["hmtx"][root][0]
    variants = font["MATH"].table.MathVariants
    sizes = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    names = {size.VariantGlyph for size in sizes.MathGlyphVariantRecord}
    names |= {part.glyph for part in sizes.GlyphAssembly.PartRecords}
    for name in names:
        glyph = font["glyf"][name]
        glyph.coordinates.scale((width / font["hmtx"][name][0], 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = (width, glyph.xMin)
