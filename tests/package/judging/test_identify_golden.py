"""posenc.identify on what other libraries returned: each table is named as its source says."""

from typing import Any

import numpy as np
import pytest

import posenc
from tests.goldens import GOLDEN, INDEX, load_cases

TABLES = np.load(GOLDEN / "sinusoidal.npz")
SINE: dict[str, Any] = {"first": "sin", "base": 10000, "start": 0, "step": 1, "sign": 1}
SIDE = {**SINE, "layout": "interleaved", "exponent": "paper"}
HALF = {**SINE, "layout": "half", "exponent": "paper"}
CODE = {**SINE, "layout": "half", "exponent": "tensor2tensor"}

# What the source of each library says.
NAMED: dict[str, dict[str, Any]] = {
    "marian_40x64": HALF,
    "distilbert_xlm_33x48": SIDE,
    "videomae_16x24": SIDE,
    "speecht5_scaled_22x36": SIDE,
    "annotated_50x64": SIDE,
    "kerashub_sine_9x16": SIDE,
    "pe1d_12_16": SIDE,
    "ctrl_15x20": HALF,
    "xlnet_rel_4_7_16": {**HALF, "start": -7, "sign": -1},  # 7, 6, … -3
    "xt_scaled_sinusoidal_13x24": {**HALF, "scale": 24**-0.5},
    "musicgen_cosfirst_18x20": {**CODE, "first": "cos"},
    "fairseq_20x32": CODE,
    "whisper_30x32": CODE,
    "t2t1d_a": CODE,
    "t2t1d_start": {**CODE, "start": 1000},
    "t2tnd_1d": CODE,
}
# A smallest timescale of 2 is multiplied where it should divide: positions count double.
NAMED["t2t1d_minmax"] = {**CODE, "step": 2, "base": 250000}
# No consecutive positions, or a batch of sequences.
UNKNOWN = {"m2m100_lookup", "timestep_ddpm", "timestep_sd_unet"}


def tables() -> dict[str, Any]:
    """The tables of all cases, by name."""
    names = [entry["name"] for entry in INDEX["sinusoidal"]]
    found = {}
    for name in names:
        arrays = [key for key in TABLES.files if key.startswith(f"{name}.")]
        outputs = [TABLES[key] for key in arrays if TABLES[key].dtype.kind == "f"]
        found[name] = max(outputs, key=np.size)
    return found


ALL = tables()


@pytest.mark.parametrize("name", NAMED)
def test_a_table_of_a_library_is_named(name):
    expected = NAMED[name]

    found = posenc.identify(ALL[name])

    assert found.kind == "sinusoidal", str(found)
    assert {key: getattr(found, key) for key in expected} == pytest.approx(expected)
    assert found.angles == "float32"


@pytest.mark.parametrize("name", sorted(UNKNOWN))
def test_what_is_no_table_of_consecutive_positions_is_not_guessed(name):
    assert posenc.identify(ALL[name]).kind == "unknown"


def test_the_bias_of_an_encoder_has_the_buckets_of_t5():
    (case,) = (case for case in load_cases("relative") if case.name == "t5_bias_encoder")

    assert posenc.compare(case["bias"], "t5")
    assert not posenc.compare(case["bias"], "t5-decoder")
