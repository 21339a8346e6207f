"""The package as a wheel on the site, so that what is downloaded there runs anywhere.

It is built as pip would build it, by hatchling, which puts in no hour and no order of the
disk, but for the one of SOURCE_DATE_EPOCH. What it was made of is in the name of the copy
that is kept.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from check.cache import FOLDER, digest_files
from check.paths import ROOT
from render import citation

OTHERS = ("pyproject.toml", "README.md", "LICENSE")


def get_name() -> str:
    """Return the name of the file."""
    return f"posenc-{citation.read_citation().version}-py3-none-any.whl"


def build_wheel() -> Path:
    """Return the wheel of the package as it now is."""
    made_of = digest_files(_list_sources())[:40] + os.environ.get("SOURCE_DATE_EPOCH", "")
    kept = FOLDER / "wheels" / made_of / get_name()
    if not kept.exists():
        from hatchling.builders.wheel import WheelBuilder

        kept.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=kept.parent) as folder:
            (made,) = WheelBuilder(str(ROOT)).build(directory=folder, versions=["standard"])
            Path(made).rename(kept)
    return kept


def _list_sources() -> Iterator[Path]:
    yield from (
        path
        for path in ROOT.glob("posenc/**/*")
        if path.is_file() and "__pycache__" not in path.parts
    )
    yield from (ROOT / other for other in OTHERS)
