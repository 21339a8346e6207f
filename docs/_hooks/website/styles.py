"""The style sheet of the site: one file to load, made of a small one for each topic.

They lie in `docs/assets/style` and are joined in this order; a later one may refine an earlier.
After them come those of single explorers, from its folder `explorers`, by name.
"""

from engine.places import DOCS

FOLDER = DOCS / "assets/style"

# A name a line, so that two people can add one each.
ORDER = (
    "colours",
    "frame",
    "text",
    "head",
    "formulas",
    "cards",
    "code",
    "figures",
    "api",
    "explorers",
    "finding",
    "taking",
    "landing",
    "print",
)


def joined() -> str:
    """Return all sheets as one; ValueError names a file that `ORDER` forgets or invents."""
    there = {path.stem for path in FOLDER.glob("*.css")}
    if strange := there.symmetric_difference(ORDER):
        raise ValueError(
            f"docs/_hooks/website/styles.py: {', '.join(sorted(strange))}: ORDER and the files of "
            "assets/style differ; name each file there once, where it may refine those before it"
        )
    paths = [*(FOLDER / f"{name}.css" for name in ORDER), *sorted(FOLDER.glob("explorers/*.css"))]
    return "\n".join(path.read_text("utf-8") for path in paths)
