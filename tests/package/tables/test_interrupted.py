"""Whoever waits for a large table can stop it: Ctrl-C is heard between two blocks of rows."""

import signal
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from posenc import sinusoidal_positional_encoding

L, D = 2**14, 1024


class StoppedError(Exception):
    """In the place of KeyboardInterrupt, which would stop the tests."""


@pytest.fixture
def when() -> Iterator[Callable[[Callable[[], bool]], None]]:
    """Return what has a signal come, as from a keyboard, once something is so."""

    def ask(begun: Callable[[], bool]) -> None:
        def stop(*_: object) -> None:
            if begun():
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                raise StoppedError

        signal.signal(signal.SIGVTALRM, stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0005, 0.0005)

    before = signal.getsignal(signal.SIGVTALRM)
    yield ask
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def test_a_table_that_has_begun_can_be_stopped(when) -> None:
    out = np.full((L, D), np.nan)
    when(lambda: not np.isnan(out[0, 0]))

    with pytest.raises(StoppedError):
        sinusoidal_positional_encoding(L, D, out=out)

    assert not np.isnan(out[0]).any()
    assert np.isnan(out[-1]).all()
