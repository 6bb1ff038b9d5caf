"""Ctrl-C, taken where it does no harm."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from .events import EventStream


@contextmanager
def interrupts_wait(events: EventStream) -> Iterator[None]:
    """Note a Ctrl-C in ``events.interrupted`` instead of raising it anywhere; a second one raises KeyboardInterrupt.

    Who has a handler of their own keeps it; so does everybody outside the main thread, where Python takes no signals.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def note(number: int, frame: object) -> None:
        if events.interrupted:
            raise KeyboardInterrupt
        events.interrupted = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
