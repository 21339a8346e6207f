"""sinusoidal against what other libraries return.

tests/golden/index.json names for each case the library, its version and its arguments,
and how far the library itself lies from its own formula.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from posenc.core.frequencies import inv_freq
from posenc.tables.sinusoidal import sinusoidal_at, sinusoidal_positional_encoding
from tests.bits import assert_same_bits
from tests.goldens import GOLDEN, INDEX

TABLES = np.load(GOLDEN / "sinusoidal.npz")
TRUTH = np.load(GOLDEN / "truth.npz")

Array = NDArray[Any]
HALF: dict[str, Any] = {"layout": "half"}
CODE: dict[str, Any] = {"layout": "half", "exponent": "tensor2tensor"}


def encode(seq_len: int, d_model: int, **options: Any) -> Array:
    return sinusoidal_positional_encoding(seq_len, d_model, **options)


def cosines_first(table: Array) -> Array:
    """Swap the two halves of the channels."""
    return np.roll(table, table.shape[-1] // 2, axis=-1)


def without_padding(table: Array, row: int) -> Array:
    """Fairseq keeps a row of zeros for padding."""
    table[row] = 0
    return table


def looked_up(token_ids: Array, d_model: int, padding: int) -> Array:
    """Real tokens count from padding + 1; padded ones get zeros."""
    real = token_ids != padding
    table = sinusoidal_at(np.cumsum(real, axis=1) * real + padding, d_model, **CODE)
    return np.where(real[..., np.newaxis], table, 0)


def at_steps(name: str, d_model: int, **options: Any) -> Array:
    return sinusoidal_at(TABLES[f"{name}.timesteps"], d_model, **options)


# How each library is written with this package.
CALLS: dict[str, Callable[[], Array]] = {
    "annotated_50x64": lambda: encode(50, 64),
    "speecht5_scaled_22x36": lambda: encode(22, 36),
    "distilbert_xlm_33x48": lambda: encode(33, 48),
    "videomae_16x24": lambda: encode(16, 24),
    "pe1d_12_16": lambda: encode(12, 16)[np.newaxis],
    "kerashub_sine_9x16": lambda: encode(9, 16)[np.newaxis],
    "marian_40x64": lambda: encode(40, 64, **HALF),
    "ctrl_15x20": lambda: encode(15, 20, **HALF),
    # Relative positions, klen down to 1 - qlen.
    "xlnet_rel_4_7_16": lambda: sinusoidal_at(np.arange(7, -4, -1), 16, **HALF),
    "xt_scaled_sinusoidal_13x24": lambda: encode(13, 24, **HALF) * 24**-0.5,
    "t2t1d_a": lambda: encode(40, 64, **CODE)[np.newaxis],
    "t2t1d_start": lambda: encode(16, 48, start=1000, **CODE)[np.newaxis],
    # min_timescale m is the first frequency, m²/max_timescale the last: positions m·p,
    # and a base of max_timescale/m.
    "t2t1d_minmax": lambda: sinusoidal_at(2 * np.arange(24), 32, base=250_000, **CODE)[np.newaxis],
    "t2t1d_two": lambda: encode(10, 2, **CODE)[np.newaxis],
    "t2tnd_1d": lambda: encode(11, 20, **CODE)[np.newaxis],
    "fairseq_20x32": lambda: without_padding(encode(20, 32, **CODE), row=1),
    "m2m100_lookup": lambda: looked_up(TABLES["m2m100_lookup.input_ids"], 16, padding=1),
    "whisper_30x32": lambda: encode(30, 32, **CODE),
    "musicgen_cosfirst_18x20": lambda: cosines_first(encode(18, 20, **CODE)),
    "timestep_ddpm": lambda: at_steps("timestep_ddpm", 32, **CODE),
    "timestep_sd_unet": lambda: cosines_first(at_steps("timestep_sd_unet", 40, **HALF)),
}


@pytest.mark.parametrize("case", INDEX["sinusoidal"], ids=lambda case: case["name"])
def test_agrees_with_other_libraries(case: dict[str, Any]) -> None:
    table = TABLES[f"{case['name']}.table"]

    result = CALLS[case["name"]]()

    # All of them work in float32 at some point. The deviation is how far that took the
    # library from its own formula, written with three digits; half a float32 unit below
    # 1 is above what those digits leave open.
    assert result.shape == table.shape
    assert_allclose(result, table, rtol=0, atol=case["deviation"] + 2.0**-25)


@pytest.mark.parametrize("name", ["distilbert_xlm_33x48", "videomae_16x24", "marian_40x64"])
def test_libraries_that_round_once_agree_in_every_bit(name: str) -> None:
    # Those compute in float64, as exactly as float32 can show at these few positions.
    assert_same_bits(CALLS[name]().astype(np.float32), TABLES[f"{name}.table"])


@pytest.mark.parametrize("case", INDEX["truth"], ids=lambda case: case["name"])
def test_agrees_with_the_truth(case: dict[str, Any]) -> None:
    name, (base, d) = case["name"], (case["arguments"]["base"], case["arguments"]["d"])
    positions, pairs = TRUTH[f"{name}.positions"], TRUTH[f"{name}.freq_index"]
    sin, cos = TRUTH[f"{name}.sin"], TRUTH[f"{name}.cos"]

    assert inv_freq(d, base)[pairs].tolist() == TRUTH[f"{name}.omega"].tolist()
    rows = sinusoidal_at(positions, d, base=base)
    # 3e-16 of ours (see test_sinusoidal), 5.6e-17 since the truth is rounded, too.
    assert_allclose(rows[:, 2 * pairs], sin, rtol=0, atol=3.6e-16)
    assert_allclose(rows[:, 2 * pairs + 1], cos, rtol=0, atol=3.6e-16)
    for row, p in enumerate(positions.tolist()):
        line = sinusoidal_positional_encoding(1, d, base=base, start=p)[0]
        assert_allclose(line[2 * pairs], sin[row], rtol=0, atol=5.6e-16)
        assert_allclose(line[2 * pairs + 1], cos[row], rtol=0, atol=5.6e-16)


def test_every_golden_array_is_used() -> None:
    for file, cases in [(TABLES, INDEX["sinusoidal"]), (TRUTH, INDEX["truth"])]:
        listed = {f"{case['name']}.{array}" for case in cases for array in case["arrays"]}
        assert listed == set(file.files)
    assert set(CALLS) == {case["name"] for case in INDEX["sinusoidal"]}
