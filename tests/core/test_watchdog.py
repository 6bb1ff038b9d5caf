"""The cut for what never comes back."""

from __future__ import annotations

import signal
import time
from typing import Any

import pytest

from taskmatrix.core.base.watchdog import BlockedError, watchdog


def off() -> bool:
    """Whether no alarm is set, nor anybody who would take it."""
    return signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0) and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_what_blocks_is_cut_where_it_stands() -> None:
    """And no alarm is left."""
    with pytest.raises(BlockedError, match=r"within 0\.05 s"), watchdog(0.05):
        time.sleep(10.0)
    assert off()


def test_an_alarm_that_comes_at_the_very_end_is_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """It raises nothing elsewhere: neither then nor later."""
    real = signal.setitimer

    def late(which: int, seconds: float, interval: float = 0.0) -> Any:
        if not seconds:
            signal.raise_signal(signal.SIGALRM)
        return real(which, seconds, interval)

    monkeypatch.setattr(signal, "setitimer", late)
    with watchdog(5.0):
        pass
    assert off()
