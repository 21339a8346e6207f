"""Scaling: the rules that stretch frequencies, in decimals."""

from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

import numpy as np

from posenc.golden.exact import PI, Decimals, frequencies

LENGTH = 4096  # in training


def configs(d: int) -> Iterator[tuple[str, str, dict[str, Any], int | None]]:
    """Yield name, equation, a config of Hugging Face and the length now, for each rule."""
    pairs = range(d // 2)
    plain = {"rope_theta": 10000.0, "head_dim": d}
    linear = {"rope_type": "linear", "factor": 4.0, **plain}
    dynamic = {"rope_type": "dynamic", "factor": 2.0, "max_position_embeddings": LENGTH, **plain}
    original = {"original_max_position_embeddings": LENGTH, **plain}
    yarn = {"rope_type": "yarn", "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0, **original}
    llama3 = {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
        "head_dim": d,
        "rope_theta": 500000.0,
    }
    longrope = {
        "rope_type": "longrope",
        "factor": 8.0,
        "short_factor": [1 + i / 64 for i in pairs],
        "long_factor": [1 + i / 8 for i in pairs],
        **original,
    }
    yield "linear", "eq-interpolation", linear, None
    yield "dynamic", "eq-dynamic", dynamic, 10000
    yield "yarn", "eq-yarn", yarn, None
    yield "llama3", "eq-llama3", llama3, None
    yield "longrope-short", "eq-attention-factor", longrope, LENGTH
    yield "longrope-long", "eq-attention-factor", longrope, LENGTH + 1


def ntk(base: Decimal, factor: Decimal, d: int) -> Decimal:
    """Return the base that divides the slowest frequency by a factor."""
    return base * factor ** (Decimal(d) / (d - 2))


def stretched(config: Mapping[str, Any], seq_len: int | None) -> tuple[Decimals, Decimal]:
    """Return the frequencies that a config specifies, and its attention factor."""
    d, base, s = config["head_dim"], Decimal(config["rope_theta"]), Decimal(config["factor"])
    omega = frequencies(d, base)
    match config["rope_type"]:
        case "linear":
            return omega / s, Decimal(1)
        case "dynamic":
            original = config["max_position_embeddings"]
            growth = 1 + s * (Decimal(seq_len or original) / original - 1)
            return frequencies(d, ntk(base, growth, d)), Decimal(1)
        case "yarn":
            return _blend(omega, 1 - _yarn_ramp(config), s), s.ln() / 10 + 1
        case "llama3":
            low, high = Decimal(config["low_freq_factor"]), Decimal(config["high_freq_factor"])
            turns = config["original_max_position_embeddings"] * omega / (2 * PI)
            return _blend(omega, _clipped((turns - low) / (high - low)), s), Decimal(1)
    original = config["original_max_position_embeddings"]
    longer = seq_len is not None and seq_len > original
    factors = config["long_factor" if longer else "short_factor"]
    attention = (1 + s.ln() / Decimal(original).ln()).sqrt()
    return omega / np.array([Decimal(one) for one in factors]), attention


def _yarn_ramp(config: Mapping[str, Any]) -> Decimals:
    d: int = config["head_dim"]
    original: int = config["original_max_position_embeddings"]
    base = Decimal(config["rope_theta"])

    def end(turns: float) -> Decimal:
        """Return the pair that makes so many turns within the original length."""
        return d * (original / (2 * PI * Decimal(turns))).ln() / (2 * base.ln())

    low = max(end(config["beta_fast"]).to_integral_value(ROUND_FLOOR), Decimal(0))
    high = min(end(config["beta_slow"]).to_integral_value(ROUND_CEILING), Decimal(d - 1))
    return _clipped((np.array([Decimal(i) for i in range(d // 2)]) - low) / (high - low))


def _clipped(share: Decimals) -> Decimals:
    return np.array([min(max(one, Decimal(0)), Decimal(1)) for one in share])


def _blend(omega: Decimals, kept: Decimals, factor: Decimal) -> Decimals:
    return np.asarray(kept * omega + (1 - kept) * omega / factor)
