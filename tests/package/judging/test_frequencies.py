"""Rotary frequencies on their own: what they are, and why they differ from those of a config."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import posenc
from docs.reference.mistakes import plain

LLAMA = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
    "head_dim": 64,
}
GPT_OSS = {
    "rope_type": "yarn",
    "rope_theta": 150000.0,
    "factor": 32.0,
    "original_max_position_embeddings": 4096,
    "truncate": False,
    "head_dim": 64,
}
PHI = {
    "rope_type": "longrope",
    "head_dim": 64,
    "original_max_position_embeddings": 4096,
    "max_position_embeddings": 131072,
    "short_factor": [1 + i / 99 for i in range(32)],
    "long_factor": [1 + i / 4 for i in range(32)],
}
DYNAMIC = {"rope_type": "dynamic", "factor": 4.0, "head_dim": 64, "max_position_embeddings": 4096}
PLAIN = {"rope_theta": 10000.0, "head_dim": 64}


def scaled(config: dict[str, Any], seq_len: int | None = None, **other: Any) -> Any:
    return posenc.rope_parameters({**config, **other}, seq_len=seq_len).inv_freq


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("frequencies", "base", "scaling"),
    [
        (plain.inv_freq(64, 500000.0), 500000, None),
        (plain.inv_freq_by_log(128), 10000, None),
        (plain.inv_freq(64, 1000000.0) / 8, 1000000, "linear factor 8"),
        (scaled(LLAMA), 500000, "llama3 scaling (factor 8, original length 8192)"),
        (
            scaled(GPT_OSS),
            150000,
            "YaRN scaling (factor 32, original length 4096, ramp ends not rounded)",
        ),
    ],
)
def test_base_and_scaling_rule_are_identified(frequencies, base, scaling, dtype):
    found = posenc.identify(frequencies.astype(dtype))

    assert (found.kind, found.base, found.exponent) == ("frequencies", base, "paper")
    assert (found.scaling, found.rotary_dim) == (scaling, 2 * len(frequencies))
    assert found.largest <= found.limit


def test_the_other_exponent_and_pairs_that_do_not_rotate_are_identified():
    assert posenc.identify(plain.tensor2tensor_inv_freq(64)).exponent == "tensor2tensor"
    some = np.concatenate([plain.inv_freq(64)[:8], np.zeros(24)])
    found = posenc.identify(some)
    assert (found.base, found.notes) == (10000, ("Pairs 8 to 31 of 32 don't rotate.",))


def test_rounded_frequencies_are_noticed():
    rounded = plain.inv_freq(64).astype(ml_dtypes.bfloat16).astype(np.float32)

    assert "The frequencies were rounded to bfloat16." in posenc.identify(rounded).notes
    assert posenc.compare(rounded, PLAIN).explanation == "frequencies rounded to bfloat16"


def test_frequencies_of_no_rule_are_unknown():
    found = posenc.identify(scaled(PHI))

    assert (found.kind, found.inv_freq) == ("unknown", tuple(scaled(PHI)))


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (np.arange(8.0), "falling from the first to the last, got 0 to 7"),
        (-plain.inv_freq(8), "falling from the first to the last, got -1 to"),
        (np.ones(1), "at least 2"),
        (posenc.alibi_slopes(8), "ALiBi slopes of 8 heads: pass the bias"),
    ],
)
def test_other_arrays_of_one_axis_are_refused(thing, message):
    with pytest.raises(ValueError, match=message):
        posenc.identify(thing)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("config", [LLAMA, GPT_OSS, PHI, DYNAMIC, PLAIN])
def test_the_frequencies_of_a_config_are_equal_to_it(config, dtype):
    assert posenc.compare(scaled(config).astype(dtype), config)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("frequencies", "config", "cause"),
    [
        (plain.inv_freq(64, 500000.0), LLAMA, "llama3 scaling missing"),
        (
            plain.inv_freq(64),
            LLAMA,
            "llama3 scaling missing, and base 10000 instead of 500000",
        ),
        (scaled(LLAMA, factor=32.0), LLAMA, "factor 32 instead of 8"),
        (scaled(LLAMA, factor=7.25), LLAMA, "factor 7.25 instead of 8"),
        (scaled(LLAMA, rope_theta=1e6), LLAMA, "base 1000000 instead of 500000"),
        (
            scaled(LLAMA, original_max_position_embeddings=131072),
            LLAMA,
            "original length 131072 instead of 8192",
        ),
        (scaled(GPT_OSS, truncate=True), GPT_OSS, "ramp ends rounded (truncate=True)"),
        (plain.inv_freq(64, 150000.0), GPT_OSS, "YaRN scaling missing"),
        (
            plain.inv_freq(64, 150000.0) / 32,
            GPT_OSS,
            "all pairs divided by the YaRN factor: no ramp",
        ),
        (scaled(PHI, 5000), PHI, "long factors below the original length 4096"),
        (plain.inv_freq(64), PHI, "LongRoPE factors missing"),
        (
            scaled(DYNAMIC, 16384),
            DYNAMIC,
            "dynamic base raised at every length, as for 16384 positions",
        ),
        (
            plain.inv_freq(64) / 8,
            PLAIN,
            "linear factor 8 where no scaling is meant",
        ),
        (
            scaled(LLAMA, rope_theta=10000.0),
            PLAIN,
            "llama3 scaling (factor 8, original length 8192) where no scaling is meant",
        ),
        (
            plain.inv_freq(128)[:32],
            PLAIN | {"head_dim": 128, "partial_rotary_factor": 0.5},
            "exponents counted over head_dim=128 instead of the 64 rotated channels",
        ),
        (plain.inv_freq(64)[::-1], PLAIN, "frequencies in reverse order"),
    ],
)
def test_wrong_readings_of_a_config_are_named(frequencies, config, cause, dtype):
    verdict = posenc.compare(frequencies.astype(dtype), config, head_dim=config["head_dim"])

    assert not verdict
    assert verdict.explanation == cause


@pytest.mark.parametrize("reference", [GPT_OSS, scaled(GPT_OSS)])
def test_without_a_single_cause_pairs_are_listed(reference):
    frequencies = scaled(GPT_OSS).copy()
    frequencies[5:9] *= [1.3, 1.4, 1.5, 1.6]

    assert posenc.compare(frequencies, reference).explanation == (
        "pairs 5 to 8 of 32 are faster by factors from 1.3 to 1.6"
        " (pair 5: 0.20192 instead of 0.155323 radians per position)"
    )


def test_two_arrays_of_frequencies_are_compared_by_what_they_are():
    verdict = posenc.compare(scaled(LLAMA), plain.inv_freq(64, 500000.0))

    assert verdict.explanation == (
        "base 500000 with llama3 scaling (factor 8, original length 8192) instead of 500000"
    )
    assert posenc.compare(plain.inv_freq_by_log(64, dtype=np.float32), plain.inv_freq(64))


def test_another_number_of_pairs_is_refused():
    with pytest.raises(ValueError, match=r"must have 32 frequencies.*got shape \(16,\)"):
        posenc.compare(plain.inv_freq(32), LLAMA)
