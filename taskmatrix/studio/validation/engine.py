"""Engines: what runs cases in processes of other machines, behind one small protocol."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from taskmatrix.core.base.errors import TaskMatrixError

from .case import FAILURE, Case, Result
from .store import fingerprint
from .work import Run

_ONE_AT_A_TIME = threading.Lock()


class EngineError(TaskMatrixError):
    """An engine that cannot be reached, has gone, or has workers that may not run cases."""


@dataclass(frozen=True)
class Job:
    """A case on its way to a worker."""

    key: str
    """Of the result, by content: the same for the same case and library."""
    case: Case
    """What to run."""
    picture: str = ""
    """Path of the contact sheet; none if empty."""


@dataclass(frozen=True)
class Answer:
    """What came back from a worker."""

    key: str
    """Of the job."""
    worker: str
    """Address of the worker."""
    result: Result | None
    """None if the job was lost on the way, or with its worker."""
    ended: bool = True
    """Whether the run had ended: if so, it is not what its worker died of."""


class Engine(Protocol):
    """Runs jobs where it is told to; who runs what, and what is tried again, is not its business.

    A worker runs the jobs that it was given one after the other, in their order.
    """

    def workers(self) -> Sequence[str]:
        """Addresses of the workers that are there now.

        Raises:
            EngineError: The engine has gone.
        """
        ...

    def submit(self, job: Job, worker: str) -> None:
        """Give a job to a worker."""
        ...

    def wait(self, seconds: float) -> Sequence[Answer]:
        """What has come since the last call; if that is nothing, wait for it at most so long.

        Raises:
            EngineError: The engine has gone, or a worker may not run cases.
        """
        ...

    def cancel(self, key: str, worker: str) -> None:
        """A job is no longer wanted there; what runs already may run on, and its answer may still come."""
        ...

    def restart(self, worker: str) -> bool:
        """End the process of a worker that hangs; whether that was possible."""
        ...

    def close(self) -> None:
        """Cancel what is left, and let go of the workers."""
        ...


Open = Callable[[str, int, Run], Engine]
"""Opens an engine, from what follows ``://`` in its name, how many processes to start if it starts any, and what runs a
case. Third parties name theirs in entry points ``taskmatrix.engines``."""


def perform(run: Run, job: Job, library: str) -> Result:
    """Run a job, in the process of a worker.

    Cases of one process are run one at a time, however many threads it has: planners share a random generator.

    Args:
        run: Runs the case.
        job: Which.
        library: Fingerprint of the library of the process that scatters.

    Raises:
        EngineError: The library of this process is another one.
    """
    mine = fingerprint()
    if mine != library:
        raise EngineError(f"its library is {mine}, and that of the process that scatters the runs {library}")
    with _ONE_AT_A_TIME:
        try:
            return run(job.case, job.picture)
        except Exception as error:
            return Result(job.case, FAILURE, "error", f"{type(error).__name__}: {error}")
