"""A plan that is asked for in another way where there is none."""

from __future__ import annotations

from collections.abc import Callable

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.plans import Job, Plan


class SecondTry:
    """A job that, where it finds no plan, gives way to another one, once.

    Args:
        job: The first.
        again: From its failure to the second, or to why there is none.
    """

    def __init__(self, job: Job, again: Callable[[Failure], Job | Failure]) -> None:
        self._job: Job = job
        self._again: Callable[[Failure], Job | Failure] | None = again
        self._failure: Failure | None = None

    def done(self) -> bool:
        """Whether the result is there."""
        while self._failure is None and self._job.done():
            found, again = self._job.result(), self._again
            if not isinstance(found, Failure) or again is None:
                return True
            self._again, other = None, again(found)
            if isinstance(other, Failure):
                self._failure = other
            else:
                self._job = other
        return self._failure is not None

    def result(self) -> Plan | Failure:
        """The plan, or why there is none; of the second try if there was one. Waits for it."""
        while not self.done():
            self._job.result()
        return self._failure or self._job.result()

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        self._again = None
        self._job.cancel()
