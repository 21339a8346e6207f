"""Numbers of other libraries, kept in tests/golden: where they come from and how exact they are."""

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
    """What one function of one library returned for some arguments."""

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
        """Names of the arrays that the function was given."""
        return [name for name, about in self.listed.items() if about["role"] == "input"]

    @property
    def outputs(self) -> list[str]:
        """Names of the arrays that it returned."""
        return [name for name, about in self.listed.items() if about["role"] == "output"]

    def deviation(self, array: str) -> float | None:
        """How far the library lies from its own formula in float64; None where not measured."""
        return self.listed[array].get("deviation")

    def relative(self, array: str) -> float | None:
        """How far, as a share of each number, kept for frequencies, which span decades."""
        return self.listed[array].get("relative")


def cases(family: str) -> list[Case]:
    """The cases of a family, each with its arrays."""
    file = np.load(GOLDEN / f"{family}.npz")
    return [_case(entry, file) for entry in INDEX[family]]


def _case(entry: Mapping[str, Any], file: Mapping[str, NDArray[Any]]) -> Case:
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
