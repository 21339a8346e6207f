"""Explain why a rotation differs from the one that was meant."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core.layouts import pair_channels
from posenc.judging import precision, waves
from posenc.judging.explanations import explain_conventions
from posenc.judging.frequencies.pairs import describe_pairs
from posenc.judging.frequencies.readings import compute, list_attention_factors, list_readings
from posenc.judging.identity import Identity
from posenc.judging.references import Rotation
from posenc.judging.rotations import mistakes
from posenc.judging.rotations.identify import get_frequencies, identify_rotation
from posenc.judging.rotations.probe import Probe
from posenc.scaling.settings import Settings

Values = NDArray[np.float64]


def explain_rotation(given: Probe, wanted: Probe, reference: Any, dtype: str) -> str | None:
    """Return what makes a rotation differ from a reference, in words, or None."""
    found, target = identify_rotation(given), identify_rotation(wanted)
    if found.kind == "unknown" and isinstance(reference, Rotation):
        cause = mistakes.find_mistake(given, (reference.inv_freq,))
        found = replace(found, cause=found.cause or cause)
    frequencies = None
    if found.kind == target.kind == "rotary":
        frequencies = _explain_frequencies(_Pairs(given, found), target, reference)
    explanation = explain_conventions(found, target, frequencies)
    if found.kind == "rotary" and precision.UNITS[given.numbers] > precision.UNITS[dtype]:
        rounded = f"cos and sin in {given.numbers} instead of {dtype}"
        return f"{explanation}; {rounded}" if explanation else rounded
    return explanation


@dataclass(frozen=True)
class _Pairs:
    """The pairs of channels that a function rotates, with the conventions found in them."""

    probe: Probe
    found: Identity

    @property
    def head_dim(self) -> int:
        """All channels of a head."""
        return int(self.probe.matrices.shape[1])

    @property
    def frequencies(self) -> Values:
        """The frequency of each pair, as found."""
        return get_frequencies(self.found, self.head_dim)

    @property
    def uncertainty(self) -> Values:
        """How far each frequency may be from the true one."""
        unit = precision.UNITS[precision.get_angle_dtype(self.found.numbers)]
        noise = 6 * precision.UNITS[self.found.numbers] / max(int(self.probe.rows.max()), 1)
        return np.asarray(noise + 160 * unit * self.frequencies)

    def explains(self, frequencies: Values) -> bool:
        """Return whether these frequencies, with the other conventions, give all entries."""
        if frequencies.shape != self.frequencies.shape:
            return False
        if (abs(frequencies - self.frequencies) > 100 * self.uncertainty + 1e-3).any():
            return False  # far from what was measured
        found = self.found
        guess = waves.Fit(
            frequencies,
            None,
            None,
            (found.start or 0.0) / found.step,
            1.0,
            1j if found.first == "sin" else 1 + 0j,
            found.sign if found.first != "sin" else -found.sign,
            found.scale,
            "",
        )
        rows = self.probe.rows
        return waves.check_fit(guess, self._read_waves(), rows, self.probe.numbers).holds

    def _read_waves(self) -> NDArray[np.complex128]:
        """Return cosines and sines of all pairs as complex numbers, (rows, n)."""
        assert self.found.layout is not None
        assert self.found.rotary_dim is not None
        channels = np.arange(self.found.passed, self.head_dim)
        a, b = (channels[part] for part in pair_channels(self.found.rotary_dim, self.found.layout))
        return np.asarray(self.probe.matrices[:, a, a] + 1j * self.probe.matrices[:, b, a])


def _explain_frequencies(pairs: _Pairs, target: Identity, reference: Any) -> list[str] | None:
    """Return what explains frequencies and attention factor, in words, or None if nothing does."""
    if isinstance(reference, Rotation) and reference.settings is not None:
        settings = replace(reference.settings, dim=pairs.found.rotary_dim or 0)
        causes = _find_reading(pairs, settings, reference)
        if causes is not None:
            return causes
    if target.rotary_dim != pairs.found.rotary_dim:
        return None
    if pairs.found.base is not None and target.base is not None:
        return None  # the conventions say it
    wanted = get_frequencies(target, pairs.head_dim)
    words = describe_pairs(pairs.frequencies, wanted, pairs.uncertainty)
    return None if words is None else [words]


def _find_reading(pairs: _Pairs, settings: Settings, reference: Rotation) -> list[str] | None:
    """Return the wrong reading of a config that explains all entries, in words, or None."""
    right = compute(settings, reference.seq_len)
    if right is not None and pairs.explains(right[0]):
        return list(_explain_factor(pairs, settings, right[1]))
    readings = list_readings(settings, pairs.frequencies, pairs.head_dim, reference.seq_len)
    for cause, frequencies, factor in readings:
        if pairs.explains(frequencies):
            also = [] if pairs.found.scale == factor else _explain_factor(pairs, settings, factor)
            return [cause, *also]
    return None


def _explain_factor(pairs: _Pairs, settings: Settings, expected: float) -> Iterator[str]:
    """Yield what explains another attention factor than the expected one, in words."""
    found, unit = pairs.found.scale, 16 * precision.UNITS[pairs.found.numbers]
    computed = compute(settings)
    right = expected if computed is None else computed[1]
    if any(abs(found - one) <= unit * one for one in (expected, right)):
        return
    for cause, factor in list_attention_factors(settings):
        if abs(found - factor) <= unit * factor:
            yield cause
            return
    yield f"attention factor {found:.6g} instead of {right:.6g}"
