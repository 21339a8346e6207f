"""Results of experiments: what was measured, with which settings, from which seeds, where.

Reading them needs only NumPy; they come with the package.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Result:
    """What an experiment found.

    Args:
        name: Of the experiment.
        question: That it answers.
        settings: The settings of each model, by its name.
        runs: For each model and seed: `setting`, `seed`, `date`, `seconds`, `accuracy` by the
            name of the test, `loss` over the steps; where a table was learned, `by_offset`,
            the mean cosine of two rows for each offset, and for seed 0 all `cosines`. Where a
            text was read, `nats` instead of `accuracy`: the mean losses of each 32 places,
            and `text`, its SHA-256. In "layers", `look_back`, the mean query of the values and
            the mean key of the names for each head of the first layer.
        intervals: For each model and test the 95 % confidence interval of the mean over
            the seeds, of Student's t: [low, high]. It may reach beyond 0 and 1. Where a text
            was read, a list of lows and one of highs.
        provenance: Versions, machine, date of the last run, command, seconds of all runs.

    Raises:
        TypeError: A field is missing.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import experiments
        >>> result = experiments.load("order")
        >>> result.seeds, result.values("none").shape
        (5, (5,))
    """

    name: str
    question: str
    settings: dict[str, dict[str, Any]]
    runs: list[dict[str, Any]]
    intervals: dict[str, dict[str, list[Any]]]
    provenance: dict[str, Any]

    @property
    def seeds(self) -> int:
        """From how many seeds each model was trained."""
        return len(self.runs) // len(self.settings)

    def values(self, setting: str, test: str = "accuracy") -> NDArray[np.float64]:
        """Return the accuracy of a model in a test for each seed, in [0, 1]."""
        return np.array([run["accuracy"][test] for run in self.of(setting)])

    def mean(self, setting: str, test: str = "accuracy") -> float:
        """Return the mean of `values`."""
        return float(self.values(setting, test).mean())

    def interval(self, setting: str, test: str = "accuracy") -> tuple[float, float]:
        """Return the 95 % confidence interval of the mean."""
        low, high = self.intervals[setting][test]
        return low, high

    def nats(self, setting: str, test: str = "plain") -> NDArray[np.float64]:
        """Return the mean losses of each 32 places of a text, in nats: a row for each seed."""
        return np.array([run["nats"][test] for run in self.of(setting)])

    def losses(self, setting: str) -> NDArray[np.float64]:
        """Return the losses in nats, each the mean of 50 steps: a row for each seed."""
        return np.array([run["loss"] for run in self.of(setting)])

    def by_offset(self, setting: str) -> NDArray[np.float64]:
        """Return the mean cosine of two rows of the learned table: a row for each seed."""
        return np.array([run["by_offset"] for run in self.of(setting)])

    def cosines(self, setting: str) -> NDArray[np.float64]:
        """Return the cosines between all rows of the table learned from seed 0, rounded."""
        return np.array(self.of(setting)[0]["cosines"])

    def first_layer(self, setting: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the mean queries and keys of the first layer of "layers": seeds, heads, r."""
        found = [run["look_back"] for run in self.of(setting)]
        return np.array([one["queries"] for one in found]), np.array([one["keys"] for one in found])

    def of(self, setting: str) -> list[dict[str, Any]]:
        """Return the runs of a model, by seed."""
        if setting not in self.settings:
            raise ValueError(f"setting must be one of {', '.join(self.settings)}, got {setting!r}")
        return sorted(
            (run for run in self.runs if run["setting"] == setting),
            key=lambda run: int(run["seed"]),
        )


def names() -> list[str]:
    """Return the names of the experiments whose results come with the package."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str) -> Result:
    """Return the stored result of an experiment.

    Args:
        name: Of the experiment: "bags", "bases", "layers", "lengths", "order", "places", "tables",
            "text", "windows" or "wrong".

    Returns:
        A `Result`. It is read from its file each time.

    Raises:
        ValueError: There is no such result.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import experiments
        >>> result = experiments.load("order")
        >>> result.mean("rope") > 0.9 > 0.6 > result.mean("none")
        True
    """
    if name not in names():
        raise ValueError(f"name must be one of {', '.join(names())}, got {name!r}")
    return read(FOLDER / f"{name}.json")


def read(path: Path) -> Result:
    """Return the result in a file."""
    return Result(**json.loads(path.read_text("utf-8")))
