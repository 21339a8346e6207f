"""Mistakes in scaled rotations, which reach beyond the training length."""

import math
from typing import Any

import numpy as np

import posenc
from docs.reference.mistakes import plain
from docs.reference.mistakes.catalogue import compared, mistake
from docs.reference.mistakes.rotations import LLAMA, WIDE, rotate_halves, rotate_llama3

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


def rotate_llama31(x: Any, p: Any) -> Any:
    """Frequencies by the rule of Llama 3.1, a pair at a time."""
    omega = plain.inv_freq(64, 500000.0)
    for i, rate in enumerate(omega):
        turns = 8192 * rate / (2 * math.pi)
        kept = min(1, max(0, (turns - 1) / 3))
        omega[i] = rate * (kept + (1 - kept) / 8)
    return plain.rotate_halves(x, np.outer(p, omega))


@mistake(
    "stretched",
    compared("llama3.1", head_dim=64, seq_len=512, dtype="float64"),
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
    seen="code that ignores rope_scaling",
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
