"""Files with the numbers of a result, for a download."""

import base64
import csv
import io
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def make_csv(rows: Iterable[Iterable[Any]]) -> bytes:
    """Return rows as CSV, floats with all their digits."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def make_npz(arrays: dict[str, NDArray[Any]]) -> bytes:
    """Return arrays as a .npz file."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]  # names of arrays, not of arguments
    return stream.getvalue()


def make_file(
    kind: str, rows: Iterable[Iterable[Any]], arrays: dict[str, NDArray[Any]]
) -> dict[str, Any]:
    """Return a file, "csv" or "npz", as an answer for the page."""
    content = make_csv(rows) if kind == "csv" else make_npz(arrays)
    return {"base64": base64.b64encode(content).decode()}
