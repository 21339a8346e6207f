"""The frequencies and the attention factor of each rope_type."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.core.frequencies import inv_freq
from posenc.scaling.settings import Settings

Floats = NDArray[np.float64]
Result = tuple[Floats, float]


def ntk_base(base: float, factor: float, dim: int) -> float:
    """Return the base that divides the slowest frequency by a factor and keeps the fastest.

    Args:
        base: b, dimensionless, finite, above 1.
        factor: s, dimensionless, finite, at least 1: the slowest frequency is divided by s.
        dim: Channels d that are rotated. Even, at least 4.

    Returns:
        `b·s**(d/(d-2))`, dimensionless, at least b. It multiplies frequency i by
        `s**(-i/(d/2-1))`.

    Raises:
        TypeError: `dim` is not an integer, or `base` or `factor` not a real number.
        ValueError: `dim` is odd or below 4, `base` is not above 1, `factor` is below 1,
            or one of them, or the new base, is not finite.

    Source:
        bloc97 2023, "NTK-Aware Scaled RoPE" (a post, linked in the chapter), and
        Peng et al. 2023, arXiv:2309.00071, "NTK-aware" interpolation. Deviation: none.

    Examples:
        >>> from posenc import ntk_base
        >>> ntk_base(10000, 4, 4)
        160000.0
        >>> round(ntk_base(10000, 4, 128))
        40890
    """
    base = checks.above_one("base", base)
    factor = checks.real("factor", factor)
    if not factor >= 1:
        raise ValueError(f"factor must be at least 1, got factor={checks.describe_value(factor)}")
    dim = checks.even("dim", dim)
    if dim < 4:
        raise ValueError(
            "dim must be at least 4: with one pair, the fastest is the slowest, got dim=2"
        )
    stretched = _ntk(base, factor, dim)
    if not math.isfinite(stretched):
        raise ValueError(
            "base * factor**(dim / (dim - 2)) must be finite, got"
            f" base={base:g}, factor={factor:g}, dim={checks.describe_value(dim)}"
        )
    return stretched


def _ntk(base: float, factor: float, dim: int) -> float:
    # --8<-- [start:ntk]
    try:
        return float(base * factor ** (dim / (dim - 2)))
    except OverflowError:
        return math.inf
    # --8<-- [end:ntk]


def default(settings: Settings, _: int | None) -> Result:
    """Return the frequencies of the base, unscaled."""
    return inv_freq(settings.dim, settings.base), 1.0


def linear(settings: Settings, _: int | None) -> Result:
    """Return all frequencies divided by the factor (position interpolation)."""
    factor = settings.number("factor", least=1)
    # --8<-- [start:linear]
    return inv_freq(settings.dim, settings.base) / factor, 1.0
    # --8<-- [end:linear]


def dynamic(settings: Settings, seq_len: int | None) -> Result:
    """Return the frequencies of a base that grows with the length (dynamic NTK)."""
    factor = settings.number("factor", least=1)
    original = settings.length("max_position_embeddings") or 1
    # --8<-- [start:dynamic]
    length = max(seq_len or 0, original)
    growth = 1 + factor * (length - original) / original
    base = ntk_base(settings.base, growth, settings.dim)
    # --8<-- [end:dynamic]
    return inv_freq(settings.dim, base), 1.0


def yarn(settings: Settings, _: int | None) -> Result:
    """Return frequencies interpolated along YaRN's ramp, and its attention factor."""
    dim, base, original = settings.dim, settings.base, settings.original()
    factor = _factor(settings)
    fast = settings.number("beta_fast", 32.0)
    slow = settings.number("beta_slow", 1.0)
    if fast < slow:
        raise ValueError(f"beta_fast must be at least beta_slow={slow:g}, got beta_fast={fast:g}")
    if slow < 1e-200 or fast > 1e200:
        raise ValueError(
            "beta_slow and beta_fast must lie within 1e-200..1e200, got"
            f" beta_slow={slow:g}, beta_fast={fast:g}"
        )
    given = settings.given.get("truncate")
    truncate = True if given is None else checks.boolean("truncate", given)
    omega = inv_freq(dim, base)
    kept = 1 - yarn_ramp(dim, base, original, fast, slow, truncate)
    return blend(omega, kept, factor), _yarn_attention(settings, factor)


