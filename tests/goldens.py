"""Golden vectors: numbers of other libraries in tests/golden, with their origin and accuracy."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

GOLDEN = Path(__file__).parent / "golden"
INDEX: Mapping[str, Any] = json.loads((GOLDEN / "index.json").read_text("utf-8"))

FAMILIES = ("rope_params", "rope_apply", "alibi", "relative", "grid")


@dataclass(frozen=True)
class Case:
    """The arrays that a function of a library returned for some arguments."""

    name: str
    library: str
    function: str
    arguments: Mapping[str, Any]
    scalars: Mapping[str, float]
    listed: Mapping[str, Mapping[str, Any]]  # array -> role, meaning, deviation
    arrays: Mapping[str, NDArray[Any]]

    def __getitem__(self, array: str) -> NDArray[Any]:
        return self.arrays[array]

    @property
    def inputs(self) -> list[str]:
        """Return the names of the input arrays."""
        return [name for name, about in self.listed.items() if about["role"] == "input"]

    @property
    def outputs(self) -> list[str]:
        """Return the names of the output arrays."""
        return [name for name, about in self.listed.items() if about["role"] == "output"]

    def deviation(self, array: str) -> float | None:
        """Return the library's error against its own formula in float64; None if not measured."""
        return self.listed[array].get("deviation")

    def relative(self, array: str) -> float | None:
        """Return the relative error, which is stored for frequencies, since they span decades."""
        return self.listed[array].get("relative")


def load_cases(family: str) -> list[Case]:
    """Return the cases of a family with their arrays."""
    file = np.load(GOLDEN / f"{family}.npz")
    return [_make_case(entry, file) for entry in INDEX[family]]


def _make_case(entry: Mapping[str, Any], file: Mapping[str, NDArray[Any]]) -> Case:
    name = entry["name"]
    return Case(
        name,
        entry["library"],
        entry["function"],
        entry["arguments"],
        entry.get("scalars", {}),
        entry["arrays"],
        {array: file[f"{name}.{array}"] for array in entry["arrays"]},
    )
