"""Mistakes in scaled rotations, which reach beyond the training length."""

import math
from typing import Any

import numpy as np

import posenc
from docs.reference.mistakes import plain
from docs.reference.mistakes.catalogue import compared, mistake
from docs.reference.mistakes.rotations import LLAMA, WIDE, rotate_halves, rotate_llama3

LLAMA31 = compared("llama3.1", head_dim=64, seq_len=512, dtype="float64")


LINEAR = {"rope_type": "linear", "factor": 4.0, "head_dim": 32}


YARN = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 64,
    "head_dim": 32,
}


STRETCH = 0.1 * math.log(4) + 1  # the attention factor of YaRN


def rotate_yarn(x: Any, p: Any, factor: float = 1.0) -> Any:
    omega = posenc.rope_parameters(YARN).inv_freq
    return factor * plain.rotate_halves(x, np.outer(p, omega))


def rotate_ntk(x: Any, p: Any) -> Any:
    return rotate_halves(x, p, 10000.0 * 4 ** (32 / 30))


def scale_llama3(factor: float = 8, turns_per_radian: float = 1 / (2 * math.pi)) -> Any:
    """Frequencies by the rule of Llama 3.1, a pair at a time."""
    omega = plain.inv_freq(64, 500000.0)
    for i, rate in enumerate(omega):
        turns = 8192 * rate * turns_per_radian
        kept = min(1, max(0, (turns - 1) / 3))
        omega[i] = rate * (kept + (1 - kept) / factor)
    return omega


def rotate_llama31(x: Any, p: Any) -> Any:
    return plain.rotate_halves(x, np.outer(p, scale_llama3()))


@mistake(
    "stretched",
    LLAMA31,
    right=rotate_llama31,
    seen="felafax/felafax#59",
    first=(1, 15, 15),
    message="llama3 scaling missing",
)
def scaling_of_the_config_ignored(x, p):
    """The scaling rule of the config is ignored."""
    return rotate_llama3(x, p)


@mistake(
    "stretched",
    compared(LINEAR, **WIDE),
    right=lambda x, p: rotate_halves(x, p / 4),
    seen="code that confuses the factor with its inverse",
    first=(1, 0, 0),
    message="positions multiplied by the factor 4 instead of divided",
)
def factor_inverted(x, p):
    """Positions are multiplied by the factor instead of divided by it."""
    return rotate_halves(x, p * 4)


@mistake(
    "stretched",
    compared(LINEAR, **WIDE),
    right=lambda x, p: rotate_halves(x, p / 4),
    seen="lablup/mlxcel#1340",
    first=(1, 0, 0),
    message="linear factor 4 missing",
)
def factor_ignored(x, p):
    """Positions are not divided by the factor."""
    return rotate_halves(x, p)


@mistake(
    "stretched",
    LLAMA,
    right=rotate_halves,
    seen="lablup/mlxcel#1324",
    first=(1, 0, 0),
    message="positions multiplied by 2; the same as rotating twice",
)
def default_factor_of_two(x, p):
    """The factor defaults to 2 where the config has none."""
    return rotate_halves(x, 2.0 * p)


@mistake(
    "stretched",
    compared(rotate_ntk, **WIDE),
    right=rotate_ntk,
    seen="Eyeline-Labs/CineScale#7",
    first=(1, 1, 1),
    message="base 40000 instead of 43873",
)
def base_times_the_factor(x, p):
    """The base is multiplied by the factor itself instead of its power d/(d-2)."""
    return rotate_halves(x, p, 40000.0)


@mistake(
    "stretched",
    compared(rotate_ntk, **WIDE),
    right=rotate_ntk,
    seen='keras-hub 0.32.0, rope_type="dynamic"',
    first=(1, 0, 0),
    message="base 10000 instead of 43873; positions divided by 4.3873",
)
def all_frequencies_divided(x, p):
    """All frequencies are divided by the factor that belongs to the base."""
    return rotate_halves(x, p / 4 ** (32 / 30))


