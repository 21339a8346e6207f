"""The mathematics font of the site: STIX Two Math, cut down to what formulas can need."""

import hashlib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset


def characters() -> set[int]:
    """Return the code points to keep: letters, Greek, operators, arrows, accents, alphabets."""
    ranges = (
        (0x20, 0x7E), (0xA0, 0xFF),  # Latin
        (0x300, 0x30C), (0x20D7, 0x20D7),  # accents
        (0x391, 0x3D6),  # Greek
        (0x2010, 0x2064),  # dashes, primes, invisible operators
        (0x2102, 0x2102), (0x2115, 0x2115), (0x211D, 0x211D), (0x2124, 0x2124),  # ℂ ℕ ℝ ℤ
        (0x210E, 0x210E), (0x2190, 0x21D4),  # italic h, arrows
        (0x2200, 0x22C5), (0x22EE, 0x22F1),  # operators and dots
        (0x2308, 0x230B), (0x239B, 0x23B3), (0x23DC, 0x23E1),  # brackets and their parts
        (0x27E6, 0x27EB), (0x27F5, 0x27FA),  # ⟨ ⟩, long arrows
        (0x1D400, 0x1D467), (0x1D6E2, 0x1D71B),  # bold, italic; italic Greek
    )  # fmt: skip
    return {point for first, last in ranges for point in range(first, last + 1)}


def key() -> str:
    """Return a name for what `write` would write."""
    made_by = (
        Path(__file__).read_bytes() + version("ziamath").encode() + version("fonttools").encode()
    )
    return hashlib.sha256(made_by).hexdigest()[:16]


def write(path: Path) -> None:
    """Write the subset as WOFF2. The same bytes every time: no hour is put into it."""
    spec = find_spec("ziamath")
    if spec is None or spec.origin is None:
        raise ImportError("ziamath, which carries the font, is not installed")
    options = subset.Options(flavor="woff2", hinting=False)
    # Variants of scripts and accents for formulas; kerning for headings.
    options.layout_features = ["ssty", "rtlm", "dtls", "flac", "kern"]
    font = subset.load_font(
        str(Path(spec.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"), options
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    font.recalcTimestamp = False
    path.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(path), options)
    font.close()
