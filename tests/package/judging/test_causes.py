"""posenc.compare names the cause of a wrong rotation in an engineer's words."""

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import posenc
from docs.reference.mistakes import plain
from tests.package.judging.test_frequencies import DYNAMIC, GPT_OSS, LLAMA, PHI, PLAIN, scaled

LINEAR = {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0, "head_dim": 64}
PARTIAL = {"rope_theta": 10000.0, "head_dim": 64, "partial_rotary_factor": 0.5}
GPT_OSS_FACTOR = posenc.rope_parameters(GPT_OSS).attention_factor
PHI_FACTOR = posenc.rope_parameters(PHI).attention_factor


def rotation(frequencies: Any, factor: float = 1.0, rotate: Any = plain.rotate_halves) -> Any:
    def turn(x: Any, positions: Any) -> Any:
        theta = np.outer(positions, frequencies)
        return factor * plain.rotate_first_channels(rotate, x, theta)

    return turn


def edited(frequencies: Any) -> Any:
    changed = frequencies.copy()
    changed[5:9] *= 1.3
    return changed


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    ("turn", "reference", "cause"),
    [
        (rotation(plain.inv_freq(64, 500000.0)), LLAMA, "llama3 scaling missing"),
        (
            rotation(plain.inv_freq(64)),
            LLAMA,
            "llama3 scaling missing, and base 10000 instead of 500000",
        ),
        (rotation(scaled(LLAMA, factor=32.0)), LLAMA, "factor 32 instead of 8"),
        (
            rotation(scaled(LLAMA, factor=32.0), rotate=plain.rotate_neighbours),
            LLAMA,
            "interleaved layout instead of half; factor 32 instead of 8",
        ),
        (
            rotation(scaled(GPT_OSS, truncate=True), GPT_OSS_FACTOR),
            GPT_OSS,
            "ramp ends rounded (truncate=True)",
        ),
        (
            rotation(scaled(GPT_OSS, truncate=True)),
            GPT_OSS,
            "ramp ends rounded (truncate=True); attention factor 1.34657 missing",
        ),
        (rotation(scaled(GPT_OSS)), GPT_OSS, "attention factor 1.34657 missing"),
        (
            rotation(scaled(GPT_OSS), GPT_OSS_FACTOR**2),
            GPT_OSS,
            "attention factor 1.34657 squared",
        ),
        (rotation(scaled(GPT_OSS), 1.1), GPT_OSS, "attention factor 1.1 instead of 1.34657"),
        (rotation(plain.inv_freq(64, 150000.0)), GPT_OSS, "YaRN scaling missing"),
        (
            rotation(scaled(PHI, 5000), PHI_FACTOR),
            PHI,
            "long factors below the original length 4096",
        ),
        (
            rotation(scaled(DYNAMIC, 16384)),
            DYNAMIC,
            "dynamic base raised at every length, as for 16384 positions",
        ),
        (rotation(plain.inv_freq(64, 1000000.0)), LINEAR, "linear factor 8 missing"),
        (
            rotation(plain.inv_freq(64) / 8),
            "llama",
            "linear factor 8 where no scaling is meant",
        ),
        (rotation(plain.inv_freq(64)), "llama3", "base 10000 instead of 500000"),
        (rotation(plain.inv_freq(64)), PARTIAL, "the first 64 channels rotated instead of 32"),
        (
            rotation(plain.inv_freq(64)[:16]),
            PARTIAL,
            "exponents counted over head_dim=64 instead of the 32 rotated channels",
        ),
        (
            rotation(plain.inv_freq(64), rotate=plain.rotate_neighbours),
            PLAIN,
            "interleaved layout instead of half",
        ),
        (rotation(-plain.inv_freq(64)), PLAIN, "rotating in the opposite direction"),
        (
            rotation(scaled(LLAMA)),
            rotation(plain.inv_freq(64, 500000.0)),
            "llama3 scaling (factor 8, original length 8192)",
        ),
        (
            rotation(edited(scaled(GPT_OSS)), GPT_OSS_FACTOR),
            GPT_OSS,
            "pairs 5 to 8 of 32 are faster by a factor of 1.3 (pair 5: 0.20192 instead of"
            " 0.155323 radians per position)",
        ),
    ],
)
def test_the_cause_of_a_wrong_rotation_is_named(turn, reference, cause, dtype):
    verdict = posenc.compare(turn, reference, dtype=dtype)

    assert not verdict
    assert verdict.explanation == cause


def test_a_cause_is_named_in_half_precision():
    turn = rotation(plain.inv_freq(64, 500000.0))

    for dtype in ("bfloat16", "float16"):
        verdict = posenc.compare(turn, LLAMA, dtype=dtype)
        assert verdict.explanation == "llama3 scaling missing"


def test_rounded_tables_inside_a_wider_rotation_are_named():
    def turn(x: Any, positions: Any) -> Any:
        theta = np.outer(positions, plain.inv_freq(64))
        cos, sin = (of(theta).astype(ml_dtypes.bfloat16).astype(x.dtype) for of in (np.cos, np.sin))
        a, b = np.split(x, 2, axis=-1)
        return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)

    assert posenc.compare(turn, "llama").explanation == "cos and sin in bfloat16 instead of float32"


def test_identify_names_the_scaling_rule_of_a_rotation():
    found = posenc.identify(rotation(scaled(LLAMA)))

    assert (found.base, found.exponent) == (500000, "paper")
    assert found.scaling == "llama3 scaling (factor 8, original length 8192)"
    tables = posenc.rotary_cos_sin(np.arange(512), 64, inv_freq=scaled(LLAMA))
    assert posenc.identify(tables).scaling == found.scaling


def test_longrope_and_dynamic_beyond_the_original_length():
    phi = PHI | {"original_max_position_embeddings": 256}
    dynamic = DYNAMIC | {"max_position_embeddings": 256}

    for turn, config, cause in (
        (
            rotation(scaled(phi), posenc.rope_parameters(phi).attention_factor),
            phi,
            "short factors above the original length 256",
        ),
        (rotation(scaled(dynamic)), dynamic, "dynamic NTK scaling missing"),
        (
            rotation(scaled(dynamic, 1024)),
            dynamic,
            "dynamic base raised at every length, as for 1024 positions",
        ),
    ):
        assert posenc.compare(turn, config, seq_len=512).explanation == cause
        assert posenc.compare(turn, config, seq_len=512, dtype="float64").explanation == cause


def test_attention_factors_of_deepseek():
    config = {
        "rope_type": "yarn",
        "factor": 40.0,
        "mscale": 1.0,
        "mscale_all_dim": 1.0,
        "original_max_position_embeddings": 4096,
        "head_dim": 64,
    }
    turn = rotation(scaled(config), 0.1 * math.log(40) + 1)

    assert posenc.compare(turn, config).explanation == (
        "attention factor computed from the factor, mscale and mscale_all_dim ignored"
    )
    turn = rotation(scaled(config), 0.1 * 0.707 * math.log(40) + 1)
    other = config | {"mscale": 0.707, "mscale_all_dim": 1.0}
    assert posenc.compare(turn, other).explanation == "attention factor of mscale only"
