"""Files: golden vectors as raw bytes, as one archive of NumPy, and what is said of each."""

import json
import zipfile
from collections.abc import Sequence
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from posenc.golden.case_list import Case, cases

SCHEMA = 1
LIKE_NEW = (1980, 1, 1, 0, 0, 0)  # the hour of every file in an archive, the first there is


def write(folder: str | PathLike[str], family: str | None = None) -> tuple[Path, ...]:
    """Write golden arrays as files that any language reads.

    Args:
        folder: Where to write, made if it is not there; empty, so that nothing is
            overwritten.
        family: One family, as in `cases`. None: all.

    Returns:
        The paths of the files: `golden.json` describes each array, `golden.npz` has all of
        them by name, and NAME.bin has only the numbers of one, little-endian, row by row.
        Two runs write the same bytes.

    Raises:
        TypeError: `folder` is not a path, or `family` is not a string.
        ValueError: `folder` holds something, or `family` is unknown.
        OSError: The folder cannot be written.

    Source:
        Own format; the page on golden vectors has the schema.

    Examples:
        >>> import tempfile
        >>> from posenc import golden
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paths = golden.write(folder, "t5")
        >>> [path.name for path in paths[:3]]
        ['golden.json', 'golden.npz', 't5-bidirectional-32-128.int32.bin']
    """
    found = cases(family)
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    if any(home.iterdir()):
        raise ValueError(f"folder must be empty, so that nothing is overwritten, got {home}")
    index, archive = home / "golden.json", home / "golden.npz"
    index.write_bytes(_make_index(found))
    _archive(archive, found)
    raw = [home / _name_file(case) for case in found]
    for path, case in zip(raw, found, strict=True):
        path.write_bytes(case.array.tobytes())
    return index, archive, *raw


def _name_file(case: Case) -> str:
    return f"{case.key}.bin"


def _make_index(found: Sequence[Case]) -> bytes:
    """Return what is said of each array, as JSON, one a line so that changes are seen."""
    several = (list(group) for _, group in groupby(found, key=lambda case: case.name))
    lines = ",\n".join(json.dumps(_describe_case(types), ensure_ascii=False) for types in several)
    head = f'{{"schema": {SCHEMA}, "byte_order": "little", "arrays": [\n'
    return f"{head}{lines}\n]}}\n".encode()


def _describe_case(types: Sequence[Case]) -> dict[str, Any]:
    case = types[0]
    return {
        "name": case.name,
        "family": case.family,
        "equations": case.equations,
        "parameters": case.parameters,
        "shape": case.array.shape,
        "why": case.why,
        "types": {case.dtype: _of_type(case) for case in types},
    }


def _of_type(case: Case) -> dict[str, Any]:
    return {
        "file": _name_file(case),
        "tolerance": case.tolerance,
        "tolerance_float32": case.tolerance_float32,
        "sha256": case.sha256,
    }


def _archive(path: Path, found: Sequence[Case]) -> None:
    # np.savez writes the hour of the clock; packing would differ between versions of zlib.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for case in found:
            member = zipfile.ZipInfo(f"{case.key}.npy", LIKE_NEW)
            with archive.open(member, "w") as file:
                np.lib.format.write_array(file, case.array, allow_pickle=False)
