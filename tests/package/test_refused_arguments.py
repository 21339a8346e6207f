"""Refused arguments: each call in refused_arguments.txt raises the error written below it."""

import builtins
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posenc
from posenc import plots
from tests.package.scaling import configs

TABLE = Path(__file__).with_name("refused_arguments.txt")
ROW = re.compile(r"^(?P<call>[^#\s].*)\n    (?P<error>\w+): (?P<message>.*)$", re.MULTILINE)
ROWS = ROW.findall(TABLE.read_text("utf-8"))


def without(config: dict[str, Any], key: str) -> dict[str, Any]:
    """Return a config that lacks a key."""
    return {name: value for name, value in config.items() if name != key}


def after_forward(layer: Any, batch: Any) -> Any:
    """Return a layer that has seen one batch, so that it can go backward."""
    layer.forward(batch)
    return layer


# What the calls may use, apart from the public names.
NAMES = {
    **vars(posenc),
    **{name: getattr(posenc, name) for name in posenc.NAMESPACES},
    **vars(configs),
    "inf": math.inf,
    "nan": math.nan,
    "np": np,
    "plots": plots,
    "PE": posenc.sinusoidal_positional_encoding(40, 16),
    "HANDS": posenc.counting.clock_hands([0, 2, 5])[:, :4],
    "W": np.ones((6, 3)),
    "X": np.ones((5, 6)),
    "after_forward": after_forward,
    "without": without,
}


def test_every_line_of_the_table_belongs_to_a_row() -> None:
    lines = TABLE.read_text("utf-8").splitlines()
    assert 2 * len(ROWS) == sum(bool(line) and not line.startswith("#") for line in lines)


@pytest.mark.parametrize(("call", "error", "message"), ROWS, ids=[row[0] for row in ROWS])
def test_call_is_refused(call: str, error: str, message: str) -> None:
    with pytest.raises(getattr(builtins, error)) as refusal:
        eval(call, dict(NAMES))
    assert str(refusal.value) == message