@mistake(
    "stretched",
    compared(YARN, **WIDE),
    right=lambda x, p: rotate_yarn(x, p, STRETCH),
    seen="turboderp-org/exllamav3#259",
    first=(0, 0, 0),
    message="attention factor 1.13863 missing",
)
def attention_factor_missing(x, p):
    """The attention factor of YaRN is missing."""
    return rotate_yarn(x, p)


@mistake(
    "stretched",
    compared(YARN, **WIDE),
    right=lambda x, p: rotate_yarn(x, p, STRETCH),
    seen="sgl-project/sglang#33558",
    first=(0, 0, 0),
    message="attention factor 1.13863 squared",
)
def attention_factor_squared(x, p):
    """The attention factor is applied twice."""
    return rotate_yarn(x, p, STRETCH**2)


@mistake(
    "stretched",
    LLAMA31,
    right=rotate_llama31,
    seen="ports of Llama 3.1 used for Llama 3.2",
    first=(1, 15, 15),
    message="factor 32 instead of 8",
)
def factor_of_llama32(x, p):
    """The factor is that of Llama 3.2."""
    return plain.rotate_halves(x, np.outer(p, scale_llama3(factor=32)))


@mistake(
    "stretched",
    LLAMA31,
    right=rotate_llama31,
    seen="code that takes 1/ω for the wavelength",
    first=(1, 15, 15),
    message="no factor 2π in the wavelengths (llama3)",
)
def wavelength_without_two_pi(x, p):
    """The wavelength of a pair lacks the factor 2π."""
    return plain.rotate_halves(x, np.outer(p, scale_llama3(turns_per_radian=1.0)))


@mistake(
    "stretched",
    LLAMA31,
    right=rotate_llama31,
    seen="ports with two cases instead of three",
    first=(1, 15, 15),
    message="no smoothing between the two wavelengths (llama3): these pairs are not scaled",
)
def smoothing_missing(x, p):
    """Pairs between the two wavelengths are kept as they are."""
    omega = plain.inv_freq(64, 500000.0)
    wavelengths = 2 * math.pi / omega
    omega = np.where(wavelengths > 8192, omega / 8, omega)
    return plain.rotate_halves(x, np.outer(p, omega))


@mistake(
    "stretched",
    LLAMA31,
    right=rotate_llama31,
    seen="ml-explore/mlx-examples#907",
    first=(1, 15, 15),
    message="llama3 smoothed in wavelengths instead of frequencies",
)
def smoothed_in_wavelengths(x, p):
    """The share between the two ends is that of the wavelength, not of the frequency."""
    omega = plain.inv_freq(64, 500000.0)
    wavelengths = 2 * math.pi / omega
    share = np.clip((wavelengths - 2048) / (8192 - 2048), 0, 1)
    return plain.rotate_halves(x, np.outer(p, (1 - share) * omega + share * omega / 8))


GPT_OSS = {
    "rope_type": "yarn",
    "rope_theta": 150000.0,
    "factor": 32.0,
    "original_max_position_embeddings": 4096,
    "truncate": False,
    "head_dim": 64,
}


GPT_OSS_JUDGE = compared(GPT_OSS, head_dim=64, seq_len=512, dtype="float64")


def scale_yarn(truncate: bool = False, inside: bool = False) -> Any:
    """Frequencies by the rule of gpt-oss, a pair at a time."""
    base, factor, pairs = 150000.0, 32.0, 32
    low, high = (
        pairs * math.log(4096 / (turns * 2 * math.pi)) / math.log(base) for turns in (32, 1)
    )
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    omega = np.empty(pairs)
    for i in range(pairs):
        share = min(1, max(0, (i - low) / (high - low)))
        kept = base ** (-i / pairs)
        slower = (factor * base) ** (-i / pairs) if inside else kept / factor
        omega[i] = (1 - share) * kept + share * slower
    return omega


def rotate_gpt_oss(x: Any, p: Any, omega: Any = None, factor: float = 1.0) -> Any:
    attention_factor = factor * (0.1 * math.log(32) + 1)
    omega = scale_yarn() if omega is None else omega
    return attention_factor * plain.rotate_halves(x, np.outer(p, omega))