def yarn_ramp(
    dim: int, base: float, original: int, fast: float, slow: float, truncate: bool
) -> Floats:
    """Return the share of each pair that is interpolated: 0 for fast pairs, 1 for slow ones."""
    # --8<-- [start:ramp]
    ends = []
    for turns in (fast, slow):  # the pair that makes so many rotations within L_0
        logarithm = math.log(original / (turns * 2 * math.pi))
        ends.append(dim * logarithm / (2 * math.log(base)))
    low, high = (math.floor(ends[0]), math.ceil(ends[1])) if truncate else ends
    low, high = max(low, 0), min(high, dim - 1)
    # --8<-- [end:ramp]
    if high < low:
        raise ValueError(
            f"original_max_position_embeddings={original} and rope_theta={base:g} leave no ramp "
            f"for yarn: its first pair would be {low:g}, its last {high:g}"
        )
    # --8<-- [start:ramp-between]
    if low == high:
        high += 0.001  # a step instead of a ramp
    return np.clip((np.arange(dim // 2) - low) / (high - low), 0, 1)
    # --8<-- [end:ramp-between]


def _yarn_attention(settings: Settings, factor: float) -> float:
    """Return a: as given, or from the factor; mscale counts only together with mscale_all_dim."""
    own, all_dim = (
        0.0 if settings.given.get(key) is None else checks.at_least_zero(key, settings.given[key])
        for key in ("mscale", "mscale_all_dim")
    )
    if settings.given.get("attention_factor") is not None:
        return settings.number("attention_factor")
    # --8<-- [start:temperature]
    growth = 0.1 * math.log(factor)
    if own and all_dim:
        return (own * growth + 1) / (all_dim * growth + 1)
    return growth + 1
    # --8<-- [end:temperature]


def longrope(settings: Settings, seq_len: int | None) -> Result:
    """Return frequencies divided by a factor for each pair, short or long."""
    original = settings.original()
    short = _table(settings, "short_factor")
    long = _table(settings, "long_factor")
    beyond = seq_len is not None and seq_len > original
    with np.errstate(over="ignore", under="ignore"):
        omega = inv_freq(settings.dim, settings.base) / (long if beyond else short)
    checks.finite(f"the base frequencies / {'long' if beyond else 'short'}_factor", omega)
    if settings.given.get("attention_factor") is not None:
        settings.number("factor", 1.0, least=1)  # unused, but checked
        return omega, settings.number("attention_factor")
    factor = _factor(settings)
    if original == 1:
        raise ValueError(
            "original_max_position_embeddings must be above 1 for rope_type='longrope', got 1"
        )
    # --8<-- [start:longrope-attention]
    attention = math.sqrt(1 + math.log(factor) / math.log(original))
    # --8<-- [end:longrope-attention]
    return omega, attention


def llama3(settings: Settings, _: int | None) -> Result:
    """Return frequencies interpolated along the ramp of Llama 3.1."""
    factor = settings.number("factor", least=1)
    low = settings.number("low_freq_factor")
    high = settings.number("high_freq_factor")
    if low > high:
        raise ValueError(
            "low_freq_factor must be at most high_freq_factor="
            f"{high:g}, got low_freq_factor={low:g}"
        )
    omega = inv_freq(settings.dim, settings.base)
    original = settings.original()
    # --8<-- [start:llama3]
    turns = original * omega / (2 * math.pi)
    if low == high:
        kept = np.heaviside(turns - low, 0)  # a step instead of a ramp
    else:
        kept = np.clip((turns - low) / (high - low), 0, 1)
    # --8<-- [end:llama3]
    return blend(omega, kept, factor), 1.0


def proportional(settings: Settings, _: int | None) -> Result:
    """Return frequencies of which the slowest are set to 0."""
    factor = settings.number("factor", 1.0, least=1)
    given = settings.given.get("partial_rotary_factor")
    part = 1.0 if given is None else given
    omega = inv_freq(settings.dim, settings.base) / factor
    omega[int(part * settings.dim // 2) :] = 0  # these pairs are not rotated
    return omega, 1.0


def blend(omega: Floats, kept: Floats, factor: float) -> Floats:
    """Return a share of each frequency as it was, and the rest divided by the factor."""
    # --8<-- [start:blend]
    return kept * omega + (1 - kept) * (omega / factor)
    # --8<-- [end:blend]


def _factor(settings: Settings) -> float:
    """Return the factor, or the ratio of the two lengths where it is not given."""
    if settings.given.get("factor") is not None:
        return settings.number("factor", least=1)
    maximum = settings.length("max_position_embeddings")
    if maximum is None:
        raise ValueError(
            "factor is missing: pass it, or max_position_embeddings to compute it from"
        )
    return maximum / settings.original()


def _table(settings: Settings, key: str) -> Floats:
    """Return a factor for each pair."""
    given = settings.given[key]
    listed = isinstance(given, Sequence) or (isinstance(given, np.ndarray) and given.ndim > 0)
    if isinstance(given, str | Mapping) or not listed:
        raise TypeError(f"{key} must be a list of numbers, got {type(given).__name__}")
    pairs = settings.dim // 2
    if len(given) != pairs:
        raise ValueError(f"{key} must have {pairs} numbers, one for each pair, got {len(given)}")
    table = checks.finite(key, given, ndim=1)
    if not (table > 0).all():
        raise ValueError(f"{key} must be above 0, got {table.min()}")
    return table


RULES: Mapping[str, Callable[[Settings, Any], Result]] = {
    "default": default,
    "linear": linear,
    "dynamic": dynamic,
    "yarn": yarn,
    "longrope": longrope,
    "llama3": llama3,
    "proportional": proportional,
}
