"""The wheel of the package, which the site offers so that its notebooks run anywhere.

hatchling builds it, as for pip: reproducibly, except that SOURCE_DATE_EPOCH sets the dates.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from check.cache import FOLDER, digest_files
from check.paths import PACKAGE, ROOT
from render import citation

METADATA = ("pyproject.toml", "README.md", "LICENSE")


def get_name() -> str:
    """Return the file name of the wheel."""
    return f"posenc-{citation.read_citation().version}-py3-none-any.whl"


def build_wheel() -> Path:
    """Return the wheel of the package as it is now, built if it is not in the cache."""
    key = digest_files(_list_sources())[:40] + os.environ.get("SOURCE_DATE_EPOCH", "")
    wheel = FOLDER / "wheels" / key / get_name()
    if not wheel.exists():
        from hatchling.builders.wheel import WheelBuilder

        wheel.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=wheel.parent) as folder:
            (draft,) = WheelBuilder(str(ROOT)).build(directory=folder, versions=["standard"])
            Path(draft).rename(wheel)
    return wheel


def _list_sources() -> Iterator[Path]:
    for path in PACKAGE.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path
    yield from (ROOT / name for name in METADATA)
