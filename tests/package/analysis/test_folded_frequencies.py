"""folded_frequencies against cosines at whole positions, in plain Python."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.analysis.folded_frequencies import apparent_frequency


@given(omega=st.floats(-60, 60))
def test_frequency_and_its_alias_agree_at_whole_positions(omega: float) -> None:
    found = float(apparent_frequency(omega))
    assert 0 <= found <= math.pi
    for p in range(30):
        # Angles of up to 1800, each rounded, and ω itself within 2e-14.
        assert math.cos(found * p) == pytest.approx(math.cos(omega * p), abs=2e-12)
        assert abs(math.sin(found * p)) == pytest.approx(abs(math.sin(omega * p)), abs=2e-12)


def test_low_frequencies_stay_to_the_last_bit() -> None:
    low = [0.0, 1e-300, 1e-5, 0.1, 1.0, 2.0, 3.0, 3.14]
    assert apparent_frequency(low).tolist() == low
    assert apparent_frequency([-x for x in low]).tolist() == low