@mistake(
    "stretched",
    GPT_OSS_JUDGE,
    right=lambda x, p: rotate_gpt_oss(x, p),
    seen="apache/tvm#18576",
    first=(1, 9, 9),
    message="ramp ends rounded (truncate=True)",
)
def ramp_rounded(x, p):
    """The ends of YaRN's ramp are rounded, although the config says truncate=False."""
    return rotate_gpt_oss(x, p, scale_yarn(truncate=True))


@mistake(
    "stretched",
    GPT_OSS_JUDGE,
    right=lambda x, p: rotate_gpt_oss(x, p),
    seen="apache/tvm#18576",
    first=(1, 9, 9),
    message="factor inside the power, (factor · base)^(-2i/d)",
)
def factor_inside_the_power(x, p):
    """The base is multiplied by the factor before the power is taken."""
    return rotate_gpt_oss(x, p, scale_yarn(inside=True))


@mistake(
    "stretched",
    GPT_OSS_JUDGE,
    right=lambda x, p: rotate_gpt_oss(x, p),
    seen="NVIDIA/TensorRT-Model-Connect#400",
    first=(0, 0, 0),
    message="YaRN scaling missing",
)
def yarn_ignored(x, p):
    """The scaling rule of gpt-oss is ignored."""
    return plain.rotate_halves(x, np.outer(p, plain.inv_freq(64, 150000.0)))


@mistake(
    "stretched",
    GPT_OSS_JUDGE,
    right=lambda x, p: rotate_gpt_oss(x, p),
    seen="NVIDIA/TensorRT-LLM#16379",
    first=(0, 0, 0),
    message="0.1 · ln(factor) + 1 applied to the attention factor again",
)
def logarithm_applied_again(x, p):
    """The attention factor is computed from the factor, and then once more from itself."""
    right = 0.1 * math.log(32) + 1
    return rotate_gpt_oss(x, p, factor=(0.1 * right * math.log(32) + 1) / right)


@mistake(
    "stretched",
    LLAMA,
    right=rotate_halves,
    seen="antonellof/ferrox#39",
    first=(1, 0, 0),
    message="linear factor 8 where no scaling is meant",
)
def factor_of_other_layers(x, p):
    """Positions are divided by the factor of other layers, as in Gemma 3's sliding layers."""
    return rotate_halves(x, p / 8)


DYNAMIC = {
    "rope_type": "dynamic",
    "factor": 4.0,
    "head_dim": 32,
    "max_position_embeddings": 4096,
}


@mistake(
    "stretched",
    compared(DYNAMIC, **WIDE),
    right=rotate_halves,
    seen="vllm-project/vllm#5093",
    first=(1, 1, 1),
    message="dynamic base raised at every length, as for 16384 positions",
)
def base_raised_at_every_length(x, p):
    """The base is that of the longest text, whatever the length."""
    growth = 1 + 4 * (16384 - 4096) / 4096
    return rotate_halves(x, p, 10000.0 * growth ** (32 / 30))


PHI = {
    "rope_type": "longrope",
    "head_dim": 32,
    "original_max_position_embeddings": 4096,
    "max_position_embeddings": 131072,
    "short_factor": [1 + i / 99 for i in range(16)],
    "long_factor": [1 + i / 4 for i in range(16)],
}


def rotate_longrope(x: Any, p: Any, factors: Any = None) -> Any:
    omega = plain.inv_freq(32) / (PHI["short_factor"] if factors is None else factors)
    attention_factor = math.sqrt(1 + math.log(32) / math.log(4096))
    return attention_factor * plain.rotate_halves(x, np.outer(p, omega))


@mistake(
    "stretched",
    compared(PHI, **WIDE),
    right=lambda x, p: rotate_longrope(x, p),
    seen="code that chooses the list by the length of the config",
    first=(1, 1, 1),
    message="long factors below the original length 4096",
)
def long_factors_for_a_short_text(x, p):
    """The long factors are used below the original length."""
    return rotate_longrope(x, p, PHI["long_factor"])
