"""The encodings that `compare` knows by name, and their exact numbers.

Letters in this module
    p  positions    d  channels    ω  angular frequency    r  channels that rotate
"""

import re
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.core.angles import exactly, sin_cos
from posenc.core.frequencies import exact_inv_freq
from posenc.core.layouts import convert_layout, pair_channels
from posenc.judging import precision
from posenc.judging.identity import Identity
from posenc.scaling.facts import get_facts
from posenc.scaling.parameters import rope_parameters
from posenc.scaling.reading import read_config
from posenc.scaling.settings import Settings

Values = NDArray[np.float64]

LLAMA_31 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}


@dataclass(frozen=True)
class Table:
    """A table of sinusoids, with conventions as in `sinusoidal_positional_encoding`."""

    layout: str = "interleaved"
    exponent: str = "paper"
    base: float = 10000.0
    start: float = 0.0
    step: float = 1.0
    scale: float = 1.0

    def compute_rows(
        self, numbers: NDArray[np.int64], d: int, angles: str
    ) -> tuple[Values, Values]:
        """Return exact rows, and by how much their angles may be wrong, (rows, d) each."""
        frequencies = exact_inv_freq(d, self.base, self.exponent)
        positions = self.start + self.step * numbers.astype(np.float64)
        table, allowed = np.empty((len(numbers), d)), np.empty((len(numbers), d))
        for channels, values in zip(
            pair_channels(d, self.layout), sin_cos(positions, frequencies), strict=True
        ):
            table[:, channels] = self.scale * values
            allowed[:, channels] = precision.bound_angle_error(
                positions, frequencies.radians, angles
            )
        return table, allowed

    def get_identity(self) -> Identity:
        """Return the conventions as `identify` returns them."""
        return Identity(
            "sinusoidal",
            layout=self.layout,
            first="sin",
            exponent=self.exponent,
            base=self.base,
            start=self.start,
            step=self.step,
            scale=self.scale,
        )


@dataclass(frozen=True)
class Rotation:
    """A rotation of the first channels of a head."""

    layout: str
    base: float | None
    inv_freq: Values
    factor: float = 1.0
    sign: int = 1  # -1 where angles run backwards
    grows: bool = False  # whether the frequencies depend on how many positions there are
    either_order: bool = False  # whether neighbours may be written as halves
    settings: Settings | None = None  # what the frequencies were computed from
    seq_len: int | None = None

    def compute_matrices(
        self, rows: NDArray[np.int64], d: int, angles: str
    ) -> tuple[Values, Values]:
        """Return exact matrices of positions, and by how much their angles may be wrong."""
        positions = rows.astype(np.float64)
        if self.base is None:
            exact = exactly(self.inv_freq)
        else:
            exact = exact_inv_freq(2 * len(self.inv_freq), self.base, "paper")
        sin, cos = (self.factor * part for part in sin_cos(positions, exact))
        sin = self.sign * sin
        error = precision.bound_angle_error(positions, self.inv_freq, angles)
        matrices = np.zeros((len(rows), d, d)) + np.eye(d)
        allowed = np.zeros_like(matrices)
        first, second = pair_channels(2 * len(self.inv_freq), self.layout)
        a, b = np.arange(d)[first], np.arange(d)[second]
        for row, column, values in ((a, a, cos), (a, b, -sin), (b, a, sin), (b, b, cos)):
            matrices[:, row, column], allowed[:, row, column] = values, error
        return matrices, allowed

    def write_halves(self) -> "Rotation":
        """Return the rotation that reads these neighbours and writes them as halves."""
        return HalvesWritten(**{f.name: getattr(self, f.name) for f in fields(self)})


class HalvesWritten(Rotation):
    """A rotation that reads neighbouring channels and writes each pair as in the half layout."""

    def compute_matrices(
        self, rows: NDArray[np.int64], d: int, angles: str
    ) -> tuple[Values, Values]:
        """Return exact matrices of positions, and by how much their angles may be wrong."""
        order = convert_layout(
            np.arange(d), source="interleaved", target="half", rotary_dim=2 * len(self.inv_freq)
        )
        matrices, allowed = super().compute_matrices(rows, d, angles)
        return matrices[:, order], allowed[:, order]


@dataclass(frozen=True)
class Alibi:
    """The bias of ALiBi, in one of its forms."""

    form: str


@dataclass(frozen=True)
class T5:
    """T5's buckets, whatever was learned in them."""

    bidirectional: bool


Reference = Table | Rotation | Alibi | T5

TABLES = {
    "sinusoidal": Table(),
    "tensor2tensor": Table("half", "tensor2tensor"),
    "fairseq": Table("half", "tensor2tensor", start=2.0),
}
ROTATIONS = {
    "rotary": 10000.0,
    "gpt-j": 10000.0,
    "llama": 10000.0,
    "llama3": 500000.0,
    "gpt-neox": 10000.0,
}
BIASES: dict[str, Alibi | T5] = {
    "alibi": Alibi("causal"),
    "alibi-symmetric": Alibi("symmetric"),
    "t5": T5(True),
    "t5-decoder": T5(False),
}
NAMES = (*TABLES, *ROTATIONS, "llama3.1", *BIASES)


def get_reference(name: str, head_dim: int) -> Reference:
    """Return the reference with a name."""
    if name not in NAMES:
        raise ValueError(_describe_unknown_name(name))
    if name in TABLES:
        return TABLES[name]
    if name in BIASES:
        return BIASES[name]
    if name == "llama3.1":
        config = {**LLAMA_31, "head_dim": head_dim}
        return Rotation("half", None, *rope_parameters(config), settings=read_config(config))
    layout = "interleaved" if name in ("rotary", "gpt-j") else "half"
    channels = {"gpt-j": min(head_dim, 64), "gpt-neox": max(2, head_dim // 4)}
    base = ROTATIONS[name]
    r = channels.get(name, head_dim)
    settings = Settings("default", r, base, {})
    return Rotation(layout, base, exact_inv_freq(r, base, "paper").radians, settings=settings)


def _describe_unknown_name(name: str) -> str:
    """Return why a name is refused, and what to write in its place."""
    plain = {re.sub(r"[^a-z0-9]", "", known): known for known in NAMES}
    near = plain.get(re.sub(r"[^a-z0-9]", "", name.lower()))
    if near is None and get_facts(name) is not None:
        return (
            f"reference={name!r} is a model_type, whose base and width depend on the checkpoint:"
            " pass a config, as a mapping, an object of transformers or the path of a config.json"
        )
    if "/" in name:
        return (
            f"reference={name!r} is neither a file nor a known name, and posenc downloads nothing:"
            " pass transformers.AutoConfig.from_pretrained(...) or the path of a config.json"
        )
    near = near or checks.nearest(name, NAMES)
    hint = f"; did you mean {near!r}?" if near else ""
    listed = ", ".join(repr(known) for known in NAMES)
    return (
        f"reference must be one of {listed}, a config or the path of a config.json, got"
        f" reference={name!r}{hint}"
    )


def find_table(found: Identity) -> Table | None:
    """Return the reference table with the conventions of an identity, if there is one."""
    if found.kind != "sinusoidal" or found.base is None or found.start is None:
        return None
    if found.exponent not in ("paper", "tensor2tensor") or found.sign != 1 or found.first != "sin":
        return None
    assert found.layout is not None
    return replace(
        Table(found.layout, found.exponent, found.base, found.start, found.step),
        scale=found.scale,
    )
