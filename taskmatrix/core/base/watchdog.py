"""A cut for what never comes back: code that blocks is interrupted where it stands."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from .errors import TaskMatrixError
from .source import SourceLine


class BlockedError(TaskMatrixError):
    """Raised inside of what takes too long."""


@contextmanager
def watchdog(seconds: float) -> Iterator[None]:
    """Raise BlockedError in what runs inside and takes longer than ``seconds`` [s] on the machine's clock.

    Python code, and system calls that wait, are interrupted; a library that computes is when it comes back. Outside of
    the main thread, where there are no alarms, and where somebody else has set one, nothing is interrupted.
    """
    ours = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not ours or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        yield
        return

    over = False

    def cut(number: int, frame: FrameType | None) -> None:
        if over:
            return
        place = ""
        if frame is not None:
            place = f", at {SourceLine(frame.f_code.co_filename, frame.f_lineno)}"
        raise BlockedError(f"does not come back within {seconds:g} s{place}")

    try:
        signal.signal(signal.SIGALRM, cut)
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)  # again and again: more than one may block
        yield
    finally:
        over = True  # first: an alarm that comes before it is turned off must not keep that from happening
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
