"""Progress of compiling functions to machine code, for people who wait for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

LOG = logging.getLogger("taskmatrix")
LINES = 5  # in a log, from the first function to the last


@dataclass(frozen=True)
class CompileProgress:
    """How far it is."""

    what: str
    """What is compiled, and how often, as in ``the kernel, once for this version``."""
    done: int
    """Functions that are compiled."""
    total: int
    """Functions that there are."""
    waiting: bool = False
    """Whether another process compiles them, and this one waits for it."""

    def __str__(self) -> str:
        verb = "waiting for another process, which is compiling" if self.waiting else "compiling"
        return f"{verb} {self.what}: {self.done} of {self.total} functions"


Report = Callable[[CompileProgress], object]


def log_progress() -> Report:
    """Report to the log of the library, in a few lines."""
    next_line = 0

    def report(progress: CompileProgress) -> None:
        nonlocal next_line
        line = LINES * progress.done // max(progress.total, 1)
        if line >= next_line:
            next_line = line + 1
            LOG.warning("%s", progress)

    return report


@contextmanager
def counted(functions: Collection[Callable[..., Any]], report: Callable[[int], object]) -> Iterator[None]:
    """Report, each time that Numba has compiled one of ``functions``, how many it has compiled."""
    from numba.core import event  # noqa: PLC0415 - takes a third of a second, and the core is light

    done: set[Callable[..., Any]] = set()

    class Counter(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            """Wait for its end."""

        def on_end(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            if function in functions and function not in done:
                done.add(function)
                report(len(done))

    with event.install_listener("numba:compile", Counter()):
        yield
