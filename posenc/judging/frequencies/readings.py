"""Wrong readings of a config: known mistakes in rotary frequencies, and what they compute.

`READINGS` lists them; each yields causes in words, with the frequencies that they make of the
settings. A cause is named only after its frequencies have been found to explain all numbers.

Letters in this module
    d  rotated channels    ω  frequencies as the base gives them       L_0  original length
    i  index of a pair     s  factor of the rule                       L    positions now
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posenc.core.frequencies import inv_freq
from posenc.judging.frequencies.published import (
    BASES,
    FACTORS,
    LENGTHS,
    list_scaled,
)
from posenc.scaling import rules
from posenc.scaling.rules import ntk_base
from posenc.scaling.settings import Settings

Values = NDArray[np.float64]
Reading = tuple[str, Values, float]  # the cause in words, frequencies, attention factor

NAMES = {
    "linear": "linear scaling",
    "dynamic": "dynamic NTK scaling",
    "yarn": "YaRN scaling",
    "longrope": "LongRoPE factors",
    "llama3": "llama3 scaling",
    "proportional": "proportional scaling",
}
# Numeric keys, in words, and the other values that published models have.
OTHER_VALUES: Mapping[str, tuple[str, tuple[float, ...]]] = {
    "factor": ("factor", FACTORS),
    "low_freq_factor": ("low_freq_factor", (1.0, 2.0, 4.0)),
    "high_freq_factor": ("high_freq_factor", (4.0, 1.0, 2.0, 8.0)),
    "beta_fast": ("beta_fast", (32.0, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 128.0)),
    "beta_slow": ("beta_slow", (1.0, 32.0, 2.0, 4.0)),
    "original_max_position_embeddings": ("original length", LENGTHS),
}
DEFAULTS = {"beta_fast": 32.0, "beta_slow": 1.0}  # of YaRN


def list_readings(
    settings: Settings, measured: Values, head_dim: int, seq_len: int | None
) -> Iterator[Reading]:
    """Yield wrong readings of settings. `measured` suggests values that no published model has."""
    yield from _drop_the_rule(settings)
    yield from _count_all_channels(settings, head_dim, seq_len)
    yield from _change_base(settings, measured, seq_len)
    for list_some in READINGS[settings.rope_type]:
        yield from list_some(settings, seq_len)
    yield from _change_keys(settings, measured, seq_len)
    yield from _add_a_rule(settings)


def compute(settings: Settings, seq_len: int | None = None) -> tuple[Values, float] | None:
    """Return the frequencies and the attention factor of settings, or None if they have none."""
    try:
        return rules.RULES[settings.rope_type](settings, seq_len)
    except (ValueError, OverflowError, ZeroDivisionError):
        return None


def _list_computed(
    changed: Iterable[tuple[str, Settings]], seq_len: int | None
) -> Iterator[Reading]:
    """Yield readings of other settings."""
    for cause, settings in changed:
        computed = compute(settings, seq_len)
        if computed is not None:
            yield cause, *computed


def _drop_the_rule(settings: Settings) -> Iterator[Reading]:
    if settings.rope_type == "default":
        return
    cause = f"{NAMES[settings.rope_type]} missing"
    if settings.rope_type == "linear":
        cause = f"linear factor {settings.number('factor'):g} missing"
    yield cause, inv_freq(settings.dim, settings.base), 1.0
    for base in BASES:
        if base != settings.base:
            words = f"{cause}, and base {base:.10g} instead of {settings.base:.10g}"
            yield words, inv_freq(settings.dim, base), 1.0


def _change_base(settings: Settings, measured: Values, seq_len: int | None) -> Iterator[Reading]:
    bases = list(BASES)
    if len(measured) > 1 and measured[0] > measured[1] > 0:
        base = (measured[0] / measured[1]) ** (settings.dim / 2)
        bases += [float(f"{base:.{digits}e}") for digits in range(5) if 1 < base < 1e300]
    changed = (
        (f"base {base:.10g} instead of {settings.base:.10g}", replace(settings, base=base))
        for base in dict.fromkeys(bases)
        if base > 1 and base != settings.base
    )
    yield from _list_computed(changed, seq_len)


def _change_keys(settings: Settings, measured: Values, seq_len: int | None) -> Iterator[Reading]:
    """Yield readings with another value of one key, or with values of two keys exchanged."""
    given = {**(DEFAULTS if settings.rope_type == "yarn" else {}), **_drop_none(settings.given)}
    slowest = inv_freq(settings.dim, settings.base)[-1]
    ratio = slowest / measured[-1] if len(measured) and measured[-1] > 0 else 0.0
    for key, (words, values) in OTHER_VALUES.items():
        if key not in given or settings.rope_type in ("default", "proportional"):
            continue
        now = given[key]
        more: list[float] = []
        if key == "factor" and 1 < ratio < 1e6:
            more = [float(f"{ratio:.{digits}e}") for digits in range(4)]
        if key == "original_max_position_embeddings":
            longest = given.get("max_position_embeddings")
            more = [*([longest] if longest else []), now * given.get("factor", 1.0)]
        changed = (
            (
                f"{words} {value:.10g} instead of {now:.10g}",
                _set_keys(settings, {key: type(now)(value)}),
            )
            for value in dict.fromkeys((*more, *values))
            if value != now
        )
        yield from _list_computed(changed, seq_len)
    for one, other in (("low_freq_factor", "high_freq_factor"), ("beta_fast", "beta_slow")):
        if one in given and other in given:
            exchanged = _set_keys(settings, {one: given[other], other: given[one]})
            yield from _list_computed([(f"{one} and {other} exchanged", exchanged)], seq_len)


def _set_keys(settings: Settings, keys: Mapping[str, float]) -> Settings:
    return replace(settings, given={**settings.given, **keys})


def _drop_none(given: Mapping[str, object]) -> dict[str, float]:
    """Return the numbers among the values of a config."""
    return {
        key: value
        for key, value in given.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _count_all_channels(
    settings: Settings, head_dim: int, seq_len: int | None
) -> Iterator[Reading]:
    """Yield the reading whose exponents count all channels of a head, not only the rotated ones."""
    if head_dim <= settings.dim or head_dim % 2 or settings.rope_type == "longrope":
        return
    cause = (
        f"exponents counted over head_dim={head_dim} instead of the {settings.dim} rotated channels"
    )
    for _, frequencies, factor in _list_computed([("", replace(settings, dim=head_dim))], seq_len):
        yield cause, frequencies[: settings.dim // 2], factor


def _add_a_rule(settings: Settings) -> Iterator[Reading]:
    """Yield other rules than the one that is meant, with the settings of published models."""
    for words, scaled in list_scaled(settings):
        computed = compute(scaled)
        if computed is None:
            continue
        if settings.rope_type == "default":
            yield f"{words} where no scaling is meant", *computed
        else:
            yield f"{words} instead of {NAMES[settings.rope_type]}", *computed


def _vary_linear(settings: Settings, _: int | None) -> Iterator[Reading]:
    omega, factor = inv_freq(settings.dim, settings.base), settings.number("factor")
    yield f"linear factor {factor:g} applied twice", omega / factor**2, 1.0
    yield f"positions multiplied by the factor {factor:g} instead of divided", omega * factor, 1.0
    yield "base multiplied by the factor", inv_freq(settings.dim, settings.base * factor), 1.0


def _vary_llama3(settings: Settings, _: int | None) -> Iterator[Reading]:
    omega, factor = inv_freq(settings.dim, settings.base), settings.number("factor")
    low, high = settings.number("low_freq_factor"), settings.number("high_freq_factor")
    original = settings.original()
    turns = original * omega / (2 * math.pi)
    middle = (low < turns) & (turns < high)
    kept = np.clip((turns - low) / max(high - low, 1e-300), 0, 1)
    scaled = rules.blend(omega, kept, factor)

    without = np.clip((original * omega - low) / max(high - low, 1e-300), 0, 1)
    yield "no factor 2π in the wavelengths (llama3)", rules.blend(omega, without, factor), 1.0
    none = "no smoothing between the two wavelengths (llama3)"
    yield f"{none}: these pairs are not scaled", np.where(middle, omega, scaled), 1.0
    yield f"{none}: these pairs are fully scaled", np.where(middle, omega / factor, scaled), 1.0

    # The share of a wavelength between its ends, instead of that of a frequency.
    wave = np.clip((1 / turns - 1 / high) / max(1 / low - 1 / high, 1e-300), 0, 1)
    cause = "llama3 smoothed in wavelengths instead of frequencies"
    yield cause, rules.blend(omega, 1 - wave, factor), 1.0
    yield cause, omega / (1 - wave + wave * factor), 1.0
    yield cause, omega / (kept + (1 - kept) * factor), 1.0
    reversed_ = "llama3 smoothed in the wrong direction"
    yield reversed_, np.where(middle, rules.blend(omega, 1 - kept, factor), scaled), 1.0
    wrong = "llama3 smoothed in wavelengths, and in the wrong direction"
    yield wrong, np.where(middle, rules.blend(omega, wave, factor), scaled), 1.0
    yield wrong, np.where(middle, omega / ((1 - wave) * factor + wave), scaled), 1.0
    yield "all pairs divided by the llama3 factor", omega / factor, 1.0
    swapped = "fast pairs scaled and slow pairs kept (llama3)"
    yield swapped, rules.blend(omega, 1 - kept, factor), 1.0


def _vary_yarn(settings: Settings, _: int | None) -> Iterator[Reading]:
    truncate = settings.given.get("truncate") is not False
    words = "not rounded (truncate=False)" if truncate else "rounded (truncate=True)"
    other = replace(settings, given={**settings.given, "truncate": not truncate})
    yield from _list_computed([(f"ramp ends {words}", other)], None)

    right = compute(settings)
    if right is None:
        return
    attention, factor = right[1], _get_factor(settings)
    omega = inv_freq(settings.dim, settings.base)
    for current, also in ((settings, ""), (other, f", and ramp ends {words}")):
        computed = compute(current)
        if computed is None:
            continue
        kept = (computed[0] / omega - 1 / factor) / (1 - 1 / factor) if factor > 1 else omega**0
        inside = inv_freq(settings.dim, settings.base * factor)
        cause = "factor inside the power, (factor · base)^(-2i/d)"
        yield cause + also, kept * omega + (1 - kept) * inside, attention
        reversed_ = rules.blend(omega, 1 - kept, factor)
        yield "ramp reversed: fast pairs are divided, slow pairs kept" + also, reversed_, attention
        stretched = inv_freq(settings.dim, ntk_base(settings.base, factor, max(settings.dim, 4)))
        cause = "the NTK-aware base instead of the base"
        yield f"{cause} in YaRN{also}", rules.blend(stretched, kept, factor), attention
        mixed = kept * stretched + (1 - kept) * omega / factor
        yield f"{cause} for YaRN's fast pairs{also}", mixed, attention
    yield "all pairs divided by the YaRN factor: no ramp", omega / factor, attention
    no_pi = _shift_ramp(settings, 2 * math.pi)
    yield from _list_computed([("no factor 2π in YaRN's ramp", no_pi)], None)


def _shift_ramp(settings: Settings, times: float) -> Settings:
    """Return settings of YaRN whose ends of the ramp are at another number of rotations."""
    now = {key: settings.number(key, DEFAULTS[key]) for key in DEFAULTS}
    return _set_keys(settings, {key: value / times for key, value in now.items()})


def _get_factor(settings: Settings) -> float:
    if settings.given.get("factor") is not None:
        return settings.number("factor")
    return (settings.length("max_position_embeddings") or 1) / settings.original()


def _vary_dynamic(settings: Settings, seq_len: int | None) -> Iterator[Reading]:
    """Yield readings that raise the base at another length than beyond the trained one."""
    original = settings.length("max_position_embeddings") or 1
    factor = settings.number("factor")
    if settings.dim < 4:
        return
    beyond = seq_len is not None and seq_len > original
    at_every = "dynamic base raised at every length"
    longest = compute(settings, int(original * factor))
    if longest is not None:
        yield f"{at_every}, as for {int(original * factor)} positions", *longest
    base = ntk_base(settings.base, factor, settings.dim)
    words = "the NTK-aware base for the factor" if beyond else f"{at_every}, by the factor"
    yield words, inv_freq(settings.dim, base), 1.0
    if beyond:
        for other in (original, *(n for n in LENGTHS if n > original)):
            computed = compute(settings, other)
            if computed is not None:
                yield f"dynamic base of {other} instead of {seq_len} positions", *computed
    yield (
        f"all frequencies divided by {factor:g}",
        inv_freq(settings.dim, settings.base) / factor,
        1.0,
    )


def _vary_longrope(settings: Settings, seq_len: int | None) -> Iterator[Reading]:
    original = settings.original()
    short, long = compute(settings, original), compute(settings, original + 1)
    if short is None or long is None:
        return
    omega = inv_freq(settings.dim, settings.base)
    if seq_len is not None and seq_len > original:
        yield f"short factors above the original length {original}", *short
    else:
        yield f"long factors below the original length {original}", *long
    for words, (made, attention) in (("short", short), ("long", long)):
        multiplied = omega * (omega / made)
        yield f"frequencies multiplied by the {words} factors", multiplied, attention
        yield f"{words} factors in reverse order", omega / (omega / made)[::-1], attention


def _vary_proportional(settings: Settings, _: int | None) -> Iterator[Reading]:
    """Yield readings that rotate a part of the channels as other models do."""
    part = settings.given.get("partial_rotary_factor") or 1.0
    turning = int(part * settings.dim // 2)
    full = np.zeros(settings.dim // 2)
    if turning:
        full[:turning] = inv_freq(2 * turning, settings.base)
        yield "exponents counted over the rotated channels instead of all channels", full, 1.0


def _vary_nothing(settings: Settings, _: int | None) -> Iterator[Reading]:
    omega = inv_freq(settings.dim, settings.base)
    yield "frequencies in reverse order", omega[::-1], 1.0
    squared = settings.base ** (-4.0 * np.arange(settings.dim // 2) / settings.dim)
    yield "exponent doubled: base^(-4i/d)", squared, 1.0
    wide = settings.base ** (-np.arange(settings.dim // 2) / max(settings.dim / 2 - 1, 1))
    yield "exponent i/(d/2-1) instead of 2i/d", wide, 1.0


READINGS = {
    "default": (_vary_nothing,),
    "linear": (_vary_linear,),
    "dynamic": (_vary_dynamic,),
    "yarn": (_vary_yarn,),
    "longrope": (_vary_longrope,),
    "llama3": (_vary_llama3,),
    "proportional": (_vary_proportional,),
}


def list_attention_factors(settings: Settings) -> Iterator[tuple[str, float]]:
    """Yield wrong attention factors, with the cause in words."""
    computed = compute(settings)
    right = 1.0 if computed is None else computed[1]
    if right != 1:
        yield f"attention factor {right:.6g} missing", 1.0
        yield f"attention factor {right:.6g} squared", right**2
        yield f"vectors divided by the attention factor {right:.6g}", 1 / right
    if settings.rope_type not in ("yarn", "longrope"):
        return
    growth = 0.1 * math.log(_get_factor(settings))
    ignored = "mscale and mscale_all_dim" if settings.given.get("mscale") else "attention_factor"
    yield f"attention factor computed from the factor, {ignored} ignored", growth + 1
    for key in ("mscale", "mscale_all_dim"):
        if settings.given.get(key):
            yield f"attention factor of {key} only", settings.number(key) * growth + 1
    yield "0.1 · ln(factor) + 1 applied to the attention factor again", right * growth + 1
